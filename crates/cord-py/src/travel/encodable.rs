//! Whether values can be encoded ahead of the program: no code of the program's runs in that.

use std::collections::HashSet;

use cord_scout::Why;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::address::ByAddress;
use crate::objects::instances::inside;
use crate::objects::kinds::kind_of_value;
use crate::objects::plain::{is_fixed, is_plain, require};
use crate::python;
use crate::travel::passed::is_passed;
use crate::travel::scalars::is_scalar;

/// Whether encoding these arguments runs no code of the program's.
pub fn check_encodable(
    args: &Bound<'_, PyTuple>,
    kwargs: Option<&Bound<'_, PyDict>>,
) -> PyResult<()> {
    let mut walk = Walk::default();
    let mut check = |value: Bound<'_, PyAny>| {
        let is_encodable = walk.is_encodable(&value)?;
        require(is_encodable, Why::Encoding, &value)
    };
    args.iter().try_for_each(&mut check)?;
    match kwargs {
        Some(kwargs) => kwargs.values().iter().try_for_each(check),
        None => Ok(()),
    }
}

#[derive(Default)]
struct Walk {
    seen: HashSet<usize, ByAddress>,
}

impl Walk {
    fn is_encodable(&mut self, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        if is_passed(value) {
            return Ok(true);
        }
        let mut waiting = vec![value.clone()];
        while let Some(value) = waiting.pop() {
            if is_scalar(&value) || !self.seen.insert(value.as_ptr() as usize) {
                continue;
            }
            if let Ok(items) = value.cast_exact::<PyTuple>() {
                waiting.extend(items);
            } else if let Ok(items) = value.cast_exact::<PyList>() {
                waiting.extend(items);
            } else if let Ok(items) = value.cast_exact::<PyDict>() {
                waiting.extend(items.iter().flat_map(|(key, item)| [key, item]));
            } else if !self.takes_apart(&value, &mut waiting)? && !is_plainly_encoded(&value)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds what is in an object that the default takes apart. Whether it is one.
    fn takes_apart<'py>(
        &mut self,
        value: &Bound<'py, PyAny>,
        waiting: &mut Vec<Bound<'py, PyAny>>,
    ) -> PyResult<bool> {
        let kind = kind_of_value(value)?;
        if kind.taken_apart && !is_fixed(&value.get_type()) {
            waiting.extend(inside(value, &kind).into_iter().flatten());
            return Ok(true);
        }
        Ok(false)
    }
}

fn is_plainly_encoded(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    if is_plain(value, 0)? {
        return Ok(true);
    }
    let py = value.py();
    python::HAS_PLAIN_ENCODING.tells(py, (value,))
}
