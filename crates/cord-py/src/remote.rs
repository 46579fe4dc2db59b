//! Remote functions as the client sees them: calling one in place, and what comes back.

use std::time::Duration;

use cord_core::{Buffer, Outcome, Payload, Ticket, KIND_UNENCODABLE, KIND_VALUE};
use pyo3::exceptions::PyException;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};

use crate::buffers::{buffers_from_py, buffers_to_py};
use crate::client::Session;
use crate::definitions::Definitions;
use crate::encode::{are_stable, encode, loads, Encoded};
use crate::ending::{has_ended, stay_if_left_behind};
use crate::endpoint::Endpoint;
use crate::guard::stop;
use crate::mentions::names_of_main;
use crate::plain::check_encodable;

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
    module: u32,
    pub name: Py<PyString>,
    pub original: Py<PyAny>,
    pure_call: bool,
    pub ahead: bool,
    /// Defined by the main script: it travels by value, with every call.
    own: bool,
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
    #[pyo3(signature = (carrier, module, name, original, pure_call, ahead, own=false))]
    fn new(
        carrier: Carrier,
        module: u32,
        name: Py<PyString>,
        original: Py<PyAny>,
        pure_call: bool,
        ahead: bool,
        own: bool,
    ) -> Self {
        Self {
            carrier,
            module,
            name,
            original,
            pure_call,
            ahead,
            own,
        }
    }

    #[pyo3(signature = (*args, **kwargs))]
    pub fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        stay_if_left_behind(py);
        if self.is_local() || (self.pure_call && has_ended()) {
            return self.original.bind(py).call(args, kwargs);
        }
        let encoded = self.encode(py, args, kwargs, self.are_stable(args, kwargs))?;
        match &self.carrier {
            Carrier::Session(_) => {
                let ticket = self.issue(py, encoded.payload)?;
                wait(py, &ticket)?;
                self.value(py, &ticket)
            }
            Carrier::Link(link) => {
                let link = link.get();
                let outcome = link.call(py, self.module, self.pure_call, encoded.payload)?;
                self.result(py, outcome)
            }
        }
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

/// Python: what goes before the arguments of a call that mentions the main script.
fn definitions(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static DEFINITIONS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    DEFINITIONS
        .get_or_try_init(py, || {
            let module = py.import("cord.runtime.definitions")?;
            Ok(module.getattr("definitions")?.unbind())
        })
        .map(|function| function.bind(py))
}

impl RemoteFunction {
    /// Whether calls run here: in a forked child, or after the end of the session.
    pub fn is_local(&self) -> bool {
        match &self.carrier {
            Carrier::Session(session) => session.get().is_local(),
            Carrier::Link(link) => link.get().is_local(),
        }
    }

    /// Whether nothing that the call sends can change after this moment.
    pub fn are_stable(
        &self,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> bool {
        !self.own && are_stable(args, kwargs)
    }

    /// Encodes a call that a scout makes, if no code of the program's runs in that.
    pub fn encode_ahead<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        stable: bool,
    ) -> PyResult<Encoded> {
        if !stable {
            check_encodable(args, kwargs)?;
        }
        let plain = encode(py, self.name.bind(py), args, kwargs, stable);
        self.finish(py, args, kwargs, plain, stable, true)
            .map_err(|_| stop())
    }

