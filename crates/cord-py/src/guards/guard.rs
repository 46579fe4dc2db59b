//! Guards: every operation of a scout runs only if it cannot bring the program's own code in.
//!
//! An operation on exact builtin types is harmless. On anything else the guard ends the scout: the
//! program then does the operation itself, in its own time.

use std::sync::Arc;

use cord_scout::Why;
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyInt, PyList, PySet, PySlice, PyString, PyTuple};

use crate::guards::enter::Way;
use crate::guards::heap::{self, view};
use crate::guards::operations::boolean;
use crate::guards::passes::{Fresh, Resume};
use crate::objects::instances::iterator_of;
use crate::objects::kinds::{forget_kinds, kind_of_value, version_of, Kind};
use crate::objects::plain::{
    is_builtin_container, is_deque, is_fixed, is_library_dict, is_made_by_statement,
    is_named_tuple, is_operand, is_plain_value, require, require_plain, require_plain_keys,
};
use crate::python;
use crate::scouts::future::{is_future, Future};
use crate::scouts::run::{doubt, later, Run};
use crate::scouts::scout_end::{stop, stop_at, tell_reasons, unwound, ScoutEnd};
use crate::takes::site::Site;
use crate::travel::scalars::is_scalar;

mod calling;

/// A scout that would have to run through more items of an iterator first is not worth it.
const MOST_SKIPPED: usize = 100_000;

/// So many items behind a star are computed ahead.
const MOST_SPREAD: usize = 1 << 20;

/// The guarded operations, as scouts call them.
#[pyclass(module = "cord._core", frozen)]
pub struct Guard {
    /// Python: the scout of a helper called with these arguments.
    go: Py<PyAny>,
    /// How functions are entered where the operation is no call site.
    pub(crate) within: Way,
    /// How they are entered where it is one.
    site: Option<Way>,
}

#[pymethods]
impl Guard {
    #[new]
    fn new(go: Py<PyAny>, within: Py<PyAny>) -> Self {
        Self {
            go,
            within: Way::Within(within),
            site: None,
        }
    }

