//! Values that are pickled and unpickled natively: numbers, texts and bytes, numpy's simple arrays and
//! numbers (`arrays.rs`), and tuples, lists and dicts of all these.
//!
//! What is written is a pickle of Python's protocol 5 that means the same as a pickler's: what is one
//! object stays one, and the memory of arrays is beside it. So all else can read it. What is read is
//! what is written here; of any other pickle nothing is said, and Python's unpickler reads it. None of
//! the program's code runs, and the interpreter is held throughout: nothing changes meanwhile.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::travel::large;

mod arrays;
mod opcodes;
mod reader;
mod texts;
mod writer;

pub use arrays::{array_of, base_of_array, has_arrays, is_array_class, is_simple};
pub use opcodes::{BYTES, FALSE, INT_1, INT_2, INT_4, LONG, LONG_TEXT, NONE, TEXT, TRUE};
pub use opcodes::{EMPTY_DICT, FLOAT, FRAME, MARK, MEMOIZE, POP, PROTOCOL, STOP};
pub use opcodes::{TUPLE, TUPLE_0, TUPLE_1, TUPLE_3};
pub use reader::{read, read_call, Call};
pub use texts::{read_long_text, write_name, write_text};
pub use writer::{may_be_written, write, write_call, Writer, Written};

/// Adds what Python code uses of this.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(encode_natively, module)?)?;
    module.add_function(wrap_pyfunction!(decode_natively, module)?)
}

/// The pickle of a value and the arrays whose memory is beside it, if that takes no pickler.
#[pyfunction]
fn encode_natively<'py>(
    value: &Bound<'py, PyAny>,
) -> Option<(Bound<'py, PyBytes>, Vec<Bound<'py, PyAny>>)> {
    let py = value.py();
    let Written { head, beside } = write(value)?;
    let owners = beside.iter().filter_map(|view| view.object(py));
    Some((large::bytes(py, &head).ok()?, owners.collect()))
}

/// What such a pickle and its buffers hold; `None` for any other pickle.
#[pyfunction]
fn decode_natively<'py>(
    head: &Bound<'py, PyBytes>,
    buffers: &Bound<'py, PyList>,
) -> Option<Bound<'py, PyAny>> {
    let mut buffers = buffers.iter();
    let made = reader::read_with(head.py(), head.as_bytes(), &mut || buffers.next())?;
    buffers.next().is_none().then_some(made)
}
