//! Scouts in Python: what they are made of, and how their generators are run.

use cord_scout::{Cause, Ended, Exit, Interpreter, Kind, Told, Why};
use pyo3::exceptions::PyRecursionError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::scouts::calls::Issued;
use crate::scouts::future::Future;
use crate::scouts::scout_end::{cause, stop, why};

/// What scouts are made of.
pub struct Scouts;

impl Kind for Scouts {
    type Call = Issued;
    type Value = Py<PyAny>;
    type Generator = Py<PyAny>;
    type Receiver = Receiver;
    type Error = PyErr;

    fn stop(why: Why) -> PyErr {
        stop(why)
    }
}

/// The calls of an activation or strand.
pub type Calls = cord_scout::Calls<Issued>;

/// Who gets what a strand returns.
pub enum Receiver {
    Whole(Py<Future>),
    /// It returns a tuple, each item for one.
    Each(Vec<Py<Future>>),
}

/// An exit that is taken: what a strand returns instead of its values.
#[pyclass(module = "cord._core", frozen)]
pub struct Left {
    /// `break`, else `return`.
    #[pyo3(get)]
    pub breaks: bool,
    /// The variables of the loop as they are then, or what is returned.
    #[pyo3(get)]
    pub value: Py<PyAny>,
}

/// Runs scouts on this thread.
pub struct Scouting<'py>(pub Python<'py>);

impl Interpreter<Scouts> for Scouting<'_> {
    fn advance(&self, generator: &Py<PyAny>) -> Ended<Scouts> {
        let py = self.0;
        match advance(py, generator) {
            Sent::Returned(value) => Ended::Returned(value),
            Sent::Yielded => Ended::Yielded,
            Sent::Raised(error) => {
                if error.is_instance_of::<PyRecursionError>(py) {
                    // the stack has no room even to close the generator
                    std::mem::forget(generator.clone_ref(py));
                }
                let cause = cause(py, &error);
                Ended::Raised(error, cause)
            }
        }
    }

    fn promise(&self, count: Option<usize>) -> PyResult<(Receiver, Py<PyAny>)> {
        let py = self.0;
        let Some(count) = count else {
            let future = Bound::new(py, Future::of_strand())?;
            let receiver = Receiver::Whole(future.clone().unbind());
            return Ok((receiver, future.into_any().unbind()));
        };
        let futures = (0..count)
            .map(|_| Bound::new(py, Future::of_strand()))
            .collect::<PyResult<Vec<_>>>()?;
        let tuple = PyTuple::new(py, &futures)?.into_any().unbind();
        let each = futures.into_iter().map(Bound::unbind).collect();
        Ok((Receiver::Each(each), tuple))
    }

    fn fits(&self, value: &Py<PyAny>, count: Option<usize>) -> bool {
        let values = value.bind(self.0).cast_exact::<PyTuple>();
        count.is_none_or(|count| values.is_ok_and(|values| values.len() == count))
    }

    fn deliver(&self, receiver: &Receiver, value: Result<&Py<PyAny>, Told>) -> Vec<u64> {
        let py = self.0;
        match receiver {
            Receiver::Whole(future) => future.get().settle(value.map(|value| value.clone_ref(py))),
            Receiver::Each(futures) => {
                let items = value.map(|value| value.bind(py).cast_exact::<PyTuple>().ok());
                let mut woken = Vec::new();
                for (index, future) in futures.iter().enumerate() {
                    let item = items.clone().and_then(|items| {
                        let item = items.and_then(|items| items.get_item(index).ok());
                        item.map(Bound::unbind).ok_or(None)
                    });
                    woken.extend(future.get().settle(item));
                }
                woken
            }
        }
    }

    fn why(&self, error: &PyErr, _cause: Cause) -> Told {
        why(self.0, error)
    }

    fn exit(&self, value: &Py<PyAny>) -> Option<Exit<Py<PyAny>>> {
        let left = value.bind(self.0).cast_exact::<Left>().ok()?;
        Some(Exit::Left {
            breaks: left.get().breaks,
            value: value.clone_ref(self.0),
        })
    }
}

/// How running a generator ended.
pub enum Sent {
    Returned(Py<PyAny>),
    Yielded,
    Raised(PyErr),
}

/// Runs a generator until it yields or ends.
pub fn advance(py: Python<'_>, generator: &Py<PyAny>) -> Sent {
    let mut result: *mut ffi::PyObject = std::ptr::null_mut();
    // SAFETY: the generator and None are alive; on RETURN and NEXT `result` is a new reference
    unsafe {
        match ffi::PyIter_Send(generator.as_ptr(), ffi::Py_None(), &raw mut result) {
            ffi::PySendResult::PYGEN_RETURN => {
                Sent::Returned(Bound::from_owned_ptr(py, result).unbind())
            }
            ffi::PySendResult::PYGEN_NEXT => {
                drop(Bound::from_owned_ptr(py, result));
                Sent::Yielded
            }
            ffi::PySendResult::PYGEN_ERROR => Sent::Raised(PyErr::fetch(py)),
        }
    }
}
