//! Functions and classes that a walk meets, and those whose state it looks into.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFunction, PyType};

use super::super::dicts::Pairs;
use super::super::node::{class_words, function_words, Kind};
use super::{is_fixed, is_pythons, Place, Walk, WRAPPERS};

impl<'py> Walk<'_, 'py> {
    /// Where a function or class of the project goes; it may have been met in a container.
    pub(super) fn place_definition(&mut self, value: &Bound<'py, PyAny>) -> PyResult<Place<'py>> {
        let Some(own) = self.own else {
            return Ok(Place::Held);
        };
        if value.is_exact_instance_of::<PyFunction>() && own.has_function(value) {
            return Ok(Place::Inside(self.class_of(&value.get_type())?));
        }
        if let Ok(class) = value.cast::<PyType>() {
            self.meet_class(class)?;
        }
        Ok(Place::Held)
    }

    /// Looks into a class of the project's and those above it.
    pub(super) fn meet_class(&mut self, class: &Bound<'py, PyType>) -> PyResult<()> {
        let Some(own) = self.own else {
            return Ok(());
        };
        for class in class.mro() {
            let class = class.cast_into::<PyType>()?;
            if own.has_class(&class) && self.seen.insert(class.as_ptr() as usize) {
                self.met.push(class.clone().into_any());
                if self.notes_classes {
                    self.add_class(class.as_any())?;
                }
            }
        }
        Ok(())
    }

    /// Has changes of a class noticed that would make its objects travel in another way. Whether
    /// that is possible.
    pub(super) fn follow(&mut self, class: &Bound<'py, PyType>) -> PyResult<bool> {
        for above in class.mro() {
            let above = above.cast_into::<PyType>()?;
            if !is_fixed(&above) && self.seen.insert(above.as_ptr() as usize) {
                let Some(dict) = self.note_class(&above)? else {
                    return Ok(false);
                };
                // SAFETY: it is the dict of a class.
                let Some(version) = (unsafe { Pairs::version(dict.as_ptr()) }) else {
                    return Ok(false);
                };
                self.note(&dict, Kind::Version, |words| words.push(version as usize))?;
                self.alive.push(dict);
            }
        }
        Ok(true)
    }

    /// Has it noticed when a class gets a reducer. Whether that is possible.
    pub(super) fn follow_reducers(&mut self) -> PyResult<bool> {
        let reducers = self.py.import("copyreg")?.getattr("dispatch_table")?;
        if !self.seen.insert(reducers.as_ptr() as usize) {
            return Ok(true);
        }
        // SAFETY: the check of the type comes first.
        let version = reducers
            .is_exact_instance_of::<PyDict>()
            .then(|| unsafe { Pairs::version(reducers.as_ptr()) })
            .flatten();
        let Some(version) = version else {
            return Ok(false);
        };
        self.hold(&reducers);
        self.note(&reducers, Kind::Version, |words| {
            words.push(version as usize)
        })?;
        Ok(true)
    }

    /// Adds a class with its attributes.
    pub fn add_class(&mut self, class: &Bound<'py, PyAny>) -> PyResult<()> {
        let class = class.cast::<PyType>()?;
        self.seen.insert(class.as_ptr() as usize);
        let Some(dict) = self.note_class(class)? else {
            return Ok(());
        };
        let pairs = self.note_pairs(&dict)?;
        self.alive.push(dict);
        for (name, value) in pairs {
            let is_function = value.is_exact_instance_of::<PyFunction>();
            if is_pythons(&name) && !(self.own.is_some() && is_function) {
                self.noted.held.push(value.unbind());
            } else {
                self.add_wrapped(&value)?;
                self.add(value)?;
            }
            self.noted.held.push(name.unbind());
        }
        Ok(())
    }

    /// Adds the functions in what stands in classes for them.
    pub(super) fn add_wrapped(&mut self, value: &Bound<'py, PyAny>) -> PyResult<()> {
        if self.own.is_none() || value.is_exact_instance_of::<PyFunction>() {
            return Ok(());
        }
        let py = self.py;
        for (class, name) in WRAPPERS {
            if value.get_type().is(&py.import("builtins")?.getattr(class)?) {
                let wrapped = value.getattr(name)?;
                if wrapped.is_exact_instance_of::<PyFunction>() {
                    self.add(wrapped)?;
                }
            }
        }
        Ok(())
    }

    /// Notes what a class is below; its dict, if it shows one.
    pub(super) fn note_class(
        &mut self,
        class: &Bound<'py, PyType>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        // SAFETY: a live class.
        let words = unsafe { class_words(class.as_ptr()) };
        self.hold(class.as_any());
        self.note(class.as_any(), Kind::Class, |all| all.extend(words))?;
        self.hold_at(words[0]);
        // SAFETY: the class has just said so.
        Ok(unsafe { Bound::from_borrowed_ptr_or_opt(self.py, words[1] as *mut ffi::PyObject) })
    }

    /// Adds a function with what it consists of.
    pub fn add_function(&mut self, function: &Bound<'py, PyAny>) -> PyResult<()> {
        let function = function.cast::<PyFunction>()?.as_any();
        if !self.seen.insert(function.as_ptr() as usize) {
            return Ok(());
        }
        self.look_at_function(function)
    }

    pub(super) fn look_at_function(&mut self, function: &Bound<'py, PyAny>) -> PyResult<()> {
        // SAFETY: a live function.
        let words = unsafe { function_words(function.as_ptr()) };
        self.hold(function);
        self.note(function, Kind::Function, |all| all.extend(words))?;
        let [code, defaults, by_name, closure, dict, notes, names @ ..] = words;
        for part in [code, closure].into_iter().chain(names) {
            self.hold_at(part);
        }
        let notes = self.object_at(notes);
        self.add_all_at(&[defaults, by_name, dict, closure])?;
        notes.map_or(Ok(()), |notes| self.add_version(notes))
    }

    /// Adds what a function says of its parameters: what is in it is not looked into.
    pub(super) fn add_version(&mut self, dict: Bound<'py, PyAny>) -> PyResult<()> {
        if dict.is_exact_instance_of::<PyDict>() {
            // SAFETY: it is a dict.
            if let Some(version) = unsafe { Pairs::version(dict.as_ptr()) } {
                self.note(&dict, Kind::Version, |words| words.push(version as usize))?;
                self.alive.push(dict);
                return Ok(());
            }
        }
        self.noted.held.push(dict.unbind());
        Ok(())
    }
}
