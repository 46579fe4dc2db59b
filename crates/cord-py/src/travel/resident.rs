//! Calls with resident arguments: what replicas keep is taken out of their encoding.
//!
//! All arguments still make one pickle, so that what is one object stays one. Resident ones are
//! pickled first, each of them followed by POP; the call itself then refers to them by the memo. So
//! their buffers and their pieces of the pickle are known, and become content. Bytes and text are
//! put into the memo without being pickled: a buffer stands for them. Where no pickler is needed
//! (`pickling/`), the same is written natively.

use std::collections::HashSet;

use cord_wire::buffer::Buffer;
use cord_wire::resident::Resident;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};

use crate::python;
use crate::travel::buffers::{Outside, View};
use crate::travel::encode::{dumps_in_order, encode, whole_call, Cut, Encoded};
use crate::travel::forms;
use crate::travel::keeper::{Keeper, KEPT_FROM};
use crate::travel::pickling::{may_be_written, Writer, Written, POP};
use crate::travel::scalars::is_scalar;
use crate::travel::sets::has_sets;

/// The two bytes that begin a pickle: the opcode PROTO and the protocol.
const PROTO: usize = 2;
/// Takes a buffer as a value, puts it into the memo, and leaves nothing behind.
const REMEMBER_BUFFER: [u8; 3] = [0x97, 0x94, POP];
/// What stands in a place for a piece of pickle, where others have a length.
const PICKLED: usize = 0;

/// Which arguments of a function are resident.
#[pyclass(frozen, module = "cord._core")]
pub struct ResidentArguments {
    keeper: Py<Keeper>,
    /// Without it: all that turn up again.
    chosen: Option<Chosen>,
}

struct Chosen {
    positions: HashSet<usize>,
    /// All positions from this one on.
    rest: Option<usize>,
    names: HashSet<String>,
    /// All names but these.
    other_than: Option<HashSet<String>>,
}

#[pymethods]
impl ResidentArguments {
    /// All arguments that turn up again; or those at these positions, at all positions from `rest`
    /// on, with these names, and with all names `other_than` those.
    #[new]
    #[pyo3(signature = (keeper, positions=None, names=HashSet::new(), rest=None, other_than=None))]
    fn new(
        keeper: Py<Keeper>,
        positions: Option<HashSet<usize>>,
        names: HashSet<String>,
        rest: Option<usize>,
        other_than: Option<HashSet<String>>,
    ) -> Self {
        let chosen = positions.map(|positions| Chosen {
            positions,
            rest,
            names,
            other_than,
        });
        Self { keeper, chosen }
    }
}

impl Chosen {
    fn has_position(&self, at: usize) -> bool {
        self.positions.contains(&at) || self.rest.is_some_and(|rest| at >= rest)
    }

    fn has_name(&self, name: &str) -> bool {
        let others = self.other_than.as_ref();
        self.names.contains(name) || others.is_some_and(|named| !named.contains(name))
    }
}

