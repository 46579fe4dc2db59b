//! Arguments as bytes, and when two calls' arguments are equal.
//!
//! Equal means: the same bytes would travel. Immutable builtins are compared as they are, exact type
//! and value (1, True and 1.0 differ, 0.0 and -0.0 too, nan equals itself); what can change is
//! compared by its encoding, which a ticket keeps from the moment of issue.

use std::sync::Arc;

use cord_core::ticket::Ticket;
use cord_os::memory::copy_of;
use cord_wire::buffer::Buffer;
use cord_wire::codec::Codec;
use cord_wire::payload::Payload;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    PyBytes, PyCFunction, PyComplex, PyDict, PyFloat, PyList, PyModule, PyString, PyTuple, PyType,
};

use crate::held::Held;
use crate::objects::plain::is_fixed;
use crate::python;
use crate::quiet::quietly;
use crate::travel::buffers::{buffers_from_py, keep_buffer, own, Outside};
use crate::travel::forms::{is_piece, parts, whole_head};
use crate::travel::large::{import, no_room};
use crate::travel::passed::{chain_behind, Needs};
use crate::travel::pickling::{write_call, Written};
use crate::travel::scalars::{encode_call, is_scalar};
use crate::travel::sent;
use crate::travel::sets::has_sets;

/// The arguments of one call; `shared` bytes of it are held anyway, for many calls.
pub struct Encoded {
    pub payload: Payload,
    pub shared: usize,
    /// Pieces of the head that replicas may keep, in order.
    pub cuts: Vec<Cut>,
    /// The calls whose values go with it.
    pub needs: Vec<Ticket>,
}

/// A piece of a head: the encoding of one object, told by its address.
pub struct Cut {
    pub start: usize,
    pub end: usize,
    pub object: usize,
}

impl Encoded {
    pub fn new(payload: Payload) -> Self {
        Self {
            payload,
            shared: 0,
            cuts: Vec::new(),
            needs: Vec::new(),
        }
    }

    /// That of a pickle.
    pub fn of_pickle(head: Vec<u8>, buffers: Vec<Buffer>) -> Self {
        Self::new(Payload {
            buffers,
            ..Payload::of_head(head)
        })
    }

    /// The same, with the values that its arguments refer to.
    pub fn with(mut self, mut needs: Needs) -> Self {
        self.needs = std::mem::take(&mut needs.tickets);
        self
    }

    /// What travels; memory that is only lent is copied now.
    ///
    /// # Errors
    /// When there is no memory for a copy.
    pub fn into_payload(self, py: Python<'_>, shared_from: usize) -> PyResult<Payload> {
        let buffers = self.payload.buffers.into_iter();
        let buffers = buffers
            .map(|buffer| own(py, buffer, shared_from))
            .collect::<PyResult<_>>()?;
        Ok(Payload {
            buffers,
            ..self.payload
        })
    }

    /// The length of the chain that it ends, if its value is kept for other calls; else 0.
    pub fn chain(&self, keeps: bool) -> u32 {
        if keeps {
            chain_behind(&self.needs)
        } else {
            0
        }
    }

    pub fn size(&self) -> usize {
        let buffers: usize = self.payload.buffers.iter().map(Buffer::own_len).sum();
        self.payload.head.len() + buffers - self.shared
    }
}

pub fn loads(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    LOADS
        .get_or_try_init(py, || Ok(import(py, "pickle")?.getattr("loads")?.unbind()))
        .map(|loads| loads.bind(py))
}

/// The pickle of a value with sets in it that are made again as they are.
pub fn dumps_in_order(
    value: &Bound<'_, PyTuple>,
    outside: &Bound<'_, PyList>,
) -> PyResult<Option<Vec<u8>>> {
    let made = python::ORDERED_DUMPS.call(value.py(), (value, outside))?;
    made.extract()
}

/// All that makes a call, as it travels.
pub fn whole_call<'py>(
    name: &Bound<'py, PyString>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let py = name.py();
    match kwargs {
        Some(kwargs) => PyTuple::new(py, [name.as_any(), args.as_any(), kwargs.as_any()]),
        None => PyTuple::new(py, [name.as_any(), args.as_any(), PyDict::new(py).as_any()]),
    }
}

