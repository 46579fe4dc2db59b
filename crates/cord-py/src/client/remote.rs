//! Remote functions as the client sees them: calling one in place, and what comes back.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use cord_core::scout::{Answers, Why};
use cord_core::{Budget, Codec, Effects, Outcome, Spent, Ticket};
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::client::ending::{has_ended, stay_if_left_behind};
use crate::client::inlining::{runs_within, Inlining, Within};
use crate::client::onlookers::is_watched;
use crate::client::service::Use;
use crate::client::session::{How, Session};
use crate::copies::{self, Asked, Learnt};
use crate::replica::endpoint::Endpoint;
use crate::scouts::scout_end::is_telling;
use crate::takes::reasons::{charge, count_unseen, count_unsent, timed};
use crate::takes::standing::Comer;
use crate::takes::values::method_type;
use crate::trace;
use crate::travel::buffers::Outside;
use crate::travel::encode::{are_stable, encode, Encoded};
use crate::travel::passed::{with_values, Needs};
use crate::travel::resident::ResidentArguments;

mod encoding;

/// What a remote function has for itself: how it is called, bound and pickled.
const OWN_ATTRIBUTES: [&str; 4] = ["__call__", "__get__", "__reduce__", "__reduce_ex__"];

/// The function that a remote function stands for.
#[pyfunction]
fn original_of<'py>(function: &Bound<'py, RemoteFunction>) -> Bound<'py, PyAny> {
    function.get().original.bind(function.py()).clone()
}

/// The name that it has in its module: of a method with its class, of a function of the main script
/// without what tells its version.
#[pyfunction]
fn name_of(function: &Bound<'_, RemoteFunction>) -> PyResult<String> {
    let name = function.get().name.bind(function.py()).to_str()?;
    Ok(name.rsplit(':').next().unwrap_or(name).to_owned())
}

// A function of a remote module: calling it runs it in a replica. It looks like the function it
// stands for: name, documentation, signature. (No documentation comment: it would be `__doc__`.)
#[pyclass(name = "function", module = "builtins", frozen, weakref)]
pub struct RemoteFunction {
    carrier: Carrier,
    pub(crate) module: u32,
    pub name: Py<PyString>,
    pub original: Py<PyAny>,
    pub(crate) effects: Effects,
    /// How it is called by all but those modules of the program that have their own way.
    usual: Py<Use>,
    by_client: HashMap<String, Py<Use>>,
    /// Defined by the main script: it travels by value, with every call.
    own: bool,
    /// The arguments that replicas keep.
    resident: Option<Py<ResidentArguments>>,
    /// How calls are encoded. What the main script defines travels in pickles only, and so do values
    /// that are passed on, and what replicas keep.
    codec: Codec,
    /// Calls that no site tells apart.
    pub inlining: Arc<Inlining>,
    /// How they were answered.
    pub(crate) answers: Answers,
    /// What it is called where a run is told of.
    label: OnceLock<Arc<str>>,
    /// What its results have been.
    pub(crate) learnt: Learnt,
    /// One of them could not travel: pure calls are made where they are called from then on.
    stays: AtomicBool,
}

/// What comes of a call, and how long it took in its replica, as far as that is known.
type InPlace<'py> = (PyResult<Bound<'py, PyAny>>, Option<Duration>);

