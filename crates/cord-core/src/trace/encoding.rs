//! Records as bytes: numbers in as few as they need, times by their differences.

use super::{Record, Stamped};
use crate::dispatcher::{CallId, Nanos, ReplicaId};

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

fn put_calls(bytes: &mut Vec<u8>, calls: &[CallId]) {
    put(bytes, calls.len() as u64);
    let mut last = 0;
    for call in calls {
        put_signed(bytes, call.wrapping_sub(last) as i64);
        last = *call;
    }
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

    fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    fn text(&mut self) -> Option<String> {
        let (text, rest) = (self.number()?, self.0);
        let (text, rest) = rest.split_at_checked(usize::try_from(text).ok()?)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }

    fn calls(&mut self) -> Option<Vec<CallId>> {
        let many = usize::try_from(self.number()?).ok()?;
        if many > self.0.len() {
            return None; // each takes a byte at least
        }
        let mut last = 0_u64;
        let mut calls = Vec::with_capacity(many);
        for _ in 0..many {
            last = last.wrapping_add(self.signed()? as u64);
            calls.push(last);
        }
        Some(calls)
    }
}

impl Record {
    /// Appends it.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        match self {
            Record::Issued {
                call,
                module,
                manner,
                effects,
                keeps,
                beside,
                priority,
                bytes: size,
                needs,
            } => {
                let flag = |is_set: bool, bit: u64| if is_set { bit } else { 0 };
                let flags = u64::from(*effects)
                    | flag(*keeps, KEEPS)
                    | flag(*beside, BESIDE)
                    | flag(priority.is_some(), PRIORITY)
                    | flag(!needs.is_empty(), NEEDS);
                bytes.push(1);
                for value in [*call, u64::from(*module), u64::from(*manner), flags, *size] {
                    put(bytes, value);
                }
                if let Some(priority) = priority {
                    put(bytes, *priority);
                }
                if !needs.is_empty() {
                    put_calls(bytes, needs);
                }
            }
            Record::Nested {
                call,
                module,
                effects,
                from,
                parent,
            } => plain(
                bytes,
                2,
                &[
                    *call,
                    u64::from(*module),
                    u64::from(*effects),
                    u64::from(*from),
                    *parent,
                ],
            ),
            Record::Placed { call, place } => plain(bytes, 3, &[*call, u64::from(*place)]),
            Record::Demanded(call) => plain(bytes, 4, &[*call]),
            Record::Dropped(call) => plain(bytes, 5, &[*call]),
            Record::Took {
                thread,
                place,
                call,
                spent,
            } => plain(
                bytes,
                6,
                &[u64::from(*thread), u64::from(*place), *call, *spent],
            ),
            Record::Sent { replica, calls } => listed(bytes, 7, &[*replica], calls),
            Record::Entered {
                replica,
                call,
                wait,
            } => plain(bytes, 8, &[u64::from(*replica), *call, *wait]),
            Record::Replied {
                replica,
                call,
                service,
                bytes: size,
            } => plain(bytes, 9, &[u64::from(*replica), *call, *service, *size]),
            Record::Kept {
                replica,
                call,
                service,
                bytes: size,
                at_home,
            } => plain(
                bytes,
                10,
                &[
                    u64::from(*replica),
                    *call,
                    *service,
                    *size,
                    u64::from(*at_home),
                ],
            ),
            Record::Ran {
                replica,
                call,
                began,
                ended,
                used,
            } => {
                plain(bytes, 11, &[u64::from(*replica), *call]);
                put_signed(bytes, *began);
                put_signed(bytes, ended.wrapping_sub(*began));
                put(bytes, *used);
            }
            Record::Launched {
                module,
                replica,
                slot,
            } => plain(
                bytes,
                12,
                &[u64::from(*module), u64::from(*replica), u64::from(*slot)],
            ),
            Record::Ready(replica) => plain(bytes, 13, &[u64::from(*replica)]),
            Record::LoadFailed(replica) => plain(bytes, 14, &[u64::from(*replica)]),
            Record::Died(replica, how) => plain(bytes, 15, &[u64::from(*replica), u64::from(*how)]),
            Record::Ended(replica) => plain(bytes, 16, &[u64::from(*replica)]),
            Record::Recalled { replica, calls } => listed(bytes, 17, &[*replica], calls),
            Record::Returned { replica, calls } => listed(bytes, 18, &[*replica], calls),
            Record::Moving { from, to, calls } => listed(bytes, 19, &[*from, *to], calls),
            Record::Moved { replica, calls } => listed(bytes, 20, &[*replica], calls),
            Record::Lost(call) => plain(bytes, 21, &[*call]),
            Record::Scouted { place } => plain(bytes, 22, &[u64::from(*place)]),
            Record::Copied { cost } => plain(bytes, 23, &[*cost]),
            Record::Supplied {
                replica,
                call,
                bytes: size,
            } => plain(bytes, 24, &[u64::from(*replica), *call, *size]),
            Record::Failed {
                replica,
                call,
                service,
            } => plain(bytes, 26, &[u64::from(*replica), *call, *service]),
            Record::Admitted { call, waited } => plain(bytes, 27, &[*call, *waited]),
            Record::Expired(call) => plain(bytes, 28, &[*call]),
            Record::Hedged { replica, call } => plain(bytes, 29, &[u64::from(*replica), *call]),
            Record::Lives {
                replica,
                node,
                name,
            } => {
                plain(
                    bytes,
                    25,
                    &[u64::from(*replica), u64::from(*node), name.len() as u64],
                );
                bytes.extend_from_slice(name.as_bytes());
            }
        }
    }

    /// Reads what [`Record::write`] has written; `None` where that makes no sense.
    pub(super) fn read(from: &mut Bytes<'_>) -> Option<Record> {
        Some(match from.byte()? {
            1 => {
                let (call, module, manner) = (from.number()?, from.small()?, from.small()?);
                let (flags, bytes) = (from.number()?, from.number()?);
                let has = |bit: u64| flags & bit != 0;
                Record::Issued {
                    call,
                    module,
                    manner,
                    effects: (flags & EFFECTS) as u8,
                    keeps: has(KEEPS),
                    beside: has(BESIDE),
                    priority: if has(PRIORITY) {
                        Some(from.number()?)
                    } else {
                        None
                    },
                    bytes,
                    needs: if has(NEEDS) {
                        from.calls()?
                    } else {
                        Vec::new()
                    },
                }
            }
            2 => Record::Nested {
                call: from.number()?,
                module: from.small()?,
                effects: u8::try_from(from.number()?).ok()?,
                from: from.small()?,
                parent: from.number()?,
            },
            3 => Record::Placed {
                call: from.number()?,
                place: from.small()?,
            },
            4 => Record::Demanded(from.number()?),
            5 => Record::Dropped(from.number()?),
            6 => Record::Took {
                thread: from.small()?,
                place: from.small()?,
                call: from.number()?,
                spent: from.number()?,
            },
            7 => Record::Sent {
                replica: from.small()?,
                calls: from.calls()?,
            },
            8 => Record::Entered {
                replica: from.small()?,
                call: from.number()?,
                wait: from.number()?,
            },
            9 => Record::Replied {
                replica: from.small()?,
                call: from.number()?,
                service: from.number()?,
                bytes: from.number()?,
            },
            10 => Record::Kept {
                replica: from.small()?,
                call: from.number()?,
                service: from.number()?,
                bytes: from.number()?,
                at_home: from.number()? != 0,
            },
            11 => {
                let (replica, call) = (from.small()?, from.number()?);
                let began = from.signed()?;
                Record::Ran {
                    replica,
                    call,
                    began,
                    ended: began.wrapping_add(from.signed()?),
                    used: from.number()?,
                }
            }
            12 => Record::Launched {
                module: from.small()?,
                replica: from.small()?,
                slot: from.small()?,
            },
            13 => Record::Ready(from.small()?),
            14 => Record::LoadFailed(from.small()?),
            15 => Record::Died(from.small()?, u8::try_from(from.number()?).ok()?),
            16 => Record::Ended(from.small()?),
            17 => Record::Recalled {
                replica: from.small()?,
                calls: from.calls()?,
            },
            18 => Record::Returned {
                replica: from.small()?,
                calls: from.calls()?,
            },
            19 => Record::Moving {
                from: from.small()?,
                to: from.small()?,
                calls: from.calls()?,
            },
            20 => Record::Moved {
                replica: from.small()?,
                calls: from.calls()?,
            },
            21 => Record::Lost(from.number()?),
            22 => Record::Scouted {
                place: from.small()?,
            },
            23 => Record::Copied {
                cost: from.number()?,
            },
            24 => Record::Supplied {
                replica: from.small()?,
                call: from.number()?,
                bytes: from.number()?,
            },
            25 => Record::Lives {
                replica: from.small()?,
                node: from.small()?,
                name: from.text()?,
            },
            26 => Record::Failed {
                replica: from.small()?,
                call: from.number()?,
                service: from.number()?,
            },
            27 => Record::Admitted {
                call: from.number()?,
                waited: from.number()?,
            },
            28 => Record::Expired(from.number()?),
            29 => Record::Hedged {
                replica: from.small()?,
                call: from.number()?,
            },
            _ => return None,
        })
    }
}

fn plain(bytes: &mut Vec<u8>, tag: u8, values: &[u64]) {
    bytes.push(tag);
    values.iter().for_each(|value| put(bytes, *value));
}

fn listed(bytes: &mut Vec<u8>, tag: u8, replicas: &[ReplicaId], calls: &[CallId]) {
    bytes.push(tag);
    for replica in replicas {
        put(bytes, u64::from(*replica));
    }
    put_calls(bytes, calls);
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
