//! All that the native side asks of Cord's own Python, by name.
//!
//! Each is found when it is first asked for, and kept. A test resolves all of them.

use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// Whose answers guards are made of. They are imported together, for the first guard of a run: one by
/// one, each would cost some later scout the time that it is given.
const GUARDS: [&str; 6] = [
    "cord.runtime.guards.harmless",
    "cord.runtime.guards.kinds",
    "cord.runtime.travel.encodable",
    "cord.runtime.objects.iterators",
    "cord.runtime.objects.instances",
    "cord.runtime.objects.dispatching",
];

/// Where that is which reads a reply that has something of its call's arguments: a pickle names it first.
pub const COMES_HOME: &[u8] = b"cord.runtime.travel.restored";

/// What one module has under one name.
pub struct Asked {
    module: &'static str,
    name: &'static str,
    found: PyOnceLock<Py<PyAny>>,
}

impl Asked {
    const fn of(module: &'static str, name: &'static str) -> Self {
        Self {
            module,
            name,
            found: PyOnceLock::new(),
        }
    }

    /// What is there.
    ///
    /// # Errors
    /// Where it cannot be imported; that there is no such name tells of another version of Cord.
    #[inline]
    pub fn get<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyAny>> {
        let found = match self.found.get(py) {
            Some(found) => found,
            None => {
                // an import may run code of the program's that comes here, too
                let found = self.find(py)?;
                self.found.get_or_init(py, || found)
            }
        };
        Ok(found.bind(py))
    }

    #[cold]
    fn find(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if GUARDS.contains(&self.module) {
            GUARDS
                .iter()
                .try_for_each(|one| py.import(*one).map(drop))?;
        }
        let found = py.import(self.module)?.getattr(self.name);
        found.map(Bound::unbind).map_err(|missing| {
            let Self { module, name, .. } = self;
            let error = PyImportError::new_err(format!(
                "{module} has no {name}, which Cord's native core asks for: it is of another version"
            ));
            error.set_cause(py, Some(missing));
            error
        })
    }

    /// What it returns.
    #[inline]
    pub fn call<'py>(
        &self,
        py: Python<'py>,
        args: impl PyCallArgs<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.get(py)?.call1(args)
    }

    /// The same, given nothing.
    pub fn call0<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.get(py)?.call0()
    }

    /// Whether it says yes.
    #[inline]
    pub fn tells<'py>(&self, py: Python<'py>, args: impl PyCallArgs<'py>) -> PyResult<bool> {
        self.call(py, args)?.is_truthy()
    }

    /// The exception that it makes of these, or what it raises.
    pub fn error<'py>(&self, py: Python<'py>, of: impl PyCallArgs<'py>) -> PyErr {
        let made = self.call(py, of);
        made.map_or_else(|problem| problem, PyErr::from_value)
    }
}

macro_rules! asked {
    ($($module:literal { $($item:ident = $name:literal,)+ })+) => {
        $($(pub static $item: Asked = Asked::of($module, $name);)+)+
        /// All of them.
        static ALL: &[&Asked] = &[$($(&$item,)+)+];
    };
}

