//! What runs have left in a store: outcomes, for `cord kept`, and calls, for `cord replay`.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use cord_core::kept::calls::{Calls, Encoded};
use cord_core::kept::{self, Key};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use super::given::Given;

/// What is told of an outcome: its key, its function, when it was made and last used, how many bytes it has there, how
/// many seconds the call took, whether it raised, and what it has read.
type PlainOutcome = (String, String, u32, u32, u64, f64, bool, Vec<String>);

/// What is told of a call: its key, its function, the module that serves it, when it was made, how many seconds it
/// took, whether it raised, and how many bytes it has there.
type PlainRecord = (String, String, String, u32, f64, bool, u64);

/// Encoded: codec, head and buffers.
type Plain<'py> = (u8, Bound<'py, PyBytes>, Vec<Bound<'py, PyBytes>>);

/// A call: its arguments, its world, the kind of what came of it and that itself, and what it has read that is another
/// thing now.
type PlainCall<'py> = (
    Plain<'py>,
    Option<Bound<'py, PyBytes>>,
    Option<(u8, Plain<'py>)>,
    Option<String>,
);

/// All calls that are written down in a store.
#[pyclass(frozen, module = "cord._core")]
struct RecordedCalls(Mutex<Calls>);

#[pymethods]
impl RecordedCalls {
    #[new]
    fn new(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let calls = py.detach(|| Calls::open(&folder))?;
        Ok(RecordedCalls(Mutex::new(calls)))
    }

    /// What is told of each, the newest first.
    fn told(&self, py: Python<'_>) -> Vec<PlainRecord> {
        let told = py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).told());
        let plain = |one: cord_core::kept::calls::Told| {
            let service = Duration::from_nanos(one.service).as_secs_f64();
            (
                text_of(&one.key),
                one.function,
                one.module,
                one.made,
                service,
                one.raised,
                one.bytes,
            )
        };
        told.into_iter().map(plain).collect()
    }

    /// One of them, by its key; none where something of it is gone. It is decoded by whoever trusts it.
    fn call<'py>(&self, py: Python<'py>, key: &str) -> Option<PlainCall<'py>> {
        let key = key_of(key)?;
        let mut calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let call = calls.get(&key)?;
        Some((
            plain(py, call.arguments),
            call.world.map(|world| PyBytes::new(py, &world)),
            call.came.map(|(kind, encoded)| (kind, plain(py, encoded))),
            call.changed,
        ))
    }
}

fn plain(py: Python<'_>, (codec, head, buffers): Encoded) -> Plain<'_> {
    let buffers = buffers.iter().map(|buffer| PyBytes::new(py, buffer));
    (codec, PyBytes::new(py, &head), buffers.collect())
}

fn text_of(key: &Key) -> String {
    key.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn key_of(text: &str) -> Option<Key> {
    let mut key = Key::default();
    if text.len() != 2 * key.len() || !text.is_ascii() {
        return None;
    }
    for (at, byte) in key.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(key)
}

/// What `read()` gives while it reads the outcome of a call with these arguments.
#[pyfunction]
fn read_with_arguments<'py>(
    read: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    kwargs: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let _given = Given::new(args, Some(kwargs));
    read.call0()
}

/// Whether a variable of the environment counts only for calls that read it.
#[pyfunction]
fn passes(name: &[u8]) -> bool {
    cord_wire::variables::passes(name)
}

/// All outcomes in a store.
#[pyfunction]
fn kept_outcomes(py: Python<'_>, folder: PathBuf) -> PyResult<Vec<PlainOutcome>> {
    let all = py.detach(|| kept::all(&folder))?;
    let plain = |one: kept::Told| {
        let service = Duration::from_nanos(one.service).as_secs_f64();
        (
            text_of(&one.key),
            one.function,
            one.made,
            one.used,
            one.bytes,
            service,
            one.raised,
            one.reads,
        )
    };
    Ok(all.into_iter().map(plain).collect())
}

/// How many files of a store count as not there.
#[pyfunction]
fn kept_unread(folder: PathBuf) -> PyResult<usize> {
    Ok(kept::count_unread(&folder)?)
}

/// The encoded value of an outcome in a store, by its key. It is decoded by whoever trusts it.
#[pyfunction]
fn kept_value<'py>(py: Python<'py>, folder: PathBuf, key: &str) -> PyResult<Option<Plain<'py>>> {
    let Some(key) = key_of(key) else {
        return Ok(None);
    };
    let all = py.detach(|| kept::all(&folder))?;
    let found = all.into_iter().find(|one| one.key == key);
    Ok(found.map(|one| plain(py, (one.codec, one.head, one.buffers))))
}

/// Forgets what is in a store of one function, or all. How many outcomes that were.
#[pyfunction]
#[pyo3(signature = (folder, function=None))]
fn kept_clear(py: Python<'_>, folder: PathBuf, function: Option<&str>) -> PyResult<usize> {
    Ok(py.detach(|| kept::clear(&folder, function))?)
}

/// Writes what is in a store of these functions, or all, to a new file. How many outcomes that are.
#[pyfunction]
fn kept_export(
    py: Python<'_>,
    folder: PathBuf,
    functions: Vec<String>,
    file: PathBuf,
) -> PyResult<usize> {
    Ok(py.detach(|| kept::export(&folder, &functions, &file))?)
}

/// Adds what is in such a file to a store. How many outcomes that are.
#[pyfunction]
fn kept_import(py: Python<'_>, folder: PathBuf, file: PathBuf) -> PyResult<usize> {
    Ok(py.detach(|| kept::import(&folder, &file))?)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(passes, module)?)?;
    module.add_function(wrap_pyfunction!(kept_outcomes, module)?)?;
    module.add_function(wrap_pyfunction!(kept_unread, module)?)?;
    module.add_function(wrap_pyfunction!(kept_value, module)?)?;
    module.add_function(wrap_pyfunction!(kept_clear, module)?)?;
    module.add_function(wrap_pyfunction!(kept_export, module)?)?;
    module.add_function(wrap_pyfunction!(kept_import, module)?)?;
    module.add_class::<RecordedCalls>()?;
    module.add_function(wrap_pyfunction!(read_with_arguments, module)?)
}
