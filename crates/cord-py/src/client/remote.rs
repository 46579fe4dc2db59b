//! Remote functions as the client sees them: calling one in place, and what comes back.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use cord_dispatch::audit::Sampling;
use cord_scout::Answers;
use cord_wire::codec::Codec;
use cord_wire::effects::Effects;
use cord_wire::payload::World;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::client::inlining::Inlining;
use crate::client::module_state::Known;
use crate::client::service::Use;
use crate::client::session::Session;
use crate::copies::Learnt;
use crate::python;
use crate::replica::endpoint::Endpoint;
use crate::takes::reasons::timed;
use crate::takes::standing::Comer;
use crate::takes::values::method_type;
use crate::travel::encode::are_stable;
use crate::travel::resident::ResidentArguments;
pub(crate) use awaiting::Waits;
use awaiting::{Coroutine, Lengths};
use keeping::Keeping;
pub(crate) use staying::Staying;

mod awaiting;
mod calling;
mod encoding;
mod issuing;
mod keeping;
mod staying;

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
    /// Whether calls are made where they are called, for replies of earlier ones could not be used.
    pub(crate) staying: Arc<Staying>,
    /// Which of its calls may be made again when replicas have nothing to do; none where no call may.
    sampling: Option<Sampling>,
    /// The same, for what they may change is the program's own.
    is_own: AtomicBool,
    /// Tells of arguments whether calls may keep any of them; none of a function that keeps nothing.
    kept: OnceLock<Py<PyAny>>,
    /// What it reaches of the state of modules.
    reached: Known,
    /// How its calls are awaited, if it is a coroutine function, and how long they take.
    pub(crate) waits: Waits,
    lengths: Lengths,
    /// Whether outcomes are kept for later runs.
    keeping: Option<Keeping>,
}

/// The arguments of a call.
type Arguments<'a, 'py> = (&'a Bound<'py, PyTuple>, Option<&'a Bound<'py, PyDict>>);

/// Lets the program make all calls of a function: it has nothing but what is the program's.
#[pyfunction]
fn keep_here(function: &Bound<'_, RemoteFunction>) {
    function.get().is_own.store(true, Ordering::Relaxed);
}

/// Asks `keeps(args, kwargs)` of each call that could be the first to leave state in replicas: the
/// program makes those that may keep arguments which can change, and all that depend on them.
#[pyfunction]
fn ask_before_state(function: &Bound<'_, RemoteFunction>, keeps: Py<PyAny>) {
    let _ = function.get().kept.set(keeps); // a function is made remote once
}

