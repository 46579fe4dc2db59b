//! Guards: every operation of a scout runs only if it cannot bring the program's own code in.
//!
//! An operation on exact builtin types is harmless. On anything else the guard ends the scout: the
//! program then does the operation itself, in its own time.

use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyBaseException;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    PyByteArray, PyDict, PyFrozenSet, PyInt, PyList, PyModule, PyRange, PySet, PySlice, PyString,
    PyTuple, PyType,
};

use crate::encode::is_scalar;
use crate::run::Run;

pyo3::create_exception!(
    _core,
    ScoutEnd,
    PyBaseException,
    "Ends a scout; never seen by a program."
);

const DEEPEST: usize = 64;
const KEYS_LOOKED_AT: usize = 64;

pub fn stop() -> PyErr {
    ScoutEnd::new_err(())
}

fn require(condition: bool) -> PyResult<()> {
    if condition {
        Ok(())
    } else {
        Err(stop())
    }
}

/// Python's side of the guards: which callables, types and attributes are known to be harmless.
struct Knowledge {
    call: Py<PyAny>,
    method: Py<PyAny>,
    assumed_method: Py<PyAny>,
    mutator: Py<PyAny>,
    attribute: Py<PyAny>,
    trusted: Py<PyAny>,
    encodable: Py<PyAny>,
    copy_iterator: Py<PyAny>,
    walkable: Py<PyAny>,
}

static KNOWLEDGE: PyOnceLock<Knowledge> = PyOnceLock::new();

fn knowledge(py: Python<'_>) -> PyResult<&'static Knowledge> {
    KNOWLEDGE.get_or_try_init(py, || {
        let module = py.import("cord.runtime.harmless")?;
        let get = |name: &str| module.getattr(name).map(Bound::unbind);
        Ok(Knowledge {
            call: get("is_pure_callable")?,
            method: get("is_pure_method")?,
            assumed_method: get("is_assumed_method")?,
            mutator: get("is_mutator")?,
            attribute: get("is_plain_attribute")?,
            trusted: get("is_trusted_type")?,
            encodable: get("has_plain_encoding")?,
            copy_iterator: get("copy_iterator")?,
            walkable: get("is_walkable")?,
        })
    })
}

fn asks<'py>(answer: &Py<PyAny>, args: impl PyCallArgs<'py>, py: Python<'py>) -> PyResult<bool> {
    answer.bind(py).call1(args)?.is_truthy()
}

