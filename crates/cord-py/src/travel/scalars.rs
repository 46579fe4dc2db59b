//! Pickles of a few numbers and short texts, made and read without a pickler.
//!
//! A pickler is made for each pickle, and costs more than such a pickle itself. What is written here
//! is what Python's `pickle` reads, in its protocol 5, and means the same. What is read here is the
//! part of `pickle` in which such values are written; of any other pickle nothing is said.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyComplex, PyDict, PyFloat, PyInt, PyString, PyTuple};

use crate::travel::large;
use crate::travel::pickling::{read_long_text, write_name, write_text};
use crate::travel::pickling::{
    BYTES, FALSE, INT_1, INT_2, INT_4, LONG, LONG_TEXT, NONE, TEXT, TRUE,
};
use crate::travel::pickling::{EMPTY_DICT, FLOAT, FRAME, MARK, MEMOIZE, PROTOCOL, STOP};
use crate::travel::pickling::{TUPLE, TUPLE_0, TUPLE_1, TUPLE_3};

/// The most values that are looked at, in one tuple.
const MOST: usize = 8;
/// Longer texts, with what stands before them, are left to the general case.
const SHORT: usize = 255;

/// Adds what Python code uses of this.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(encode_plain, module)?)?;
    module.add_function(wrap_pyfunction!(decode_plain, module)?)
}

/// Whether this is a builtin value with nothing in it.
pub fn is_scalar(value: &Bound<'_, PyAny>) -> bool {
    value.is_none()
        || value.is_exact_instance_of::<PyString>()
        || value.is_exact_instance_of::<PyInt>()
        || value.is_exact_instance_of::<PyFloat>()
        || value.is_exact_instance_of::<PyBool>()
        || value.is_exact_instance_of::<PyBytes>()
        || value.is_exact_instance_of::<PyComplex>()
}

/// The pickle of a call of a function with this name and these arguments, if they are all scalars.
pub fn encode_call(name: &Bound<'_, PyString>, args: &Bound<'_, PyTuple>) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(64);
    out.extend_from_slice(&PROTOCOL);
    write_name(&mut out, name)?;
    out.push(MEMOIZE);
    encode_tuple(&mut out, args)?;
    out.extend_from_slice(&[EMPTY_DICT, TUPLE_3, STOP]);
    Some(out)
}

/// The pickle of a result, if it is a scalar or a tuple of some.
#[pyfunction]
pub fn encode_plain<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, PyBytes>> {
    let mut out = Vec::with_capacity(32);
    encode_result(&mut out, value)?;
    large::bytes(value.py(), &out).ok()
}

/// Puts the pickle of a result there, if it is a scalar or a tuple of some; else what is there then
/// is of no use.
pub fn encode_result(out: &mut Vec<u8>, value: &Bound<'_, PyAny>) -> Option<()> {
    out.clear();
    out.extend_from_slice(&PROTOCOL);
    match value.cast_exact::<PyTuple>() {
        Ok(tuple) => encode_tuple(out, tuple)?,
        Err(_) => encode_scalar(out, value)?,
    }
    out.push(STOP);
    Some(())
}

fn encode_tuple(out: &mut Vec<u8>, items: &Bound<'_, PyTuple>) -> Option<()> {
    let count = items.len();
    if count > MOST {
        return None;
    }
    if count > 3 {
        out.push(MARK);
    }
    for (place, item) in items.iter().enumerate() {
        // one text twice is to be one text twice there
        if is_memoized(&item) && items.iter().take(place).any(|other| other.is(&item)) {
            return None;
        }
        encode_scalar(out, &item)?;
    }
    out.push(end_of_tuple(count));
    Some(())
}

fn is_memoized(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<PyString>() || value.is_exact_instance_of::<PyBytes>()
}

/// The opcode that makes a tuple of so many values, which stand behind a mark if they are more than
/// three.
pub fn end_of_tuple(count: usize) -> u8 {
    match count {
        0 => TUPLE_0,
        1..=3 => TUPLE_1 + count as u8 - 1,
        _ => TUPLE,
    }
}

fn encode_scalar(out: &mut Vec<u8>, value: &Bound<'_, PyAny>) -> Option<()> {
    if encode_number(out, value)? {
        return Some(());
    }
    if let Ok(value) = value.cast_exact::<PyString>() {
        encode_text(out, value)?;
    } else if let Ok(value) = value.cast_exact::<PyBytes>() {
        let bytes = value.as_bytes();
        out.push(BYTES);
        out.push(u8::try_from(bytes.len()).ok()?);
        out.extend_from_slice(bytes);
        out.push(MEMOIZE);
    } else {
        return None;
    }
    Some(())
}

