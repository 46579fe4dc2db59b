//! How values become bytes, by a codec's number. Pickles are written and read natively where no pickler
//! is needed (`pickling/`, `scalars.rs`); any other codec is Python's (`cord.runtime.travel.codec`). To a codec
//! a call is a value like others: the name, the arguments, the named ones.

use cord_core::{Codec, Payload};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::python;
use crate::takes::outcome::unpickle;
use crate::travel::buffers::{buffers_from_py, buffers_to_py, Outside};
use crate::travel::large::bytes;

/// A payload as Python sees it: the number of its codec, its head, its buffers.
pub type Encoded<'py> = (u8, Bound<'py, PyBytes>, Bound<'py, PyList>);

/// Encodes a value by a codec that is Python's.
///
/// # Errors
/// What the codec raises; where there is none of that number, what says so.
pub fn encode(value: &Bound<'_, PyAny>, codec: Codec, outside: Outside) -> PyResult<Payload> {
    let py = value.py();
    let buffers = PyList::empty(py);
    let made = python::CODEC.call(py, (codec.0,))?;
    let (head, _): (Vec<u8>, bool) = made.call_method1("encode", (value, &buffers))?.extract()?;
    Ok(Payload {
        codec,
        head,
        buffers: buffers_from_py(py, &buffers, outside)?,
    })
}

/// The object that a payload holds.
///
/// # Errors
/// What the codec raises; where there is none of that number, what says so.
pub fn decode<'py>(py: Python<'py>, payload: Payload) -> PyResult<Bound<'py, PyAny>> {
    if payload.codec == Codec::PICKLE {
        return unpickle(py, payload);
    }
    let codec = python::CODEC.call(py, (payload.codec.0,))?;
    let head = bytes(py, &payload.head)?;
    codec.call_method1("decode", (head, buffers_to_py(py, payload.buffers)?))
}
