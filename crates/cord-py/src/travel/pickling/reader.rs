//! Reads pickles that were written natively.

use cord_wire::payload::Payload;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMemoryView, PyString, PyTuple};

use super::arrays::Numpy;
use super::opcodes::*;
use crate::travel::buffers::buffer_to_py;
use crate::travel::forms::is_piece;
use crate::travel::large;
use crate::travel::scalars::{decode_scalar, long, number, take};

/// What a payload holds, if it is one that is read here.
pub fn read<'py>(py: Python<'py>, payload: &Payload) -> Option<Bound<'py, PyAny>> {
    if payload.buffers.iter().any(is_piece) {
        return None;
    }
    let mut buffers = payload.buffers.iter();
    let made = read_with(py, &payload.head, &mut || {
        buffer_to_py(py, buffers.next()?).ok()
    })?;
    buffers.next().is_none().then_some(made)
}

/// The same, wherever the buffers are from.
pub fn read_with<'py>(
    py: Python<'py>,
    head: &[u8],
    next_buffer: &mut dyn FnMut() -> Option<Bound<'py, PyAny>>,
) -> Option<Bound<'py, PyAny>> {
    let reader = Reader {
        py,
        rest: head.strip_prefix(&PROTOCOL)?,
        next_buffer,
        stack: Vec::with_capacity(16),
        marks: Vec::new(),
        memo: Vec::with_capacity(16),
        numpy: None,
    };
    reader.read()
}

/// A call with all its arguments.
pub struct Call<'py> {
    /// The name of the function.
    pub name: Bound<'py, PyString>,
    pub args: Bound<'py, PyTuple>,
    pub kwargs: Bound<'py, PyDict>,
}

/// Reads a call, if it is one that is read here.
pub fn read_call<'py>(py: Python<'py>, payload: &Payload) -> Option<Call<'py>> {
    let whole = read(py, payload)?.cast_into_exact::<PyTuple>().ok()?;
    (whole.len() == 3).then_some(())?;
    Some(Call {
        name: whole.get_item(0).ok()?.cast_into_exact().ok()?,
        args: whole.get_item(1).ok()?.cast_into_exact().ok()?,
        kwargs: whole.get_item(2).ok()?.cast_into_exact().ok()?,
    })
}

impl<'py> Call<'py> {
    /// Makes the call.
    pub fn make(self, function: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let kwargs = (!self.kwargs.is_empty()).then_some(&self.kwargs);
        function.call(&self.args, kwargs)
    }
}

/// What stands on the stack, and in the memo.
#[derive(Clone)]
enum Item<'py> {
    Value(Bound<'py, PyAny>),
    /// What makes arrays, and numbers.
    ArrayMaker,
    NumberMaker,
    /// A type of numpy's.
    Kind(usize),
}

struct Reader<'a, 'py> {
    py: Python<'py>,
    rest: &'a [u8],
    next_buffer: &'a mut dyn FnMut() -> Option<Bound<'py, PyAny>>,
    stack: Vec<Item<'py>>,
    marks: Vec<usize>,
    memo: Vec<Item<'py>>,
    numpy: Option<&'static Numpy>,
}

