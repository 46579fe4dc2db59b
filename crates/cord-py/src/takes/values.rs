//! Functions as values: what a callee that only shows at run time leads to.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFunction, PyString, PySuper, PyTuple, PyType};

use crate::library::library;
use crate::objects::dispatched::dispatches;
use crate::objects::plain::is_static;

/// How many layers (a partial of a method of ...) are looked through.
const DEEPEST: usize = 8;

/// Code, by address, that asks for what was scouted for it when it starts.
static ENTERED: LazyLock<Mutex<HashMap<usize, bool>>> = LazyLock::new(Mutex::default);

/// Says that this code enters a region when it starts. The caller keeps the code alive. `later`: it
/// is a generator's, which is made before it starts.
#[pyfunction]
pub fn enters(code: &Bound<'_, PyAny>, later: bool) {
    ENTERED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(code.as_ptr() as usize, later);
}

/// The types that wrap a function, and where they keep it.
struct Wrappers {
    method: Py<PyAny>,
    partial: Py<PyAny>,
    cached: Py<PyAny>,
    property: Py<PyAny>,
    cached_property: Py<PyAny>,
    /// What stands for a gap among the arguments of a partial (from Python 3.14 on).
    gap: Option<Py<PyAny>>,
}

fn wrappers(py: Python<'_>) -> PyResult<&'static Wrappers> {
    static WRAPPERS: PyOnceLock<Wrappers> = PyOnceLock::new();
    WRAPPERS.get_or_try_init(py, || {
        let functools = library(py, "functools")?;
        Ok(Wrappers {
            method: library(py, "types")?.getattr("MethodType")?.unbind(),
            partial: functools.getattr("partial")?.unbind(),
            cached: functools.getattr("_lru_cache_wrapper")?.unbind(),
            property: py.import("builtins")?.getattr("property")?.unbind(),
            cached_property: functools.getattr("cached_property")?.unbind(),
            gap: functools.getattr_opt("Placeholder")?.map(Bound::unbind),
        })
    })
}

/// The type of bound methods.
pub fn method_type(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    Ok(wrappers(py)?.method.bind(py).clone())
}

/// Code that enters a region.
#[derive(Clone, Copy)]
pub struct Entered {
    /// Its address.
    pub code: usize,
    /// It is a generator's, which starts some time after it was made.
    pub later: bool,
}

/// Whether this is a function, or a method, whose code enters no region.
pub fn enters_nothing(callee: &Bound<'_, PyAny>) -> PyResult<bool> {
    let target = if callee.get_type().is(&wrappers(callee.py())?.method) {
        &callee.getattr(intern!(callee.py(), "__func__"))?
    } else {
        callee
    };
    let made_here = target.is_exact_instance_of::<PyFunction>() && !dispatches(target)?;
    Ok(made_here && entered_code(target)?.is_none())
}

/// The code that a call of this starts, if that enters a region.
pub fn entered_code(callee: &Bound<'_, PyAny>) -> PyResult<Option<Entered>> {
    let wrappers = wrappers(callee.py())?;
    let mut target = callee.clone();
    for _ in 0..DEEPEST {
        if target.is_exact_instance_of::<PyFunction>() {
            // SAFETY: a function object always has a code object
            let code = unsafe { ffi::PyFunction_GetCode(target.as_ptr()) as usize };
            let known = ENTERED.lock().unwrap_or_else(PoisonError::into_inner);
            return Ok(known.get(&code).map(|later| Entered {
                code,
                later: *later,
            }));
        }
        let class = target.get_type();
        let inside = if class.is(&wrappers.method) {
            target.getattr(intern!(target.py(), "__func__"))?
        } else if class.is(&wrappers.partial) {
            target.getattr(intern!(target.py(), "func"))?
        } else if class.is(&wrappers.cached) {
            match target.getattr_opt(intern!(target.py(), "__wrapped__"))? {
                Some(inside) => inside,
                None => return Ok(None),
            }
        } else {
            let method = match target.cast::<PyType>() {
                Ok(made) => initializer(made),
                Err(_) => called_method(&class),
            };
            match method {
                Some(method) => method,
                None => return Ok(None),
            }
        };
        target = inside;
    }
    Ok(None)
}

/// The code that reading `owner.name` starts, if that enters a region: of a property.
pub fn read_code(
    owner: &Bound<'_, PyAny>,
    name: &Bound<'_, PyString>,
) -> PyResult<Option<Entered>> {
    let py = owner.py();
    let wrappers = wrappers(py)?;
    let class = owner.get_type();
    let found = match owner.cast_exact::<PySuper>() {
        Ok(above) => inherited(above, name),
        Err(_) => in_class(&class, name),
    };
    let Some(found) = found else {
        return Ok(None);
    };
    let class = found.get_type();
    if class.is(&wrappers.property) {
        return entered_code(&found.getattr(intern!(py, "fget"))?);
    }
    if !class.is(&wrappers.cached_property) || has_own(owner, name) {
        return Ok(None);
    }
    entered_code(&found.getattr(intern!(py, "func"))?)
}

/// What the classes above have under a name.
fn inherited<'py>(
    above: &Bound<'py, PySuper>,
    name: &Bound<'py, PyString>,
) -> Option<Bound<'py, PyAny>> {
    let py = above.py();
    let class = above.getattr(intern!(py, "__self_class__")).ok()?;
    let here = above.getattr(intern!(py, "__thisclass__")).ok()?;
    let line = class.cast_into::<PyType>().ok()?.mro();
    let next = line.iter().position(|base| base.is(&here))? + 1;
    in_classes(&line.get_slice(next, line.len()), name)
}

