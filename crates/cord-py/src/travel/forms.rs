//! What resident content is to whoever decodes a call.

use std::io;

use cord_wire::buffer::Buffer;
use cord_wire::payload::Payload;
use cord_wire::resident::Resident;
use cord_wire::segment::Segment;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::travel::buffers::SharedBuffer;
use crate::travel::large::{byte_array, bytes, no_room};

/// The memory of an object, such as an array's: each call gets one that it may write.
pub const MEMORY: u32 = 0;
/// A `bytes` object, which all calls share.
pub const BYTES: u32 = 1;
/// A `str` object in UTF-8, which all calls share.
pub const TEXT: u32 = 2;
/// A piece of the pickle itself; the rest of the form says where in the remaining pickle it stands.
const PIECE: u32 = 3;
const BITS: u32 = 2;
/// What opening less costs is not worth letting others run meanwhile.
const FROM: usize = 1 << 20;

/// The form of a piece that stands there; `None` if that is too far away.
pub fn piece_at(at: usize) -> Option<u32> {
    let at = u32::try_from(at).ok()?;
    (at < 1 << (32 - BITS)).then_some(at << BITS | PIECE)
}

/// Where a piece stands, if it is one.
fn place_of(buffer: &Buffer) -> Option<usize> {
    match buffer {
        Buffer::Resident(resident) if resident.form & PIECE == PIECE => {
            Some((resident.form >> BITS) as usize)
        }
        _ => None,
    }
}

/// Whether a buffer is a piece of the pickle.
pub fn is_piece(buffer: &Buffer) -> bool {
    place_of(buffer).is_some()
}

/// The pieces of a payload's pickle, in order.
///
/// # Errors
/// When there is no memory to see one in.
pub fn parts(payload: &Payload) -> io::Result<Vec<&[u8]>> {
    let head = &payload.head[..];
    let (mut parts, mut done) = (Vec::new(), 0);
    for piece in &payload.buffers {
        if let Some(at) = place_of(piece) {
            let at = at.clamp(done, head.len());
            parts.push(&head[done..at]);
            parts.push(piece.bytes()?);
            done = at;
        }
    }
    parts.push(&head[done..]);
    Ok(parts)
}

/// The whole pickle of a payload.
pub fn whole_head<'py>(py: Python<'py>, payload: &Payload) -> PyResult<Bound<'py, PyBytes>> {
    let parts = parts(payload).map_err(no_room)?;
    if let [whole] = parts[..] {
        return bytes(py, whole);
    }
    let length = parts.iter().map(|part| part.len()).sum();
    PyBytes::new_with(py, length, |mut into| {
        for part in parts {
            let (here, rest) = into.split_at_mut(part.len());
            here.copy_from_slice(part);
            into = rest;
        }
        Ok(())
    })
}

/// What a call gets of resident content.
///
/// # Errors
/// When Python has no memory left, or text is none.
pub fn given<'py>(py: Python<'py>, resident: &Resident) -> PyResult<Bound<'py, PyAny>> {
    let Some(content) = &resident.content else {
        return Ok(py.None().into_bound(py)); // the endpoint lets no such call pass
    };
    if resident.form == MEMORY {
        return match content.bytes() {
            Buffer::Shared(segment) => private(py, segment),
            other => Ok(byte_array(py, other.bytes().map_err(no_room)?)?.into_any()),
        };
    }
    let made = content.made::<Py<PyAny>>().map(|made| made.bind(py));
    let is_text = resident.form == TEXT;
    if let Some(made) = made.filter(|made| made.is_exact_instance_of::<PyString>() == is_text) {
        return Ok(made.clone());
    }
    let bytes = bytes(py, content.bytes().bytes().map_err(no_room)?)?;
    let made = if is_text {
        bytes.call_method1("decode", ("utf-8", "surrogatepass"))?
    } else {
        bytes.into_any()
    };
    content.keep_made(made.clone().unbind());
    Ok(made)
}

/// Memory of its own: what its owner writes, nobody else sees.
///
/// # Errors
/// When there is none.
pub fn private<'py>(py: Python<'py>, segment: &Segment) -> PyResult<Bound<'py, PyAny>> {
    // where receivers write much, it is copied to pages that are there already
    let opened = match segment.len() {
        0..FROM => segment.open(),
        _ => py.detach(|| segment.open()),
    };
    let opened = opened.map_err(no_room)?;
    Ok(Bound::new(py, SharedBuffer(opened))?.into_any())
}