impl<'a, 'py> Reader<'a, 'py> {
    fn read(mut self) -> Option<Bound<'py, PyAny>> {
        loop {
            let here = self.rest;
            let code = take(&mut self.rest, 1)?[0];
            match code {
                STOP => break,
                MARK => self.marks.push(self.stack.len()),
                MEMOIZE => self.memo.push(self.stack.last()?.clone()),
                POP => drop(self.stack.pop()?),
                GET_1 => {
                    let number = usize::from(take(&mut self.rest, 1)?[0]);
                    self.stack.push(self.memo.get(number)?.clone());
                }
                GET_4 => {
                    let number = number(&mut self.rest)?;
                    self.stack.push(self.memo.get(number)?.clone());
                }
                EMPTY_LIST => self.push(PyList::empty(self.py).into_any()),
                EMPTY_DICT => self.push(PyDict::new(self.py).into_any()),
                APPENDS => self.append()?,
                SET_ITEMS => self.set_items()?,
                TUPLE_0 => self.push(PyTuple::empty(self.py).into_any()),
                TUPLE_1..=TUPLE_3 => {
                    let count = usize::from(code - TUPLE_1) + 1;
                    self.tuple(self.stack.len().checked_sub(count)?)?;
                }
                TUPLE => {
                    let mark = self.marks.pop()?;
                    self.tuple(mark)?;
                }
                NEXT_BUFFER => {
                    let buffer = (self.next_buffer)()?;
                    self.push(buffer);
                }
                READ_ONLY => {
                    let view = PyMemoryView::from(&self.pop()?).ok()?;
                    let name = intern!(self.py, "toreadonly");
                    self.push(view.call_method0(name).ok()?);
                }
                TEXT if is_of_numpy(here) => self.of_numpy(here)?,
                LONG_BYTES => {
                    let bytes = long(&mut self.rest)?;
                    self.push(large::bytes(self.py, bytes).ok()?.into_any());
                }
                _ => {
                    let value = decode_scalar(self.py, code, &mut self.rest)?;
                    self.push(value);
                }
            }
        }
        let value = self.pop()?;
        let is_all = self.stack.is_empty() && self.marks.is_empty() && self.rest.is_empty();
        is_all.then_some(value)
    }

    fn push(&mut self, value: Bound<'py, PyAny>) {
        self.stack.push(Item::Value(value));
    }

    fn pop(&mut self) -> Option<Bound<'py, PyAny>> {
        self.stack.pop()?.value()
    }

    /// The values behind the last mark, and what stands before it.
    fn append(&mut self) -> Option<()> {
        let mark = self.marks.pop()?;
        let list = self.container::<PyList>(mark)?;
        for item in self.stack.drain(mark..) {
            list.append(item.value()?).ok()?;
        }
        Some(())
    }

    fn set_items(&mut self) -> Option<()> {
        let mark = self.marks.pop()?;
        let dict = self.container::<PyDict>(mark)?;
        let mut items = self.stack.drain(mark..);
        while let Some(key) = items.next() {
            dict.set_item(key.value()?, items.next()?.value()?).ok()?;
        }
        Some(())
    }

    fn container<T: pyo3::PyTypeInfo>(&self, mark: usize) -> Option<Bound<'py, T>> {
        match self.stack.get(mark.checked_sub(1)?)? {
            Item::Value(value) => value.cast_exact::<T>().ok().cloned(),
            _ => None,
        }
    }

    /// A tuple of what stands from there on; or what is made of it.
    fn tuple(&mut self, from: usize) -> Option<()> {
        let before = from.checked_sub(1).and_then(|at| self.stack.get(at));
        let made = match before {
            Some(Item::ArrayMaker) => self.array(from)?,
            Some(Item::NumberMaker) => self.number_of_numpy(from)?,
            _ => {
                let tuple = new_tuple(self.py, self.stack.get(from..)?)?;
                self.stack.truncate(from);
                self.push(tuple);
                return Some(());
            }
        };
        (take(&mut self.rest, 1)?[0] == REDUCE).then_some(())?;
        self.stack.truncate(from - 1);
        self.push(made);
        Some(())
    }

    fn array(&mut self, from: usize) -> Option<Bound<'py, PyAny>> {
        let [Item::Value(buffer), Item::Kind(kind), Item::Value(shape), Item::Value(order)] =
            &self.stack[from..]
        else {
            return None;
        };
        let order = order.cast_exact::<PyString>().ok()?;
        self.numpy?.make_array(buffer, *kind, shape, order).ok()
    }

    fn number_of_numpy(&mut self, from: usize) -> Option<Bound<'py, PyAny>> {
        let [Item::Kind(kind), Item::Value(bytes)] = &self.stack[from..] else {
            return None;
        };
        self.numpy?.make_number(*kind, bytes).ok()
    }

    /// Something of numpy's, whose pickle begins here.
    fn of_numpy(&mut self, here: &[u8]) -> Option<()> {
        let numpy = match self.numpy {
            Some(numpy) => numpy,
            None => *self.numpy.insert(Numpy::known(self.py)?),
        };
        let (item, len) = if here.starts_with(&numpy.array_maker) {
            (Item::ArrayMaker, numpy.array_maker.len())
        } else if here.starts_with(&numpy.number_maker) {
            (Item::NumberMaker, numpy.number_maker.len())
        } else if let Some(kind) = numpy.kind_of(here) {
            (Item::Kind(kind), numpy.pickle_of(kind).len())
        } else {
            let value = decode_scalar(self.py, TEXT, &mut self.rest)?;
            self.push(value);
            return Some(());
        };
        take(&mut self.rest, len - 1)?;
        self.memo.push(item.clone());
        self.stack.push(item);
        Some(())
    }
}

impl<'py> Item<'py> {
    fn value(self) -> Option<Bound<'py, PyAny>> {
        match self {
            Item::Value(value) => Some(value),
            _ => None,
        }
    }
}

/// Whether a text here may be the beginning of something of numpy's.
fn is_of_numpy(here: &[u8]) -> bool {
    here.get(2..7) == Some(b"numpy")
}

fn new_tuple<'py>(py: Python<'py>, items: &[Item<'py>]) -> Option<Bound<'py, PyAny>> {
    let count = ffi::Py_ssize_t::try_from(items.len()).ok()?;
    // SAFETY: a new tuple, which nobody else sees until all of its places are filled; if they are
    // not, it may still be given back.
    unsafe {
        let tuple = Bound::from_owned_ptr_or_opt(py, ffi::PyTuple_New(count))?;
        for (at, item) in items.iter().enumerate() {
            let Item::Value(value) = item else {
                return None;
            };
            let value = value.clone().into_ptr();
            ffi::PyTuple_SET_ITEM(tuple.as_ptr(), at as ffi::Py_ssize_t, value);
        }
        Some(tuple)
    }
}
