//! Names of a remote module, as its clients read them.

use pyo3::exceptions::PyAttributeError;
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule, PyString, PyType};

/// A public name of a remote module: the remote function while the module has its own there.
///
/// A descriptor, for a class of the module's own; it is read with every call.
#[pyclass(module = "cord._core", frozen)]
pub struct RemoteName {
    name: Py<PyString>,
    local: Py<PyAny>,
    remote: Py<PyAny>,
}

#[pymethods]
impl RemoteName {
    #[new]
    fn new(name: Py<PyString>, local: Py<PyAny>, remote: Py<PyAny>) -> Self {
        Self {
            name,
            local,
            remote,
        }
    }

    fn __get__<'py>(
        slf: &Bound<'py, Self>,
        module: Option<&Bound<'py, PyAny>>,
        _owner: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        let Some(module) = module.filter(|module| !module.is_none()) else {
            return Ok(slf.clone().into_any());
        };
        match dict_of(module)?.get_item(this.name.bind(py))? {
            Some(bound) if bound.is(&this.local) => Ok(this.remote.bind(py).clone()),
            Some(bound) => Ok(bound),
            None => Err(this.missing(module)?),
        }
    }

    fn __set__(&self, module: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        // A mock's end puts back what it saved: the local function, if it looked into the dict.
        let value = match value.is(&self.remote) {
            true => self.local.bind(module.py()),
            false => value,
        };
        dict_of(module)?.set_item(&self.name, value)
    }

    fn __delete__(&self, module: &Bound<'_, PyAny>) -> PyResult<()> {
        let dict = dict_of(module)?;
        if !dict.contains(&self.name)? {
            return Err(self.missing(module)?);
        }
        dict.del_item(&self.name)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.local)?;
        visit.call(&self.remote)
    }
}

impl RemoteName {
    fn missing(&self, module: &Bound<'_, PyAny>) -> PyResult<PyErr> {
        let py = module.py();
        let name = self.name.bind(py);
        let known_as = module.getattr(intern!(py, "__name__"))?;
        let text = format!(
            "module {} has no attribute {}",
            known_as.repr()?,
            name.repr()?
        );
        let details = PyDict::new(py);
        details.set_item("name", name)?;
        details.set_item("obj", module)?;
        let error = py
            .get_type::<PyAttributeError>()
            .call((text,), Some(&details))?;
        Ok(PyErr::from_value(error))
    }
}

fn dict_of<'py>(module: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    Ok(module.cast::<PyModule>()?.dict())
}

/// Has modules of this class looked into as their class says, for as long as they are of it.
///
/// From Python 3.14 on, code that has read a name of a module some times looks for it in the module's
/// dict alone, whatever the class has, unless classes look names up in a way of their own.
#[pyfunction]
fn look_into_class(class: &Bound<'_, PyType>) {
    // SAFETY: classes are alive, and the interpreter is held. What is set does what was done before.
    unsafe {
        let usual = ffi::PyModule_Type.tp_getattro;
        let class = &mut *class.as_type_ptr();
        if class.tp_getattro.map(|look| look as usize) == usual.map(|look| look as usize) {
            class.tp_getattro = Some(name_of_module);
        }
    }
}

/// A name of a module, as modules look it up.
///
/// # Safety
/// As for any such slot.
unsafe extern "C" fn name_of_module(
    module: *mut ffi::PyObject,
    name: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the caller's promise; every module has this slot.
    unsafe {
        let look = ffi::PyModule_Type.tp_getattro;
        look.map_or(std::ptr::null_mut(), |look| look(module, name))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(look_into_class, module)?)?;
    module.add_class::<RemoteName>()
}
