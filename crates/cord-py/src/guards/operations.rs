//! What guarded operations come to: the builtin one, or a method of the program's own class, which a
//! scout goes into.

use cord_scout::Why;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFunction, PyInt, PyModule, PyString, PySuper, PyTuple, PyType};

use crate::guards::enter;
use crate::guards::guard::Guard;
use crate::guards::heap::{is_set, view};
use crate::objects::attributes::is_plain_attribute;
use crate::objects::kinds::kind_of_value;
use crate::objects::lookup::found_for;
use crate::objects::plain::{
    is_builtin_container, is_fixed, is_library_dict, is_named_tuple, is_operand, is_plain, require,
    require_bounded, require_plain, require_plain_keys,
};
use crate::quiet::quietly;
use crate::scouts::run::doubt;
use crate::scouts::scout_end::{stop_at, stop_in};
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
        if !are_operands(op, left, right)? {
            return Err(stop_in(Why::Unplain, left, right));
        }
        require_bounded(op, left, right)?;
        if is_scalar(left) && is_scalar(right) {
            return arithmetic(op, left, right);
        }
        quietly(left.py(), || arithmetic(op, left, right))
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

    /// What `getattr` gives, if this is a call of it.
    pub(crate) fn got<'py>(
        &self,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = callee.py();
        let getattr = intern!(py, "getattr");
        if args.len() != 2 || !callee.is(&py.import(intern!(py, "builtins"))?.getattr(getattr)?) {
            return Ok(None);
        }
        match args.get_item(1)?.cast_exact::<PyString>() {
            Ok(name) => self.attr_of(&args.get_item(0)?, name).map(Some),
            Err(_) => Ok(None),
        }
    }
}

fn are_operands(op: &str, left: &Bound<'_, PyAny>, right: &Bound<'_, PyAny>) -> PyResult<bool> {
    if op == "mod" {
        // string formatting prints what it is given
        return Ok(is_operand(left)? && is_plain(right, 0)?);
    }
    if op == "or" && left.is_instance_of::<PyType>() && right.is_instance_of::<PyType>() {
        return Ok(makes_unions(left)? && makes_unions(right)?);
    }
    Ok(is_operand(left)? && is_operand(right)?)
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