impl ResidentArguments {
    /// The arguments that may be kept, each object once.
    fn of<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut found: Vec<Bound<'py, PyAny>> = Vec::new();
        let mut add = |value: Bound<'py, PyAny>| -> PyResult<()> {
            let is_large = || value.len().is_ok_and(|len| len >= KEPT_FROM);
            let is_worth = !is_scalar(&value) || (is_leaf(&value) && is_large());
            if is_worth && !found.iter().any(|one| one.is(&value)) {
                found.push(value);
            }
            Ok(())
        };
        let chosen = self.chosen.as_ref();
        for (at, value) in args.iter().enumerate() {
            if chosen.is_none_or(|chosen| chosen.has_position(at)) {
                add(value)?;
            }
        }
        for (name, value) in kwargs.into_iter().flatten() {
            let name = name.cast_into::<PyString>()?;
            if chosen.is_none_or(|chosen| chosen.has_name(&name.to_string_lossy())) {
                add(value)?;
            }
        }
        Ok(found)
    }

    /// Encodes a call.
    pub fn encode<'py>(
        &self,
        py: Python<'py>,
        name: &Bound<'py, PyString>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        stable: bool,
        outside: Outside,
    ) -> PyResult<Encoded> {
        let resident = self.of(args, kwargs)?;
        if resident.is_empty() {
            return encode(py, name, args, kwargs, stable, outside);
        }
        let (leaves, others) = self.leaves_among(resident)?;
        if let Some(encoded) = self.encode_natively(&leaves, &others, name, args, kwargs, outside) {
            return Ok(encoded);
        }
        let whole = whole_call(name, args, kwargs)?;
        let mut call = Pickled::new(py, &leaves, &others, &whole)?;
        if python::CONFIRM.tells(py, (&whole,))? {
            call = Pickled::new(py, &leaves, &others, &whole)?;
        }
        if has_sets(&call.head) {
            if let Some(head) = dumps_in_order(&whole, &call.outside)? {
                return self.in_order(&call, head, outside);
            }
        }
        let mut buffers = call.values;
        for (at, object) in call.outside.iter().enumerate() {
            let resident = at < call.resident_buffers;
            buffers.push(self.buffer(py, View::of(&object)?, resident, outside)?);
        }
        Ok(Encoded {
            cuts: call.cuts,
            ..Encoded::of_pickle(call.head, buffers)
        })
    }

    /// Where sets keep their order the pickle is one piece; buffers are told by where they lie.
    fn in_order(&self, call: &Pickled<'_>, head: Vec<u8>, outside: Outside) -> PyResult<Encoded> {
        let mut buffers = Vec::new();
        for object in call.outside.iter() {
            let view = View::of(&object)?;
            let is_resident = call.places.contains(&view.place());
            buffers.push(self.buffer(object.py(), view, is_resident, outside)?);
        }
        Ok(Encoded::of_pickle(head, buffers))
    }

    /// What is seen for the first time is sent as any other argument: it may never be seen again.
    fn hesitates(&self) -> bool {
        self.chosen.is_none()
    }

    fn buffer(
        &self,
        py: Python<'_>,
        view: View,
        resident: bool,
        outside: Outside,
    ) -> PyResult<Buffer> {
        if resident {
            let (keeper, hesitates) = (self.keeper.get(), self.hesitates());
            let found = keeper.at(py, view.place(), view.bytes(), forms::MEMORY, hesitates);
            if let Some(found) = found {
                return Ok(resident_buffer(found));
            }
        }
        view.into_buffer(py, outside)
    }

    /// The bytes and texts among resident arguments that replicas keep, and the others.
    fn leaves_among<'py>(
        &self,
        resident: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<(Vec<Leaf<'py>>, Vec<Bound<'py, PyAny>>)> {
        let (mut leaves, mut others) = (Vec::new(), Vec::new());
        for value in resident {
            if !is_leaf(&value) {
                others.push(value);
            } else if let Some(found) = self.keeper.get().value(&value, self.hesitates())? {
                leaves.push((value, found));
            }
        }
        Ok((leaves, others))
    }

    /// Encodes a call that no pickler is needed for.
    fn encode_natively<'py>(
        &self,
        leaves: &[Leaf<'py>],
        others: &[Bound<'py, PyAny>],
        name: &Bound<'py, PyString>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        outside: Outside,
    ) -> Option<Encoded> {
        args.iter_borrowed()
            .all(|arg| may_be_written(&arg))
            .then_some(())?;
        let mut writer = Writer::new(name.py());
        for (leaf, _) in leaves {
            writer.remember_buffer(leaf);
        }
        let mut cuts = Vec::new();
        for other in others {
            let (start, end) = writer.write_aside(other)?;
            if end - start >= KEPT_FROM {
                let object = other.as_ptr() as usize;
                cuts.push(Cut { start, end, object });
            }
        }
        let resident = writer.beside();
        writer.write_call(name, args, kwargs)?;
        let Written { head, beside } = writer.finish();
        let values = leaves
            .iter()
            .map(|(_, found)| Ok(resident_buffer(found.clone())));
        let py = name.py();
        let views = beside.into_iter().enumerate();
        let views = views.map(|(at, view)| self.buffer(py, view, at < resident, outside));
        let buffers = values.chain(views).collect::<PyResult<_>>().ok()?;
        Some(Encoded {
            cuts,
            ..Encoded::of_pickle(head, buffers)
        })
    }

    /// Takes the pieces out of a finished pickle that are worth it.
    pub fn cut(&self, py: Python<'_>, encoded: &mut Encoded) {
        let mut removed = 0;
        for cut in std::mem::take(&mut encoded.cuts) {
            let (start, end) = (cut.start - removed, cut.end - removed);
            let payload = &mut encoded.payload;
            let Some(form) = forms::piece_at(start) else {
                continue;
            };
            let piece = &payload.head[start..end];
            let place = (cut.object, PICKLED);
            let (keeper, hesitates) = (self.keeper.get(), self.hesitates());
            if let Some(found) = keeper.at(py, place, piece, form, hesitates) {
                payload.buffers.push(Buffer::Resident(Box::new(found)));
                payload.head.drain(start..end);
                removed += end - start;
            }
        }
    }
}