/// Encodes what a pickle never refers to again: a number, a truth value or None. Whether it is one;
/// `None` if it is one that does not fit.
#[inline]
pub fn encode_number(out: &mut Vec<u8>, value: &Bound<'_, PyAny>) -> Option<bool> {
    if value.is_none() {
        out.push(NONE);
    } else if value.is_exact_instance_of::<PyInt>() {
        encode_int(out, value.extract::<i64>().ok()?);
    } else if let Ok(value) = value.cast_exact::<PyFloat>() {
        encode_float(out, value.value());
    } else if let Ok(value) = value.cast_exact::<PyBool>() {
        out.push(if value.is_true() { TRUE } else { FALSE });
    } else {
        return Some(false);
    }
    Some(true)
}

fn encode_float(out: &mut Vec<u8>, value: f64) {
    out.push(FLOAT);
    out.extend_from_slice(&value.to_bits().to_be_bytes());
}

pub fn encode_int(out: &mut Vec<u8>, value: i64) {
    if let Ok(value) = u8::try_from(value) {
        out.extend_from_slice(&[INT_1, value]);
    } else if let Ok(value) = u16::try_from(value) {
        out.push(INT_2);
        out.extend_from_slice(&value.to_le_bytes());
    } else if let Ok(value) = i32::try_from(value) {
        out.push(INT_4);
        out.extend_from_slice(&value.to_le_bytes());
    } else {
        out.extend_from_slice(&[LONG, 8]);
        out.extend_from_slice(&value.to_le_bytes());
    }
}

fn encode_text(out: &mut Vec<u8>, text: &Bound<'_, PyString>) -> Option<()> {
    let start = out.len();
    write_text(out, text)?;
    (out.len() - start <= SHORT).then_some(())?;
    out.push(MEMOIZE);
    Some(())
}

/// What a call's pickle holds, if it is one that is read here: name, arguments, keywords.
#[pyfunction]
pub fn decode_plain<'py>(head: &Bound<'py, PyBytes>) -> Option<Bound<'py, PyAny>> {
    decode(head.py(), head.as_bytes())
}

/// What a pickle holds, if it is one that is read here.
pub fn decode<'py>(py: Python<'py>, pickle: &[u8]) -> Option<Bound<'py, PyAny>> {
    let mut rest = pickle.strip_prefix(&PROTOCOL)?;
    let mut stack: [Option<Bound<'py, PyAny>>; MOST + 3] = [const { None }; MOST + 3];
    let mut top = 0;
    let mut mark = None;
    loop {
        let code = take(&mut rest, 1)?[0];
        let value = match code {
            FRAME => {
                take(&mut rest, 8)?;
                continue;
            }
            MEMOIZE => continue, // nothing that is read here refers to it
            MARK if mark.is_none() => {
                mark = Some(top);
                continue;
            }
            STOP => {
                let value = stack[0].take();
                return value.filter(|_| top == 1 && mark.is_none() && rest.is_empty());
            }
            EMPTY_DICT => PyDict::new(py).into_any(),
            TUPLE_0 => PyTuple::empty(py).into_any(),
            TUPLE_1..=TUPLE_3 | TUPLE => {
                let count = match code {
                    TUPLE => top - mark.take()?,
                    _ => usize::from(code - TUPLE_1) + 1,
                };
                let from = top.checked_sub(count)?;
                top = from;
                tuple(py, &mut stack[from..from + count])?
            }
            _ => decode_scalar(py, code, &mut rest)?,
        };
        *stack.get_mut(top)? = Some(value);
        top += 1;
    }
}

/// The scalar that this opcode makes.
pub fn decode_scalar<'py>(
    py: Python<'py>,
    code: u8,
    rest: &mut &[u8],
) -> Option<Bound<'py, PyAny>> {
    Some(match code {
        NONE => py.None().into_bound(py),
        TRUE | FALSE => PyBool::new(py, code == TRUE).to_owned().into_any(),
        INT_1 | INT_2 | INT_4 | LONG => decode_int(py, code, rest)?,
        FLOAT => {
            let bits = u64::from_be_bytes(take(rest, 8)?.try_into().ok()?);
            PyFloat::new(py, f64::from_bits(bits)).into_any()
        }
        TEXT => large::text(py, std::str::from_utf8(short(rest)?).ok()?)
            .ok()?
            .into_any(),
        LONG_TEXT => read_long_text(py, long(rest)?)?.into_any(),
        BYTES => large::bytes(py, short(rest)?).ok()?.into_any(),
        _ => return None,
    })
}