asked! {
    // what scouts may do, and how they see the program's objects
    "cord.runtime.guards.kinds" {
        KIND_OF = "kind_of",
    }
    "cord.runtime.guards.harmless" {
        PURE_CALLABLE = "is_pure_callable",
        IS_ASSUMED = "is_assumed",
    }
    "cord.runtime.travel.encodable" {
        HAS_PLAIN_ENCODING = "has_plain_encoding",
    }
    "cord.runtime.objects.iterators" {
        COPY_ITERATOR = "copy_iterator",
        IS_LAZY = "is_lazy",
    }
    "cord.runtime.objects.instances" {
        MAKE = "make",
    }
    "cord.runtime.objects.dispatching" {
        DISPATCHED = "dispatched",
    }
    "cord.runtime.guards.telling" {
        TOLD = "told",
        PARAMETER = "parameter",
    }
    "cord.runtime.births.births" {
        LATER = "later",
    }
    "cord.runtime.guards.reading" {
        DECODE = "decode",
    }
    // what travels, and how
    "cord.runtime.travel.codec" {
        CODEC = "of",
    }
    "cord.runtime.travel.raised" {
        DECODE_EXCEPTION = "decode_exception",
        CONTINUE_CONTEXT = "continue_context",
    }
    "cord.runtime.travel.ordered" {
        ORDERED_DUMPS = "dumps",
        ORDERED_LOADS = "loads",
    }
    "_pickle" {
        UNPICKLING_ERROR = "UnpicklingError",
    }
    "cord.runtime.travel.faithful" {
        CONFIRM = "confirm",
        DUMPS = "dumps",
        FAITHFUL = "Faithful",
        STUCK = "stuck",
    }
    "cord.runtime.travel.restored" {
        NOTE_SENT = "note_sent",
    }
    "cord.runtime.travel.sameness" {
        ARE_ALIKE = "are_alike",
    }
    "cord.runtime.client.audited" {
        DIFFERENCE = "difference",
    }
    "cord.runtime.client.modules" {
        MODULE_STATE = "state",
        LOOK_AT_MODULES = "look",
        MEET_CLASSES = "meet",
        MENTION_OF_MODULES = "mention",
    }
    "cord.runtime.keep.prints" {
        KEY_OF_FUNCTION = "print_of",
        KEY_OF_ARGUMENTS = "print_of_arguments",
        KEY_OF_WORLD = "print_of_world",
        TOLD_OF_WORLD = "told_of_world",
        KEY_OF_MODULE = "version_of_module",
    }
    "cord.runtime.client.definitions" {
        ENCODE_DEFINITIONS = "encode_definitions",
        ENCODE_BY_VALUE = "encode_by_value",
        SHARED_NAMES = "shared_names",
    }
    "cord.runtime.replica.mirror" {
        WITH_LENT = "with_lent",
    }
    "cord.runtime.replica.passed" {
        RECEIVED = "received",
    }
    "cord.runtime.travel.watched" {
        LOOKS_OF = "looks_of",
        PLAIN_PRINT_OF = "plain_print_of",
        PRINT_OF = "print_of",
        TRACES_OF = "traces_of",
    }
    "cord.runtime.travel.world" {
        ENCODE_WORLD = "encode",
    }
    "cord.runtime.travel.settings.variables" {
        SEND_VARIABLES_OF = "send",
    }
    "cord.runtime.travel.settings" {
        NOTICED = "noticed",
        LOAD_WHAT_IS_NEEDED = "load_what_is_needed",
    }
    "cord.runtime.objects.sources" {
        SHOWN_CODE = "shown_code",
    }
    // what comes of calls
    "cord.runtime.travel.failures" {
        APART_ERROR = "apart_error",
        ARGUMENT_ERROR = "argument_error",
        CLOSED_ERROR = "closed_error",
        EXPIRED_ERROR = "expired_error",
        FORKED_ERROR = "forked_error",
        PLACE = "place",
        RESULT_ERROR = "result_error",
        SHORTAGE_ERROR = "shortage_error",
        STUCK_ERROR = "stuck_error",
        TELL_OF_TAKEN = "tell_of_taken",
        UNAVAILABLE = "unavailable",
        UNAVAILABLE_ERROR = "unavailable_error",
        UNRETURNABLE = "unreturnable",
    }
    "cord.runtime.travel.losses" {
        CUT_OFF_ERROR = "cut_off_error",
        LOST_ERROR = "lost_error",
        STATE_ERROR = "state_error",
    }
    "cord.runtime.travel.interrupts" {
        SENT_INTERRUPTS = "Sent",
    }
    "cord.runtime.io.output" {
        REPLAY = "replay",
    }
    // calls of coroutine functions, and the event loop that runs meanwhile
    "cord.runtime.client.loops" {
        ROOM = "room",
        SPARES = "spares",
        WAITER = "waiter",
        REST = "rest",
        LET_GO = "let_go",
    }
    "cord.runtime.replica.driving" {
        DRIVE = "drive",
    }
    // what stands for values in copies of the program
    "cord.runtime.copies.placeholders" {
        KNOWN = "known",
        PLACEHOLDER = "Placeholder",
    }
    "cord.runtime.copies.unknown" {
        ARRIVED = "arrived",
        ASKING = "asking",
        CALLED_AT = "called_at",
        DEPEND = "depend",
        GIVEN = "given",
        GO_ON = "go_on",
        NEVER = "never",
        STAND_IN = "stand_in",
        TAKEN = "taken",
        UNSEEN_REPLY = "unseen_reply",
        WATCH = "watch",
    }
}

/// Names of all that is asked for, each with its module.
#[pyfunction]
pub fn asked_of_python() -> Vec<(&'static str, &'static str)> {
    ALL.iter().map(|one| (one.module, one.name)).collect()
}

/// What copies of the program need: they had better not read it.
const IN_COPIES: [&Asked; 8] = [
    &DECODE_EXCEPTION,
    &LOST_ERROR,
    &ORDERED_LOADS,
    &RECEIVED,
    &PLACEHOLDER,
    &ARE_ALIKE,
    &STAND_IN,
    &UNSEEN_REPLY,
];

/// Imports the modules of that.
pub fn prepare_for_copies(py: Python<'_>) -> PyResult<()> {
    IN_COPIES.iter().try_for_each(|one| one.get(py).map(drop))
}
