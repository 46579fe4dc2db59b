//! Remote functions as the client sees them: calling one in place, and what comes back.

use std::collections::HashMap;
use std::sync::Arc;

use cord_core::{Budget, Spent, Ticket};
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::buffers::Outside;
use crate::client::{How, Session};
use crate::copies::{self, Asked, Learnt};
use crate::encode::{are_stable, encode, Encoded};
use crate::ending::{has_ended, stay_if_left_behind};
use crate::endpoint::Endpoint;
use crate::outcome::is_watched;
use crate::passed::{with_values, Needs};
use crate::resident::ResidentArguments;
use crate::service::Use;

mod encoding;

/// What a remote function has for itself: how it is called, bound and pickled.
const OWN_ATTRIBUTES: [&str; 4] = ["__call__", "__get__", "__reduce__", "__reduce_ex__"];

/// The function that a remote function stands for.
#[pyfunction]
fn original_of<'py>(function: &Bound<'py, RemoteFunction>) -> Bound<'py, PyAny> {
    function.get().original.bind(function.py()).clone()
}

// A function of a remote module: calling it runs it in a replica. It looks like the function it
// stands for: name, documentation, signature. (No documentation comment: it would be `__doc__`.)
#[pyclass(name = "function", module = "builtins", frozen, weakref)]
pub struct RemoteFunction {
    carrier: Carrier,
    pub(crate) module: u32,
    pub name: Py<PyString>,
    pub original: Py<PyAny>,
    pub(crate) pure_call: bool,
    /// How it is called by all but those modules of the program that have their own way.
    usual: Py<Use>,
    by_client: HashMap<String, Py<Use>>,
    /// Defined by the main script: it travels by value, with every call.
    own: bool,
    /// The arguments that replicas keep.
    resident: Option<Py<ResidentArguments>>,
    /// What its results have been.
    pub(crate) learnt: Learnt,
}

/// What carries calls to replicas: the session in the client, the link in a replica of another
/// module.
#[derive(FromPyObject)]
enum Carrier {
    Session(Py<Session>),
    Link(Py<Endpoint>),
}

#[pymethods]
impl RemoteFunction {
    #[new]
    #[pyo3(signature = (carrier, module, name, original, pure_call, usual, by_client=HashMap::new(), own=false, resident=None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "what the plan says of a function"
    )]
    fn new(
        carrier: Carrier,
        module: u32,
        name: Py<PyString>,
        original: Py<PyAny>,
        pure_call: bool,
        usual: Py<Use>,
        by_client: HashMap<String, Py<Use>>,
        own: bool,
        resident: Option<Py<ResidentArguments>>,
    ) -> Self {
        Self {
            carrier,
            module,
            name,
            original,
            pure_call,
            usual,
            by_client,
            own,
            resident,
            learnt: Learnt::default(),
        }
    }

    /// The main script's functions lead to its globals, and these to what stands for them.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.original)
    }

    #[pyo3(signature = (*args, **kwargs))]
    pub fn __call__<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Self::call_from(slf, None, args, kwargs, false)
    }

    fn __get__<'py>(
        slf: &Bound<'py, Self>,
        instance: Option<&Bound<'py, PyAny>>,
        _owner: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match instance {
            Some(instance) if !instance.is_none() => slf
                .py()
                .import("types")?
                .getattr("MethodType")?
                .call1((slf, instance)),
            _ => Ok(slf.clone().into_any()),
        }
    }

    /// The attributes are the function's own: name, documentation, class, and what is set on it.
    fn __getattribute__<'py>(
        slf: &Bound<'py, Self>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if OWN_ATTRIBUTES.contains(&name.to_str()?) {
            // SAFETY: both are objects; a new reference or an error comes back.
            return unsafe {
                let found = ffi::PyObject_GenericGetAttr(slf.as_ptr(), name.as_ptr());
                Bound::from_owned_ptr_or_err(slf.py(), found)
            };
        }
        slf.get().original.bind(slf.py()).getattr(name)
    }

    fn __setattr__(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.original.bind(py).setattr(name, value)
    }

    fn __delattr__(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.original.bind(py).delattr(name)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.original.bind(py).repr()?.to_string())
    }

    /// Travels by name, as the function it stands for does.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.original.bind(py).getattr("__qualname__")
    }
}

