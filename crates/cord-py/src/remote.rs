//! Remote functions as the client sees them: calling one in place, and what comes back.

use std::sync::atomic::{AtomicBool, Ordering};
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
use crate::encode::{are_stable, encode, loads, Encoded};
use crate::ending::{has_ended, stay_if_left_behind};

/// Set in a forked child, which has no session: there remote functions run locally.
static FORKED: AtomicBool = AtomicBool::new(false);

/// What a remote function has for itself: how it is called, bound and pickled.
const OWN_ATTRIBUTES: [&str; 4] = ["__call__", "__get__", "__reduce__", "__reduce_ex__"];

#[pyfunction]
fn forked() {
    FORKED.store(true, Ordering::Relaxed);
}

// A function of a remote module: calling it runs it in a replica. It looks like the function it
// stands for: name, documentation, signature. (No documentation comment: it would be `__doc__`.)
#[pyclass(name = "function", module = "builtins", frozen, weakref)]
pub struct RemoteFunction {
    session: Py<Session>,
    module: u32,
    pub name: Py<PyString>,
    pub original: Py<PyAny>,
    pure_call: bool,
    pub ahead: bool,
}

#[pymethods]
impl RemoteFunction {
    #[new]
    fn new(
        session: Py<Session>,
        module: u32,
        name: Py<PyString>,
        original: Py<PyAny>,
        pure_call: bool,
        ahead: bool,
    ) -> Self {
        Self {
            session,
            module,
            name,
            original,
            pure_call,
            ahead,
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
        if is_forked() || (self.pure_call && has_ended()) {
            return self.original.bind(py).call(args, kwargs);
        }
        let encoded = self.encode(py, args, kwargs, are_stable(args, kwargs))?;
        let ticket = self.issue(py, encoded.payload)?;
        wait(py, &ticket)?;
        self.value(py, &ticket)
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

pub fn is_forked() -> bool {
    FORKED.load(Ordering::Relaxed)
}

impl RemoteFunction {
    pub fn encode<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        stable: bool,
    ) -> PyResult<Encoded> {
        encode(py, self.name.bind(py), args, kwargs, stable).or_else(|error| {
            if !error.is_instance_of::<PyException>(py) {
                return Err(error); // an interrupt is the program's
            }
            if let Some(encoded) = self.encode_own_functions(py, args, kwargs)? {
                return Ok(encoded);
            }
            Err(self
                .explain_encoding(py, args, kwargs, &error)
                .unwrap_or_else(|problem| problem))
        })
    }

    fn encode_own_functions<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Option<Encoded>> {
        let again = py
            .import("cord.runtime.failures")?
            .getattr("encode_own_functions")?;
        let made = again.call1((&self.name, args, kwargs))?;
        let Some((head, buffers)) = made.extract::<Option<(Vec<u8>, Bound<'py, PyList>)>>()? else {
            return Ok(None);
        };
        let buffers = buffers_from_py(py, &buffers)?;
        Ok(Some(Encoded {
            payload: Payload { head, buffers },
            stable: false,
        }))
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

    pub fn issue(&self, py: Python<'_>, payload: Payload) -> PyResult<Ticket> {
        let session = self.session.get();
        session.issue_call(py, self.module, self.pure_call, payload)
    }

    /// The settled call's result, a fresh object; or its exception, raised.
    pub fn value<'py>(&self, py: Python<'py>, ticket: &Ticket) -> PyResult<Bound<'py, PyAny>> {
        match ticket.take() {
            Some(Outcome::Reply {
                kind,
                head,
                buffers,
                output,
            }) => {
                if !output.is_empty() {
                    replay(py, &output)?;
                }
                let head = PyBytes::new(py, &head);
                if kind != KIND_VALUE {
                    return Err(raised(py, &head, kind)?);
                }
                decode(py, &head, buffers).map_err(|error| self.explain_decoding(py, error))
            }
            Some(Outcome::Unavailable { head }) => {
                let failed = py
                    .import("cord.runtime.failures")?
                    .getattr("unavailable_error")?;
                let error = failed.call1((self.original.bind(py), PyBytes::new(py, &head)))?;
                Err(PyErr::from_value(error))
            }
            Some(Outcome::Lost {
                replica_pid,
                status,
                tries,
                may_have_run,
            }) => {
                let lost = py.import("cord.runtime.failures")?.getattr("lost_error")?;
                let original = self.original.bind(py);
                let error = lost.call1((original, replica_pid, status, tries, may_have_run))?;
                Err(PyErr::from_value(error))
            }
            Some(Outcome::Closed) | None => {
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
    module.add_function(wrap_pyfunction!(forked, module)?)
}
