//! Guarded calls of what is built in: pure functions, methods that only read, methods that change.

use cord_scout::Why;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PySlice, PyString, PyTuple, PyType};

use crate::guards::heap::{self, view};
use crate::guards::passes::Fresh;
use crate::objects::kinds::{kind_of, kind_of_value};
use crate::objects::plain::{
    is_builtin_container, is_library_dict, is_plain, require, require_plain, require_plain_keys,
};
use crate::python;
use crate::quiet::quietly;
use crate::scouts::run::doubt;
use crate::scouts::scout_end::{stop_in, why};
use crate::travel::scalars::is_scalar;

/// A call of something that has no effects.
pub fn call_pure<'py>(
    callee: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = callee.py();
    let found = python::PURE_CALLABLE.call(py, (callee, args, kwargs))?;
    let found: PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> = found.extract();
    let (callee, args) = found.map_err(|_| stop_in(Why::Function, callee, args))?;
    quietly(py, || callee.call(args, kwargs))
}

/// The instance that a call of a class makes; None where code of the program's might run in that.
pub fn instance<'py>(
    class: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let made = python::MAKE.call(class.py(), (class, args, kwargs))?;
    Ok((!made.is_none()).then_some(made))
}

/// What a scout's call gave; an iterator is its own, for it was made for it.
pub fn made_by_scout(result: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: a live object
    if unsafe { ffi::PyIter_Check(result.as_ptr()) } != 0 {
        return Ok(Bound::new(result.py(), Fresh(result.unbind()))?.into_any());
    }
    Ok(result)
}

/// Whether the user declares this function, method or class free of effects.
pub fn is_assumed(callee: &Bound<'_, PyAny>) -> PyResult<bool> {
    python::IS_ASSUMED.tells(callee.py(), (callee,))
}

/// Whether the user declares this method of the value's class free of effects.
pub fn is_assumed_method(value: &Bound<'_, PyAny>, name: &Bound<'_, PyString>) -> PyResult<bool> {
    let is_assumed = kind_of_value(&view(value))?.assumed(name)?.is_some();
    if is_assumed {
        doubt(value.py());
    }
    Ok(is_assumed)
}

/// A method of a builtin type that only reads.
pub fn builtin_method<'py>(
    receiver: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = receiver.py();
    let receiver = &view(receiver);
    let args = &heap::seen_arguments(args)?;
    if !is_assumed_method(receiver, name)? {
        let is_pure = match receiver.cast::<PyType>() {
            Ok(class) => kind_of(class)?.member(name)? == Some("makes"),
            Err(_) => matches!(
                kind_of_value(receiver)?.member(name)?,
                Some("reads" | "makes")
            ),
        };
        if !is_pure {
            return Err(stop_in(Why::Method, receiver, name));
        }
        let is_dict = receiver.is_exact_instance_of::<PyDict>() || is_library_dict(receiver)?;
        if is_dict && name == "get" {
            require_plain(&args.get_item(0)?)?; // what is given if it is not there can be anything
        } else {
            require_plain(args)?;
        }
        if let Some(kwargs) = kwargs {
            require_plain(kwargs)?;
        }
        if fills_an_argument(receiver, args, kwargs)? {
            return Err(stop_in(Why::Method, receiver, name));
        }
        if is_dict {
            require_plain_keys(receiver)?;
        } else if name != "copy" {
            require_plain(receiver)?;
        }
    }
    made_by_scout(quietly(py, || receiver.call_method(name, args, kwargs))?)
}

/// Whether a method of an array may put what it computes into an argument.
fn fills_an_argument(
    receiver: &Bound<'_, PyAny>,
    args: &Bound<'_, PyTuple>,
    kwargs: Option<&Bound<'_, PyDict>>,
) -> PyResult<bool> {
    if is_scalar(receiver) || is_builtin_container(receiver) {
        return Ok(false);
    }
    let dtype = intern!(receiver.py(), "dtype");
    if !receiver.hasattr(dtype)? {
        return Ok(false);
    }
    for value in args.iter().skip(1) {
        if value.hasattr(dtype)? {
            return Ok(true);
        }
    }
    match kwargs {
        Some(kwargs) => kwargs.contains(intern!(receiver.py(), "out")),
        None => Ok(false),
    }
}