/// Pickles a call: one pickle of the name and all arguments, large buffers beside it.
pub fn encode<'py>(
    py: Python<'py>,
    name: &Bound<'py, PyString>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
    stable: bool,
    outside: Outside,
) -> PyResult<Encoded> {
    if stable && kwargs.is_none_or(|kwargs| kwargs.is_empty()) {
        if let Some(head) = encode_call(name, args) {
            return Ok(Encoded::new(Payload::of_head(head)));
        }
    }
    if let Some(Written { head, beside }) = write_call(name, args, kwargs) {
        let beside = beside.into_iter();
        let buffers = beside
            .map(|view| view.into_buffer(py, outside))
            .collect::<PyResult<_>>()?;
        return Ok(Encoded::of_pickle(head, buffers));
    }
    let whole = whole_call(name, args, kwargs)?;
    let beside = PyList::empty(py);
    let outside_of = (!stable).then_some(&beside);
    let _held = Held::new(py)?;
    // the plain program encodes nothing: from 3.12 on Python warns of iterators that are
    let head = quietly(py, || python::DUMPS.call(py, (&whole, outside_of)))?;
    let mut head = copy_of(head.cast::<PyBytes>()?.as_bytes()).map_err(no_room)?;
    if has_sets(&head) {
        if let Some(ordered) = quietly(py, || dumps_in_order(&whole, &beside))? {
            head = ordered;
        }
    }
    let buffers = if beside.is_empty() {
        Vec::new()
    } else {
        buffers_from_py(py, &beside, outside)?
    };
    Ok(Encoded::of_pickle(head, buffers))
}

/// Whether the arguments are immutable builtins through and through.
pub fn are_stable(args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> bool {
    args.iter().all(|value| is_stable(&value, 0))
        && kwargs.is_none_or(|kwargs| kwargs.values().iter().all(|value| is_stable(&value, 0)))
}

fn is_stable(value: &Bound<'_, PyAny>, depth: usize) -> bool {
    if is_scalar(value) {
        return true;
    }
    if let Ok(tuple) = value.cast_exact::<PyTuple>() {
        return depth < 16 && tuple.iter().all(|item| is_stable(&item, depth + 1));
    }
    // what is built in travels by reference; a class of the program's may travel by value
    value.cast::<PyType>().is_ok_and(is_fixed) || is_module_function(value)
}

/// A function of a module in C; a method of an object may change with the object.
fn is_module_function(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<PyCFunction>()
        && value
            .getattr(intern!(value.py(), "__self__"))
            .is_ok_and(|owner| owner.is_none() || owner.is_exact_instance_of::<PyModule>())
}

/// Equality of stable arguments.
pub fn same_stable(left: &Bound<'_, PyAny>, right: &Bound<'_, PyAny>) -> bool {
    if left.is(right) {
        return true;
    }
    if !left.get_type().is(right.get_type()) {
        return false;
    }
    if let (Ok(left), Ok(right)) = (left.cast_exact::<PyFloat>(), right.cast_exact::<PyFloat>()) {
        return left.value().to_bits() == right.value().to_bits();
    }
    if let (Ok(left), Ok(right)) = (
        left.cast_exact::<PyComplex>(),
        right.cast_exact::<PyComplex>(),
    ) {
        return left.real().to_bits() == right.real().to_bits()
            && left.imag().to_bits() == right.imag().to_bits();
    }
    if let (Ok(left), Ok(right)) = (left.cast_exact::<PyTuple>(), right.cast_exact::<PyTuple>()) {
        return same_tuples(left, right);
    }
    is_scalar(left) && left.eq(right).unwrap_or(false)
}

pub fn same_tuples(left: &Bound<'_, PyTuple>, right: &Bound<'_, PyTuple>) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .zip(right.iter())
            .all(|(left, right)| same_stable(&left, &right))
}

pub fn same_keywords(left: Option<&Bound<'_, PyDict>>, right: Option<&Bound<'_, PyDict>>) -> bool {
    match (left, right) {
        (None, None) => true,
        (Some(left), Some(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right.iter())
                    .all(|((left_key, left), (right_key, right))| {
                        same_stable(&left_key, &right_key) && same_stable(&left, &right)
                    })
        }
        _ => false,
    }
}