/// A builtin value through and through: comparing, hashing, printing it runs no code of the program.
fn is_plain(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<bool> {
    if is_scalar(value) {
        return Ok(true);
    }
    if depth > DEEPEST {
        return Ok(false);
    }
    if let Ok(items) = value.cast_exact::<PyTuple>() {
        return all_plain(items.iter(), depth);
    }
    if let Ok(items) = value.cast_exact::<PyList>() {
        return all_plain(items.iter(), depth);
    }
    if let Ok(items) = value.cast_exact::<PyDict>() {
        return Ok(
            all_plain(items.keys().iter(), depth)? && all_plain(items.values().iter(), depth)?
        );
    }
    if value.is_exact_instance_of::<PySet>() || value.is_exact_instance_of::<PyFrozenSet>() {
        let items: Vec<_> = value.try_iter()?.collect::<PyResult<_>>()?;
        return all_plain(items.into_iter(), depth);
    }
    if value.is_exact_instance_of::<PyRange>()
        || value.is_exact_instance_of::<PyByteArray>()
        || value.is_exact_instance_of::<PySlice>()
    {
        return Ok(true);
    }
    if let Ok(class) = value.cast_exact::<PyType>() {
        return Ok(is_static(class)); // calling a class of the program's runs its code
    }
    let py = value.py();
    asks(&knowledge(py)?.trusted, (value.get_type(),), py)
}

/// Whether a class is built in: nobody can have changed it.
fn is_static(class: &Bound<'_, PyType>) -> bool {
    // SAFETY: a type object is alive while it is borrowed
    unsafe { ffi::PyType_HasFeature(class.as_type_ptr(), ffi::Py_TPFLAGS_HEAPTYPE) == 0 }
}

/// Looking a key up may compare it with others: some of them show whether all are plain.
fn require_plain_keys(container: &Bound<'_, PyAny>) -> PyResult<()> {
    if is_scalar(container) {
        return Ok(());
    }
    for key in container.try_iter()?.take(KEYS_LOOKED_AT) {
        require_plain(&key?)?;
    }
    Ok(())
}

fn all_plain<'py>(items: impl Iterator<Item = Bound<'py, PyAny>>, depth: usize) -> PyResult<bool> {
    for item in items {
        if !is_plain(&item, depth + 1)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn require_plain(value: &Bound<'_, PyAny>) -> PyResult<()> {
    require(is_plain(value, 0)?)
}

fn is_builtin_container(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<PyList>()
        || value.is_exact_instance_of::<PyTuple>()
        || value.is_exact_instance_of::<PyDict>()
        || value.is_exact_instance_of::<PySet>()
        || value.is_exact_instance_of::<PyFrozenSet>()
        || value.is_exact_instance_of::<PyRange>()
        || value.is_exact_instance_of::<PyByteArray>()
}

/// Whether a scout can walk this by itself, and showing its iterator is harmless to the program.
pub fn can_be_shown(iterable: &Bound<'_, PyAny>) -> PyResult<bool> {
    if is_builtin_container(iterable) || iterable.is_exact_instance_of::<PyString>() {
        return Ok(true);
    }
    let py = iterable.py();
    asks(&knowledge(py)?.walkable, (iterable,), py)
}

/// Operands whose arithmetic never calls their elements' own methods.
fn require_operand(value: &Bound<'_, PyAny>) -> PyResult<()> {
    let combines = is_scalar(value)
        || value.is_exact_instance_of::<PyList>()
        || value.is_exact_instance_of::<PyTuple>();
    if combines {
        return Ok(());
    }
    require_plain(value)
}

/// Results so large that computing them would hold the program up are left to the program.
fn require_bounded(op: &str, left: &Bound<'_, PyAny>, right: &Bound<'_, PyAny>) -> PyResult<()> {
    const BITS: usize = 1 << 16;
    const ITEMS: usize = 1 << 24;
    if let (Ok(left), Ok(right)) = (left.cast_exact::<PyInt>(), right.cast_exact::<PyInt>()) {
        let bits = |value: &Bound<'_, PyInt>| -> PyResult<usize> {
            value
                .call_method0(intern!(value.py(), "bit_length"))?
                .extract()
        };
        let result = match op {
            "mul" => bits(left)?.saturating_add(bits(right)?),
            "pow" => bits(left)?.saturating_mul(right.extract::<usize>().unwrap_or(1)),
            "lshift" => bits(left)?.saturating_add(right.extract::<usize>().unwrap_or(BITS)),
            _ => return Ok(()),
        };
        return require(result <= BITS);
    }
    let items = match op {
        "add" => length(left).saturating_add(length(right)),
        "mul" => {
            let times = |value: &Bound<'_, PyAny>| value.extract::<usize>().unwrap_or(1);
            length(left)
                .saturating_mul(times(right))
                .max(length(right).saturating_mul(times(left)))
        }
        _ => 0,
    };
    require(items <= ITEMS)
}

/// The length of a string or container, 0 for a number.
fn length(value: &Bound<'_, PyAny>) -> usize {
    if is_builtin_container(value) || is_scalar(value) {
        value.len().unwrap_or(0)
    } else {
        0
    }
}

/// Whether encoding these arguments runs no code of the program's.
pub fn check_encodable(
    args: &Bound<'_, PyTuple>,
    kwargs: Option<&Bound<'_, PyDict>>,
) -> PyResult<()> {
    let py = args.py();
    for value in args.iter() {
        if !is_plain(&value, 0)? {
            require(asks(&knowledge(py)?.encodable, (value,), py)?)?;
        }
    }
    if let Some(kwargs) = kwargs {
        for value in kwargs.values().iter() {
            if !is_plain(&value, 0)? {
                require(asks(&knowledge(py)?.encodable, (value,), py)?)?;
            }
        }
    }
    Ok(())
}

/// The guarded operations, as scouts call them.
#[pyclass(module = "cord._core", frozen)]
pub struct Guard {
    /// Python: the scout of a helper called with these arguments.
    go: Py<PyAny>,
}

#[pymethods]
impl Guard {
    #[new]
    fn new(go: Py<PyAny>) -> Self {
        Self { go }
    }

    fn stop(&self) -> PyResult<()> {
        Err(stop())
    }

    fn plain<'py>(&self, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        require_plain(&value)?;
        Ok(value)
    }

    fn binary<'py>(
        &self,
        op: &str,
        left: &Bound<'py, PyAny>,
        right: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        require_operand(left)?;
        if op == "mod" {
            // string formatting prints what it is given
            require_plain(right)?;
        } else {
            require_operand(right)?;
        }
        require_bounded(op, left, right)?;
        match op {
            "add" => left.add(right),
            "sub" => left.sub(right),
            "mul" => left.mul(right),
            "truediv" => left.div(right),
            "floordiv" => left.floor_div(right),
            "mod" => left.rem(right),
            "pow" => left.pow(right, left.py().None()),
            "lshift" => left.lshift(right),
            "rshift" => left.rshift(right),
            "and" => left.bitand(right),
            "or" => left.bitor(right),
            "xor" => left.bitxor(right),
            "matmul" => left.matmul(right),
            _ => Err(stop()),
        }
    }

    fn unary<'py>(&self, op: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        require_operand(value)?;
        match op {
            "neg" => value.neg(),
            "pos" => value.pos(),
            _ => value.bitnot(),
        }
    }

    fn compare<'py>(
        &self,
        op: &str,
        left: &Bound<'py, PyAny>,
        right: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = left.py();
        require_plain(left)?;
        if op == "in" || op == "not in" {
            if right.is_exact_instance_of::<PyDict>()
                || right.is_exact_instance_of::<PySet>()
                || right.is_exact_instance_of::<PyFrozenSet>()
            {
                require_plain_keys(right)?;
            } else {
                require_plain(right)?;
            }
            let inside = right.contains(left)?;
            return Ok((inside == (op == "in"))
                .into_pyobject(py)?
                .to_owned()
                .into_any());
        }
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

    fn truth(&self, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        if is_scalar(value) || is_builtin_container(value) {
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
        &self,
        container: &Bound<'py, PyAny>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        require_plain(index)?;
        if container.is_exact_instance_of::<PyDict>() {
            require_plain_keys(container)?;
        } else if !(is_scalar(container) || is_builtin_container(container)) {
            require_plain(container)?;
        }
        container.get_item(index)
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
        &self,
        value: &Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        require(asks(&knowledge(py)?.attribute, (value, name), py)?)?;
        value.getattr(name)
    }

    #[pyo3(signature = (callee, *args, **kwargs))]
    fn call<'py>(
        &self,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = callee.py();
        let args: Bound<'py, PyTuple> = knowledge(py)?
            .call
            .bind(py)
            .call1((callee, args, kwargs))?
            .cast_into_exact()
            .map_err(|_| stop())?;
        callee.call(args, kwargs)
    }

    #[pyo3(signature = (receiver, name, *args, **kwargs))]
    fn method<'py>(
        &self,
        receiver: &Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = receiver.py();
        if receiver.is_instance_of::<PyModule>() {
            return self.call(&self.attr(receiver, name)?, args, kwargs);
        }
        let class = receiver.get_type();
        if !asks(&knowledge(py)?.assumed_method, (&class, name), py)? {
            require(asks(&knowledge(py)?.method, (&class, name), py)?)?;
            require_plain(args)?;
            if let Some(kwargs) = kwargs {
                require_plain(kwargs)?;
            }
            if receiver.is_exact_instance_of::<PyDict>() {
                require_plain_keys(receiver)?;
            } else if name != "copy" {
                require_plain(receiver)?;
            }
        }
        receiver.call_method(name, args, kwargs)
    }

    /// A change of an object that only the scout has.
    #[pyo3(signature = (receiver, name, *args))]
    fn mutate<'py>(
        &self,
        receiver: &Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = receiver.py();
        require(asks(
            &knowledge(py)?.mutator,
            (receiver.get_type(), name),
            py,
        )?)?;
        match name.to_str()? {
            "append" | "appendleft" | "insert" | "popleft" | "clear" | "reverse" | "popitem" => {}
            "__setitem__" => {
                require_plain(&args.get_item(0)?)?;
                if args.get_item(0)?.is_exact_instance_of::<PySlice>() {
                    require(is_builtin_container(&args.get_item(1)?))?;
                }
            }
            "pop" | "setdefault" if !args.is_empty() => require_plain(&args.get_item(0)?)?,
            "pop" => {}
            "extend" => require(is_builtin_container(&args.get_item(0)?))?,
            "update" if receiver.is_exact_instance_of::<PyDict>() => {
                let other = args.get_item(0)?;
                require(other.is_exact_instance_of::<PyDict>())?;
                require_plain(other.cast::<PyDict>()?.keys().as_any())?;
            }
            "sort" => require_plain(receiver)?,
            _ => {
                for value in args.iter() {
                    require_plain(&value)?;
                }
                if !receiver.is_exact_instance_of::<PyDict>() {
                    require_plain(receiver)?;
                }
            }
        }
        receiver.call_method1(name, args)
    }

    /// An iterator over something that only it will read.
    fn iter<'py>(&self, iterable: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if is_builtin_container(iterable) || is_scalar(iterable) {
            return Ok(iterable.try_iter()?.into_any());
        }
        let py = iterable.py();
        let copy = knowledge(py)?.copy_iterator.bind(py).call1((iterable,))?;
        require(!copy.is_none())?;
        Ok(copy)
    }

    /// Goes on with (a copy of) one of the program's iterators: first a pass for the iteration that
    /// the program is in, then the rest.
    fn resume(&self, iterator: Option<Bound<'_, PyAny>>) -> PyResult<Resume> {
        let rest = iterator.map(Bound::unbind);
        Ok(Resume { rest, begun: false })
    }

    /// Something that is safe to unpack.
    fn seq<'py>(&self, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        require(is_scalar(&value) || is_builtin_container(&value))?;
        Ok(value)
    }

    fn key<'py>(&self, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        require_plain(&value)?;
        Ok(value)
    }

    fn mapping<'py>(&self, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        require(value.is_exact_instance_of::<PyDict>())?;
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
        require_plain(value)?;
        let py = value.py();
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
    #[pyo3(signature = (run, callee, *args, **kwargs))]
    fn go<'py>(
        &self,
        run: &Bound<'py, Run>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        run.get().descend()?;
        self.go.bind(run.py()).call1((run, callee, args, kwargs))
    }

    fn back(&self, run: &Bound<'_, Run>) {
        run.get().ascend();
    }
}

/// See `Guard::resume`.
#[pyclass(module = "cord._core")]
pub struct Resume {
    rest: Option<Py<PyAny>>,
    begun: bool,
}

#[pymethods]
impl Resume {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if !self.begun {
            self.begun = true;
            return Ok(Some(py.None().into_bound(py)));
        }
        match &self.rest {
            Some(rest) => rest.bind(py).try_iter()?.next().transpose(),
            None => Err(stop()),
        }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Guard>()?;
    module.add("ScoutEnd", module.py().get_type::<ScoutEnd>())?;
    Ok(())
}