/// The next opcode that does something here.
fn code(rest: &mut &[u8]) -> Option<u8> {
    loop {
        match take(rest, 1)?[0] {
            FRAME => {
                take(rest, 8)?;
            }
            MEMOIZE => {} // nothing that is read here refers to it
            code => return Some(code),
        }
    }
}

/// What stands behind its own length.
fn short<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = take(rest, 1)?[0];
    take(rest, usize::from(length))
}

/// A number that takes four bytes.
pub fn number(rest: &mut &[u8]) -> Option<usize> {
    let bytes = take(rest, 4)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(bytes)).ok()
}

/// What stands behind its own length, which is such a number.
pub fn long<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = number(rest)?;
    take(rest, length)
}

/// A call of a function with scalars for its arguments.
pub struct Call<'a, 'py> {
    /// The name of the function.
    pub name: &'a str,
    args: [Option<Bound<'py, PyAny>>; MOST],
    count: usize,
}

impl<'a, 'py> Call<'a, 'py> {
    /// Reads a call's pickle, if its arguments are a few scalars.
    pub fn decode(py: Python<'py>, pickle: &'a [u8]) -> Option<Self> {
        let mut rest = pickle.strip_prefix(&PROTOCOL)?;
        let name = match code(&mut rest)? {
            TEXT => std::str::from_utf8(short(&mut rest)?).ok()?,
            _ => return None,
        };
        let mut args = [const { None }; MOST];
        let (mut count, mut marked) = (0, false);
        loop {
            match code(&mut rest)? {
                MARK if count == 0 && !marked => marked = true,
                TUPLE if marked => break,
                TUPLE_0 if !marked && count == 0 => break,
                end @ TUPLE_1..=TUPLE_3 if !marked && usize::from(end - TUPLE_1) + 1 == count => {
                    break;
                }
                scalar => {
                    *args.get_mut(count)? = Some(decode_scalar(py, scalar, &mut rest)?);
                    count += 1;
                }
            }
        }
        for end in [EMPTY_DICT, TUPLE_3, STOP] {
            if code(&mut rest)? != end {
                return None;
            }
        }
        Some(Call { name, args, count })
    }

    /// Makes the call.
    pub fn make(self, function: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let mut argv = [std::ptr::null_mut(); MOST + 1];
        for (place, arg) in argv[1..].iter_mut().zip(self.args.iter().flatten()) {
            *place = arg.as_ptr();
        }
        let flags = self.count | ffi::PY_VECTORCALL_ARGUMENTS_OFFSET;
        // SAFETY: `args` holds the arguments for as long as the call takes, and the place in front
        // of them may be written. What comes back is a new reference, or null with an error set.
        unsafe {
            let first = argv.as_ptr().add(1);
            let null = std::ptr::null_mut();
            let value = ffi::PyObject_Vectorcall(function.as_ptr(), first, flags, null);
            Bound::from_owned_ptr_or_err(function.py(), value)
        }
    }
}

fn decode_int<'py>(py: Python<'py>, code: u8, rest: &mut &[u8]) -> Option<Bound<'py, PyAny>> {
    let value = match code {
        INT_1 => i64::from(take(rest, 1)?[0]),
        INT_2 => i64::from(u16::from_le_bytes(take(rest, 2)?.try_into().ok()?)),
        INT_4 => i64::from(i32::from_le_bytes(take(rest, 4)?.try_into().ok()?)),
        _ => {
            let length = usize::from(take(rest, 1)?[0]);
            let bytes = take(rest, length)?;
            let last = *bytes.last()?;
            let mut whole = [if last & 0x80 == 0 { 0 } else { 0xFF }; 8];
            whole.get_mut(..length)?.copy_from_slice(bytes);
            i64::from_le_bytes(whole)
        }
    };
    // SAFETY: a new reference, or null with an error set.
    unsafe { Bound::from_owned_ptr_or_opt(py, ffi::PyLong_FromLongLong(value)) }
}

/// So many bytes, if they are there.
pub fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}

fn tuple<'py>(
    py: Python<'py>,
    values: &mut [Option<Bound<'py, PyAny>>],
) -> Option<Bound<'py, PyAny>> {
    let made = PyTuple::new(
        py,
        values
            .iter_mut()
            .filter_map(Option::take)
            .collect::<Vec<_>>(),
    );
    made.ok().map(Bound::into_any)
}
