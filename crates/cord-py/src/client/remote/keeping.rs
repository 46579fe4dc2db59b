//! What a call is known by in later runs: its function's print, its arguments, and the world that it is made in.
//!
//! The print is Python's to find (`python/cord/runtime/keep/prints.py`), once for each state of what the function
//! reaches. Arguments count by their encoded bytes, unless these mention what has code of the project's: then by what
//! they hold, and by that code.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cord_core::kept::{key_of, Keep, Key};
use cord_wire::payload::{Payload, World};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::{Arguments, RemoteFunction};
use crate::copies;
use crate::held::Held;
use crate::python;
use crate::travel::mentions::modules_of;
use crate::travel::sets::has_sets;

/// A digest, and one of where code stands; or why calls cannot be kept.
type Print = Result<(Key, u64), String>;

/// That outcomes of a function are kept, and what is known for that.
#[derive(Debug, Default)]
pub struct Keeping {
    /// Exceptions, too.
    errors: bool,
    /// For how many seconds; 0 for ever.
    ttl: u32,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The print, and which look at what the function reaches it is of.
    print: Option<(u64, Print)>,
    world: Option<(World, Key)>,
    /// By modules that arguments mention, what tells their version; none of those with code of the project's.
    versions: HashMap<String, Option<Vec<u8>>>,
}

impl Keeping {
    /// As the plan has it: 0 nothing is kept, 1 values are, 2 exceptions, too; and for how long.
    pub fn of((number, ttl): (u8, u32)) -> Option<Keeping> {
        (number > 0).then(|| Keeping {
            errors: number > 1,
            ttl,
            ..Keeping::default()
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RemoteFunction {
    /// What a call is known by in later runs, if its outcome is kept.
    #[inline]
    pub fn keep(
        &self,
        py: Python<'_>,
        payload: &Payload,
        given: Arguments<'_, '_>,
        world: &World,
    ) -> Option<Box<Keep>> {
        let keeping = self.keeping.as_ref()?;
        self.session().core().kept()?;
        match self.find_keep(py, keeping, payload, given, world) {
            Ok(keep) => Some(Box::new(keep)),
            Err(why) => {
                self.pass_by(&why);
                None
            }
        }
    }

    /// A call is not kept, if others are, and why.
    pub fn pass_by(&self, why: &str) {
        if let Some(kept) = self.keeping.as_ref().and(self.session().core().kept()) {
            kept.pass_by(self.label(), why);
        }
    }

    fn find_keep(
        &self,
        py: Python<'_>,
        keeping: &Keeping,
        payload: &Payload,
        given: Arguments<'_, '_>,
        world: &World,
    ) -> Result<Keep, String> {
        let (print, lines) = self.print(py, keeping)?;
        let world = self.world_print(py, keeping, world)?;
        let label = self.label().as_bytes();
        // sets of texts have another order in each run
        let versions = match payload.head.contains(&GLOBAL) {
            _ if has_sets(&payload.head) => None,
            true => versions(py, keeping, &payload.head)?,
            false => Some(Vec::new()),
        };
        let is_by_bytes = versions.is_some();
        let (key, lines) = match versions {
            Some(versions) => {
                let parts = [label, &print, &world, &versions];
                (key_of(&parts, Some(payload)), lines)
            }
            None => {
                let _held = Held::new(py).map_err(|error| error.to_string())?;
                let (own, more) = told(py, &python::KEY_OF_ARGUMENTS, given)?;
                (key_of(&[label, &print, &world, &own], None), lines ^ more)
            }
        };
        let key = key.ok_or("there is no memory to read its arguments in")?;
        Ok(Keep {
            key,
            lines,
            errors: keeping.errors,
            ttl: keeping.ttl,
            is_by_bytes,
            function: self.label().clone(),
        })
    }

    fn world_print(&self, py: Python<'_>, keeping: &Keeping, world: &World) -> Result<Key, String> {
        if let Some((then, print)) = &keeping.state().world {
            if cord_wire::payload::is_same_world(then, world) {
                return Ok(*print);
            }
        }
        let held = Held::new(py).map_err(|error| error.to_string())?;
        let found = python::KEY_OF_WORLD.call(py, (PyBytes::new(py, world),));
        let print: Key = found
            .and_then(|found| found.extract())
            .map_err(|error| error.to_string())?;
        self.tell_world(py, world);
        drop(held);
        keeping.state().world = Some((World::clone(world), print));
        Ok(print)
    }

    /// Has it written down what is in a world, once, so that calls in it can be made again.
    fn tell_world(&self, py: Python<'_>, world: &World) {
        let Some(kept) = self.session().core().kept() else {
            return;
        };
        if copies::is_copy() || !kept.recorder().lacks_world(world) {
            return;
        }
        let told = python::TOLD_OF_WORLD.call(py, (PyBytes::new(py, world),));
        if let Ok(told) = told.and_then(|told| told.extract::<Vec<u8>>()) {
            kept.recorder().put_world(world, &told);
        }
    }

    /// What the function's outcomes depend on besides arguments, as it is now.
    fn print(&self, py: Python<'_>, keeping: &Keeping) -> Print {
        let stays = self
            .reads_what_stays(py)
            .map_err(|error| error.to_string())?;
        if let Some(what) = stays {
            return Err(format!("{what} cannot be sent to another process"));
        }
        let looked = self.reached.looked();
        if let Some((then, print)) = &keeping.state().print {
            if *then == looked {
                return print.clone();
            }
        }
        let held = Held::new(py).map_err(|error| error.to_string())?;
        let print = told(py, &python::KEY_OF_FUNCTION, (&self.original,));
        drop(held);
        keeping.state().print = Some((looked, print.clone()));
        print
    }
}

/// What stands in a pickle behind the names of each class and function.
const GLOBAL: u8 = 0x93;

/// What Python has found: a digest, and one of lines; or why there is none.
fn told<'py>(
    py: Python<'py>,
    asked: &python::Asked,
    args: impl pyo3::call::PyCallArgs<'py>,
) -> Print {
    let found = asked.call(py, args).map_err(|error| error.to_string())?;
    if let Ok(why) = found.extract::<String>() {
        return Err(why);
    }
    found
        .extract::<(Key, u64)>()
        .map_err(|error| error.to_string())
}

/// What tells the versions of all libraries that a pickle mentions; none if it mentions anything else, or cannot be
/// read.
fn versions(py: Python<'_>, keeping: &Keeping, pickle: &[u8]) -> Result<Option<Vec<u8>>, String> {
    let Some(modules) = modules_of(pickle) else {
        return Ok(None);
    };
    let mut all = Vec::new();
    for module in modules {
        let known = keeping.state().versions.get(module).cloned();
        let version = match known {
            Some(version) => version,
            None => {
                let held = Held::new(py).map_err(|error| error.to_string())?;
                let found = python::KEY_OF_MODULE.call(py, (module,));
                let version: Option<Vec<u8>> = found
                    .and_then(|found| found.extract())
                    .map_err(|error| error.to_string())?;
                drop(held);
                keeping
                    .state()
                    .versions
                    .insert(module.to_owned(), version.clone());
                version
            }
        };
        let Some(version) = version else {
            return Ok(None);
        };
        all.extend((version.len() as u64).to_le_bytes());
        all.extend(version);
    }
    Ok(Some(all))
}
