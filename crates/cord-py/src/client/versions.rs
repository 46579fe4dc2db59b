//! The versions of what the main script defines that were encoded, and whether they still hold.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::client::definitions::Definitions;
use crate::objects::identity::{KnownBy, Told};
use crate::travel::watch::Watch;

/// So many are remembered, for as many groups of names; those that were made last.
const MOST: usize = 16;

/// Used only with the interpreter held, and for a moment: a forked child finds it free.
static VERSIONS: Mutex<Vec<Version>> = Mutex::new(Vec::new());

fn versions() -> MutexGuard<'static, Vec<Version>> {
    VERSIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The definitions behind some names at one time.
struct Version {
    roots: Vec<String>,
    pure_call: bool,
    state: Py<State>,
    definitions: Py<Definitions>,
}

impl Version {
    fn is_for(&self, roots: &[String], pure_call: bool) -> bool {
        self.pure_call == pure_call && self.roots == roots
    }
}

/// What names of the main script stood for at one time, and what that held.
#[pyclass(frozen, module = "cord._core")]
pub struct State {
    /// What stands for names that the main script does not have.
    besides: Py<PyDict>,
    /// The addresses of what names stand for, which is looked into or held by the watch.
    bound: Vec<(Py<PyString>, usize)>,
    unbound: Vec<Py<PyString>>,
    watch: Py<Watch>,
    known: KnownBy,
}

#[pymethods]
impl State {
    /// `known`: as of `Reached`.
    #[new]
    fn new(
        bound: &Bound<'_, PyDict>,
        unbound: Vec<Py<PyString>>,
        besides: Py<PyDict>,
        watch: Py<Watch>,
        known: Told,
    ) -> PyResult<State> {
        let bound = bound
            .iter()
            .map(|(name, value)| Ok((name.cast_into::<PyString>()?.unbind(), address(&value))));
        Ok(State {
            besides,
            bound: bound.collect::<PyResult<_>>()?,
            unbound,
            watch,
            known: KnownBy::new(known),
        })
    }

    /// Whether all is as it was.
    pub fn is_current(&self, py: Python<'_>) -> PyResult<bool> {
        let Some(main) = main_script(py)? else {
            return Ok(false);
        };
        for name in &self.unbound {
            if main.contains(name)? {
                return Ok(false);
            }
        }
        for (name, before) in &self.bound {
            let now = match main.get_item(name)? {
                Some(now) => Some(now),
                None => self.besides.bind(py).get_item(name)?,
            };
            if now.is_none_or(|now| address(&now) != *before) {
                return Ok(false);
            }
        }
        self.watch.get().is_unchanged(py)
    }
}

impl State {
    /// Whether arguments lead to an object behind the names which code knows by its identity.
    fn is_given(&self, arguments: &[Bound<'_, PyAny>]) -> bool {
        self.known.is_given(arguments, |py| {
            let main = main_script(py).ok().flatten();
            let names = self.bound.iter().map(|(name, _)| name);
            let found =
                main.map(|main| names.filter_map(|name| main.get_item(name).ok()?).collect());
            found.unwrap_or_default()
        })
    }
}

/// What the main script has under its names.
fn main_script(py: Python<'_>) -> PyResult<Option<Bound<'_, PyDict>>> {
    let modules = py
        .import(intern!(py, "sys"))?
        .getattr(intern!(py, "modules"))?;
    let main = modules
        .cast::<PyDict>()?
        .get_item(intern!(py, "__main__"))?;
    main.map(|main| Ok(main.getattr(intern!(py, "__dict__"))?.cast_into()?))
        .transpose()
}

fn address(value: &Bound<'_, PyAny>) -> usize {
    value.as_ptr() as usize
}

/// The first parts of dotted names, each once. A remote function of the script's, whose name begins
/// with its version, has that name also where it is a method.
pub fn roots_of(names: &[String]) -> Vec<String> {
    let mut roots: Vec<String> = Vec::with_capacity(names.len());
    for name in names {
        let is_served = name.starts_with(':');
        let root = name
            .split('.')
            .next()
            .filter(|_| !is_served)
            .unwrap_or(name);
        if !roots.iter().any(|known| known == root) {
            roots.push(root.to_owned());
        }
    }
    roots
}

/// Has calls that mention the same names find these definitions, while the state is current.
#[pyfunction]
fn remember_definitions(
    roots: Vec<String>,
    pure_call: bool,
    state: Py<State>,
    definitions: Py<Definitions>,
) {
    let made = Version {
        roots,
        pure_call,
        state,
        definitions,
    };
    let mut all = versions();
    let known = |one: &Version| one.is_for(&made.roots, pure_call);
    let gone = match all.iter().position(known) {
        None if all.len() < MOST => None,
        known => Some(all.remove(known.unwrap_or(0))),
    };
    all.push(made);
    drop(all);
    drop(gone); // which may run code of the program's
}

/// The definitions behind names as they are now, or for a scout as the last call had them; `None` if
/// they are to be encoded.
pub fn find(
    py: Python<'_>,
    roots: &[String],
    pure_call: bool,
    ahead: bool,
) -> PyResult<Option<Py<Definitions>>> {
    let found = {
        let all = versions();
        let found = all.iter().find(|version| version.is_for(roots, pure_call));
        found.map(|found| (found.state.clone_ref(py), found.definitions.clone_ref(py)))
    };
    match found {
        Some((state, definitions)) if ahead || state.get().is_current(py)? => Ok(Some(definitions)),
        _ => Ok(None),
    }
}

/// Whether arguments lead to an object behind these names which code knows by its identity, as far as
/// their definitions are remembered.
pub fn are_given(roots: &[String], pure_call: bool, arguments: &[Bound<'_, PyAny>]) -> bool {
    let Some(py) = arguments.first().map(Bound::py) else {
        return false;
    };
    let found = {
        let all = versions();
        let found = all.iter().find(|version| version.is_for(roots, pure_call));
        found.map(|found| found.state.clone_ref(py))
    };
    found.is_some_and(|state| state.get().is_given(arguments))
}

/// As `find`.
#[pyfunction]
fn find_definitions(
    py: Python<'_>,
    roots: Vec<String>,
    pure_call: bool,
    ahead: bool,
) -> PyResult<Option<Py<Definitions>>> {
    find(py, &roots, pure_call, ahead)
}

/// Lets go of all definitions.
#[pyfunction]
fn forget_definitions() {
    let all = std::mem::take(&mut *versions());
    drop(all);
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<State>()?;
    module.add_function(wrap_pyfunction!(find_definitions, module)?)?;
    module.add_function(wrap_pyfunction!(remember_definitions, module)?)?;
    module.add_function(wrap_pyfunction!(forget_definitions, module)?)
}
