//! Calls that runs have written down, for `cord replay`.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use cord_core::kept::calls::{Calls, Encoded};
use cord_core::kept::Key;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use super::given::Given;

/// What is told of a call: its key, its function, the module that serves it, when it was made, how many seconds it
/// took, whether it raised, and how many bytes it has there.
type PlainTold = (String, String, String, u32, f64, bool, u64);

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
    fn told(&self, py: Python<'_>) -> Vec<PlainTold> {
        let told = py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).told());
        let plain = |one: cord_core::kept::calls::Told| {
            let key = one.key.iter().map(|byte| format!("{byte:02x}")).collect();
            let service = Duration::from_nanos(one.service).as_secs_f64();
            (
                key,
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
        let plain = |(codec, head, buffers): Encoded| -> Plain<'py> {
            let buffers = buffers.iter().map(|buffer| PyBytes::new(py, buffer));
            (codec, PyBytes::new(py, &head), buffers.collect())
        };
        Some((
            plain(call.arguments),
            call.world.map(|world| PyBytes::new(py, &world)),
            call.came.map(|(kind, encoded)| (kind, plain(encoded))),
            call.changed,
        ))
    }
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

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<RecordedCalls>()?;
    module.add_function(wrap_pyfunction!(read_with_arguments, module)?)
}
