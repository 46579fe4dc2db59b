//! How values become bytes, by a codec's number. Pickles are written and read natively where no pickler
//! is needed (`pickling/`, `scalars.rs`); any other codec is Python's (`cord.runtime.travel.codec`). To a
//! codec a call is a value like others: the name, the arguments, the named ones.

use cord_wire::buffer::Buffer;
use cord_wire::codec::Codec;
use cord_wire::payload::Payload;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::python;
use crate::travel::buffers::{buffers_from_py, buffers_to_py, Outside};
use crate::travel::encode::loads;
use crate::travel::large::bytes;
use crate::travel::pickling;
use crate::travel::scalars;

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

/// The object that a pickle holds.
fn unpickle<'py>(py: Python<'py>, payload: Payload) -> PyResult<Bound<'py, PyAny>> {
    if let Some(value) = decode_natively(py, &payload) {
        return Ok(value);
    }
    decode_pickle(py, &PyBytes::new(py, &payload.head), payload.buffers)
}

/// The same, if no unpickler is needed.
fn decode_natively<'py>(py: Python<'py>, payload: &Payload) -> Option<Bound<'py, PyAny>> {
    let is_alone = payload.buffers.is_empty();
    let scalar = is_alone
        .then(|| scalars::decode(py, &payload.head))
        .flatten();
    scalar.or_else(|| pickling::read(py, payload))
}

/// The object that a pickle and its buffers hold.
fn decode_pickle<'py>(
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
        if error.is_instance(py, python::UNPICKLING_ERROR.get(py)?) {
            return python::ORDERED_LOADS.call(py, (head, buffers));
        }
        Err(error)
    })
}
