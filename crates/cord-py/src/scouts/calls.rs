//! The calls that a scout has issued, and which of them is the one that the program makes.

use std::sync::Arc;

use cord_core::ticket::{Ticket, Watch};
use cord_scout::{Asks, Counted, Pace, Refusal, Told, Why};
use cord_sync::budget::Spent;
use cord_wire::payload::{is_same_world, World};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::client::remote::RemoteFunction;
use crate::copies::Sent;
use crate::python;
use crate::scouts::scouting::Calls;
use crate::travel::encode::{same_keywords, same_tuples, Encoded, Kept};

/// A call is compared with so many others to tell in what it differs.
const MOST_COMPARED: usize = 256;

/// A call that was issued, before it is encoded for a copy.
pub struct ToBeSent {
    function: Py<RemoteFunction>,
    args: Py<PyTuple>,
    kwargs: Option<Py<PyDict>>,
    stable: bool,
    view: Watch,
}

impl ToBeSent {
    /// As its scout has sent it; none if it waits for other calls.
    pub fn encoded(self, py: Python<'_>) -> Option<Sent> {
        let function = self.function.get();
        let kwargs = self.kwargs.as_ref().map(|kwargs| kwargs.bind(py));
        let encoded = function.encode_ahead(py, self.args.bind(py), kwargs, self.stable);
        let encoded = encoded.ok().filter(|encoded| encoded.needs.is_empty())?;
        Some((function.module, encoded.payload, self.view))
    }
}

/// A call issued ahead. Dropping it drops the call.
pub struct Issued {
    pub site: u32,
    pub ticket: Ticket,
    function: Py<RemoteFunction>,
    args: Py<PyTuple>,
    kwargs: Option<Py<PyDict>>,
    /// Which of the program's takes it was issued in.
    pub during: usize,
    /// The encoding, kept where the arguments might change meanwhile.
    payload: Option<Box<Kept>>,
    _counted: Counted,
    _spent: Spent,
}

impl Issued {
    pub fn new(
        site: u32,
        function: &Bound<'_, RemoteFunction>,
        (ticket, spent): (Ticket, Spent),
        asked: (&Bound<'_, PyTuple>, Option<&Bound<'_, PyDict>>),
        kept: Option<Box<Kept>>,
        pace: &Pace,
    ) -> Self {
        let (args, kwargs) = asked;
        Self {
            site,
            ticket,
            function: function.clone().unbind(),
            args: args.clone().unbind(),
            kwargs: kwargs.map(|kwargs| kwargs.clone().unbind()),
            during: pace.takes(),
            payload: kept,
            _counted: Counted::new(&pace.outstanding),
            _spent: spent,
        }
    }

    pub fn to_be_sent(&self, py: Python<'_>) -> ToBeSent {
        ToBeSent {
            function: self.function.clone_ref(py),
            args: self.args.clone_ref(py),
            kwargs: self.kwargs.as_ref().map(|kwargs| kwargs.clone_ref(py)),
            stable: self.payload.is_none(),
            view: self.ticket.watch(),
        }
    }

    /// The program makes this call: it has looked at the arguments.
    pub fn confirm(&self, encoded: Option<&Encoded>) {
        if let (Some(kept), Some(encoded)) = (&self.payload, encoded) {
            kept.confirm(encoded);
        }
    }

    /// Whether it is a call of the function that the program now calls, and from there.
    fn is_at(&self, asked: &Asked<'_, '_>) -> bool {
        self.site == asked.site && self.function.get().is_same(asked.function)
    }

    /// Whether this is the call that the program now makes.
    fn matches(&self, asked: &Asked<'_, '_>) -> bool {
        if !self.is_at(asked) {
            return false;
        }
        let py = asked.args.py();
        match (&self.payload, asked.encoded) {
            (None, None) => {
                same_tuples(self.args.bind(py), asked.args)
                    && same_keywords(
                        self.kwargs.as_ref().map(|kwargs| kwargs.bind(py)),
                        asked.kwargs,
                    )
            }
            (Some(kept), Some(encoded)) => kept.is_same(encoded),
            _ => false,
        }
    }
}

/// What the program asks for; `encoded` is there where the arguments could have changed.
pub struct Asked<'a, 'py> {
    pub site: u32,
    pub function: &'a Bound<'py, RemoteFunction>,
    pub args: &'a Bound<'py, PyTuple>,
    pub kwargs: Option<&'a Bound<'py, PyDict>>,
    pub encoded: Option<&'a Encoded>,
    /// In which world; none: in any.
    pub world: Option<&'a World>,
}

impl Asked<'_, '_> {
    /// In which argument a scout's call of the same function differs, from the same place.
    pub fn differs(&self, calls: &Calls) -> Told {
        let py = self.args.py();
        let mut others = Vec::new();
        calls.look_at(MOST_COMPARED, &mut others, &|issued| {
            let kwargs = || issued.kwargs.as_ref().map(|kwargs| kwargs.clone_ref(py));
            issued
                .is_at(self)
                .then(|| (issued.args.clone_ref(py), kwargs()))
        });
        let (args, kwargs) = others.into_iter().flatten().next()?;
        let original = &self.function.get().original;
        let asked = (original, self.args, self.kwargs, args, kwargs);
        let told = python::PARAMETER.call(py, asked).ok()?;
        let (of, example) = told.extract().ok()?;
        let plain = Refusal::plain(Why::Differed);
        Some(Arc::new(Refusal {
            of,
            example,
            ..plain
        }))
    }
}

impl Asks<Issued> for Asked<'_, '_> {
    fn is(&self, issued: &Issued) -> bool {
        let is_here = |world| is_same_world(issued.ticket.world(), world);
        issued.matches(self) && self.world.is_none_or(is_here)
    }

    /// What is one constant to the program may be two to a scout. It has had its effects, in whichever
    /// world.
    fn is_fulfilled_by(&self, issued: &Issued) -> bool {
        if issued.matches(self) {
            return true;
        }
        match (&issued.payload, self.encoded) {
            (Some(kept), Some(encoded)) if issued.is_at(self) => {
                kept.is_alike(self.args.py(), encoded)
            }
            _ => false,
        }
    }
}
