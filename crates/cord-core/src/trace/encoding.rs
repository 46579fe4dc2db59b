//! Records as bytes: numbers in as few as they need, times by their differences.

use super::{Record, Stamped};
use cord_dispatch::dispatcher::{CallId, Nanos};

const KEEPS: u64 = 4;
const BESIDE: u64 = 8;
const PRIORITY: u64 = 16;
const NEEDS: u64 = 32;
const EFFECTS: u64 = 3;

/// Writes numbers in as few bytes as they need.
fn put(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn put_signed(bytes: &mut Vec<u8>, value: i64) {
    put(bytes, ((value << 1) ^ (value >> 63)) as u64);
}

/// Reads what [`put`] has written; `None` where that is cut off.
#[derive(Debug)]
pub(super) struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    pub(super) fn signed(&mut self) -> Option<i64> {
        let raw = self.number()?;
        Some((raw >> 1) as i64 ^ -((raw & 1) as i64))
    }
}

/// What a record has in it.
trait Field: Sized {
    fn put(&self, bytes: &mut Vec<u8>);
    fn get(from: &mut Bytes<'_>) -> Option<Self>;
}

macro_rules! numbers {
    ($($kind:ty),*) => {$(
        impl Field for $kind {
            fn put(&self, bytes: &mut Vec<u8>) {
                put(bytes, u64::from(*self));
            }
            fn get(from: &mut Bytes<'_>) -> Option<Self> {
                <$kind>::try_from(from.number()?).ok()
            }
        }
    )*};
}
numbers!(u8, u32, u64);

impl Field for bool {
    fn put(&self, bytes: &mut Vec<u8>) {
        put(bytes, u64::from(*self));
    }
    fn get(from: &mut Bytes<'_>) -> Option<Self> {
        Some(from.number()? != 0)
    }
}

impl Field for String {
    fn put(&self, bytes: &mut Vec<u8>) {
        put(bytes, self.len() as u64);
        bytes.extend_from_slice(self.as_bytes());
    }
    fn get(from: &mut Bytes<'_>) -> Option<Self> {
        let (length, rest) = (from.number()?, from.0);
        let (text, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
        from.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }
}

/// Numbers of calls, by their differences.
impl Field for Vec<CallId> {
    fn put(&self, bytes: &mut Vec<u8>) {
        put(bytes, self.len() as u64);
        let mut last = 0;
        for call in self {
            put_signed(bytes, call.wrapping_sub(last) as i64);
            last = *call;
        }
    }
    fn get(from: &mut Bytes<'_>) -> Option<Self> {
        let many = usize::try_from(from.number()?).ok()?;
        if many > from.0.len() {
            return None; // each takes a byte at least
        }
        let mut last = 0_u64;
        let mut next = || {
            last = last.wrapping_add(from.signed()? as u64);
            Some(last)
        };
        (0..many).map(|_| next()).collect()
    }
}

/// Records whose fields stand one behind another, each kind with its number.
macro_rules! records {
    ($($tag:literal $kind:ident { $($field:ident),+ })+ ; $($number:literal $alone:ident ( $($at:ident),+ ))+) => {
        impl Record {
            /// Appends it.
            pub(super) fn write(&self, out: &mut Vec<u8>) {
                match self {
                    $(Record::$kind { $($field),+ } => {
                        out.push($tag);
                        $($field.put(out);)+
                    })+
                    $(Record::$alone($($at),+) => {
                        out.push($number);
                        $($at.put(out);)+
                    })+
                    Record::Issued { .. } => self.write_issued(out),
                    Record::Ran { replica, call, began, ended, used } => {
                        out.push(11);
                        replica.put(out);
                        call.put(out);
                        put_signed(out, *began);
                        put_signed(out, ended.wrapping_sub(*began));
                        used.put(out);
                    }
                }
            }

            /// Reads what [`Record::write`] has written; `None` where that makes no sense.
            pub(super) fn read(of: &mut Bytes<'_>) -> Option<Record> {
                Some(match of.byte()? {
                    $($tag => Record::$kind { $($field: Field::get(of)?),+ },)+
                    $($number => {
                        $(let $at = Field::get(of)?;)+
                        Record::$alone($($at),+)
                    })+
                    1 => Record::read_issued(of)?,
                    11 => {
                        let (replica, call) = (Field::get(of)?, Field::get(of)?);
                        let began = of.signed()?;
                        let ended = began.wrapping_add(of.signed()?);
                        Record::Ran { replica, call, began, ended, used: Field::get(of)? }
                    }
                    _ => return None,
                })
            }
        }
    };
}

records! {
    2 Nested { call, module, effects, from, parent }
    3 Placed { call, place }
    6 Took { thread, place, call, spent }
    7 Sent { replica, calls }
    8 Entered { replica, call, wait }
    9 Replied { replica, call, service, bytes }
    10 Kept { replica, call, service, bytes, at_home }
    12 Launched { module, replica, slot }
    17 Recalled { replica, calls }
    18 Returned { replica, calls }
    19 Moving { from, to, calls }
    20 Moved { replica, calls }
    22 Scouted { place }
    23 Copied { cost }
    24 Supplied { replica, call, bytes }
    25 Lives { replica, node, name }
    26 Failed { replica, call, service }
    27 Admitted { call, waited }
    29 Hedged { replica, call };
    4 Demanded(call)
    5 Dropped(call)
    13 Ready(replica)
    14 LoadFailed(replica)
    15 Died(replica, how)
    16 Ended(replica)
    21 Lost(call)
    28 Expired(call)
}

impl Record {
    fn write_issued(&self, out: &mut Vec<u8>) {
        let Record::Issued {
            call,
            module,
            manner,
            effects,
            keeps,
            beside,
            priority,
            bytes,
            needs,
        } = self
        else {
            return;
        };
        let flag = |is_set: bool, bit: u64| if is_set { bit } else { 0 };
        let flags = u64::from(*effects)
            | flag(*keeps, KEEPS)
            | flag(*beside, BESIDE)
            | flag(priority.is_some(), PRIORITY)
            | flag(!needs.is_empty(), NEEDS);
        out.push(1);
        for value in [*call, u64::from(*module), u64::from(*manner), flags, *bytes] {
            put(out, value);
        }
        if let Some(priority) = priority {
            put(out, *priority);
        }
        if !needs.is_empty() {
            needs.put(out);
        }
    }

    fn read_issued(from: &mut Bytes<'_>) -> Option<Record> {
        let (call, module, manner) = (Field::get(from)?, Field::get(from)?, Field::get(from)?);
        let (flags, bytes) = (from.number()?, from.number()?);
        let has = |bit: u64| flags & bit != 0;
        Some(Record::Issued {
            call,
            module,
            manner,
            effects: (flags & EFFECTS) as u8,
            keeps: has(KEEPS),
            beside: has(BESIDE),
            priority: match has(PRIORITY) {
                true => Some(from.number()?),
                false => None,
            },
            bytes,
            needs: match has(NEEDS) {
                true => Field::get(from)?,
                false => Vec::new(),
            },
        })
    }
}

impl Stamped {
    /// Appends it, after one of the time `last`.
    pub(super) fn write(&self, last: Nanos, bytes: &mut Vec<u8>) {
        put_signed(bytes, self.at.wrapping_sub(last) as i64);
        self.what.write(bytes);
    }

    /// Reads it, after one of the time `last`.
    pub(super) fn read(last: Nanos, from: &mut Bytes<'_>) -> Option<Stamped> {
        let at = last.wrapping_add(from.signed()? as u64);
        Record::read(from).map(|what| Stamped { at, what })
    }
}
