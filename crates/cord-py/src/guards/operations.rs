//! What guarded operations come to: the builtin one, or a method of the program's own class, which a
//! scout goes into.

use cord_core::scout::Why;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFunction, PyInt, PyModule, PyString, PySuper, PyTuple, PyType};

use crate::guards::enter;
use crate::guards::guard::Guard;
use crate::guards::heap::{is_set, view};
use crate::guards::methods::is_assumed_method;
use crate::objects::attributes::is_plain_attribute;
use crate::objects::kinds::kind_of_value;
use crate::objects::lookup::{found_for, special};
use crate::objects::plain::{
    is_builtin_container, is_fixed, is_instance, is_library_dict, is_named_tuple, is_operand,
    is_plain, require, require_bounded, require_plain, require_plain_keys,
};
use crate::python;
use crate::quiet::quietly;
use crate::scouts::future::is_future;
use crate::scouts::run::doubt;
use crate::scouts::scout_end::{stop, stop_at, stop_in};
use crate::takes::values::{method_type, property_of};
use crate::travel::scalars::is_scalar;

/// What the name of an operator begins with that may change what is on its left.
const IN_PLACE: &str = "in place ";

impl Guard {
    pub(crate) fn item_of<'py>(
        &self,
        container: &Bound<'py, PyAny>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let container = &view(container);
        if let Some(found) = enter::operator(self.way(), container, "__getitem__", &[index])? {
            return Ok(found);
        }
        require_plain(index)?;
        if is_library_dict(container)? {
            require_plain_keys(container)?;
            return match container.cast::<PyDict>()?.get_item(index)? {
                Some(found) => Ok(found),
                // a `Counter` has none of it; a `defaultdict` would make something
                None if !is_fixed(&container.get_type()) => {
                    Ok(PyInt::new(container.py(), 0).into_any())
                }
                None => Err(stop_at(Why::Change, container)),
            };
        }
        if container.is_exact_instance_of::<PyDict>() {
            require_plain_keys(container)?;
        } else if !(is_scalar(container)
            || is_builtin_container(container)
            || is_named_tuple(container)?)
        {
            require_plain(container)?;
        }
        container.get_item(index)
    }

    pub(crate) fn attr_of<'py>(
        &self,
        value: &Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        let seen = view(value);
        if is_set(name)? && !value.is_instance_of::<PyModule>() {
            return Err(stop_in(Why::Set, value, name));
        }
        if !is_plain_attribute(&seen, name)? {
            return self.property_of(value, name);
        }
        let found = seen.getattr(name)?;
        if !seen.is(value) {
            if let Some(function) = method_of(&found, &seen)? {
                return method_type(py)?.call1((function, value));
            }
        }
        Ok(found)
    }

    /// What the function of a property gives.
    fn property_of<'py>(
        &self,
        value: &Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        let above = value.is_exact_instance_of::<PySuper>();
        let owner = match above {
            true => value.getattr(intern!(py, "__self__"))?,
            false => value.clone(),
        };
        let found = match above || kind_of_value(value)?.looks_up {
            true => found_for(value, name),
            false => None,
        };
        let getter = found.map_or(Ok(None), |found| property_of(&found))?;
        let getter = getter.filter(|(function, _)| function.is_exact_instance_of::<PyFunction>());
        let Some((function, kept)) = getter else {
            return Err(stop_in(Why::Attribute, value, name));
        };
        let args = PyTuple::new(py, [&owner])?;
        require(kept.is_none(), Why::Change, value)?; // it would be kept in the object
        self.function(&function, &args, None)
    }

    pub(crate) fn combine<'py>(
        &self,
        op: &str,
        left: &Bound<'py, PyAny>,
        right: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (left, right) = (&view(left), &view(right));
        let op = match op.strip_prefix(IN_PLACE) {
            None => op,
            Some(op) => {
                if !is_scalar(left) {
                    doubt(left.py()); // the program's own may change, and who else has it sees that
                }
                op
            }
        };
        if !self.are_operands(op, left, right)? {
            let own = self.own_binary(op, left, right)?;
            return own.ok_or_else(|| stop_in(Why::Unplain, left, right));
        }
        require_bounded(op, left, right)?;
        if is_scalar(left) && is_scalar(right) {
            return arithmetic(op, left, right);
        }
        quietly(left.py(), || arithmetic(op, left, right))
    }

    pub(crate) fn are_operands(
        &self,
        op: &str,
        left: &Bound<'_, PyAny>,
        right: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        if op == "mod" {
            // string formatting prints what it is given
            return Ok(is_operand(left)? && is_plain(right, 0)?);
        }
        if op == "or" && left.is_instance_of::<PyType>() && right.is_instance_of::<PyType>() {
            return Ok(makes_unions(left)? && makes_unions(right)?);
        }
        Ok(is_operand(left)? && is_operand(right)?)
    }

    /// An operator of a class of the program's.
    pub(crate) fn own_binary<'py>(
        &self,
        op: &str,
        left: &Bound<'py, PyAny>,
        right: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let turned = format!("__r{op}__");
        if comes_first(right, left, &turned)? {
            let result = enter::operator(self.way(), right, &turned, &[left])?;
            if result.is_some() {
                return Ok(result);
            }
        }
        let result = enter::operator(self.way(), left, &format!("__{op}__"), &[right])?;
        if result.is_some() || left.get_type().is(right.get_type()) {
            return Ok(result);
        }
        enter::operator(self.way(), right, &turned, &[left])
    }

    pub(crate) fn own_compare<'py>(
        &self,
        op: &str,
        left: &Bound<'py, PyAny>,
        right: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let result = enter::operator(self.way(), left, &format!("__{op}__"), &[right])?;
        if result.is_some() {
            return Ok(result);
        }
        let turned = match op {
            "lt" => "__gt__",
            "gt" => "__lt__",
            "le" => "__ge__",
            "ge" => "__le__",
            "ne" => {
                let equal = enter::operator(self.way(), left, "__eq__", &[right])?;
                return match equal {
                    Some(equal) if is_future(&equal) => Err(stop(Why::Missing)),
                    Some(equal) => Ok(Some(boolean(left.py(), !self.truth(&equal)?)?)),
                    None => Ok(None),
                };
            }
            _ => return enter::operator(self.way(), right, "__eq__", &[left]),
        };
        enter::operator(self.way(), right, turned, &[left])
    }

    /// A change of an instance of the program's by a method of its own.
    pub(crate) fn own_mutate<'py>(
        &self,
        receiver: &Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = receiver.py();
        if matches!(name.to_str()?, "__setitem__" | "__delitem__") {
            let function = special(receiver, name.to_str()?);
            let function = function.ok_or_else(|| stop_at(Why::Change, receiver))?;
            let bound = method_type(py)?.call1((function, receiver))?;
            return self.function(&bound, args, None);
        }
        let callee = self.attr_of(receiver, name)?;
        self.function(&callee, args, kwargs)
    }

    /// A call of a method of a class of the program's: gone into at once.
    pub(crate) fn function<'py>(
        &self,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (result, returns) = enter::enter(self.way(), callee, args, kwargs)?;
        require(returns, Why::Result, callee)?;
        Ok(result)
    }

    /// A builtin that calls a method of a class of the program's.
    pub(crate) fn own_builtin<'py>(
        &self,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        if args.is_empty() || args.len() > 2 {
            return Ok(None);
        }
        let builtins = callee.py().import(intern!(callee.py(), "builtins"))?;
        if args.len() == 2 {
            let reads = callee.is(&builtins.getattr(intern!(callee.py(), "getattr"))?);
            return match args.get_item(1)?.cast_exact::<PyString>() {
                Ok(name) if reads => self.attr_of(&args.get_item(0)?, name).map(Some),
                _ => Ok(None),
            };
        }
        if !is_instance(&args.get_item(0)?)? {
            return Ok(None);
        }
        let named = python::SPECIAL_OF.call(callee.py(), (callee,))?;
        let Ok(method) = named.cast_exact::<PyString>() else {
            return Ok(None);
        };
        if is_assumed_method(&args.get_item(0)?, method)? {
            return Ok(None);
        }
        enter::operator(self.way(), &args.get_item(0)?, method.to_str()?, &[])
    }
}

