//! Writes pickles.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};

use super::arrays::{Array, Numpy};
use super::opcodes::*;
use super::texts::{write_name, write_text};
use crate::travel::buffers::View;
use crate::travel::scalars::is_scalar;
use crate::travel::scalars::{encode_int, encode_number, end_of_tuple};

/// What is nested deeper is left to a pickler.
const DEEPEST: usize = 32;
/// Keys of the memo that are no addresses: what makes arrays and numbers, and their types.
const ARRAY_MAKER: usize = 0;
const NUMBER_MAKER: usize = 1;
const FIRST_KIND: usize = 2;

/// A finished pickle, and the memory of its arrays in their order.
pub struct Written {
    pub head: Vec<u8>,
    pub beside: Vec<View>,
}

/// A pickle under way. What has been written must stay alive, and as it is, until it is finished.
pub struct Writer {
    out: Vec<u8>,
    beside: Vec<View>,
    /// The numbers of what is in the memo, by address.
    memo: HashMap<usize, u32, BuildHasherDefault<AddressHasher>>,
    depth: usize,
}

/// The pickle of a value; `None` if it holds anything else than what is written here.
pub fn write(value: &Bound<'_, PyAny>) -> Option<Written> {
    let mut writer = Writer::new(value.py());
    writer.write(value)?;
    Some(writer.finish())
}

/// The pickle of a call of a function with this name and these arguments; else as [`write()`].
pub fn write_call(
    name: &Bound<'_, PyString>,
    args: &Bound<'_, PyTuple>,
    kwargs: Option<&Bound<'_, PyDict>>,
) -> Option<Written> {
    args.iter_borrowed()
        .all(|arg| may_be_written(&arg))
        .then_some(())?;
    let mut writer = Writer::new(name.py());
    writer.write_call(name, args, kwargs)?;
    Some(writer.finish())
}

/// Whether this is nothing that shows at once to need a pickler, before what stands in front of it is
/// written in vain.
pub fn may_be_written(value: &Bound<'_, PyAny>) -> bool {
    is_scalar(value)
        || value.is_exact_instance_of::<PyTuple>()
        || value.is_exact_instance_of::<PyList>()
        || value.is_exact_instance_of::<PyDict>()
        || Numpy::behind(value).is_some()
}

impl Writer {
    /// A pickle of nothing yet.
    pub fn new(py: Python<'_>) -> Writer {
        // others may run while that is found out: not when something has been written
        let _ = Numpy::known(py);
        let mut out = Vec::with_capacity(256);
        out.extend_from_slice(&PROTOCOL);
        Writer {
            out,
            beside: Vec::new(),
            memo: HashMap::default(),
            depth: 0,
        }
    }

    /// Lets the next buffer stand for this object.
    pub fn remember_buffer(&mut self, object: &Bound<'_, PyAny>) {
        self.out.extend_from_slice(&[NEXT_BUFFER]);
        self.memoize(object.as_ptr() as usize);
        self.out.push(POP);
    }

    /// Writes a value that is only remembered; gives where its piece of the pickle stands.
    pub fn write_aside(&mut self, value: &Bound<'_, PyAny>) -> Option<(usize, usize)> {
        let start = self.out.len();
        self.write(value)?;
        self.out.push(POP);
        Some((start, self.out.len()))
    }

    /// The memory of how many arrays is beside it.
    pub fn beside(&self) -> usize {
        self.beside.len()
    }

    /// The end of it.
    pub fn finish(mut self) -> Written {
        self.out.push(STOP);
        Written {
            head: self.out,
            beside: self.beside,
        }
    }

    /// Writes a call: its name, its arguments, its keywords.
    pub fn write_call(
        &mut self,
        name: &Bound<'_, PyString>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> Option<()> {
        write_name(&mut self.out, name)?;
        self.tuple(args)?;
        match kwargs {
            Some(kwargs) => self.dict(kwargs)?,
            None => self.out.push(EMPTY_DICT),
        }
        self.out.extend_from_slice(&[TUPLE_3]);
        Some(())
    }

    /// Writes a value; if there is none, what has been written is of no use.
    pub fn write(&mut self, value: &Bound<'_, PyAny>) -> Option<()> {
        match encode_number(&mut self.out, value)? {
            true => Some(()),
            false => self.object(value),
        }
    }

    /// What may be one object in several places.
    fn object(&mut self, value: &Bound<'_, PyAny>) -> Option<()> {
        let address = value.as_ptr() as usize;
        if let Some(number) = self.memo.get(&address) {
            get(&mut self.out, *number);
            return Some(());
        }
        if let Ok(text) = value.cast_exact::<PyString>() {
            self.text(text)?;
        } else if let Ok(bytes) = value.cast_exact::<PyBytes>() {
            self.bytes(bytes.as_bytes())?;
        } else if let Ok(tuple) = value.cast_exact::<PyTuple>() {
            self.nested(|writer| writer.tuple(tuple))?;
            if tuple.is_empty() {
                return Some(()); // there is only one
            }
            if self.memo.contains_key(&address) {
                return None; // it holds itself
            }
        } else if let Ok(list) = value.cast_exact::<PyList>() {
            self.out.push(EMPTY_LIST);
            self.memoize(address);
            return self.nested(|writer| writer.items_of(list));
        } else if let Ok(dict) = value.cast_exact::<PyDict>() {
            self.out.push(EMPTY_DICT);
            self.memoize(address);
            return self.nested(|writer| writer.entries_of(dict));
        } else {
            self.of_numpy(value)?;
        }
        self.memoize(address);
        Some(())
    }

