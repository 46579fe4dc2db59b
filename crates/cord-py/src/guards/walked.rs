//! What instances of the program's classes give when they are walked: a scout goes into `__iter__`.

use cord_core::scout::Why;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::guards::enter;
use crate::guards::guard::Guard;
use crate::guards::methods::standing;
use crate::guards::passes::Fresh;
use crate::objects::plain::{is_instance, require};

impl Guard {
    /// An iterator over an instance of a class of the program's, made as that says; None for
    /// anything else.
    pub(crate) fn own_iterator<'py>(
        &self,
        value: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        if !is_instance(value)? {
            return Ok(None);
        }
        let Some(found) = enter::operator(&self.within, value, "__iter__", &[])? else {
            return Ok(None);
        };
        if found.is_exact_instance_of::<Fresh>() {
            return Ok(Some(found));
        }
        // not an iterator of a class of the program's: scouts do not go into its `__next__`
        require(!is_instance(&found)?, Why::Iterator, &found)?;
        self.iter(&found).map(Some)
    }

    /// The arguments of a builtin that walks them, with iterators for instances of the program's
    /// classes; None where there are none of these.
    pub(crate) fn walked_arguments<'py>(
        &self,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let py = callee.py();
        let mut walked = Vec::new();
        for (index, value) in args.iter().enumerate() {
            let walks = is_instance(&value)? && standing(callee, args.len())?.1.contains(&index);
            walked.push(match walks {
                true => self.own_iterator(&value)?,
                false => None,
            });
        }
        if walked.iter().all(Option::is_none) {
            return Ok(None);
        }
        let replaced = walked
            .into_iter()
            .zip(args.iter())
            .map(|(found, value)| match found {
                Some(found) => Ok(Bound::new(py, Fresh(found.unbind()))?.into_any()),
                None => Ok(value),
            });
        let replaced = replaced.collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, replaced).map(Some)
    }
}
