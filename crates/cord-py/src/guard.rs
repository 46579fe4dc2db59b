//! Guards: every operation of a scout runs only if it cannot bring the program's own code in.
//!
//! An operation on exact builtin types is harmless. On anything else the guard ends the scout: the
//! program then does the operation itself, in its own time.

use pyo3::exceptions::PyBaseException;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{
    PyCFunction, PyDict, PyFrozenSet, PyInt, PyModule, PySet, PySlice, PyString, PyTuple, PyType,
};

use crate::calls::SharedCalls;
use crate::encode::is_scalar;
use crate::enter;
use crate::future::{is_future, later, Future};
use crate::heap::{self, view};
use crate::plain::{
    asks, is_builtin_container, is_deque, is_instance, is_named_tuple, is_operand, is_plain,
    is_plain_value, is_static, knowledge, require, require_bounded, require_plain,
    require_plain_keys,
};
use crate::readahead::Rewound;
use crate::run::Run;
use crate::stream::{pause, Reader, Stream};

/// A scout that would have to run through more items of an iterator first is not worth it.
const MOST_SKIPPED: usize = 100_000;

/// What is told by the end of a scout.
const RAISE: &str = "raise";
const RAISED: &str = "raised";

pyo3::create_exception!(
    _core,
    ScoutEnd,
    PyBaseException,
    "Ends a scout; never seen by a program."
);

pub fn stop() -> PyErr {
    ScoutEnd::new_err(())
}

/// The program raises an exception here.
pub fn unwound() -> PyErr {
    ScoutEnd::new_err((RAISE,))
}

/// The program asks for a call here that raised an exception.
pub fn raised() -> PyErr {
    ScoutEnd::new_err((RAISED,))
}

/// Whether a scout ended where the program raises an exception.
pub fn is_unwinding(py: Python<'_>, end: &PyErr) -> bool {
    ends_with(py, end, RAISE)
}

/// Whether a scout ended where a remote call has raised an exception.
pub fn has_raised(py: Python<'_>, end: &PyErr) -> bool {
    ends_with(py, end, RAISED)
}

fn ends_with(py: Python<'_>, end: &PyErr, word: &str) -> bool {
    let args = end.value(py).getattr(intern!(py, "args"));
    let is = args.and_then(|args| args.eq((word,))).unwrap_or(false);
    is && end.is_instance_of::<ScoutEnd>(py)
}

/// A call of something that has no effects.
pub fn call_pure<'py>(
    callee: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = callee.py();
    let (callee, args): (Bound<'py, PyAny>, Bound<'py, PyTuple>) = knowledge(py)?
        .call
        .bind(py)
        .call1((callee, args, kwargs))?
        .extract()
        .map_err(|_| stop())?;
    callee.call(args, kwargs)
}

/// What a scout's call gave; an iterator is its own, for it was made for it.
fn made_by_scout(result: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: a live object
    if unsafe { ffi::PyIter_Check(result.as_ptr()) } != 0 {
        return Ok(Bound::new(result.py(), Fresh(result.unbind()))?.into_any());
    }
    Ok(result)
}

/// The guarded operations, as scouts call them.
#[pyclass(module = "cord._core", frozen)]
pub struct Guard {
    /// Python: the scout of a helper called with these arguments.
    go: Py<PyAny>,
    /// Python: the same for one that makes no remote calls.
    within: Py<PyAny>,
}

#[pymethods]
impl Guard {
    #[new]
    fn new(go: Py<PyAny>, within: Py<PyAny>) -> Self {
        Self { go, within }
    }