    /// Encodes a call that the program makes.
    pub fn encode<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        stable: bool,
    ) -> PyResult<Encoded> {
        match encode(py, self.name.bind(py), args, kwargs, stable) {
            Err(error) if !error.is_instance_of::<PyException>(py) => {
                Err(error) // an interrupt is the program's
            }
            plain => self.finish(py, args, kwargs, plain, stable, false),
        }
    }

    /// Adds what the main script defines, and encodes by value what pickle has refused.
    fn finish<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        plain: PyResult<Encoded>,
        stable: bool,
        ahead: bool,
    ) -> PyResult<Encoded> {
        let named = match &plain {
            Ok(_) if stable => Some(Vec::new()),
            Ok(encoded) => names_of_main(&encoded.payload.head),
            Err(_) => None,
        };
        let (mut encoded, mut names) = match (plain, named) {
            (Ok(encoded), Some(names)) => (encoded, names),
            (plain, _) => match self.encode_by_value(py, args, kwargs)? {
                Some(made) => made,
                None => return plain.map_err(|error| self.explained(py, args, kwargs, &error)),
            },
        };
        if self.own {
            names.push(self.name.to_string());
        }
        if let Some(found) = self.definitions(py, names, ahead)? {
            found.get().go_before(&mut encoded);
        }
        Ok(encoded)
    }

    /// What goes before the arguments of a call that mentions these names of the main script.
    fn definitions<'py>(
        &self,
        py: Python<'py>,
        names: Vec<String>,
        ahead: bool,
    ) -> PyResult<Option<Bound<'py, Definitions>>> {
        let find = |names: &[String]| -> PyResult<Option<Bound<'py, Definitions>>> {
            if names.is_empty() {
                return Ok(None);
            }
            let asked = (names, &self.original, self.pure_call, ahead);
            let found = definitions(py)?.call1(asked)?;
            Ok(Some(found.cast_into_exact::<Definitions>()?))
        };
        if self.pure_call {
            return find(&names);
        }
        // an impure module may have kept what earlier calls gave it, and use it in this one
        let all = match &self.carrier {
            Carrier::Session(session) => session.get().mentioned().add(names.clone()),
            // what the call under way has of it, for that is all that there is here
            Carrier::Link(_) => py
                .import("cord.runtime.mirror")?
                .call_method1("with_lent", (&names,))?
                .extract()?,
        };
        find(&all).or_else(|error| {
            if all.len() == names.len() {
                return Err(error);
            }
            find(&names)
        })
    }

    /// The encoding of what pickle refuses, and the names of the main script that it mentions.
    fn encode_by_value<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Option<(Encoded, Vec<String>)>> {
        type Made<'py> = Option<(Vec<u8>, Bound<'py, PyList>, Vec<String>)>;
        let again = py
            .import("cord.runtime.definitions")?
            .getattr("encode_by_value")?;
        let made = again.call1((&self.name, args, kwargs))?;
        let Some((head, buffers, names)) = made.extract::<Made<'py>>()? else {
            return Ok(None);
        };
        let buffers = buffers_from_py(py, &buffers)?;
        Ok(Some((Encoded::new(Payload { head, buffers }), names)))
    }

    fn explained(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
        error: &PyErr,
    ) -> PyErr {
        self.explain_encoding(py, args, kwargs, error)
            .unwrap_or_else(|problem| problem)
    }

    /// The error for arguments that cannot travel: the program's own exceptions pass as they are.
    fn explain_encoding<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        error: &PyErr,
    ) -> PyResult<PyErr> {
        let explain = py
            .import("cord.runtime.failures")?
            .getattr("argument_error")?;
        let made = explain.call1((error.value(py), &self.original, args, kwargs))?;
        Ok(PyErr::from_value(made))
    }

    /// The error for a result that cannot be decoded; an interrupt passes as it is.
    fn explain_decoding(&self, py: Python<'_>, error: PyErr) -> PyErr {
        if !error.is_instance_of::<PyException>(py) {
            return error;
        }
        py.import("cord.runtime.failures")
            .and_then(|failures| failures.getattr("result_error"))
            .and_then(|explain| explain.call1((error.value(py), self.original.bind(py))))
            .map_or_else(|problem| problem, PyErr::from_value)
    }

    /// Issues a call in the client.
    ///
    /// # Panics
    /// In a replica, where there are no tickets.
    pub fn issue(&self, py: Python<'_>, payload: Payload) -> PyResult<Ticket> {
        let Carrier::Session(session) = &self.carrier else {
            panic!("a replica has no tickets");
        };
        let session = session.get();
        session.issue_call(py, self.module, self.pure_call, payload)
    }

    /// The settled call's result, a fresh object; or its exception, raised.
    pub fn value<'py>(&self, py: Python<'py>, ticket: &Ticket) -> PyResult<Bound<'py, PyAny>> {
        self.result(py, ticket.take().unwrap_or(Outcome::Closed))
    }

    fn result<'py>(&self, py: Python<'py>, outcome: Outcome) -> PyResult<Bound<'py, PyAny>> {
        match outcome {
            Outcome::Reply {
                kind,
                head,
                buffers,
                output,
            } => {
                if !output.is_empty() {
                    replay(py, &output)?;
                }
                let head = PyBytes::new(py, &head);
                if kind != KIND_VALUE {
                    return Err(raised(py, &head, kind)?);
                }
                decode(py, &head, buffers).map_err(|error| self.explain_decoding(py, error))
            }
            Outcome::Unavailable { head } => {
                let failed = py
                    .import("cord.runtime.failures")?
                    .getattr("unavailable_error")?;
                let error = failed.call1((self.original.bind(py), PyBytes::new(py, &head)))?;
                Err(PyErr::from_value(error))
            }
            Outcome::Lost {
                replica_pid,
                status,
                tries,
                may_have_run,
            } => {
                let lost = py.import("cord.runtime.failures")?.getattr("lost_error")?;
                let original = self.original.bind(py);
                let error = lost.call1((original, replica_pid, status, tries, may_have_run))?;
                Err(PyErr::from_value(error))
            }
            Outcome::Closed => {
                stay_if_left_behind(py);
                let closed = py
                    .import("cord.runtime.failures")?
                    .getattr("closed_error")?;
                Err(PyErr::from_value(closed.call1((self.original.bind(py),))?))
            }
        }
    }
}

