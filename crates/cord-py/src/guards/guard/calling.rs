//! What guarded calls come to: the result of what has no effects, or the way into the program's own
//! functions.

use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyModule, PyString, PyTuple};

use super::Guard;
use crate::guards::heap::{self, view};
use crate::guards::methods::{
    builtin_change, builtin_method, call_pure, instance, is_assumed, is_assumed_method,
    is_library_method, library_method, made_by_scout,
};
use crate::objects::plain::{is_builtin_container, is_class, is_instance};
use crate::scouts::future::Future;
use crate::scouts::run::Run;
use crate::scouts::scout_end::{is_unwinding, why, ScoutEnd};

impl Guard {
    /// A call of something that has no effects.
    pub(super) fn call_of<'py>(
        &self,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let seen = heap::seen_arguments(args)?;
        let kwargs = heap::seen_keywords(kwargs)?;
        if is_class(callee) && !is_assumed(callee)? {
            if let Some(made) = instance(callee, args, kwargs.as_ref())? {
                return Ok(made);
            }
        }
        if let Some(found) = self.got(callee, args)? {
            return Ok(found);
        }
        made_by_scout(call_pure(callee, &seen, kwargs.as_ref())?)
    }

    /// A call of what shows only now: its result, or what there will never be.
    #[inline]
    pub(crate) fn call_anything<'py>(
        &self,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = callee.py();
        let result = if callee.is_exact_instance_of::<PyCFunction>() || is_class(callee) {
            self.call_of(callee, args, kwargs)
        } else {
            self.function(callee, args, kwargs).or_else(|error| {
                match error.is_instance_of::<ScoutEnd>(py) {
                    true => self.call_of(callee, args, kwargs),
                    false => Err(error),
                }
            })
        };
        match result {
            Err(error) if error.is_instance_of::<ScoutEnd>(py) && !is_unwinding(py, &error) => {
                Ok(Bound::new(py, Future::failed(why(py, &error)))?.into_any())
            }
            result => result,
        }
    }

    /// A call of a method: the program's own, or one that only reads.
    #[inline]
    pub(super) fn call_method<'py>(
        &self,
        receiver: &Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if receiver.is_instance_of::<PyModule>() {
            return self.call_of(&self.attr_of(receiver, name)?, args, kwargs);
        }
        let of_program = is_instance(receiver)? || is_class(receiver);
        if of_program && is_library_method(&view(receiver), name)? {
            return library_method(receiver, name, args, kwargs);
        }
        if of_program && !is_assumed_method(receiver, name)? {
            let callee = self.attr_of(receiver, name)?;
            return self.function(&callee, args, kwargs);
        }
        builtin_method(receiver, name, args, kwargs)
    }

    /// A change of an object. `own`: the scout made it.
    #[inline]
    pub(super) fn change<'py>(
        &self,
        own: bool,
        receiver: &Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if is_builtin_container(receiver) {
            return builtin_change(own, receiver, name, args, kwargs);
        }
        if is_instance(receiver)? && !matches!(name.to_str()?, "__setitem__" | "__delitem__") {
            return self.function(&self.attr_of(receiver, name)?, args, kwargs);
        }
        builtin_change(own, receiver, name, args, kwargs)
    }

    /// Goes into a function of the project that makes no remote calls: its generator.
    #[inline]
    pub(super) fn go_into<'py>(
        &self,
        run: &Bound<'py, Run>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = run.py();
        let (generator, _): (Bound<'py, PyAny>, bool) = self
            .go
            .bind(py)
            .call1((run, callee, args, kwargs))?
            .extract()?;
        run.get().strands.descend()?;
        Ok(generator)
    }
}