/// A copy to compare with later.
pub struct Kept {
    payload: Payload,
    /// The calls whose values go with it.
    needs: Vec<u64>,
}

impl Kept {
    pub fn of(encoded: &Encoded) -> Self {
        Self {
            payload: keep(&encoded.payload),
            needs: encoded.needs.iter().map(Ticket::id).collect(),
        }
    }

    pub fn is_same(&self, encoded: &Encoded) -> bool {
        let needs = encoded.needs.iter().map(Ticket::id);
        self.needs.iter().copied().eq(needs) && same_payload(&self.payload, &encoded.payload)
    }

    /// The program's call has been found to be the same.
    pub fn confirm(&self, encoded: &Encoded) {
        sent::note_all(&encoded.payload, &self.payload);
    }

    /// As `is_same`, but what is one constant to the program may be two to a scout.
    pub fn is_alike(&self, py: Python<'_>, encoded: &Encoded) -> bool {
        self.needs.is_empty()
            && encoded.needs.is_empty()
            && same_but_for_constants(py, &self.payload, &encoded.payload).unwrap_or(false)
    }
}

/// The same once more, with nothing that is only lent: bytes are shared, not copied.
pub fn keep(payload: &Payload) -> Payload {
    Payload {
        codec: payload.codec,
        head: payload.head.clone(),
        buffers: payload.buffers.iter().map(keep_buffer).collect(),
    }
}

pub fn same_payload(left: &Payload, right: &Payload) -> bool {
    let (left_pieces, left_buffers) = pieces_and_others(left);
    let (right_pieces, right_buffers) = pieces_and_others(right);
    let same_pickle = if left_pieces.len() == right_pieces.len() {
        left.head == right.head && same_buffers(&left_pieces, &right_pieces)
    } else {
        match (parts(left), parts(right)) {
            (Ok(left), Ok(right)) => left.concat() == right.concat(),
            _ => false, // there is no memory to see them in
        }
    };
    left.codec == right.codec && same_pickle && same_buffers(&left_buffers, &right_buffers)
}

fn pieces_and_others(payload: &Payload) -> (Vec<&Buffer>, Vec<&Buffer>) {
    payload.buffers.iter().partition(|buffer| is_piece(buffer))
}

fn same_buffers(left: &[&Buffer], right: &[&Buffer]) -> bool {
    let mut both = left.iter().zip(right);
    left.len() == right.len() && both.all(|(left, right)| same_buffer(left, right))
}

/// Whether two calls are the same, but for which equal texts or numbers are one object in them. That
/// depends on how the constants of the program and of its scout are kept.
fn same_but_for_constants(py: Python<'_>, left: &Payload, right: &Payload) -> PyResult<bool> {
    let (_, left_buffers) = pieces_and_others(left);
    let (_, right_buffers) = pieces_and_others(right);
    let are_pickles = left.codec == Codec::PICKLE && right.codec == Codec::PICKLE;
    if !are_pickles || !same_buffers(&left_buffers, &right_buffers) {
        return Ok(false);
    }
    let heads = (whole_head(py, left)?, whole_head(py, right)?);
    python::ARE_ALIKE.call(py, heads)?.extract()
}

fn same_buffer(left: &Buffer, right: &Buffer) -> bool {
    match (left, right) {
        (Buffer::Inline(left), Buffer::Inline(right)) if Arc::ptr_eq(left, right) => true,
        (Buffer::Shared(left), Buffer::Shared(right)) if left.is(right) => true,
        (Buffer::Resident(left), Buffer::Resident(right)) => {
            left.key == right.key && left.form == right.form
        }
        (Buffer::Shared(sent), Buffer::Lent(memory))
        | (Buffer::Lent(memory), Buffer::Shared(sent))
            if sent.is_unwritten(memory.bytes()) =>
        {
            true
        }
        _ => match (left.bytes(), right.bytes()) {
            (Ok(left), Ok(right)) => left == right,
            _ => false, // there is no memory to see them in
        },
    }
}