    /// Stands where the next item of a stream is not there yet.
    #[getter]
    fn pause<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pause(py)?.bind(py).clone())
    }

    /// The program raises an exception here.
    fn unwind(&self) -> PyResult<()> {
        Err(unwound())
    }

    /// A value that there will never be.
    fn nothing(&self) -> Future {
        Future::failed()
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
        if !is_operand(value)? {
            let name = format!("__{op}__");
            return enter::operator(&self.within, value, &name, &[])?.ok_or_else(stop);
        }
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
        if op == "in" || op == "not in" {
            let right = &view(right);
            if let Some(found) = enter::operator(&self.within, right, "__contains__", &[left])? {
                let inside = self.truth(&found)?;
                return boolean(py, inside == (op == "in"));
            }
            require_plain(left)?;
            if right.is_exact_instance_of::<PyDict>()
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
        if let Some(result) = self.own_compare(op, left, right)? {
            return Ok(result);
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

    fn truth(&self, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let value = &view(value);
        for name in ["__bool__", "__len__"] {
            if let Some(found) = enter::operator(&self.within, value, name, &[])? {
                require(is_scalar(&found))?;
                return found.is_truthy();
            }
        }
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

    #[pyo3(signature = (callee, *args, **kwargs))]
    fn call<'py>(
        &self,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let seen = heap::seen_arguments(args)?;
        let kwargs = heap::seen_keywords(kwargs)?;
        if is_class(callee) && !asks(&knowledge(callee.py())?.assumed, (callee,), callee.py())? {
            let made = enter::instance(&self.within, callee, args, kwargs.as_ref())?;
            if let Some(made) = made {
                return Ok(made);
            }
        }
        if let Some(found) = self.own_builtin(callee, args)? {
            return Ok(found);
        }
        made_by_scout(call_pure(callee, &seen, kwargs.as_ref())?)
    }

    /// A call of what shows only now: its result, or what there will never be.
    #[pyo3(signature = (callee, *args, **kwargs))]
    fn anything<'py>(
        &self,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = callee.py();
        let result = if callee.is_exact_instance_of::<PyCFunction>() || is_class(callee) {
            self.call(callee, args, kwargs)
        } else {
            self.function(callee, args, kwargs).or_else(|error| {
                match error.is_instance_of::<ScoutEnd>(py) {
                    true => self.call(callee, args, kwargs),
                    false => Err(error),
                }
            })
        };
        match result {
            Err(error) if error.is_instance_of::<ScoutEnd>(py) && !is_unwinding(py, &error) => {
                Ok(Bound::new(py, Future::failed())?.into_any())
            }
            result => result,
        }
    }

    #[pyo3(signature = (receiver, name, *args, **kwargs))]
    fn method<'py>(
        &self,
        receiver: &Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if receiver.is_instance_of::<PyModule>() {
            return self.call(&self.attr_of(receiver, name)?, args, kwargs);
        }
        if is_instance(receiver)? && !is_assumed_method(receiver, name)? {
            let callee = self.attr_of(receiver, name)?;
            return self.function(&callee, args, kwargs);
        }
        builtin_method(receiver, name, args, kwargs)
    }

    /// A change of an object. `own`: the scout made it.
    #[pyo3(signature = (own, receiver, name, *args))]
    fn mutate<'py>(
        &self,
        own: bool,
        receiver: &Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if is_instance(receiver)? {
            return self.own_mutate(receiver, name, args);
        }
        builtin_change(own, receiver, name, args)
    }

    /// `value.name = new`.
    fn keep<'py>(
        &self,
        value: &Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
        new: &Bound<'py, PyAny>,
    ) -> PyResult<()> {
        let py = value.py();
        if asks(&knowledge(py)?.store, (value, name), py)? {
            heap::writable(value, false)?.setattr(name, new)?;
        }
        // else the scout goes on as if nothing had been stored: a guess like others
        Ok(())
    }

    /// An iterator over something that only it will read.
    fn iter<'py>(&self, iterable: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let iterable = &view(iterable);
        if is_builtin_container(iterable) || is_scalar(iterable) {
            return Ok(iterable.try_iter()?.into_any());
        }
        if iterable.is_exact_instance_of::<Fresh>() {
            return Ok(iterable.clone());
        }
        let py = iterable.py();
        if let Ok(stream) = iterable.cast_exact::<Stream>() {
            return Ok(Bound::new(py, Reader::of(stream))?.into_any());
        }
        if let Some(found) = enter::operator(&self.within, iterable, "__iter__", &[])? {
            require(!is_instance(&found)?)?; // an iterator of the program's own class
            return self.iter(&found);
        }
        for find in [&knowledge(py)?.iterator_of, &knowledge(py)?.copy_iterator] {
            let found = find.bind(py).call1((iterable,))?;
            if !found.is_none() {
                return Ok(found);
            }
        }
        Err(stop())
    }

    /// Goes on with (a copy of) one of the program's iterators: first a pass for the iteration that
    /// the program is in, then the rest.
    fn resume(&self, iterator: Option<Bound<'_, PyAny>>) -> PyResult<Resume> {
        let rest = match iterator {
            Some(iterator) => match iterator.cast_exact::<Stream>() {
                Ok(stream) => Some(
                    Bound::new(stream.py(), Reader::of(stream))?
                        .into_any()
                        .unbind(),
                ),
                Err(_) => Some(iterator.unbind()),
            },
            None => None,
        };
        Ok(Resume { rest, begun: false })
    }

    /// Whether of a loop of the program's only the number of its turns is known.
    fn counted(&self, iterator: Option<Bound<'_, PyAny>>) -> bool {
        iterator.is_some_and(|iterator| iterator.is_exact_instance_of::<PyInt>())
    }

    /// An iterator like the one that the program has taken `count` items from; `make` makes it.
    fn skip<'py>(&self, make: &Bound<'py, PyAny>, count: usize) -> PyResult<Bound<'py, PyAny>> {
        require(count <= MOST_SKIPPED)?;
        let iterator = {
            let _rewound = Rewound::by(count);
            self.iter(&make.call0()?)?
        };
        for _ in 0..count {
            require(iterator.try_iter()?.next().transpose()?.is_some())?;
        }
        Ok(iterator)
    }

    /// A container to which the program may have added more is used up.
    fn sure(&self, container: &Bound<'_, PyAny>) -> PyResult<()> {
        require(view(container).len()? > 0)
    }

    /// Something that is safe to unpack.
    fn seq<'py>(&self, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let value = view(&value);
        require(is_scalar(&value) || is_builtin_container(&value) || is_named_tuple(&value)?)?;
        Ok(value)
    }

    fn key<'py>(&self, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        require_plain(&value)?;
        Ok(value)
    }

    fn mapping<'py>(&self, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let value = view(&value);
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

    /// A scout goes into a function of the project that makes no remote calls: its generator, or the
    /// stream of what it yields.
    #[pyo3(signature = (run, callee, *args, **kwargs))]
    fn go<'py>(
        &self,
        run: &Bound<'py, Run>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = run.py();
        let (generator, returns): (Bound<'py, PyAny>, Option<bool>) = self
            .go
            .bind(py)
            .call1((run, callee, args, kwargs))?
            .extract()?;
        if returns.is_none() {
            let stream = Stream::new(generator.unbind(), SharedCalls::default());
            return Ok(Bound::new(py, stream)?.into_any());
        }
        run.get().descend()?;
        Ok(generator)
    }

    fn back(&self, run: &Bound<'_, Run>) {
        run.get().ascend();
    }
}

