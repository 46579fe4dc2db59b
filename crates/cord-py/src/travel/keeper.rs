//! The content of resident arguments, as those who send it know it.
//!
//! A digest is made once of what lies at one place; later calls only look whether it is still the
//! same: they compare what was written since the last look, as far as the kernel can tell that
//! (`unwritten.rs`), else all of it. What cannot change, bytes and text, is known by identity. Nothing
//! else is: to know when an object goes takes a weak reference, and an array with one of these cannot
//! be resized in place.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cord_wire::resident::{Content, Key, Most, Resident, Store};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::travel::forms;
use crate::travel::unwritten::{Looked, Unwritten};

/// Less is not worth being kept.
pub const KEPT_FROM: usize = 16 * 1024;
/// So many places are remembered before those are forgotten whose content is gone.
const MOST_PLACES: usize = 1024;
/// A place whose content keeps changing is left alone for so many calls at most.
const LONGEST_WAIT: u32 = 64;

/// Where something lies: an address, and a length or what else tells things at one address apart.
pub type Place = (usize, usize);

/// What is known of a place.
struct Seen {
    key: Option<Key>,
    /// So many calls pass before it is looked at again.
    waits: u32,
    /// How many passed the last time.
    waited: u32,
    /// Since when it is known to be what has this key.
    unwritten: Unwritten,
}

/// An object that cannot change, which is kept alive so that its address stays its own.
struct Value {
    object: Py<PyAny>,
    key: Key,
}

struct Kept {
    contents: Store<Arc<Content>>,
    places: HashMap<Place, Seen>,
    values: HashMap<usize, Value>,
}

/// Remembers the content of resident arguments of one module's calls.
#[pyclass(frozen, module = "cord._core")]
pub struct Keeper {
    kept: Mutex<Kept>,
    most: usize,
    digests: AtomicUsize,
    comparisons: AtomicUsize,
    compared: AtomicUsize,
}

#[pymethods]
impl Keeper {
    #[new]
    fn new(bytes: usize) -> Self {
        Self {
            kept: Mutex::new(Kept {
                contents: Store::new(Most::of_bytes(bytes)),
                places: HashMap::new(),
                values: HashMap::new(),
            }),
            most: bytes,
            digests: AtomicUsize::new(0),
            comparisons: AtomicUsize::new(0),
            compared: AtomicUsize::new(0),
        }
    }

    /// How many digests were made, and how often content was compared instead.
    #[getter]
    fn effort(&self) -> (usize, usize) {
        let read = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        (read(&self.digests), read(&self.comparisons))
    }

    /// How many bytes all comparisons have read.
    #[getter]
    fn compared(&self) -> usize {
        self.compared.load(Ordering::Relaxed)
    }
}

enum Sight {
    /// Not worth it, or not yet.
    Pass,
    New,
    Known {
        key: Key,
        content: Arc<Content>,
        unwritten: Unwritten,
    },
}

impl Keeper {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_worth(&self, len: usize) -> bool {
        (KEPT_FROM..=self.most).contains(&len)
    }

    /// What lies at a place now, for replicas to keep; `None` if it is to be sent like any other.
    pub fn at(
        &self,
        py: Python<'_>,
        place: Place,
        bytes: &[u8],
        form: u32,
        hesitates: bool,
    ) -> Option<Resident> {
        if !self.is_worth(bytes.len()) {
            return None;
        }
        let sight = self.lock().see(place, hesitates);
        let (key, content) = match sight {
            Sight::Pass => return None,
            Sight::New => {
                let looked = look(&Unwritten::default(), bytes, form);
                // where there is no memory to keep it, it is sent like any other
                let (key, content) = py.detach(|| self.take_in(bytes)).ok()?;
                self.lock().place(place).is_now(key, looked);
                (key, content)
            }
            Sight::Known {
                key,
                content,
                unwritten,
            } => {
                let looked = look(&unwritten, bytes, form);
                let same = self.compare(py, bytes, &content, &looked);
                self.lock().place(place).was_compared(key, looked, same);
                if !same {
                    return None;
                }
                (key, content)
            }
        };
        Some(resident(key, form, content))
    }

    fn compare(&self, py: Python<'_>, bytes: &[u8], content: &Content, looked: &Looked) -> bool {
        let compares = looked.compares();
        self.comparisons.fetch_add(1, Ordering::Relaxed);
        self.compared.fetch_add(compares, Ordering::Relaxed);
        let seen = |copy: &[u8]| looked.finds_same(bytes, copy);
        let is_same = || content.bytes().bytes().is_ok_and(seen);
        if compares == 0 {
            is_same()
        } else {
            py.detach(is_same)
        }
    }

    /// Makes a copy, and the digest of that.
    fn take_in(&self, bytes: &[u8]) -> io::Result<(Key, Arc<Content>)> {
        self.digests.fetch_add(1, Ordering::Relaxed);
        let (key, copy) = Key::of_copy(bytes)?;
        let mut kept = self.lock();
        if let Some(known) = kept.contents.get(&key) {
            return Ok((key, known));
        }
        let (len, content) = (copy.len(), Content::new(copy));
        kept.contents.insert(key, len, Arc::clone(&content));
        Ok((key, content))
    }

