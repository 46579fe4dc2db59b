//! What the program and its scouts read through: see `readahead`.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use cord_core::scout::Why;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::python;
use crate::scouts::readahead::{handled, Buffer, Item, Source, MOST_ITEMS};
use crate::scouts::scout_end::stop;

/// The program's iterator, with a buffer in front where scouts read ahead.
#[pyclass(module = "cord._core", frozen)]
pub struct Replay {
    iterator: Py<PyAny>,
    buffer: Arc<Buffer>,
    shared: bool,
}

impl Replay {
    /// The program goes on reading this handle; scouts read what `cursor` leads to.
    pub fn beside(handle: &Bound<'_, PyAny>, cursor: &Cursor) -> Self {
        Self {
            iterator: handle.clone().unbind(),
            buffer: Arc::clone(&cursor.buffer),
            shared: false,
        }
    }
}

#[pymethods]
impl Replay {
    #[new]
    fn new(iterator: Py<PyAny>, py: Python<'_>) -> Self {
        let buffer = Buffer::new(Source::Shared(iterator.clone_ref(py)));
        Self {
            iterator,
            buffer,
            shared: true,
        }
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.buffer.next(self.iterator.bind(py)) {
            Item::Value(value) => Ok(Some(value.into_bound(py))),
            Item::End => Ok(None),
            Item::Raised(error) => {
                if let Some(outer) = handled(py) {
                    let raised = error.value(py);
                    if raised.getattr(intern!(py, "__context__"))?.is_none() && !raised.is(&outer) {
                        raised.setattr(intern!(py, "__context__"), outer)?;
                    }
                }
                Err(error)
            }
        }
    }

    /// A scout's place in it: where the program is, or where this scout has come.
    pub fn cursor(&self) -> Cursor {
        Cursor::of(&self.buffer)
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.iterator.bind(py).getattr(name)
    }

    fn __enter__<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let iterator = slf.get().iterator.bind(py);
        let enter = special(iterator, "__enter__")?;
        let entered = enter.call1((iterator,))?;
        Ok(if entered.is(iterator) {
            slf.into_any()
        } else {
            entered
        })
    }

    #[pyo3(signature = (*error))]
    fn __exit__<'py>(
        &self,
        py: Python<'py>,
        error: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let iterator = self.iterator.bind(py);
        let exit = special(iterator, "__exit__")?;
        let args = PyTuple::new(py, [iterator])?.add(error)?;
        let result = exit.call1(args.cast_into::<PyTuple>()?);
        self.buffer.leave(); // what follows, the iterator says itself
        result
    }
}

impl Drop for Replay {
    /// The program's loop is over: its iterator ends here, as without a buffer.
    fn drop(&mut self) {
        if self.shared {
            self.buffer.leave();
        }
    }
}

/// A method that `with` looks up.
fn special<'py>(value: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let class = value.get_type();
    match class.getattr_opt(name)? {
        Some(method) => Ok(method),
        None => Err(PyTypeError::new_err(format!(
            "'{}' object does not support the context manager protocol",
            class.fully_qualified_name()?
        ))),
    }
}

/// Reads ahead of the program.
#[pyclass(module = "cord._core", frozen)]
pub struct Cursor {
    buffer: Arc<Buffer>,
    place: Arc<AtomicUsize>,
    /// Where the program was when it was made.
    begin: usize,
}

impl Cursor {
    fn of(buffer: &Arc<Buffer>) -> Self {
        let (place, begin) = buffer.place();
        Self {
            buffer: Arc::clone(buffer),
            place,
            begin,
        }
    }
}

#[pymethods]
impl Cursor {
    /// For what has a second reader: `open()` makes it, at the place where the program is now.
    #[new]
    fn new(open: Py<PyAny>) -> Self {
        Self::of(&Buffer::new(Source::ToOpen(open)))
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let place = self.place.load(Ordering::Relaxed);
        let passed = place < self.begin && self.begin - place <= MOST_ITEMS;
        let item = match passed {
            true => Item::Value(py.None()),
            false => self.buffer.at(py, place)?,
        };
        self.place.store(place + 1, Ordering::Relaxed);
        match item {
            Item::Value(value) => Ok(Some(value.into_bound(py))),
            Item::End => Ok(None),
            Item::Raised(_) => Err(stop(Why::Unwinding)), // the program's to raise
        }
    }

    /// Another one on the same buffer.
    fn cursor(&self) -> Self {
        Self::of(&self.buffer)
    }
}

/// A callee that gives an iterator which is assumed pure.
#[pyclass(module = "cord._core", frozen)]
pub struct Making(Py<PyAny>);

#[pymethods]
impl Making {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let made = self.0.bind(py).call(args, kwargs)?;
        let replayed = python::IS_REPLAYED.tells(py, (&made,))?;
        if !replayed {
            return Ok(made);
        }
        Ok(Bound::new(py, Replay::new(made.unbind(), py))?.into_any())
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.0.bind(py).getattr(name)
    }
}

impl Making {
    pub fn of(callee: Py<PyAny>) -> Self {
        Self(callee)
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Replay>()?;
    module.add_class::<Cursor>()?;
    Ok(())
}
