//! One version of what the main script defines, as it goes before the arguments of calls.

use std::sync::{Mutex, PoisonError};

use cord_wire::buffer::Buffer;
use cord_wire::segment::SHARED_FROM;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::travel::buffers::keep_buffer;
use crate::travel::buffers::{buffer_from_py, Outside};
use crate::travel::encode::Encoded;

/// The two bytes that begin a pickle: the opcode PROTO and the protocol.
const PROTO: usize = 2;

/// Definitions, encoded once for all calls that need them.
///
/// `prefix` is a piece of pickle that reads the first buffer, puts the definitions in their place and
/// leaves nothing behind: it stands before the arguments in the same pickle.
#[pyclass(frozen, module = "cord._core")]
pub struct Definitions {
    prefix: Vec<u8>,
    encoded: Buffer,
}

#[pymethods]
impl Definitions {
    #[new]
    fn new(prefix: Vec<u8>, encoded: &Bound<'_, PyBytes>) -> PyResult<Self> {
        Ok(Self {
            prefix,
            encoded: buffer_from_py(encoded, Outside::Copied(SHARED_FROM))?,
        })
    }
}

impl Definitions {
    /// Puts the definitions before the arguments.
    pub fn go_before(&self, encoded: &mut Encoded) {
        let payload = &mut encoded.payload;
        payload
            .head
            .splice(PROTO..PROTO, self.prefix.iter().copied());
        payload.buffers.insert(0, keep_buffer(&self.encoded));
        for cut in &mut encoded.cuts {
            cut.start += self.prefix.len();
            cut.end += self.prefix.len();
        }
        encoded.shared = self.encoded.len();
    }
}

/// What impure calls have mentioned of the main script: their module may keep it, and those that it
/// calls.
#[derive(Default)]
pub struct Mentioned(Mutex<Vec<String>>);

impl Mentioned {
    /// Whether none has mentioned anything.
    pub fn is_empty(&self) -> bool {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.is_empty()
    }

    /// Adds the names that an impure call mentions; returns all so far.
    pub fn add(&self, names: Vec<String>) -> Vec<String> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for name in names {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        all.clone()
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Definitions>()
}
