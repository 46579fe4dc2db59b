//! What a call of a remote function sends: its arguments, and what they mention of the main script.

use cord_scout::Why;
use cord_wire::codec::Codec;
use cord_wire::effects::Effects;
use std::sync::atomic::Ordering;

use pyo3::exceptions::{PyException, PyMemoryError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use super::{Carrier, RemoteFunction};
use crate::client::definitions::Definitions;
use crate::client::given;
use crate::client::module_state::{self, Mentioned};
use crate::client::versions::{self, roots_of};
use crate::copies;
use crate::held::Held;
use crate::objects::plain::require;
use crate::python;
use crate::scouts::scout_end::{stop, stop_with};
use crate::travel::buffers::{buffers_from_py, Outside};
use crate::travel::codec;
use crate::travel::encodable::check_encodable;
use crate::travel::encode::{encode, whole_call, Encoded};
use crate::travel::mentions::{may_bind_methods, names_of_main};
use crate::travel::passed::{with_values, Needs};

/// What stands in a pickle before each object that is no plain container or number.
const GLOBAL: u8 = 0x93;

/// Whether an error is none of encoding: an interrupt, or that there is no memory.
fn is_the_programs(py: Python<'_>, error: &PyErr) -> bool {
    !error.is_instance_of::<PyException>(py) || error.is_instance_of::<PyMemoryError>(py)
}

impl RemoteFunction {
    /// Encodes a call that a scout makes, if no code of the program's runs in that.
    pub fn encode_ahead<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        stable: bool,
    ) -> PyResult<Encoded> {
        let needs = Needs::of(args, kwargs);
        if !needs.tickets.is_empty() && !self.takes_passed() {
            return Err(stop(Why::Missing));
        }
        if self.codec != Codec::PICKLE {
            require(stable, Why::Unplain, args)?;
            let encoded = self.encode_otherwise(py, args, kwargs);
            return encoded.map_err(|error| stop_with(py, &error));
        }
        if !stable {
            check_encodable(args, kwargs)?;
        }
        let plain = self.encode_plainly(py, args, kwargs, stable, true);
        let encoded = self.finish(py, args, kwargs, plain, stable, true);
        encoded
            .map_err(|error| stop_with(py, &error))
            .map(|encoded| encoded.with(needs))
    }

    /// Encodes a call that the program makes.
    pub fn encode<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        stable: bool,
    ) -> PyResult<Encoded> {
        let (args, kwargs) = if self.takes_passed() {
            (args.clone(), kwargs.cloned())
        } else {
            with_values(args, kwargs)?
        };
        let (args, kwargs) = (&args, kwargs.as_ref());
        if self.codec != Codec::PICKLE {
            return self.encode_otherwise(py, args, kwargs);
        }
        let needs = Needs::of(args, kwargs);
        let encoded = match self.encode_plainly(py, args, kwargs, stable, false) {
            Err(error) if is_the_programs(py, &error) => Err(error),
            plain => self.finish(py, args, kwargs, plain, stable, false),
        };
        encoded.map(|encoded| encoded.with(needs))
    }

    /// The same; or of a pure call, which who calls may make by himself, why it cannot be encoded.
    pub fn encode_or_not<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        stable: bool,
    ) -> PyResult<Result<Encoded, PyErr>> {
        // what a handler raises meanwhile is no refusal of an argument's
        let is_looked_at = !self.is_pure() && !stable;
        let _held = is_looked_at.then(|| Held::new(py)).transpose()?;
        if is_looked_at && self.keeps_any(py, args, kwargs)? {
            let what = "object that it may keep";
            return Ok(Err(python::STUCK_ERROR.error(py, (what, &self.original))));
        }
        if is_looked_at {
            given::note(python::NOTE_SENT.call(py, (args, kwargs))?);
        }
        let encoded = match self.encode(py, args, kwargs, stable) {
            Ok(encoded) if is_looked_at => self.comes_home(py, encoded),
            encoded => encoded,
        };
        match encoded {
            Err(error) if is_the_programs(py, &error) => Err(error),
            Err(error) if self.is_pure() => Ok(Err(error)),
            Err(error) if self.codec == Codec::PICKLE && self.takes_over(py, &error)? => {
                Ok(Err(error))
            }
            encoded => encoded.map(Ok),
        }
    }

    /// Whether the call may keep arguments that can change, and the program makes it for that, as all
    /// that depend on one another: they are to find the program's own objects.
    fn keeps_any<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<bool> {
        let (Some(keeps), Carrier::Session(session)) = (self.kept.get(), &self.carrier) else {
            return Ok(false);
        };
        Ok(self.is_free()
            && keeps.bind(py).call1((args, kwargs))?.is_truthy()?
            && session.get().take_over(self.module))
    }

    /// The same, unless what the call may change of its arguments could not come home.
    fn comes_home(&self, py: Python<'_>, encoded: Encoded) -> PyResult<Encoded> {
        if memchr::memchr(GLOBAL, &encoded.payload.head).is_none() {
            return Ok(encoded); // containers, arrays and what they are of
        }
        let stuck = python::STUCK.call0(py)?;
        if stuck.is_none() {
            return Ok(encoded);
        }
        let how = (stuck, &self.original);
        Err(python::STUCK_ERROR.error(py, how))
    }

    /// Whether calls may be given values that the client does not see.
    fn takes_passed(&self) -> bool {
        self.codec == Codec::PICKLE && self.usual.get().given
    }

    /// Encodes a call by a codec that is not pickle.
    fn encode_otherwise<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Encoded> {
        let whole = whole_call(self.name.bind(py), args, kwargs)?;
        let outside = Outside::Copied(self.shared_from());
        codec::encode(&whole, self.codec, outside).map(Encoded::new)
    }

    /// Encodes a call by a plain pickler.
    fn encode_plainly<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        stable: bool,
        ahead: bool,
    ) -> PyResult<Encoded> {
        let name = self.name.bind(py);
        let outside = if ahead {
            Outside::Guessed(self.shared_from())
        } else {
            Outside::Lent // there may be a ticket to compare with
        };
        match &self.resident {
            Some(kept) => {
                let _held = Held::new(py)?;
                kept.get().encode(py, name, args, kwargs, stable, outside)
            }
            None => encode(py, name, args, kwargs, stable, outside),
        }
    }

    /// Adds what the main script defines, and encodes by value what pickle has refused.
    fn finish<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        plain: PyResult<Encoded>,
        stable: bool,
        ahead: bool,
    ) -> PyResult<Encoded> {
        let named = match &plain {
            Ok(_) if stable => Some(Vec::new()),
            Ok(encoded) => names_of_main(&encoded.payload.head),
            Err(_) => None,
        };
        let unnamed = match &plain {
            Ok(made) if !stable && may_bind_methods(&made.payload.head) => {
                self.encode_by_value(py, args, kwargs, true, &[])?
            }
            _ => None,
        };
        let (mut encoded, mut names) = match (plain, named) {
            // what the main script defines may change before the program makes the call
            (_, None) if ahead && self.is_independent() => return Err(stop(Why::Ended)),
            (_, Some(names))
                if ahead && self.is_independent() && (self.own || !names.is_empty()) =>
            {
                return Err(stop(Why::Ended))
            }
            (Ok(encoded), Some(names)) => unnamed.unwrap_or((encoded, names)),
            (Err(error), _) if copies::is_unknown(py, &error) => return Err(error),
            (plain, _) => match self.encode_by_value(py, args, kwargs, false, &[])? {
                Some(made) => made,
                None => return plain.map_err(|error| self.explained(py, args, kwargs, &error)),
            },
        };
        let mut given = Vec::new();
        if !stable {
            given.extend(args.iter());
            given.extend(kwargs.map(|named| named.clone().into_any()));
        }
        if !stable {
            self.hear_of(py, &encoded.payload.head)?;
            let is_news = self.has_session() && module_state::hear_of_classes(py, &given)?;
            if is_news && !self.is_stateful() {
                let why = "a library's class has attributes that the program has put there";
                return Err(PyErr::from_value(python::APART_ERROR.call(py, (why,))?));
            }
        }
        if self.own {
            names.push(self.name.to_string());
        }
        if !stable && !names.is_empty() && self.is_stateful() && !ahead {
            if let Some(made) = self.encode_shared(py, &names, args, kwargs)? {
                (encoded, names) = made;
            }
        }
        let looks = !stable && !self.is_stateful();
        let roots = if looks { roots_of(&names) } else { Vec::new() };
        if let Some(found) = self.definitions(py, names, ahead)? {
            found.get().go_before(&mut encoded);
        }
        if looks {
            self.look_for_shared(py, &roots, &given)?;
        }
        if let Some(kept) = &self.resident {
            kept.get().cut(py, &mut encoded);
        }
        Ok(encoded)
    }

    /// What arguments mention of the project's modules is looked at, too.
    ///
    /// # Errors
    /// The program is to make the call, for what they mention may read what cannot travel; or all of the
    /// function, or that depend on one another, from now on.
    fn hear_of(&self, py: Python<'_>, pickle: &[u8]) -> PyResult<()> {
        let has_effects = self.is_independent() || self.is_stateful() && self.is_free();
        let asking = has_effects.then_some(&self.original);
        match module_state::hear_of_arguments(py, pickle, asking)? {
            Mentioned::Nothing => return Ok(()),
            Mentioned::News => {
                return match self.reads_what_stays(py)? {
                    Some(what) => {
                        let why = format!("{what} cannot be sent to another process");
                        Err(PyErr::from_value(python::APART_ERROR.call(py, (why,))?))
                    }
                    None => Ok(()),
                };
            }
            Mentioned::Changes => {}
        }
        match &self.carrier {
            Carrier::Session(session) if self.is_stateful() => {
                session.get().take_over(self.module);
            }
            _ => self.is_own.store(true, Ordering::Relaxed),
        }
        let what = "object that changes state of the program's";
        Err(python::STUCK_ERROR.error(py, (what, &self.original)))
    }

    /// Looks whether a call is given what its module, or the main script, holds, too. `roots`: names of the
    /// script's that it needs.
    ///
    /// # Errors
    /// It is, and code may see that: in a replica both would be two objects.
    fn look_for_shared(
        &self,
        py: Python<'_>,
        roots: &[String],
        given: &[Bound<'_, PyAny>],
    ) -> PyResult<()> {
        let is_shared = self.reached.is_given(py, given)
            || !roots.is_empty() && versions::are_given(roots, self.is_pure(), given);
        if !is_shared {
            return Ok(());
        }
        let why = "an argument is an object that is known by other names there, too";
        Err(PyErr::from_value(python::APART_ERROR.call(py, (why,))?))
    }

    /// Encodes arguments anew of which functions of the main script know some by a name, too: these
    /// travel with the definitions. None where there are none.
    fn encode_shared<'py>(
        &self,
        py: Python<'py>,
        names: &[String],
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Option<(Encoded, Vec<String>)>> {
        type Found = Option<(Vec<String>, bool)>;
        let found = python::SHARED_NAMES.call(py, (names, args, kwargs))?;
        let Some((shared, others)) = found.extract::<Found>()? else {
            return Ok(None);
        };
        if others && self.is_free() {
            let what = "object that functions of the main script know by its name";
            return Err(python::STUCK_ERROR.error(py, (what, &self.original)));
        }
        let made = self.encode_by_value(py, args, kwargs, false, &shared)?;
        Ok(made.map(|(encoded, mut more)| {
            more.extend(names.iter().cloned());
            (encoded, more)
        }))
    }

    /// What goes before the arguments of a call that mentions these names of the main script.
    fn definitions<'py>(
        &self,
        py: Python<'py>,
        names: Vec<String>,
        ahead: bool,
    ) -> PyResult<Option<Bound<'py, Definitions>>> {
        let find = |names: &[String]| -> PyResult<Option<Bound<'py, Definitions>>> {
            if names.is_empty() {
                return Ok(None);
            }
            let roots = roots_of(names);
            if let Some(found) = versions::find(py, &roots, self.is_pure(), ahead)? {
                return Ok(Some(found.into_bound(py)));
            }
            let _held = Held::new(py)?;
            let asked = (roots, &self.original, self.is_pure(), ahead);
            let made = python::ENCODE_DEFINITIONS.call(py, asked)?;
            Ok(Some(made.cast_into_exact::<Definitions>()?))
        };
        if self.effects != Effects::Stateful {
            return find(&names);
        }
        // an impure module may have kept what earlier calls gave it, and use it in this one
        let all = match &self.carrier {
            Carrier::Session(session) => session.get().mentioned().add(names.clone()),
            // what the call under way has of it, for that is all that there is here
            Carrier::Link(_) => python::WITH_LENT.call(py, (&names,))?.extract()?,
        };
        find(&all).or_else(|error| {
            if all.len() == names.len() {
                return Err(error);
            }
            find(&names)
        })
    }

    /// The encoding of what pickle refuses, and the names of the main script that it mentions.
    /// `methods`: only if there are methods in it that their names do not lead to.
    fn encode_by_value<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        methods: bool,
        shared: &[String],
    ) -> PyResult<Option<(Encoded, Vec<String>)>> {
        type Made<'py> = Option<(Vec<u8>, Bound<'py, PyList>, Vec<String>)>;
        let _held = Held::new(py)?;
        let made = python::ENCODE_BY_VALUE.call(py, (&self.name, args, kwargs, methods, shared))?;
        let Some((head, buffers, names)) = made.extract::<Made<'py>>()? else {
            return Ok(None);
        };
        let buffers = buffers_from_py(py, &buffers, Outside::Copied(self.shared_from()))?;
        Ok(Some((Encoded::of_pickle(head, buffers), names)))
    }

    /// The error for arguments that cannot travel: the program's own exceptions pass as they are.
    fn explained(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
        error: &PyErr,
    ) -> PyErr {
        let how = (error.value(py), &self.original, args, kwargs);
        python::ARGUMENT_ERROR.error(py, how)
    }
}