/// Whether an object's dict has this name.
fn has_own(owner: &Bound<'_, PyAny>, name: &Bound<'_, PyString>) -> bool {
    let py = owner.py();
    // SAFETY: a live object; what is given is owned, or null with an error set
    let own = unsafe {
        let own = ffi::PyObject_GenericGetDict(owner.as_ptr(), std::ptr::null_mut());
        Bound::from_owned_ptr_or_err(py, own)
    };
    own.and_then(|own| own.contains(name)).unwrap_or(false)
}

/// The plain `__call__` of a class of the program.
fn called_method<'py>(class: &Bound<'py, PyType>) -> Option<Bound<'py, PyAny>> {
    let found = in_class(class, intern!(class.py(), "__call__"))?;
    found.is_exact_instance_of::<PyFunction>().then_some(found)
}

/// The function of the program's that a call of a class runs: where `dataclass` has written its
/// `__init__`, what that calls.
fn initializer<'py>(class: &Bound<'py, PyType>) -> Option<Bound<'py, PyAny>> {
    let py = class.py();
    let found = in_class(class, intern!(py, "__init__"))?;
    if !found.is_exact_instance_of::<PyFunction>() {
        return None;
    }
    let code = found.getattr(intern!(py, "__code__")).ok()?;
    let file = code.getattr(intern!(py, "co_filename")).ok()?;
    if !file.eq("<string>").ok()? {
        return Some(found);
    }
    let after = in_class(class, intern!(py, "__post_init__"))?;
    after.is_exact_instance_of::<PyFunction>().then_some(after)
}

/// What a class of the program has under a name, looked up without running code of its metaclass.
fn in_class<'py>(
    class: &Bound<'py, PyType>,
    name: &Bound<'py, PyString>,
) -> Option<Bound<'py, PyAny>> {
    in_classes(&class.mro(), name)
}

fn in_classes<'py>(
    classes: &Bound<'py, PyTuple>,
    name: &Bound<'py, PyString>,
) -> Option<Bound<'py, PyAny>> {
    let py = classes.py();
    for base in classes.iter() {
        let base = base.cast_into::<PyType>().ok()?;
        if is_static(&base) {
            return None;
        }
        // SAFETY: a class that a program makes has a dict, alive as long as the class
        let own = unsafe {
            let own = (*base.as_type_ptr()).tp_dict;
            Bound::from_borrowed_ptr_or_opt(py, own)?
        };
        let own = own.cast_into::<PyDict>().ok()?;
        if let Some(found) = own.get_item(name).ok()? {
            return Some(found);
        }
    }
    None
}

/// A call: of what, and with what.
pub struct Called<'py> {
    pub callee: Bound<'py, PyAny>,
    pub args: Bound<'py, PyTuple>,
    pub kwargs: Option<Bound<'py, PyDict>>,
}

/// The call that a call of a `functools.partial` makes; another call as it is.
pub fn without_partials<'py>(
    callee: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Called<'py>> {
    let py = callee.py();
    let partial = &wrappers(py)?.partial;
    let mut call = Called {
        callee: callee.clone(),
        args: args.clone(),
        kwargs: kwargs.cloned(),
    };
    for _ in 0..DEEPEST {
        if !call.callee.get_type().is(partial) || has_placeholders(&call.callee)? {
            break;
        }
        let first = call.callee.getattr(intern!(py, "args"))?;
        call.args = first.add(&call.args)?.cast_into()?;
        let given: Bound<'py, PyDict> =
            call.callee.getattr(intern!(py, "keywords"))?.cast_into()?;
        if !given.is_empty() {
            let all = given.copy()?;
            if let Some(later) = &call.kwargs {
                all.update(later.as_mapping())?;
            }
            call.kwargs = Some(all);
        }
        call.callee = call.callee.getattr(intern!(py, "func"))?;
    }
    Ok(call)
}

/// Whether a partial leaves gaps among its positional arguments.
fn has_placeholders(partial: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = partial.py();
    let Some(gap) = &wrappers(py)?.gap else {
        return Ok(false);
    };
    let args: Bound<'_, PyTuple> = partial.getattr(intern!(py, "args"))?.cast_into()?;
    Ok(args.iter().any(|argument| argument.is(gap)))
}

/// A key function that moves an iterator on at each call: where `sorted` is in what it sorts.
#[pyclass(module = "cord._core", frozen)]
pub struct Following {
    place: Py<PyAny>,
    callee: Py<PyAny>,
}

impl Following {
    pub fn new(place: Py<PyAny>, callee: Py<PyAny>) -> Self {
        Self { place, callee }
    }
}

#[pymethods]
impl Following {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(mut place) = self.place.bind(py).try_iter() {
            // what is sorted may have been changed meanwhile: no affair of the program's
            drop(place.next());
            // SAFETY: the iterator is alive
            if unsafe { ffi::PyObject_LengthHint(place.as_ptr(), -1) } == 0 {
                drop(place.next()); // at its end it lets go of what is sorted
            }
            drop(PyErr::take(py));
        }
        self.callee.bind(py).call(args, kwargs)
    }
}