    fn nested(&mut self, write: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        if self.depth == DEEPEST {
            return None;
        }
        self.depth += 1;
        write(self)?;
        self.depth -= 1;
        Some(())
    }

    fn tuple(&mut self, tuple: &Bound<'_, PyTuple>) -> Option<()> {
        let count = tuple.len();
        if count > 3 {
            self.out.push(MARK);
        }
        for item in tuple.iter_borrowed() {
            self.write(&item)?;
        }
        self.out.push(end_of_tuple(count));
        Some(())
    }

    fn items_of(&mut self, list: &Bound<'_, PyList>) -> Option<()> {
        if list.is_empty() {
            return Some(());
        }
        self.out.push(MARK);
        for item in list.iter() {
            self.write(&item)?;
        }
        self.out.push(APPENDS);
        Some(())
    }

    fn dict(&mut self, dict: &Bound<'_, PyDict>) -> Option<()> {
        self.out.push(EMPTY_DICT);
        self.entries_of(dict)
    }

    fn entries_of(&mut self, dict: &Bound<'_, PyDict>) -> Option<()> {
        if dict.is_empty() {
            return Some(());
        }
        self.out.push(MARK);
        for (key, value) in dict.iter() {
            self.write(&key)?;
            self.write(&value)?;
        }
        self.out.push(SET_ITEMS);
        Some(())
    }

    fn text(&mut self, text: &Bound<'_, PyString>) -> Option<()> {
        write_text(&mut self.out, text)
    }

    fn bytes(&mut self, bytes: &[u8]) -> Option<()> {
        if let Ok(length) = u8::try_from(bytes.len()) {
            self.out.extend_from_slice(&[BYTES, length]);
        } else {
            self.out.push(LONG_BYTES);
            let length = u32::try_from(bytes.len()).ok()?;
            self.out.extend_from_slice(&length.to_le_bytes());
        }
        self.out.try_reserve(bytes.len()).ok()?; // a pickler will say that there is no memory
        self.out.extend_from_slice(bytes);
        Some(())
    }

    /// An array or a number of numpy's.
    fn of_numpy(&mut self, value: &Bound<'_, PyAny>) -> Option<()> {
        let numpy = Numpy::behind(value)?;
        if let Some(array) = numpy.array(value) {
            return self.array(numpy, &array, value);
        }
        let (kind, bytes) = numpy.number(value)?;
        self.known(NUMBER_MAKER, &numpy.number_maker);
        self.known(FIRST_KIND + kind, numpy.pickle_of(kind));
        self.bytes(bytes)?;
        self.out.extend_from_slice(&[TUPLE_2, REDUCE]);
        Some(())
    }

    fn array(&mut self, numpy: &Numpy, array: &Array, value: &Bound<'_, PyAny>) -> Option<()> {
        self.known(ARRAY_MAKER, &numpy.array_maker);
        self.out.extend_from_slice(&[MARK, NEXT_BUFFER]);
        if array.is_read_only {
            self.out.push(READ_ONLY);
        }
        // SAFETY: the array keeps its memory in place for as long as somebody else has it, too.
        self.beside
            .push(unsafe { View::within(value, array.start, array.len) });
        self.known(FIRST_KIND + array.kind, numpy.pickle_of(array.kind));
        let shape = array.shape();
        if shape.len() > 3 {
            self.out.push(MARK);
        }
        for length in shape {
            encode_int(&mut self.out, i64::try_from(*length).ok()?);
        }
        self.out.push(end_of_tuple(shape.len()));
        let order = if array.is_turned { b'F' } else { b'C' };
        self.out.extend_from_slice(&[TEXT, 1, order, TUPLE, REDUCE]);
        Some(())
    }

    /// What numpy calls by a name, and puts into the memo itself the first time.
    fn known(&mut self, key: usize, pickle: &[u8]) {
        let next = self.memo.len() as u32;
        match *self.memo.entry(key).or_insert(next) {
            number if number == next => self.out.extend_from_slice(pickle),
            number => get(&mut self.out, number),
        }
    }

    fn memoize(&mut self, address: usize) {
        self.memo.insert(address, self.memo.len() as u32);
        self.out.push(MEMOIZE);
    }
}

fn get(out: &mut Vec<u8>, number: u32) {
    match u8::try_from(number) {
        Ok(number) => out.extend_from_slice(&[GET_1, number]),
        Err(_) => {
            out.push(GET_4);
            out.extend_from_slice(&number.to_le_bytes());
        }
    }
}

/// Addresses differ by themselves, but for their last bits.
#[derive(Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_usize(usize::from(*byte));
        }
    }

    fn write_usize(&mut self, address: usize) {
        let mixed = (self.0 ^ address as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }
}
