//! Functions of the system's that find the program's files where a node has them.
//!
//! They are native, as what they stand for is: they add nothing to a traceback, and are no methods of
//! the classes that they are put into.

use pyo3::basic::CompareOp;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

/// The names under which paths are given.
const KEYWORDS: [&str; 4] = ["path", "file", "src", "dst"];

/// Where the program's folder is.
#[pyclass(frozen, module = "cord._core")]
pub struct Places {
    /// There: on the program's machine, under the name by which all go.
    there: String,
    /// Here, on this node.
    here: String,
    /// Folders in it that are the same on both.
    besides: Vec<String>,
}

#[pymethods]
impl Places {
    #[new]
    fn new(there: String, here: String, besides: Vec<String>) -> Places {
        Places {
            there,
            here,
            besides,
        }
    }

    /// The path here of one that the program knows; None where both are the same.
    fn of(&self, path: &str) -> Option<String> {
        let more = within(path, &self.there)?;
        let is_same = |folder: &String| within(path, folder).is_some();
        (!self.besides.iter().any(is_same)).then(|| format!("{}{more}", self.here))
    }

    /// The reverse.
    fn back(&self, path: &str) -> Option<String> {
        Some(format!("{}{}", self.there, within(path, &self.here)?))
    }
}

fn within<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    path.strip_prefix(folder)
        .filter(|more| more.is_empty() || more.starts_with('/'))
}

/// A function that takes paths, and maybe gives one.
#[pyclass(frozen, module = "cord._core")]
pub struct Moved {
    function: Py<PyAny>,
    places: Py<Places>,
    /// Opens a file for `open`, which goes on knowing it under its own name.
    opener: Option<Py<PyAny>>,
    /// How many of the first arguments are paths.
    paths: usize,
}

#[pymethods]
impl Moved {
    #[new]
    #[pyo3(signature = (function, places, paths=1, opener=None))]
    fn new(
        function: Py<PyAny>,
        places: Py<Places>,
        paths: usize,
        opener: Option<Py<PyAny>>,
    ) -> Moved {
        Moved {
            function,
            places,
            opener,
            paths,
        }
    }

    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = args.py();
        let mut changed = Vec::new();
        let mut given: Vec<Bound<'py, PyAny>> = args.iter().collect();
        for argument in given.iter_mut().take(self.paths) {
            self.translate(argument, &mut changed)?;
        }
        let named = kwargs.map(PyDictMethods::copy).transpose()?;
        if let Some(named) = &named {
            for keyword in KEYWORDS {
                if let Some(mut argument) = named.get_item(keyword)? {
                    self.translate(&mut argument, &mut changed)?;
                    named.set_item(keyword, argument)?;
                }
            }
        }
        let function = self.function.bind(py);
        if changed.is_empty() {
            return self.name_back(function.call(args, kwargs)?);
        }
        if let Some(opener) = &self.opener {
            let named = named.unwrap_or_else(|| PyDict::new(py));
            if given.len() < 8 && !named.contains("opener")? {
                named.set_item("opener", opener)?;
            }
            return function.call(args, Some(&named));
        }
        let made = function.call(PyTuple::new(py, given)?, named.as_ref());
        made.map_or_else(
            |error| Err(rename(py, error, &changed)),
            |made| self.name_back(made),
        )
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.function.bind(py).getattr(name)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.function.bind(py).repr()?.to_string())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.function.bind(py).hash()
    }

    /// As sets of functions see it (`os.supports_fd`), it is the one that it stands for.
    fn __richcmp__(&self, other: &Bound<'_, PyAny>, how: CompareOp) -> PyResult<bool> {
        let other = match other.cast::<Moved>() {
            Ok(other) => other.get().function.bind(other.py()).clone(),
            Err(_) => other.clone(),
        };
        let same = self.function.is(&other);
        Ok(match how {
            CompareOp::Eq => same,
            CompareOp::Ne => !same,
            _ => false,
        })
    }
}

/// What was given, and what stands for it.
type Change<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

impl Moved {
    /// Puts the path here in the place of one that the program knows.
    fn translate<'py>(
        &self,
        argument: &mut Bound<'py, PyAny>,
        changed: &mut Vec<Change<'py>>,
    ) -> PyResult<()> {
        let py = argument.py();
        let path = as_path(argument)?;
        let Some((text, is_bytes)) = path.as_ref().and_then(text_of) else {
            return Ok(());
        };
        if let Some(here) = self.places.get().of(&text) {
            let here = made(py, &here, is_bytes);
            changed.push((path.unwrap_or_else(|| argument.clone()), here.clone()));
            *argument = here;
        }
        Ok(())
    }

    /// A path that a function gives goes by the program's name.
    fn name_back<'py>(&self, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        let back = text_of(&value)
            .and_then(|(text, is_bytes)| Some((self.places.get().back(&text)?, is_bytes)));
        Ok(back.map_or(value, |(there, is_bytes)| made(py, &there, is_bytes)))
    }
}

/// What a path-like object stands for; None for what is none.
fn as_path<'py>(argument: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    static FSPATH: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = argument.py();
    if argument.is_instance_of::<PyString>() || argument.is_instance_of::<PyBytes>() {
        return Ok(Some(argument.clone()));
    }
    if !argument.get_type().hasattr("__fspath__")? {
        return Ok(None);
    }
    let fspath = FSPATH.get_or_try_init(py, || {
        PyResult::Ok(py.import("os")?.getattr("fspath")?.unbind())
    })?;
    fspath.bind(py).call1((argument,)).map(Some)
}

fn text_of(path: &Bound<'_, PyAny>) -> Option<(String, bool)> {
    if let Ok(text) = path.cast::<PyString>() {
        return Some((text.to_str().ok()?.to_owned(), false));
    }
    let bytes = path.cast::<PyBytes>().ok()?;
    Some((std::str::from_utf8(bytes.as_bytes()).ok()?.to_owned(), true))
}

fn made<'py>(py: Python<'py>, path: &str, is_bytes: bool) -> Bound<'py, PyAny> {
    if is_bytes {
        PyBytes::new(py, path.as_bytes()).into_any()
    } else {
        PyString::new(py, path).into_any()
    }
}

/// An error names the files by the names that were given.
fn rename(py: Python<'_>, error: PyErr, changed: &[Change<'_>]) -> PyErr {
    if !error.is_instance_of::<PyOSError>(py) {
        return error;
    }
    let value = error.value(py);
    for attribute in ["filename", "filename2"] {
        let Ok(named) = value.getattr(attribute) else {
            continue;
        };
        for (given, here) in changed {
            if named.eq(here).unwrap_or(false) {
                let _ = value.setattr(attribute, given); // it stays as it is
            }
        }
    }
    error
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Places>()?;
    module.add_class::<Moved>()
}