/// Whether the right operand's method is asked first: its class is below the left one's, and has one of
/// its own.
fn comes_first(right: &Bound<'_, PyAny>, left: &Bound<'_, PyAny>, name: &str) -> PyResult<bool> {
    let (class, above) = (right.get_type(), left.get_type());
    if class.is(&above) || !is_instance(left)? || !class.is_subclass(&above)? {
        return Ok(false);
    }
    let above = special(left, name);
    Ok(special(right, name).is_some_and(|own| above.is_none_or(|above| !own.is(&above))))
}

/// The function of a method that is bound to `owner`.
pub fn method_of<'py>(
    found: &Bound<'py, PyAny>,
    owner: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = found.py();
    if !found.is_exact_instance(&method_type(py)?)
        || !found.getattr(intern!(py, "__self__"))?.is(owner)
    {
        return Ok(None);
    }
    found.getattr(intern!(py, "__func__")).map(Some)
}

pub fn boolean(py: Python<'_>, value: bool) -> PyResult<Bound<'_, PyAny>> {
    Ok(value.into_pyobject(py)?.to_owned().into_any())
}

/// A binary operator, by the name of its method.
fn arithmetic<'py>(
    op: &str,
    left: &Bound<'py, PyAny>,
    right: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    match op {
        "add" => left.add(right),
        "sub" => left.sub(right),
        "mul" => left.mul(right),
        "truediv" => left.div(right),
        "floordiv" => left.floor_div(right),
        "mod" => left.rem(right),
        "pow" => left.pow(right, left.py().None()),
        "lshift" => left.lshift(right),
        "rshift" => left.rshift(right),
        "and" => left.bitand(right),
        "or" => left.bitor(right),
        "xor" => left.bitxor(right),
        "matmul" => left.matmul(right),
        _ => Err(stop_in(Why::Unplain, left, right)),
    }
}

/// Whether `|` of this class and another makes a union, as `type` does it.
fn makes_unions(class: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = class.py();
    let (meta, plain) = (class.get_type(), py.get_type::<PyType>());
    for name in [intern!(py, "__or__"), intern!(py, "__ror__")] {
        if !meta.getattr(name)?.is(&plain.getattr(name)?) {
            return Ok(false);
        }
    }
    Ok(true)
}