/// Lets go of what a function is known to reach: no more calls of it are sent.
#[pyfunction]
fn forget_reached(function: &Bound<'_, RemoteFunction>) {
    function.get().reached.forget(function.py());
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
    #[pyo3(signature = (carrier, module, name, original, effects, usual, by_client=HashMap::new(), own=false, resident=None, codec=0, again=0.0, waits=0, keep=(0, 0)))]
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
        again: f64,
        waits: u8,
        keep: (u8, u32),
    ) -> PyResult<Self> {
        let made = Self {
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
            staying: Arc::default(),
            sampling: (again > 0.0).then(|| Sampling::of(again)),
            is_own: AtomicBool::new(false),
            kept: OnceLock::new(),
            reached: Known::default(),
            waits: Waits::of(waits),
            lengths: Lengths::default(),
            keeping: Keeping::of(keep),
        };
        if let (Carrier::Session(session), Some(_)) = (&made.carrier, &made.keeping) {
            if let Some(kept) = session.get().core().kept() {
                kept.name(made.learnt.number(), made.label());
            }
        }
        Ok(made)
    }

    /// The main script's functions lead to its globals, and these to what stands for them.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.original)?;
        visit.call(self.kept.get())
    }

    #[pyo3(signature = (*args, **kwargs))]
    pub fn __call__<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if slf.get().waits != Waits::Never {
            return Coroutine::of(slf, args, kwargs);
        }
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

    /// To the program it is the function that its module knows by the name.
    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        match other.cast::<RemoteFunction>() {
            Ok(other) => other.get().original.is(&self.original),
            Err(_) => other.is(self.original.bind(py)),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.original.bind(py).hash()
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

    /// Whether replicas are on other machines.
    pub fn is_far(&self) -> bool {
        match &self.carrier {
            Carrier::Session(session) => session.get().is_far,
            Carrier::Link(_) => false,
        }
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

    /// Whether this is a forked child of the program, and what calls have left is kept by the program's
    /// replicas.
    fn has_left_behind(&self) -> bool {
        self.is_stateful()
            && matches!(&self.carrier, Carrier::Session(session) if session.get().has_left_behind(self.module))
    }

    /// Whether calls may be repeated or left out.
    pub fn is_pure(&self) -> bool {
        self.effects.is_pure()
    }

    /// Looks at the state of modules that a call may read: it goes with the call. What of it cannot
    /// travel, so that the call is the program's own.
    #[inline]
    pub fn reads_what_stays(&self, py: Python<'_>) -> PyResult<Option<String>> {
        match &self.carrier {
            Carrier::Session(_) => self.reached.must_stay(py, &self.original),
            Carrier::Link(_) => Ok(None),
        }
    }

    /// A number that is another one as soon as that state was looked at again.
    pub fn looked(&self) -> u64 {
        self.reached.looked()
    }

    /// Whether calls are made by who calls, so that nobody is to issue any ahead.
    pub fn stays(&self) -> bool {
        self.staying.is() || self.is_own()
    }

    /// Whether they are since they may change what is the program's own, or depend on others that the
    /// program has made.
    fn is_own(&self) -> bool {
        self.is_own.load(Ordering::Relaxed) || self.is_the_programs()
    }

    /// Whether calls may depend on others that the program has made.
    fn is_the_programs(&self) -> bool {
        self.is_stateful()
            && matches!(&self.carrier, Carrier::Session(session) if session.get().is_the_programs(self.module))
    }

    /// Whether the program could still make all of them.
    pub fn is_free(&self) -> bool {
        matches!(&self.carrier, Carrier::Session(session) if session.get().is_nobodys(self.module))
    }

    /// Whether the program makes the calls of this module from now on, because of one that cannot be
    /// sent: all that depend on one another, if replicas have made none of them.
    pub fn takes_over(&self, py: Python<'_>, why: &PyErr) -> PyResult<bool> {
        let Carrier::Session(session) = &self.carrier else {
            return Ok(self.is_independent());
        };
        if !self.is_stateful() || self.is_the_programs() {
            return Ok(true);
        }
        let takes = session.get().take_over(self.module);
        if takes {
            python::TELL_OF_TAKEN.call(py, (self.original.bind(py), why.value(py)))?;
        }
        Ok(takes)
    }

    /// Whether this is the program, and no replica.
    pub(super) fn has_session(&self) -> bool {
        matches!(self.carrier, Carrier::Session(_))
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
        self.is_the_programs() || !session.has_state() && session.is_found_cut_off()
    }

    /// The world as it is now, or why it cannot travel: then the call is made by who calls.
    ///
    /// # Errors
    /// `EncodeError`, if that is so of a call that may depend on what is kept in replicas.
    #[inline]
    pub fn world_or_not(&self, py: Python<'_>) -> PyResult<Result<Arc<World>, PyErr>> {
        let session = self.session();
        match session.world_or_not(py, self.effects)? {
            Ok(world) => Ok(Ok(world)),
            Err(why) => {
                let why = PyTypeError::new_err(why);
                if self.is_stateful() && !self.takes_over(py, &why)? {
                    return Ok(Ok(Arc::new(session.world_now(py, self.effects)?)));
                }
                Ok(Err(why))
            }
        }
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
    module.add("Coroutine", py.get_type::<Coroutine>())?;
    module.add_function(wrap_pyfunction!(original_of, module)?)?;
    module.add_function(wrap_pyfunction!(name_of, module)?)?;
    module.add_function(wrap_pyfunction!(staying::stayed, module)?)?;
    module.add_function(wrap_pyfunction!(keep_here, module)?)?;
    module.add_function(wrap_pyfunction!(ask_before_state, module)?)?;
    module.add_function(wrap_pyfunction!(forget_reached, module)?)?;
    Ok(())
}
