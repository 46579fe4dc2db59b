//! Functions as values: what a callee that only shows at run time leads to.

use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, PoisonError};

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFunction, PyString, PyTuple, PyType};

use crate::client::remote::RemoteFunction;
use crate::library::library;
use crate::objects::dispatched::dispatches;
use crate::objects::lookup::{found_for, function_in, has_own};

/// How many layers (a partial of a method of ...) are looked through.
const DEEPEST: usize = 8;

/// Code, by address, that asks for what was scouted for it when it starts.
static ENTERED: LazyLock<Mutex<HashSet<usize>>> = LazyLock::new(Mutex::default);

/// Says that this code enters a region when it starts. The caller keeps the code alive.
#[pyfunction]
pub fn enters(code: &Bound<'_, PyAny>) {
    ENTERED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(code.as_ptr() as usize);
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

/// The code that a call of this starts, by address, if that enters a region.
pub fn entered_code(callee: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    let wrappers = wrappers(callee.py())?;
    let mut target = callee.clone();
    for _ in 0..DEEPEST {
        if target.is_exact_instance_of::<PyFunction>() {
            // SAFETY: a function object always has a code object
            let code = unsafe { ffi::PyFunction_GetCode(target.as_ptr()) as usize };
            let known = ENTERED.lock().unwrap_or_else(PoisonError::into_inner);
            return Ok(known.get(&code).copied());
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
                Err(_) => function_in(&class, "__call__"),
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

/// The code that reading `owner.name` starts, by address, if that enters a region: of a property.
pub fn read_code(owner: &Bound<'_, PyAny>, name: &Bound<'_, PyString>) -> PyResult<Option<usize>> {
    let Some(found) = found_for(owner, name) else {
        return Ok(None);
    };
    match property_of(&found)? {
        Some((_, Some(_))) if has_own(owner, name) => Ok(None),
        Some((function, _)) => entered_code(&function),
        None => Ok(None),
    }
}

/// What reading a property calls, and the name under which a cached one then keeps the result.
type Property<'py> = (Bound<'py, PyAny>, Option<Bound<'py, PyAny>>);

/// What a class has as a property; None for anything else.
pub fn property_of<'py>(found: &Bound<'py, PyAny>) -> PyResult<Option<Property<'py>>> {
    let (py, class) = (found.py(), found.get_type());
    let wrappers = wrappers(py)?;
    if class.is(&wrappers.property) {
        return Ok(Some((found.getattr(intern!(py, "fget"))?, None)));
    }
    if !class.is(&wrappers.cached_property) {
        return Ok(None);
    }
    let kept = found.getattr(intern!(py, "attrname"))?;
    Ok(Some((found.getattr(intern!(py, "func"))?, Some(kept))))
}

/// The function of the program's that a call of a class runs: where `dataclass` has written its
/// `__init__`, what that calls.
fn initializer<'py>(class: &Bound<'py, PyType>) -> Option<Bound<'py, PyAny>> {
    let py = class.py();
    let found = function_in(class, "__init__")?;
    let code = found.getattr(intern!(py, "__code__")).ok()?;
    let file = code.getattr(intern!(py, "co_filename")).ok()?;
    if !file.eq("<string>").ok()? {
        return Some(found);
    }
    function_in(class, "__post_init__")
}

/// A call: of what, and with what.
pub struct Called<'py> {
    pub callee: Bound<'py, PyAny>,
    pub args: Bound<'py, PyTuple>,
    pub kwargs: Option<Bound<'py, PyDict>>,
}

/// The call that a call of a `functools.partial` makes, and one of a remote method of an object;
/// another call as it is.
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
        if let Some((function, object)) = remote_method(&call.callee)? {
            call.args = PyTuple::new(py, [object])?.add(&call.args)?.cast_into()?;
            call.callee = function;
            break;
        }
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

/// The remote function behind a method of an object, and that object.
fn remote_method<'py>(
    callee: &Bound<'py, PyAny>,
) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
    let py = callee.py();
    if !callee.get_type().is(&wrappers(py)?.method) {
        return Ok(None);
    }
    let function = callee.getattr(intern!(py, "__func__"))?;
    if !function.is_exact_instance_of::<RemoteFunction>() {
        return Ok(None);
    }
    Ok(Some((function, callee.getattr(intern!(py, "__self__"))?)))
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