/// Bytes or text, and the content that stands for it.
type Leaf<'py> = (Bound<'py, PyAny>, Resident);

fn resident_buffer(resident: Resident) -> Buffer {
    Buffer::Resident(Box::new(resident))
}

/// Whether it is one of those that cannot change and hold nothing.
fn is_leaf(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<PyBytes>() || value.is_exact_instance_of::<PyString>()
}

fn stream(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    static STREAM: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class = STREAM
        .import(py, "_io", "BytesIO")
        .map(|found| found.as_any())?;
    class.call0()
}

/// A call, pickled with its resident arguments first.
struct Pickled<'py> {
    head: Vec<u8>,
    /// What stands for bytes and text.
    values: Vec<Buffer>,
    /// The large buffers of all arguments; the first so many are those of resident ones.
    outside: Bound<'py, PyList>,
    resident_buffers: usize,
    /// Where those lie.
    places: HashSet<(usize, usize)>,
    cuts: Vec<Cut>,
}

impl<'py> Pickled<'py> {
    fn new(
        py: Python<'py>,
        leaves: &[Leaf<'py>],
        others: &[Bound<'py, PyAny>],
        whole: &Bound<'py, PyTuple>,
    ) -> PyResult<Self> {
        let (file, outside) = (stream(py)?, PyList::empty(py));
        let options = PyDict::new(py);
        let append = outside.getattr(intern!(py, "append"))?;
        options.set_item(intern!(py, "buffer_callback"), append)?;
        let pickler = python::FAITHFUL.get(py)?.call((&file, 5), Some(&options))?;
        let (mut values, memo) = (Vec::new(), PyDict::new(py));
        for (leaf, found) in leaves {
            memo.set_item(leaf.as_ptr() as usize, (values.len(), leaf))?;
            values.push(resident_buffer(found.clone()));
        }
        if !memo.is_empty() {
            pickler.setattr(intern!(py, "memo"), memo)?;
        }
        let dump = |value: &Bound<'py, PyAny>| -> PyResult<usize> {
            pickler.call_method1(intern!(py, "dump"), (value,))?;
            file.call_method0(intern!(py, "tell"))?.extract()
        };
        let mut ends = Vec::new();
        for other in others {
            ends.push((other.as_ptr() as usize, dump(other)?));
        }
        let resident_buffers = outside.len();
        dump(whole)?;
        let written = file.call_method0(intern!(py, "getvalue"))?;
        let written = written.cast_exact::<PyBytes>()?.as_bytes();

        let prefix = REMEMBER_BUFFER.repeat(values.len());
        let mut head = Vec::with_capacity(written.len() + prefix.len());
        head.extend_from_slice(&written[..PROTO]);
        head.extend_from_slice(&prefix);
        head.extend_from_slice(&written[PROTO..]);
        let (mut cuts, mut start) = (Vec::new(), 0);
        for (object, end) in ends {
            head[prefix.len() + end - 1] = POP; // instead of STOP
            cuts.push(Cut {
                start: prefix.len() + start + PROTO,
                end: prefix.len() + end,
                object,
            });
            start = end;
        }
        cuts.retain(|cut| cut.end - cut.start >= KEPT_FROM);
        let mut places = HashSet::new();
        for object in outside.iter().take(resident_buffers) {
            places.insert(View::of(&object)?.place());
        }
        Ok(Self {
            head,
            values,
            outside,
            resident_buffers,
            places,
            cuts,
        })
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ResidentArguments>()
}