    /// Bytes or text, for replicas to keep; `None` if it is to be sent like any other.
    ///
    /// # Errors
    /// When Python has no memory left.
    pub fn value(&self, value: &Bound<'_, PyAny>, hesitates: bool) -> PyResult<Option<Resident>> {
        let py = value.py();
        let (address, len) = (value.as_ptr() as usize, value.len()?);
        let form = if value.is_exact_instance_of::<PyBytes>() {
            forms::BYTES
        } else {
            forms::TEXT
        };
        {
            let mut kept = self.lock();
            let key = kept.values.get(&address).map(|known| known.key);
            if let Some((key, content)) = key.and_then(|key| Some((key, kept.contents.get(&key)?)))
            {
                return Ok(Some(resident(key, form, content)));
            }
            if !self.is_worth(len) || matches!(kept.see((address, len), hesitates), Sight::Pass) {
                return Ok(None);
            }
        }
        let encoded = match value.cast_exact::<PyString>() {
            Ok(text) => text.call_method1(intern!(py, "encode"), ("utf-8", "surrogatepass"))?,
            Err(_) => value.clone(),
        };
        let bytes = encoded.cast_exact::<PyBytes>()?.as_bytes();
        if !self.is_worth(bytes.len()) {
            return Ok(None);
        }
        let Ok((key, content)) = py.detach(|| self.take_in(bytes)) else {
            return Ok(None); // there is no memory to keep it
        };
        let object = value.clone().unbind();
        let freed = self.lock().remember(address, Value { object, key });
        drop(freed);
        Ok(Some(resident(key, form, content)))
    }
}

impl Kept {
    fn see(&mut self, place: Place, hesitates: bool) -> Sight {
        if !self.places.contains_key(&place) {
            self.make_room();
            let mut seen = Seen::new();
            seen.waits = u32::from(hesitates);
            self.places.insert(place, seen);
        }
        let seen = self.place(place);
        if seen.waits > 0 {
            seen.waits -= 1;
            return Sight::Pass;
        }
        let Some(key) = seen.key else {
            return Sight::New;
        };
        let unwritten = seen.unwritten.clone();
        match self.contents.get(&key) {
            Some(content) => Sight::Known {
                key,
                content,
                unwritten,
            },
            None => Sight::New,
        }
    }

    fn place(&mut self, place: Place) -> &mut Seen {
        self.places.entry(place).or_insert_with(Seen::new)
    }

    fn make_room(&mut self) {
        if self.places.len() < MOST_PLACES {
            return;
        }
        let contents = &mut self.contents;
        self.places
            .retain(|_, seen| seen.key.is_some_and(|key| contents.get(&key).is_some()));
        if self.places.len() >= MOST_PLACES {
            self.places.clear();
        }
    }

    /// Remembers a value, and gives those back that nobody else has or whose content is gone.
    fn remember(&mut self, address: usize, value: Value) -> Vec<Py<PyAny>> {
        let contents = &mut self.contents;
        let gone: Vec<usize> = self
            .values
            .iter()
            .filter(|(_, known)| {
                // SAFETY: the object is alive: there is a reference to it here.
                let alone = unsafe { ffi::Py_REFCNT(known.object.as_ptr()) } == 1;
                alone || contents.get(&known.key).is_none()
            })
            .map(|(address, _)| *address)
            .collect();
        let freed = gone.iter().filter_map(|gone| self.values.remove(gone));
        let freed = freed.map(|value| value.object).collect();
        self.values.insert(address, value);
        freed
    }
}

impl Seen {
    fn new() -> Seen {
        Seen {
            key: None,
            waits: 0,
            waited: 0,
            unwritten: Unwritten::default(),
        }
    }

    /// Content has been taken in: what is written from then on is known as if it had been compared.
    fn is_now(&mut self, key: Key, looked: Looked) {
        self.key = Some(key);
        self.unwritten = Unwritten::default();
        self.unwritten.was_compared(looked, true);
    }

    /// A digest of what changes at every call costs more than it saves.
    fn was_compared(&mut self, key: Key, looked: Looked, same: bool) {
        if self.key == Some(key) {
            self.unwritten.was_compared(looked, same);
        }
        if same {
            self.waited = 0;
        } else {
            self.key = None;
            self.waited = (2 * self.waited).clamp(1, LONGEST_WAIT);
            self.waits = self.waited;
        }
    }
}

/// What of these bytes is to be compared, if they lie there for longer than this call.
fn look(unwritten: &Unwritten, bytes: &[u8], form: u32) -> Looked {
    match form {
        forms::MEMORY => unwritten.look(bytes),
        _ => Looked::whole(bytes.len()),
    }
}

fn resident(key: Key, form: u32, content: Arc<Content>) -> Resident {
    Resident {
        key,
        form,
        len: content.bytes().len(),
        content: Some(content),
    }
}

/// Whether the kernel tells which memory was written, so that the rest need not be compared.
#[pyfunction]
fn writes_are_told() -> bool {
    cord_os::written::writes_are_told()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(writes_are_told, module)?)?;
    module.add_class::<Keeper>()
}
