//! What values lead to: whether operations on all of it run none of the program's code.

use std::collections::HashSet;

use pyo3::prelude::*;
use pyo3::types::{
    PyByteArray, PyDict, PyFrozenSet, PyList, PyRange, PySet, PySlice, PyTuple, PyType,
};

use crate::objects::plain::{is_deque, is_fixed};
use crate::travel::scalars::is_scalar;

/// Looks through what values lead to.
struct Reach<'py> {
    /// Python: what an object that is not built in leads to; none if its class has code of its own.
    parts: Bound<'py, PyAny>,
    /// So many more objects may be looked at.
    left: usize,
    seen: HashSet<usize>,
    waiting: Vec<Bound<'py, PyAny>>,
    /// Containers that can be changed in place, and put back.
    changeable: Vec<Bound<'py, PyAny>>,
    /// Objects that are not built in, and lead to others.
    instances: Vec<Bound<'py, PyAny>>,
}

impl<'py> Reach<'py> {
    /// Looks at all that is waiting; tells whether that is as it should be.
    fn look(&mut self) -> PyResult<bool> {
        while let Some(value) = self.waiting.pop() {
            if !self.step(value)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn step(&mut self, value: Bound<'py, PyAny>) -> PyResult<bool> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        if is_scalar(&value) || !self.seen.insert(value.as_ptr() as usize) {
            return Ok(true);
        }
        if let Ok(items) = value.cast_exact::<PyTuple>() {
            return Ok(self.add(items.iter()));
        }
        if value.is_exact_instance_of::<PyFrozenSet>() {
            return self.add_all(&value);
        }
        if value.is_exact_instance_of::<PyRange>() || value.is_exact_instance_of::<PySlice>() {
            return Ok(true);
        }
        if let Ok(class) = value.cast_exact::<PyType>() {
            return Ok(is_fixed(class));
        }
        if let Some(fits) = self.container(&value)? {
            self.changeable.push(value);
            return Ok(fits);
        }
        let parts = self.parts.call1((&value,))?;
        if parts.is_none() {
            return Ok(false);
        }
        let parts = parts.cast_into::<PyTuple>()?;
        if !parts.is_empty() {
            self.instances.push(value);
        }
        Ok(self.add(parts.iter()))
    }

    /// Looks into a container that can be changed; none for others.
    fn container(&mut self, value: &Bound<'py, PyAny>) -> PyResult<Option<bool>> {
        Ok(if let Ok(items) = value.cast_exact::<PyList>() {
            Some(self.add(items.iter()))
        } else if let Ok(items) = value.cast_exact::<PyDict>() {
            Some(self.add(items.iter().flat_map(|(key, item)| [key, item])))
        } else if value.is_exact_instance_of::<PyByteArray>() {
            Some(true)
        } else if value.is_exact_instance_of::<PySet>() || is_deque(value)? {
            Some(self.add_all(value)?)
        } else {
            None
        })
    }

    fn add_all(&mut self, items: &Bound<'py, PyAny>) -> PyResult<bool> {
        let items: Vec<_> = items.try_iter()?.collect::<PyResult<_>>()?;
        Ok(self.add(items.into_iter()))
    }

    /// Has the items looked at that may lead to more. Tells whether there are not too many.
    fn add(&mut self, items: impl Iterator<Item = Bound<'py, PyAny>>) -> bool {
        for item in items {
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            if !is_scalar(&item) {
                self.waiting.push(item);
            }
        }
        true
    }
}

/// What values lead to: builtin containers that can be changed in place, and objects that are not built in.
type Led<'py> = (Vec<Bound<'py, PyAny>>, Vec<Bound<'py, PyAny>>);

/// Whether operations on some values, and on what they lead to, run none of the program's code: the
/// builtin containers among that which can be changed in place, and the objects that are not built in.
///
/// None if it is not so, or if there are more than `budget` objects. `parts` gives what an object that
/// is not built in leads to, as a tuple, or none.
#[pyfunction]
fn reach<'py>(
    values: Vec<Bound<'py, PyAny>>,
    budget: usize,
    parts: Bound<'py, PyAny>,
) -> PyResult<Option<Led<'py>>> {
    let mut reach = Reach {
        parts,
        left: budget,
        seen: HashSet::new(),
        waiting: values,
        changeable: Vec::new(),
        instances: Vec::new(),
    };
    let fits = reach.look()?;
    Ok(fits.then_some((reach.changeable, reach.instances)))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(reach, module)?)
}