/// Whether a method of an instance, or of a class, is the library's own and only reads.
pub fn is_library_method(value: &Bound<'_, PyAny>, name: &Bound<'_, PyString>) -> PyResult<bool> {
    let class = value.cast::<PyType>().ok();
    let kind = class.map_or_else(|| kind_of_value(value), kind_of)?;
    if kind.member(name)? != Some("library") {
        return Ok(false);
    }
    Ok(kind.named_tuple || (class.is_none() && is_plain(value, 0)?))
}

/// A method that a class has from the library, and that only reads.
pub fn library_method<'py>(
    receiver: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let args = heap::seen_arguments(args)?;
    let kwargs = heap::seen_keywords(kwargs)?;
    for value in args.iter() {
        let known = is_builtin_container(&value) || is_scalar(&value);
        require(known, Why::Unplain, &value)?;
    }
    made_by_scout(view(receiver).call_method(name, args, kwargs.as_ref())?)
}

/// A method of a builtin type that changes it.
pub fn builtin_change<'py>(
    own: bool,
    receiver: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let args = &heap::seen_arguments(args)?;
    let kwargs = heap::seen_keywords(kwargs)?;
    let py = receiver.py();
    let kind = kind_of_value(&view(receiver))?;
    let looks = match kind.changer(name)? {
        Some(looks) if takes_plain_keywords(looks, kwargs.as_ref())? => Some(looks),
        _ => None,
    };
    let changeable = match looks {
        Some(_) => heap::changeable(receiver, own)?,
        None => None,
    };
    let (Some(receiver), Some(looks)) = (&changeable, looks) else {
        let error = stop_in(Why::Change, receiver, name);
        if !own {
            return Err(error); // what was born with it can go on without it
        }
        let lost = heap::lose(receiver, why(py, &error))?;
        return Ok(lost.into_any());
    };
    match looks {
        "nothing" => {}
        "key" | "pairs" if args.is_empty() => {}
        "key" => {
            require_plain(&args.get_item(0)?)?;
            if args.len() > 1 && args.get_item(0)?.is_exact_instance_of::<PySlice>() {
                let items = args.get_item(1)?;
                require(is_builtin_container(&items), Why::Unplain, &items)?;
            }
        }
        "items" => {
            let items = args.get_item(0)?;
            require(is_builtin_container(&items), Why::Unplain, &items)?;
        }
        "pairs" => {
            let other = args.get_item(0)?;
            let is_dict = other.is_exact_instance_of::<PyDict>();
            require(is_dict, Why::Unplain, &other)?;
            require_plain(other.cast::<PyDict>()?.keys().as_any())?;
        }
        "own" => require_plain(receiver)?,
        _ => {
            for value in args.iter() {
                require_plain(&value)?;
            }
            if !receiver.is_exact_instance_of::<PyDict>() {
                require_plain(receiver)?;
            }
        }
    }
    receiver.call_method(name, args, kwargs.as_ref())
}

/// Whether a builtin type's method does not look at what it is given by these names.
fn takes_plain_keywords(looks: &str, kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<bool> {
    let Some(kwargs) = kwargs.filter(|kwargs| !kwargs.is_empty()) else {
        return Ok(true);
    };
    Ok(match looks {
        "pairs" => true,
        "own" => {
            kwargs.len() == 1
                && kwargs
                    .get_item("reverse")?
                    .is_some_and(|one| is_scalar(&one))
        }
        _ => false,
    })
}

/// A call of a method that is bound to an object of a builtin type.
pub fn bound_builtin<'py>(
    callee: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = callee.py();
    let is_builtin = callee.is_exact_instance_of::<PyCFunction>();
    require(is_builtin, Why::Source, callee)?;
    let receiver = callee.getattr(intern!(py, "__self__"))?;
    let name = callee.getattr(intern!(py, "__name__"))?;
    let name = name.cast_exact::<PyString>()?;
    if kind_of_value(&receiver)?.changer(name)?.is_some() {
        return builtin_change(false, &receiver, name, args, kwargs);
    }
    builtin_method(&receiver, name, args, kwargs)
}
