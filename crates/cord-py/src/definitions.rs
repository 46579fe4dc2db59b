//! One version of what the main script defines, as it goes before the arguments of calls.

use cord_core::Buffer;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffers::buffer_from_py;
use crate::encode::{keep_buffer, Encoded};

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
            encoded: buffer_from_py(encoded)?,
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
        encoded.shared = self.encoded.len();
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Definitions>()
}