impl Guard {
    fn item_of<'py>(
        &self,
        container: &Bound<'py, PyAny>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let container = &view(container);
        if let Some(found) = enter::operator(&self.within, container, "__getitem__", &[index])? {
            return Ok(found);
        }
        require_plain(index)?;
        if container.is_exact_instance_of::<PyDict>() {
            require_plain_keys(container)?;
        } else if !(is_scalar(container)
            || is_builtin_container(container)
            || is_named_tuple(container)?)
        {
            require_plain(container)?;
        }
        container.get_item(index)
    }

    fn attr_of<'py>(
        &self,
        value: &Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        let seen = view(value);
        if !asks(&knowledge(py)?.attribute, (&seen, name), py)? {
            let function = knowledge(py)?.getter.bind(py).call1((&seen, name))?;
            require(!function.is_none())?;
            let (found, returns) =
                enter::enter(&self.within, &function, &PyTuple::new(py, [value])?, None)?;
            require(returns)?;
            return Ok(found);
        }
        let found = seen.getattr(name)?;
        if !seen.is(value) {
            if let Some(function) = method_of(&found, &seen)? {
                return types(py)?.call1((function, value));
            }
        }
        Ok(found)
    }

    fn combine<'py>(
        &self,
        op: &str,
        left: &Bound<'py, PyAny>,
        right: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (left, right) = (&view(left), &view(right));
        if !self.are_operands(op, left, right)? {
            return self.own_binary(op, left, right)?.ok_or_else(stop);
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

    fn are_operands(
        &self,
        op: &str,
        left: &Bound<'_, PyAny>,
        right: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        if op == "mod" {
            // string formatting prints what it is given
            return Ok(is_operand(left)? && is_plain(right, 0)?);
        }
        Ok(is_operand(left)? && is_operand(right)?)
    }

    /// An operator of a class of the program's.
    fn own_binary<'py>(
        &self,
        op: &str,
        left: &Bound<'py, PyAny>,
        right: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let result = enter::operator(&self.within, left, &format!("__{op}__"), &[right])?;
        if result.is_some() || left.get_type().is(right.get_type()) {
            return Ok(result);
        }
        enter::operator(&self.within, right, &format!("__r{op}__"), &[left])
    }

    fn own_compare<'py>(
        &self,
        op: &str,
        left: &Bound<'py, PyAny>,
        right: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let result = enter::operator(&self.within, left, &format!("__{op}__"), &[right])?;
        if result.is_some() {
            return Ok(result);
        }
        let turned = match op {
            "lt" => "__gt__",
            "gt" => "__lt__",
            "le" => "__ge__",
            "ge" => "__le__",
            "ne" => {
                let equal = enter::operator(&self.within, left, "__eq__", &[right])?;
                return match equal {
                    Some(equal) => Ok(Some(boolean(left.py(), !self.truth(&equal)?)?)),
                    None => Ok(None),
                };
            }
            _ => return enter::operator(&self.within, right, "__eq__", &[left]),
        };
        enter::operator(&self.within, right, turned, &[left])
    }

    /// A change of an instance of the program's by a method of its own.
    fn own_mutate<'py>(
        &self,
        receiver: &Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = receiver.py();
        if matches!(name.to_str()?, "__setitem__" | "__delitem__") {
            let function = knowledge(py)?.special.bind(py).call1((receiver, name))?;
            require(!function.is_none())?;
            let bound = types(py)?.call1((function, receiver))?;
            return self.function(&bound, args, None);
        }
        let callee = self.attr_of(receiver, name)?;
        self.function(&callee, args, None)
    }

    /// A call of a method of a class of the program's: gone into at once.
    fn function<'py>(
        &self,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (result, returns) = enter::enter(&self.within, callee, args, kwargs)?;
        require(returns)?;
        Ok(result)
    }

    /// A builtin that calls a method of a class of the program's.
    fn own_builtin<'py>(
        &self,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        if args.is_empty() || args.len() > 2 {
            return Ok(None);
        }
        let builtins = callee.py().import(intern!(callee.py(), "builtins"))?;
        if args.len() == 2 {
            let reads = callee.is(&builtins.getattr(intern!(callee.py(), "getattr"))?);
            return match args.get_item(1)?.cast_exact::<PyString>() {
                Ok(name) if reads => self.attr_of(&args.get_item(0)?, name).map(Some),
                _ => Ok(None),
            };
        }
        if !is_instance(&args.get_item(0)?)? {
            return Ok(None);
        }
        for (name, method) in [("len", "__len__"), ("abs", "__abs__"), ("str", "__str__")] {
            if callee.is(&builtins.getattr(name)?) {
                if is_assumed_method(&args.get_item(0)?, &PyString::new(callee.py(), method))? {
                    return Ok(None);
                }
                return enter::operator(&self.within, &args.get_item(0)?, method, &[]);
            }
        }
        Ok(None)
    }
}