/// The object that a pickle and its buffers hold.
fn decode<'py>(
    py: Python<'py>,
    head: &Bound<'py, PyBytes>,
    buffers: Vec<Buffer>,
) -> PyResult<Bound<'py, PyAny>> {
    let buffers = buffers_to_py(py, buffers)?;
    let decoded = if buffers.is_empty() {
        loads(py)?.call1((head,))
    } else {
        let options = PyDict::new(py);
        options.set_item(intern!(py, "buffers"), &buffers)?;
        loads(py)?.call((head,), Some(&options))
    };
    decoded.or_else(|error| {
        let ordered = py.import("cord.runtime.ordered")?;
        if error.is_instance(py, &ordered.getattr("UnpicklingError")?) {
            return ordered.call_method1("loads", (head, buffers));
        }
        Err(error)
    })
}

/// Waits until the ticket is settled; signals reach the program meanwhile.
pub fn wait(py: Python<'_>, ticket: &Ticket) -> PyResult<()> {
    ticket.demand();
    while !ticket.is_settled() {
        py.detach(|| ticket.wait(Duration::from_millis(20)));
        py.check_signals()?;
    }
    Ok(())
}

fn replay(py: Python<'_>, output: &[u8]) -> PyResult<()> {
    static REPLAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let replay = REPLAY.get_or_try_init(py, || {
        PyResult::Ok(
            py.import("cord.runtime.output")?
                .getattr("replay")?
                .unbind(),
        )
    })?;
    replay.call1(py, (PyBytes::new(py, output),))?;
    Ok(())
}

/// The remote exception, with the context that it has where the program is now.
fn raised(py: Python<'_>, head: &Bound<'_, PyBytes>, kind: u8) -> PyResult<PyErr> {
    let decode = py
        .import("cord.runtime.codec")?
        .getattr("decode_exception")?;
    let exception = decode.call1((head,))?;
    if kind == KIND_UNENCODABLE {
        // the replica does not know where the call stands
        py.import("cord.runtime.failures")?
            .call_method1("place", (&exception,))?;
    }
    Ok(PyErr::from_value(exception))
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
