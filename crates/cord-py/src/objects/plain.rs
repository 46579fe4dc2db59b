//! Which values are plain: operations on them run none of the program's code.

use cord_scout::Why;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{
    PyByteArray, PyBytes, PyDict, PyFrozenSet, PyInt, PyList, PyRange, PySet, PySlice, PyString,
    PyTuple, PyType,
};

use crate::objects::instances::inside;
use crate::objects::kinds::{kind_of, kind_of_value};
use crate::python;
use crate::scouts::scout_end::{stop, stop_at};
use crate::travel::pickling::is_simple;
use crate::travel::scalars::is_scalar;

/// An instance counts as two, for there is its dict.
const DEEPEST: usize = 128;
const KEYS_LOOKED_AT: usize = 64;

/// Ends a scout for this reason, which is about a value, where a condition does not hold.
pub fn require(condition: bool, why: Why, about: &Bound<'_, PyAny>) -> PyResult<()> {
    if condition {
        Ok(())
    } else {
        Err(stop_at(why, about))
    }
}

/// The same where nothing too large is to be computed.
fn require_small(condition: bool) -> PyResult<()> {
    if condition {
        Ok(())
    } else {
        Err(stop(Why::Large))
    }
}

/// A builtin value through and through: comparing, hashing, printing it runs no code of the program.
pub fn is_plain(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<bool> {
    if is_scalar(value) {
        return Ok(true);
    }
    if depth > DEEPEST {
        return Ok(false);
    }
    if let Ok(items) = value.cast_exact::<PyTuple>() {
        return all_plain(items.iter(), depth);
    }
    if let Ok(items) = value.cast_exact::<PyList>() {
        return all_plain(items.iter(), depth);
    }
    if let Ok(items) = value.cast_exact::<PyDict>() {
        return Ok(
            all_plain(items.keys().iter(), depth)? && all_plain(items.values().iter(), depth)?
        );
    }
    if is_library_dict(value)? {
        let pairs: Vec<_> = value.cast::<PyDict>()?.iter().collect();
        let all = pairs.into_iter().flat_map(|(key, item)| [key, item]);
        return all_plain(all, depth);
    }
    if value.is_exact_instance_of::<PySet>() || value.is_exact_instance_of::<PyFrozenSet>() {
        let items: Vec<_> = value.try_iter()?.collect::<PyResult<_>>()?;
        return all_plain(items.into_iter(), depth);
    }
    if is_deque(value)? {
        let items: Vec<_> = value.try_iter()?.collect::<PyResult<_>>()?;
        return all_plain(items.into_iter(), depth);
    }
    if value.is_exact_instance_of::<PyRange>()
        || value.is_exact_instance_of::<PyByteArray>()
        || value.is_exact_instance_of::<PySlice>()
    {
        return Ok(true);
    }
    if let Ok(class) = value.cast_exact::<PyType>() {
        return Ok(is_fixed(class)); // calling a class of the program's runs its code
    }
    if is_simple(value) {
        return Ok(true);
    }
    let kind = kind_of_value(value)?;
    if kind.enumeration {
        return is_plain(&value.getattr(intern!(value.py(), "_value_"))?, depth + 1);
    }
    if kind.named_tuple {
        return all_plain(value.cast::<PyTuple>()?.iter(), depth);
    }
    Ok(kind.trusted
        || (kind.record && all_plain(inside(value, &kind).into_iter().flatten(), depth)?))
}

/// Whether this is an instance of a class that may be the program's.
pub fn is_instance(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let class = value.get_type();
    if is_fixed(&class) || value.is_instance_of::<PyType>() {
        return Ok(false);
    }
    Ok(!kind_of(&class)?.trusted)
}

/// Whether this is a named tuple, which is walked and looked into as a tuple is.
pub fn is_named_tuple(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(value.is_instance_of::<PyTuple>() && kind_of_value(value)?.named_tuple)
}

/// Whether a value is a builtin one through and through.
#[pyfunction]
#[pyo3(name = "is_plain")]
pub fn is_plain_value(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    is_plain(value, 0)
}

/// Whether a class is built in: nobody can have changed it. From one Python to the next ever more of
/// these are made at run time (the iterators of `itertools` from 3.12 on), so that tells nothing.
#[pyfunction]
pub fn is_fixed(class: &Bound<'_, PyType>) -> bool {
    has_feature(class, ffi::Py_TPFLAGS_IMMUTABLETYPE)
}

/// Whether a class was made as `class` statements make them: in an instance is what Python code has
/// put there, and what is in one of a class above.
#[pyfunction]
pub fn is_made_by_statement(class: &Bound<'_, PyType>) -> bool {
    // those that C code makes alike cannot be changed, or not be called
    has_feature(class, ffi::Py_TPFLAGS_HEAPTYPE)
        && !is_fixed(class)
        && !has_feature(class, ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
}

fn has_feature(class: &Bound<'_, PyType>, flag: std::ffi::c_ulong) -> bool {
    // SAFETY: a type object is alive while it is borrowed
    unsafe { ffi::PyType_HasFeature(class.as_type_ptr(), flag) != 0 }
}

/// Whether this is a class that a `class` statement made.
#[inline]
pub fn is_class(callee: &Bound<'_, PyAny>) -> bool {
    callee.cast::<PyType>().is_ok_and(|class| !is_fixed(class))
}

/// Looking a key up may compare it with others: some of them show whether all are plain.
pub fn require_plain_keys(container: &Bound<'_, PyAny>) -> PyResult<()> {
    if is_scalar(container) {
        return Ok(());
    }
    for key in container.try_iter()?.take(KEYS_LOOKED_AT) {
        require_plain(&key?)?;
    }
    Ok(())
}

pub fn all_plain<'py>(
    items: impl Iterator<Item = Bound<'py, PyAny>>,
    depth: usize,
) -> PyResult<bool> {
    for item in items {
        if !is_plain(&item, depth + 1)? {
            return Ok(false);
        }
    }
    Ok(true)
}

pub fn require_plain(value: &Bound<'_, PyAny>) -> PyResult<()> {
    require(is_plain(value, 0)?, Why::Unplain, value)
}

pub fn is_builtin_container(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<PyList>()
        || value.is_exact_instance_of::<PyTuple>()
        || value.is_exact_instance_of::<PyDict>()
        || value.is_exact_instance_of::<PySet>()
        || value.is_exact_instance_of::<PyFrozenSet>()
        || value.is_exact_instance_of::<PyRange>()
        || value.is_exact_instance_of::<PyByteArray>()
}

/// Whether this is a `defaultdict`, an `OrderedDict` or a `Counter`: what is in it is read as from a
/// dict.
pub fn is_library_dict(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    if !value.is_instance_of::<PyDict>() || value.is_exact_instance_of::<PyDict>() {
        return Ok(false);
    }
    Ok(kind_of_value(value)?.library_dict)
}

/// Whether this is exactly a `collections.deque`.
pub fn is_deque(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(kind_of_value(value)?.deque)
}

/// Whether a scout can walk this by itself, and showing its iterator is harmless to the program.
pub fn can_be_shown(iterable: &Bound<'_, PyAny>) -> PyResult<bool> {
    if is_builtin_container(iterable) || iterable.is_exact_instance_of::<PyString>() {
        return Ok(true);
    }
    let py = iterable.py();
    Ok(!python::COPY_ITERATOR.call(py, (iterable,))?.is_none())
}

/// Whether this is an iterator of the library's own, over things that a scout can walk again.
pub fn can_be_counted(iterable: &Bound<'_, PyAny>) -> PyResult<bool> {
    let class = iterable.get_type();
    if !is_fixed(&class) {
        return Ok(false);
    }
    // SAFETY: a live object
    let iterator = unsafe { ffi::PyIter_Check(iterable.as_ptr()) } != 0;
    Ok(iterator && python::IS_LAZY.tells(iterable.py(), (class,))?)
}

/// Whether this is an operand whose arithmetic never calls its elements' own methods.
pub fn is_operand(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let combines = is_scalar(value)
        || value.is_exact_instance_of::<PyList>()
        || value.is_exact_instance_of::<PyTuple>();
    Ok(combines || (!is_instance(value)? && is_plain(value, 0)?))
}

/// Results so large that computing them would hold the program up are left to the program.
pub fn require_bounded(
    op: &str,
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
) -> PyResult<()> {
    const BITS: usize = 1 << 16;
    const ITEMS: usize = 1 << 24;
    if let (Ok(left), Ok(right)) = (left.cast_exact::<PyInt>(), right.cast_exact::<PyInt>()) {
        let bits = |value: &Bound<'_, PyInt>| -> PyResult<usize> {
            value
                .call_method0(intern!(value.py(), "bit_length"))?
                .extract()
        };
        let result = match op {
            "mul" => bits(left)?.saturating_add(bits(right)?),
            "pow" if right.lt(0)? => 0, // a float
            "pow" => bits(left)?.saturating_mul(right.extract().unwrap_or(usize::MAX)),
            "lshift" => bits(left)?.saturating_add(right.extract::<usize>().unwrap_or(BITS)),
            "floordiv" | "mod" => bits(left)?,
            _ => return Ok(()),
        };
        return require_small(result <= BITS);
    }
    if op == "mod" {
        return require_small(!fills(left));
    }
    let items = match op {
        "add" => length(left).saturating_add(length(right)),
        "mul" => {
            let times = |value: &Bound<'_, PyAny>| value.extract::<usize>().unwrap_or(1);
            length(left)
                .saturating_mul(times(right))
                .max(length(right).saturating_mul(times(left)))
        }
        _ => 0,
    };
    require_small(items <= ITEMS)
}

/// Whether this is a text that may, as a format, ask for fields of a million characters: by digits,
/// or by a width that stands elsewhere.
fn fills(format: &Bound<'_, PyAny>) -> bool {
    const DIGITS: usize = 7;
    let wide = |text: &[u8]| {
        text.split(|byte| !byte.is_ascii_digit())
            .any(|digits| digits.len() >= DIGITS)
            || text
                .windows(2)
                .any(|pair| b"%.#0-+".contains(&pair[0]) && pair[1] == b'*')
                && text.contains(&b'%')
    };
    if let Ok(text) = format.cast_exact::<PyString>() {
        return text.to_str().is_ok_and(|text| wide(text.as_bytes()));
    }
    format
        .cast_exact::<PyBytes>()
        .is_ok_and(|bytes| wide(bytes.as_bytes()))
}

/// The length of a string or container, 0 for a number.
pub fn length(value: &Bound<'_, PyAny>) -> usize {
    if is_builtin_container(value) || is_scalar(value) {
        value.len().unwrap_or(0)
    } else {
        0
    }
}