/// Whether the user declares this method of the value's class free of effects.
fn is_assumed_method(value: &Bound<'_, PyAny>, name: &Bound<'_, PyString>) -> PyResult<bool> {
    let class = view(value).get_type();
    asks(
        &knowledge(value.py())?.assumed_method,
        (class, name),
        value.py(),
    )
}

fn boolean(py: Python<'_>, value: bool) -> PyResult<Bound<'_, PyAny>> {
    Ok(value.into_pyobject(py)?.to_owned().into_any())
}

/// Whether this is a class that a `class` statement made.
fn is_class(callee: &Bound<'_, PyAny>) -> bool {
    callee.cast::<PyType>().is_ok_and(|class| !is_static(class))
}

fn types(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import(intern!(py, "types"))?
        .getattr(intern!(py, "MethodType"))
}

/// The function of a method that is bound to `owner`.
fn method_of<'py>(
    found: &Bound<'py, PyAny>,
    owner: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = found.py();
    if !found.is_exact_instance(&types(py)?) || !found.getattr(intern!(py, "__self__"))?.is(owner) {
        return Ok(None);
    }
    found.getattr(intern!(py, "__func__")).map(Some)
}

/// A method of a builtin type that only reads.
fn builtin_method<'py>(
    receiver: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = receiver.py();
    let receiver = &view(receiver);
    let args = &heap::seen_arguments(args)?;
    let class = receiver.get_type();
    if !is_assumed_method(receiver, name)? {
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
    made_by_scout(receiver.call_method(name, args, kwargs)?)
}

/// A method of a builtin type that changes it.
fn builtin_change<'py>(
    own: bool,
    receiver: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
    args: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    let args = &heap::seen_arguments(args)?;
    let receiver = &heap::writable(receiver, own)?;
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

/// A call of a method that is bound to an object of a builtin type.
pub fn bound_builtin<'py>(
    callee: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = callee.py();
    require(callee.is_exact_instance_of::<PyCFunction>())?;
    let receiver = callee.getattr(intern!(py, "__self__"))?;
    let name = callee.getattr(intern!(py, "__name__"))?;
    let name = name.cast_exact::<PyString>()?;
    let changes = asks(&knowledge(py)?.mutator, (receiver.get_type(), name), py)?;
    if changes && kwargs.is_none() {
        return builtin_change(false, &receiver, name, args);
    }
    builtin_method(&receiver, name, args, kwargs)
}

/// An iterator that only the scout has, for it was made by it.
#[pyclass(module = "cord._core", frozen)]
pub struct Fresh(Py<PyAny>);

#[pymethods]
impl Fresh {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.bind(py).try_iter()?.next().transpose()
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
    module.add_class::<Fresh>()?;
    module.add_function(wrap_pyfunction!(is_plain_value, module)?)?;
    module.add("ScoutEnd", module.py().get_type::<ScoutEnd>())?;
    Ok(())
}