/// The arguments of a call.
type Arguments<'a, 'py> = (&'a Bound<'py, PyTuple>, Option<&'a Bound<'py, PyDict>>);

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
    #[pyo3(signature = (carrier, module, name, original, effects, usual, by_client=HashMap::new(), own=false, resident=None, codec=0))]
    #[expect(
        clippy::too_many_arguments,
        reason = "what the plan says of a function"
    )]
    fn new(
        carrier: Carrier,
        module: u32,
        name: Py<PyString>,
        original: Py<PyAny>,
        effects: &str,
        usual: Py<Use>,
        by_client: HashMap<String, Py<Use>>,
        own: bool,
        resident: Option<Py<ResidentArguments>>,
        codec: u8,
    ) -> PyResult<Self> {
        Ok(Self {
            carrier,
            module,
            name,
            original,
            effects: effects_of(effects)?,
            usual,
            by_client,
            own,
            resident,
            codec: Codec(codec),
            inlining: Arc::default(),
            answers: Answers::default(),
            label: OnceLock::new(),
            learnt: Learnt::default(),
            stays: AtomicBool::new(false),
        })
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
        let comer = Comer {
            site: None,
            activation: None,
            callee: slf.as_any(),
        };
        timed(&slf.get().answers, comer, || {
            Self::call_from(slf, None, args, kwargs, false)
        })
    }

    fn __get__<'py>(
        slf: &Bound<'py, Self>,
        instance: Option<&Bound<'py, PyAny>>,
        _owner: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match instance {
            Some(instance) if !instance.is_none() => method_type(slf.py())?.call1((slf, instance)),
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

    /// Travels as what it stands for does: a function by name, a partial by what is in it.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let original = self.original.bind(py);
        match original.getattr_opt(intern!(py, "__qualname__"))? {
            Some(name) => Ok(name),
            None => original.call_method0(intern!(py, "__reduce__")),
        }
    }
}