impl RemoteFunction {
    /// Makes a call in place, for a module of the program; none: for the one that is running. What
    /// it gives may be only passed on.
    pub fn call_from<'py>(
        slf: &Bound<'py, Self>,
        client: Option<&str>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        passes: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        stay_if_left_behind(py);
        if this.is_local() || (this.pure_call && has_ended()) {
            let (args, kwargs) = with_values(args, kwargs)?;
            return this.original.bind(py).call(args, kwargs.as_ref());
        }
        match &this.carrier {
            Carrier::Session(_) => {
                let how = match client {
                    Some(client) => this.use_of(client),
                    None => this.use_of(&this.running_module(py)?),
                };
                Self::call_in_place(slf, how, args, kwargs, passes)
            }
            Carrier::Link(link) => {
                let encoded = this.encode(py, args, kwargs, this.are_stable(args, kwargs))?;
                let payload = encoded.into_payload(py, this.shared_from());
                let outcome = link.get().call(py, this.module, this.pure_call, payload)?;
                this.result(py, outcome)
            }
        }
    }

    /// Makes a call that no slice has foreseen, where the program stands.
    fn call_in_place<'py>(
        slf: &Bound<'py, Self>,
        how: &Use,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        passes: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copies::are_wanted() {
            return Self::call_beside_copies(slf, how, args, kwargs, passes);
        }
        let (py, this) = (slf.py(), slf.get());
        let encoded = this.encode(py, args, kwargs, this.are_stable(args, kwargs))?;
        let ticket = this.issue(py, how, args, kwargs, encoded, passes)?;
        this.wait(py, &ticket)?;
        if ticket.chain() > 0 {
            return Self::passed(slf, py, &ticket);
        }
        this.value(py, &ticket)
    }

    /// The same where copies of the program may have been there, and in one.
    #[cold]
    fn call_beside_copies<'py>(
        slf: &Bound<'py, Self>,
        how: &Use,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        passes: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        if copies::is_copy() {
            return copies::call(slf, how, args, kwargs);
        }
        let encoded = this.encode(py, args, kwargs, this.are_stable(args, kwargs))?;
        let asked = copies::find(py, this, how, &encoded)?;
        if let Asked::Found((ticket, _spent)) = &asked {
            this.wait(py, ticket)?;
            let value = this.value(py, ticket);
            copies::learn(this, &value);
            return value;
        }
        let ticket = this.issue(py, how, args, kwargs, encoded, passes)?;
        if let Asked::Missed(missed) = &asked {
            copies::was_made(this, missed, &ticket);
            if let Some(value) = copies::run_ahead(py, slf, &ticket)? {
                return Ok(value);
            }
        }
        let began = copies::now();
        this.wait(py, &ticket)?;
        copies::served(this, began);
        if ticket.chain() > 0 {
            return Self::passed(slf, py, &ticket);
        }
        let value = this.value(py, &ticket);
        copies::learn(this, &value);
        value
    }

    /// Whether calls run here: in a forked child, or after the end of the session.
    pub fn is_local(&self) -> bool {
        match &self.carrier {
            Carrier::Session(session) => session.get().is_local(),
            Carrier::Link(link) => link.get().is_local(),
        }
    }

    /// Whether replicas keep arguments of its.
    pub(crate) fn keeps_arguments(&self) -> bool {
        self.resident.is_some()
    }

    /// Whether calls have effects and do not depend on one another.
    pub fn is_independent(&self) -> bool {
        self.usual.get().independent
    }

    /// Whether nothing that the call sends can change after this moment.
    pub fn are_stable(
        &self,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> bool {
        !self.own && are_stable(args, kwargs)
    }

    /// Whether this is the same function; of those that travel by value, as far as can be told without
    /// their encoding.
    pub fn is_same(&self, other: &Bound<'_, Self>) -> bool {
        let (py, other) = (other.py(), other.get());
        let is_named = |name: &Py<PyString>| {
            self.name.is(name) || self.name.bind(py).as_any().eq(name).unwrap_or(false)
        };
        std::ptr::eq(self, other)
            || self.module == other.module && self.own == other.own && is_named(&other.name)
    }

    /// How a module of the program calls it.
    pub fn use_of(&self, client: &str) -> &Use {
        self.by_client.get(client).unwrap_or(&self.usual).get()
    }

    /// The module whose code runs now; nobody asks where all call alike.
    fn running_module(&self, py: Python<'_>) -> PyResult<String> {
        if self.by_client.is_empty() {
            return Ok(String::new());
        }
        // SAFETY: a borrowed reference, or null where no Python code runs.
        let globals = unsafe { Bound::from_borrowed_ptr_or_opt(py, ffi::PyEval_GetGlobals()) };
        let name = match globals {
            Some(globals) => globals.cast_into::<PyDict>()?.get_item("__name__")?,
            None => None,
        };
        Ok(name.map_or_else(String::new, |name| name.extract().unwrap_or_default()))
    }

    /// Issues the program's call. Its value may be kept for other calls, if it is only passed on.
    pub fn issue(
        &self,
        py: Python<'_>,
        how: &Use,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
        encoded: Encoded,
        passes: bool,
    ) -> PyResult<Ticket> {
        let how = How {
            manner: how.manner,
            priority: how.priority(py, args, kwargs)?,
            ahead: false,
            chain: encoded.chain(passes && how.forward && !is_watched(py)?),
            needs: encoded.needs.iter().map(Ticket::id).collect(),
            quiet: true,
        };
        let payload = encoded.into_payload(py, self.shared_from());
        self.session()
            .issue_call(py, self.module, self.pure_call, how, payload)
    }

    /// Waits for a call of its; signals reach the program meanwhile.
    pub fn wait(&self, py: Python<'_>, ticket: &Ticket) -> PyResult<()> {
        self.session().wait(py, ticket)
    }

    /// Wakes the dispatcher for what was issued and is not waited for yet.
    pub fn rouse(&self) {
        self.session().rouse();
    }

    /// Issues the call that gives back the one value that it is given.
    pub fn issue_fetch(&self, py: Python<'_>, args: &Bound<'_, PyTuple>) -> PyResult<Ticket> {
        let needs = Needs::of(args, None);
        let nothing = PyString::new(py, "");
        let encoded =
            encode(py, &nothing, args, None, false, Outside::Copied(usize::MAX))?.with(needs);
        let how = How {
            manner: self.usual.get().manner,
            needs: encoded.needs.iter().map(Ticket::id).collect(),
            quiet: true,
            ..How::default()
        };
        self.session()
            .issue_call(py, self.module, true, how, encoded.payload)
    }

    /// Issues a call ahead of the program; it counts in its budget until it is let go.
    pub fn issue_ahead(
        &self,
        py: Python<'_>,
        how: &Use,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
        encoded: Encoded,
        passes: bool,
    ) -> PyResult<(Ticket, Spent)> {
        let spent = self.budget(how).spend(encoded.size());
        let how = How {
            manner: how.manner,
            priority: how.priority(py, args, kwargs)?,
            ahead: true,
            chain: encoded.chain(passes && how.forward && !is_watched(py)?),
            needs: encoded.needs.iter().map(Ticket::id).collect(),
            quiet: false,
        };
        let payload = encoded.into_payload(py, self.shared_from());
        let session = self.session();
        let ticket = session.issue_call(py, self.module, self.pure_call, how, payload)?;
        Ok((ticket, spent))
    }

    /// A call with effects was issued ahead: the program does not end before it has.
    pub fn keep_to_the_end(slf: &Bound<'_, Self>, ticket: &Ticket) {
        let remote = slf.clone().unbind();
        slf.get().session().promised().add(ticket.clone(), remote);
    }

    fn shared_from(&self) -> usize {
        self.usual.get().transport.shared_from()
    }

    /// What may be out ahead of the program of its calls.
    pub fn budget(&self, how: &Use) -> &Arc<Budget> {
        self.session().budget(self.module, how.manner)
    }

    /// # Panics
    /// In a replica, where there are no tickets.
    pub(crate) fn session(&self) -> &Session {
        let Carrier::Session(session) = &self.carrier else {
            panic!("a replica has no tickets");
        };
        session.get()
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let class = py.get_type::<RemoteFunction>();
    // What Python's own functions have: a class without a module, and documentation that is found
    // without `__getattribute__`.
    class.setattr("__name__", "function")?;
    let documentation = py
        .import("_operator")?
        .call_method1("attrgetter", ("__doc__",))?;
    let property = py.import("builtins")?.getattr("property")?;
    class.setattr("__doc__", property.call1((documentation,))?)?;
    module.add("RemoteFunction", class)?;
    module.add_function(wrap_pyfunction!(original_of, module)?)?;
    Ok(())
}