    /// What it asks Python holds it.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.go)?;
        self.within.traverse(&visit)?;
        self.site
            .as_ref()
            .map_or(Ok(()), |way| way.traverse(&visit))
    }

    /// As this guard, for an operation that is a call site.
    fn at(&self, site: &Bound<'_, Site>, run: &Bound<'_, Run>) -> Self {
        Self {
            go: self.go.clone_ref(site.py()),
            within: self.within.clone_ref(site.py()),
            site: Some(Way::at(site, run)),
        }
    }

    /// The program raises an exception here.
    fn unwind(&self) -> PyResult<()> {
        Err(unwound())
    }

    /// A value that there will never be.
    fn nothing(&self) -> Future {
        Future::failed(None)
    }

    fn plain<'py>(&self, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        require_plain(&value)?;
        Ok(value)
    }

    fn binary<'py>(
        slf: &Bound<'py, Self>,
        op: &Bound<'py, PyString>,
        left: &Bound<'py, PyAny>,
        right: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if is_future(left) || is_future(right) {
            return later(&slf.getattr("binary")?, &[op.as_any(), left, right]);
        }
        slf.get().combine(op.to_str()?, left, right)
    }

    fn unary<'py>(&self, op: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let value = &view(value);
        require(is_operand(value)?, Why::Unplain, value)?;
        match op {
            "neg" => value.neg(),
            "pos" => value.pos(),
            _ => value.bitnot(),
        }
    }

    pub(crate) fn compare<'py>(
        &self,
        op: &str,
        left: &Bound<'py, PyAny>,
        right: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = left.py();
        if op == "in" || op == "not in" {
            let right = &view(right);
            require_plain(left)?;
            if right.is_exact_instance_of::<PyDict>()
                || is_library_dict(right)?
                || right.is_exact_instance_of::<PySet>()
                || right.is_exact_instance_of::<PyFrozenSet>()
            {
                require_plain_keys(right)?;
            } else {
                require_plain(right)?;
            }
            let inside = right.contains(left)?;
            return boolean(py, inside == (op == "in"));
        }
        let (left, right) = (&view(left), &view(right));
        require_plain(left)?;
        require_plain(right)?;
        let op = match op {
            "eq" => pyo3::basic::CompareOp::Eq,
            "ne" => pyo3::basic::CompareOp::Ne,
            "lt" => pyo3::basic::CompareOp::Lt,
            "le" => pyo3::basic::CompareOp::Le,
            "gt" => pyo3::basic::CompareOp::Gt,
            _ => pyo3::basic::CompareOp::Ge,
        };
        left.rich_compare(right, op)
    }

    pub(crate) fn truth(&self, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let value = &view(value);
        if is_scalar(value) || is_builtin_container(value) || is_deque(value)? {
            return value.is_truthy();
        }
        let class = value.get_type();
        if class.hasattr(intern!(value.py(), "__bool__"))?
            || class.hasattr(intern!(value.py(), "__len__"))?
        {
            require_plain(value)?;
        }
        value.is_truthy()
    }

    fn item<'py>(
        slf: &Bound<'py, Self>,
        container: &Bound<'py, PyAny>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if is_future(container) || is_future(index) {
            return later(&slf.getattr("item")?, &[container, index]);
        }
        slf.get().item_of(container, index)
    }

    fn slice<'py>(
        &self,
        start: &Bound<'py, PyAny>,
        end: &Bound<'py, PyAny>,
        step: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        for bound in [start, end, step] {
            require_plain(bound)?;
        }
        start.py().get_type::<PySlice>().call1((start, end, step))
    }

    fn attr<'py>(
        slf: &Bound<'py, Self>,
        value: &Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if is_future(value) {
            return later(&slf.getattr("attr")?, &[value, name.as_any()]);
        }
        slf.get().attr_of(value, name)
    }

    #[pyo3(signature = (callee, /, *args, **kwargs))]
    fn call<'py>(
        &self,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.call_of(callee, args, kwargs)
    }

    /// A call of what shows only now: its result, or what there will never be.
    #[pyo3(signature = (callee, /, *args, **kwargs))]
    fn anything<'py>(
        &self,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.call_anything(callee, args, kwargs)
    }

    #[pyo3(signature = (receiver, name, /, *args, **kwargs))]
    fn method<'py>(
        &self,
        receiver: &Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.call_method(receiver, name, args, kwargs)
    }

    /// A change of an object. `own`: the scout made it.
    #[pyo3(signature = (own, receiver, name, /, *args, **kwargs))]
    fn mutate<'py>(
        &self,
        own: bool,
        receiver: &Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.change(own, receiver, name, args, kwargs)
    }

    /// The program sets attributes of these names, and the scout does not.
    #[pyo3(signature = (*names))]
    fn sets(&self, names: &Bound<'_, PyTuple>) -> PyResult<()> {
        names.iter().try_for_each(|name| heap::sets(name.cast()?))
    }

    /// An iterator over something that only it will read.
    pub(crate) fn iter<'py>(&self, iterable: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let iterable = &view(iterable);
        let shows = |kind: Arc<Kind>| kind.view || kind.library_dict;
        let known = is_builtin_container(iterable) || is_scalar(iterable);
        if known || shows(kind_of_value(iterable)?) {
            return Ok(iterable.try_iter()?.into_any());
        }
        if iterable.is_exact_instance_of::<Fresh>() {
            return Ok(iterable.clone());
        }
        let py = iterable.py();
        doubt(py); // somebody else may read from it
        if let Some(found) = iterator_of(iterable)? {
            return Ok(found);
        }
        let copy = python::COPY_ITERATOR.call(py, (iterable,))?;
        require(!copy.is_none(), Why::Iterator, iterable)?;
        // SAFETY: a live object
        match unsafe { ffi::PyIter_Check(iterable.as_ptr()) } {
            0 => Ok(copy),
            _ => heap::reads_on(iterable, &copy),
        }
    }

    /// The items of what stands behind a star: all of them have to be there.
    fn spread<'py>(&self, iterable: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
        let py = iterable.py();
        let mut items = Vec::new();
        for item in self.iter(iterable)?.try_iter()? {
            let item = item?;
            if items.len() >= MOST_SPREAD {
                return Err(stop_at(Why::Iterator, iterable));
            }
            items.push(item);
        }
        PyTuple::new(py, items)
    }

    /// Goes on with (a copy of) one of the program's iterators: first a pass for the iteration that
    /// the program is in, then the rest.
    fn resume(&self, iterator: Option<Bound<'_, PyAny>>) -> PyResult<Resume> {
        let rest = match iterator {
            Some(turns) if turns.is_exact_instance_of::<PyInt>() => None, // only their number is known
            Some(iterator) => Some(iterator.unbind()),
            None => None,
        };
        Ok(Resume::new(rest))
    }

    /// Whether of a loop of the program's only the number of its turns is known.
    fn counted(&self, iterator: Option<Bound<'_, PyAny>>) -> bool {
        iterator.is_some_and(|iterator| iterator.is_exact_instance_of::<PyInt>())
    }

    /// An iterator like the one that the program has taken `count` items from; `make` makes it.
    fn skip<'py>(&self, make: &Bound<'py, PyAny>, count: usize) -> PyResult<Bound<'py, PyAny>> {
        if count > MOST_SKIPPED {
            return Err(stop(Why::Large));
        }
        doubt(make.py()); // it may not be what the program began with
        let iterator = self.iter(&make.call0()?)?;
        for _ in 0..count {
            let next = iterator.try_iter()?.next().transpose()?;
            require(next.is_some(), Why::Iterator, &iterator)?;
        }
        Ok(iterator)
    }

    /// Something that a value can be appended to, and that no code of the program's runs for.
    fn grows(&self, container: &Bound<'_, PyAny>) -> PyResult<()> {
        let container = &view(container);
        let known = container.is_exact_instance_of::<PyList>() || is_deque(container)?;
        require(known, Why::Change, container)
    }

    /// A container to which the program may have added more is used up.
    fn sure(&self, container: &Bound<'_, PyAny>) -> PyResult<()> {
        require(view(container).len()? > 0, Why::Filled, container)
    }

    /// Something that is safe to unpack.
    fn seq<'py>(&self, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let value = view(&value);
        let known = is_scalar(&value) || is_builtin_container(&value) || is_named_tuple(&value)?;
        require(known, Why::Unplain, &value)?;
        Ok(value)
    }

    fn key<'py>(&self, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        require_plain(&value)?;
        Ok(value)
    }

    fn mapping<'py>(&self, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let value = view(&value);
        let is_dict = value.is_exact_instance_of::<PyDict>();
        require(is_dict, Why::Unplain, &value)?;
        Ok(value)
    }

    #[pyo3(signature = (*items))]
    fn set<'py>(&self, items: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PySet>> {
        require_plain(items)?;
        PySet::new(items.py(), items.iter())
    }

    #[pyo3(signature = (*parts))]
    fn join<'py>(&self, parts: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        intern!(parts.py(), "").call_method1(intern!(parts.py(), "join"), (parts,))
    }

    fn format<'py>(
        &self,
        value: &Bound<'py, PyAny>,
        conversion: i32,
        spec: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        let value = &view(value);
        require_plain(value)?;
        let value = match u8::try_from(conversion).unwrap_or(0) {
            b'r' => value.repr()?.into_any(),
            b's' => value.str()?.into_any(),
            b'a' => py.import("builtins")?.getattr("ascii")?.call1((value,))?,
            _ => value.clone(),
        };
        py.import("builtins")?
            .getattr("format")?
            .call1((value, spec))
    }

    /// A scout goes into a function of the project that makes no remote calls: its generator.
    #[pyo3(signature = (run, callee, /, *args, **kwargs))]
    fn go<'py>(
        &self,
        run: &Bound<'py, Run>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.go_into(run, callee, args, kwargs)
    }

    fn back(&self, run: &Bound<'_, Run>) {
        run.get().strands.ascend();
    }
}

impl Guard {
    /// How functions of the program are entered that the operation calls.
    pub(crate) fn way(&self) -> &Way {
        self.site.as_ref().unwrap_or(&self.within)
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Guard>()?;
    module.add_class::<Fresh>()?;
    module.add_function(wrap_pyfunction!(is_plain_value, module)?)?;
    module.add_function(wrap_pyfunction!(is_fixed, module)?)?;
    module.add_function(wrap_pyfunction!(is_made_by_statement, module)?)?;
    module.add_function(wrap_pyfunction!(heap::reads_on, module)?)?;
    module.add_function(wrap_pyfunction!(iterator_of, module)?)?;
    module.add_function(wrap_pyfunction!(forget_kinds, module)?)?;
    module.add_function(wrap_pyfunction!(version_of, module)?)?;
    module.add_function(wrap_pyfunction!(tell_reasons, module)?)?;
    module.add("ScoutEnd", module.py().get_type::<ScoutEnd>())?;
    Ok(())
}