impl RemoteFunction {
    /// Makes a call in place, for a site of a module of the program that counts how it is answered; none:
    /// for the module that is running. What it gives may be only passed on.
    pub fn call_from<'py>(
        slf: &Bound<'py, Self>,
        from: Option<(&str, &Answers)>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        passes: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        stay_if_left_behind(py);
        if this.is_local() || (this.is_pure() && has_ended()) {
            return this.call_here(py, args, kwargs);
        }
        if this.stays() {
            let answers = from.map_or(&this.answers, |(_, answers)| answers);
            answers.count_in_place();
            count_unsent(answers, Why::Unreturnable, None);
            return this.call_here(py, args, kwargs);
        }
        let how = match from {
            Some((client, _)) => this.use_of(client),
            None => this.use_of(&this.running_module(py)?),
        };
        if how.inline && runs_within(this.module) {
            return this.call_here(py, args, kwargs);
        }
        if copies::is_copy() {
            return copies::call(slf, how, &this.inlining, args, kwargs);
        }
        let answers = from.map_or(&this.answers, |(_, answers)| answers);
        if how.inline
            && this
                .inlining
                .is_inlined(|| !copies::have_hope(this, this.inlining.service()))
        {
            answers.count_unsent();
            return this.inlining.make(|| this.call_here(py, args, kwargs));
        }
        let begun = how.inline.then(Instant::now);
        let (value, service) = match &this.carrier {
            Carrier::Session(_) => Self::call_in_place(slf, how, answers, (args, kwargs), passes)?,
            Carrier::Link(link) => {
                let link = Endpoint::of_thread(link.bind(py));
                this.call_over(link.get(), py, (args, kwargs))?
            }
        };
        if let (Some(begun), Some(service)) = (begun, service) {
            this.inlining.shipped(begun.elapsed(), service);
        }
        value
    }

    /// Makes a call of another remote module, from a replica. What comes of it, and how long it took.
    fn call_over<'py>(
        &self,
        link: &Endpoint,
        py: Python<'py>,
        (args, kwargs): Arguments<'_, 'py>,
    ) -> PyResult<InPlace<'py>> {
        let stable = self.are_stable(args, kwargs);
        let Ok(encoded) = self.encode_or_not(py, args, kwargs, stable)? else {
            return Ok((self.call_here(py, args, kwargs), None));
        };
        let payload = encoded.into_payload(py, self.shared_from())?;
        let manner = self.usual.get().manner;
        let answered = link.call(py, (self.module, manner), self.effects, payload)?;
        let value = match answered.raised {
            Some(error) => Err(self.too_late(py, answered.outcome, error)),
            None if self.must_stay(&answered.outcome) => self.call_here(py, args, kwargs),
            None => self.result(py, answered.outcome),
        };
        Ok((value, Some(answered.service)))
    }

    /// Makes a call that no slice has foreseen, where the program stands. What comes of it, and how long
    /// it took in its replica; that is not known of a call which a copy of the program has made.
    fn call_in_place<'py>(
        slf: &Bound<'py, Self>,
        how: &Use,
        answers: &Answers,
        (args, kwargs): Arguments<'_, 'py>,
        passes: bool,
    ) -> PyResult<InPlace<'py>> {
        let (py, this) = (slf.py(), slf.get());
        let stable = this.are_stable(args, kwargs);
        let encoded = match this.encode_or_not(py, args, kwargs, stable)? {
            Ok(encoded) => encoded,
            Err(why) => {
                answers.count_in_place();
                count_unsent(answers, Why::Unsendable, Some(&why));
                return Ok((this.call_here(py, args, kwargs), None));
            }
        };
        let asked = match copies::are_wanted() {
            true => copies::find(py, this, how, &encoded)?,
            false => Asked::Apart,
        };
        if let Asked::Found((ticket, _spent)) = &asked {
            answers.count_by_copy();
            charge(answers, ticket, this);
            trace::answered(ticket);
            let began = Instant::now();
            let waited = this.wait(py, ticket);
            this.inlining.ahead(began.elapsed(), ticket.service());
            copies::took(this, ticket, began);
            let value = Self::come_of(slf, ticket, waited, args, kwargs);
            copies::learn(this, &value);
            return Ok((value, None));
        }
        answers.count_in_place();
        if is_telling() && how.ahead {
            count_unseen(answers, copies::is_one_running(this));
        }
        let ticket = this.issue(py, how, args, kwargs, encoded, passes)?;
        charge(answers, &ticket, this);
        trace::answered(&ticket);
        if let Asked::Missed(missed) = &asked {
            copies::was_made(this, missed, &ticket);
            match copies::run_ahead(py, slf, &ticket, Vec::new) {
                Ok(None) => {}
                Ok(Some(value)) => return Ok((Ok(value), None)),
                // a signal: the call is under way, and is to hear of it
                Err(error) => {
                    let value = Self::come_of(slf, &ticket, Err(error), args, kwargs);
                    return Ok((value, None));
                }
            }
        }
        let waited = this.wait(py, &ticket);
        copies::served(this, &ticket);
        let value = Self::come_of(slf, &ticket, waited, args, kwargs);
        if ticket.chain() == 0 {
            copies::learn(this, &value);
        }
        Ok((value, Some(ticket.service())))
    }

    /// What it is called where a run is told of: module and name.
    pub fn label(&self) -> &Arc<str> {
        self.label.get_or_init(|| {
            Python::attach(|py| {
                let original = self.original.bind(py);
                let text = |name| original.getattr(name)?.extract::<String>();
                let whole = text("__module__")
                    .and_then(|module| Ok(format!("{module}.{}", text("__qualname__")?)));
                whole
                    .unwrap_or_else(|_| self.name.bind(py).to_string())
                    .into()
            })
        })
    }

    /// Makes a call as the plain program does.
    pub fn call_here<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (args, kwargs) = with_values(args, kwargs)?;
        let _within = Within::module(self.module);
        self.original.bind(py).call(args, kwargs.as_ref())
    }

    /// Whether calls run here: in a forked child, after the end of the session, or where the program
    /// has closed what leads to the replicas and they kept nothing.
    pub fn is_local(&self) -> bool {
        match &self.carrier {
            Carrier::Session(session) => {
                session.get().is_local() || self.is_replaced(session.get())
            }
            Carrier::Link(link) => link.get().is_local(),
        }
    }

    /// Whether calls may be repeated or left out.
    pub fn is_pure(&self) -> bool {
        self.effects.is_pure()
    }

    /// Whether calls are made by who calls, for what one returned could not travel.
    pub fn stays(&self) -> bool {
        self.stays.load(Ordering::Relaxed)
    }

    /// Whether what came of a pure call cannot travel: it is made once more, by who calls, and so are
    /// those that follow.
    fn must_stay(&self, outcome: &Outcome) -> bool {
        let must = self.is_pure() && outcome.is_unencodable();
        if must {
            self.stays.store(true, Ordering::Relaxed);
        }
        must
    }

    /// Whether calls may depend on one another.
    pub fn is_stateful(&self) -> bool {
        self.effects == Effects::Stateful
    }

    /// Whether no call with effects has mentioned anything of the main script.
    pub fn mentions_nothing(&self) -> bool {
        !self.own
            && matches!(&self.carrier, Carrier::Session(session) if session.get().mentioned().is_empty())
    }

    /// Whether the program has closed what leads to the replicas, and calls can be made here instead.
    fn is_replaced(&self, session: &Session) -> bool {
        if self.is_pure() {
            return session.is_cut_off();
        }
        !session.has_state() && session.is_found_cut_off()
    }

    /// Whether the program has closed descriptors that lead to the replicas.
    pub fn is_cut_off(&self) -> bool {
        matches!(&self.carrier, Carrier::Session(session) if session.get().is_cut_off())
    }

    /// The program has closed a descriptor of Cord's: nothing more goes to the replicas.
    pub fn cut_off(&self) {
        if let Carrier::Session(session) = &self.carrier {
            session.get().cut_off();
        }
    }

    /// What comes of the program's call with these arguments: its settled ticket's value, or what
    /// stands for it; where both are lost, what the function returns here.
    pub fn taken<'py>(
        slf: &Bound<'py, Self>,
        ticket: &Ticket,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        match this.outcome(ticket) {
            Outcome::Closed if this.is_replaced(this.session()) => this.call_here(py, args, kwargs),
            outcome if outcome.has_no_replica() && this.is_pure() => {
                this.call_here(py, args, kwargs)
            }
            outcome if this.must_stay(&outcome) => this.call_here(py, args, kwargs),
            outcome if ticket.chain() > 0 => Self::passed(slf, py, ticket, outcome),
            outcome => {
                copies::keep(this, &outcome);
                this.result(py, outcome)
            }
        }
    }

    /// Whether replicas keep arguments of its.
    pub(crate) fn keeps_arguments(&self) -> bool {
        self.resident.is_some()
    }

    /// Whether calls have effects and do not depend on one another.
    pub fn is_independent(&self) -> bool {
        self.effects == Effects::Independent
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

    /// The object that says how a module calls it.
    pub fn handle_of(&self, py: Python<'_>, how: &Use) -> Py<Use> {
        let mut others = self.by_client.values();
        let found = others.find(|one| std::ptr::eq(one.get(), how));
        found.unwrap_or(&self.usual).clone_ref(py)
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
            beside: false,
            manner: how.manner,
            priority: how.priority(py, args, kwargs)?,
            ahead: false,
            chain: encoded.chain(passes && how.forward && !is_watched(py)?),
            needs: encoded.needs.iter().map(Ticket::id).collect(),
            quiet: true,
        };
        let payload = encoded.into_payload(py, self.shared_from())?;
        self.session()
            .issue_call(py, self.module, self.effects, how, payload)
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
            .issue_call(py, self.module, Effects::Pure, how, encoded.payload)
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
            beside: false,
            manner: how.manner,
            priority: how.priority(py, args, kwargs)?,
            ahead: true,
            chain: encoded.chain(passes && how.forward && !is_watched(py)?),
            needs: encoded.needs.iter().map(Ticket::id).collect(),
            quiet: false,
        };
        let payload = encoded.into_payload(py, self.shared_from())?;
        let session = self.session();
        let ticket = session.issue_call(py, self.module, self.effects, how, payload)?;
        Ok((ticket, spent))
    }

    /// A call with effects was issued ahead: the program does not end before it has.
    pub fn keep_to_the_end(slf: &Bound<'_, Self>, ticket: &Ticket) {
        let remote = slf.clone().unbind();
        slf.get().session().committed().add(ticket.clone(), remote);
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

/// What calls do, by its name in the plan.
///
/// # Errors
/// `ValueError` if there is nothing of that name.
fn effects_of(name: &str) -> PyResult<Effects> {
    match name {
        "pure" => Ok(Effects::Pure),
        "independent" => Ok(Effects::Independent),
        "stateful" => Ok(Effects::Stateful),
        _ => Err(PyValueError::new_err(format!(
            "no effects are called {name}"
        ))),
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
    module.add_function(wrap_pyfunction!(name_of, module)?)?;
    Ok(())
}
