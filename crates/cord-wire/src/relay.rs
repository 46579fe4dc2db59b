//! Calls that replicas make, and what comes of them, on the wire.

use std::time::Duration;

use crate::codec::Codec;
use crate::effects::Effects;
use crate::loss::{Beyond, Cause, Fallen, Lost};
use crate::message::Item;
use crate::outbox::{ItemHead, Outbox};
use crate::outcome::{Outcome, KIND_NO_ROOM};
use crate::part::Part;
use crate::payload::Parcel;
use crate::shortage::{Of, Shortage};
use crate::wire::{u32_at, u64_at, Kind, Malformed};

/// Kinds of replies that only the client gives; those of replicas pass through as they are.
const LOST: u32 = 0x100;
const UNAVAILABLE: u32 = 0x101;
const CLOSED: u32 = 0x102;
const STATE_LOST: u32 = 0x103;
const EXPIRED: u32 = 0x104;
/// Set in the tag of a replica's reply: the call is to be tried again, after so many of these steps as
/// the bits above it say.
const AGAIN: u32 = 1 << 9;
const PAUSE_SHIFT: u32 = 10;
/// In place of a pause: several calls were to be served by one call, which has not given each a result.
pub const MISCOUNTED: u32 = 1 << PAUSE_SHIFT;
const MOST_STEPS: u128 = (1 << 14) - 1;
const STEP: Duration = Duration::from_millis(100);
/// So many bits of a nested call's tag say which manner of its module it is made in.
const MANNER_BITS: u32 = 10;
/// Set beside the number of the call that makes another one, or has a module loaded: it has changed its
/// world since it began, to the one that was said last.
const IN_WORLD_SAID: u64 = 1 << 62;
/// Bytes of an encoded loss before the processes lost, and of each of these.
const LOST_SIZE: usize = 6;
const FALLEN_SIZE: usize = 17;
/// Bits of what is known of such a process.
const HAS_STATUS: u8 = 1;
const WENT_BEYOND: u8 = 2;
/// Bytes before the order proper in an order to load a module.
const ORDER: usize = 12;

/// The call for which a replica asks for something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parent {
    /// Its number, 0 for none.
    pub call: u64,
    /// Whether it is in the world that the replica has said last, not any more in its own.
    pub has_said_world: bool,
}

impl Parent {
    fn encode(self) -> u64 {
        self.call
            | if self.has_said_world {
                IN_WORLD_SAID
            } else {
                0
            }
    }

    fn decode(link: u64) -> Parent {
        Parent {
            call: link & !IN_WORLD_SAID,
            has_said_world: link & IN_WORLD_SAID != 0,
        }
    }
}

/// A call as a replica makes it.
#[derive(Debug)]
pub struct NestedCall {
    /// The replica's own number for it, never 0.
    pub number: u64,
    /// Index of the module that is called.
    pub module: u32,
    /// Index of its manner there.
    pub manner: u32,
    /// What it does besides giving a value.
    pub effects: Effects,
    /// The call that the replica was running.
    pub parent: Parent,
    /// Its encoded arguments.
    pub parcel: Parcel,
}

impl NestedCall {
    /// The fixed part of the item that it travels as.
    pub fn head(
        number: u64,
        (module, manner): (u32, u32),
        effects: Effects,
        parent: Parent,
    ) -> ItemHead {
        let manner = if manner >> MANNER_BITS == 0 {
            manner
        } else {
            0
        };
        ItemHead {
            call: number,
            tag: (module << MANNER_BITS | manner) << Effects::BITS | effects.to_bits(),
            link: parent.encode(),
            ..ItemHead::default()
        }
    }

    /// A call that came from a replica.
    pub fn decode(item: Item) -> NestedCall {
        NestedCall {
            number: item.call,
            module: item.tag >> Effects::BITS >> MANNER_BITS,
            manner: (item.tag >> Effects::BITS) & ((1 << MANNER_BITS) - 1),
            effects: Effects::from_bits(item.tag & ((1 << Effects::BITS) - 1)),
            parent: Parent::decode(item.link),
            parcel: item.payload.into(),
        }
    }
}

/// A replica's order to load a module, which one of its calls has imported.
#[derive(Debug, PartialEq, Eq)]
pub struct NestedLoad {
    /// Index of the module.
    pub module: u32,
    /// The call that the replica was running.
    pub parent: Parent,
    /// What the module's replicas are told.
    pub order: Vec<u8>,
}

impl NestedLoad {
    /// The body of the message that it travels as.
    pub fn encode(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(ORDER + self.order.len());
        body.extend_from_slice(&self.module.to_le_bytes());
        body.extend_from_slice(&self.parent.encode().to_le_bytes());
        body.extend_from_slice(&self.order);
        body
    }

    /// An order that came from a replica.
    pub fn decode(body: &[u8]) -> Result<NestedLoad, Malformed> {
        if body.len() < ORDER {
            return Err(Malformed::new("an order to load a module is too short"));
        }
        Ok(NestedLoad {
            module: u32_at(body, 0),
            parent: Parent::decode(u64_at(body, 4)),
            order: body[ORDER..].to_vec(),
        })
    }
}

/// Lays out what came of the call `number`, which took so many nanoseconds.
pub fn send(outbox: &mut Outbox, number: u64, outcome: &Outcome, service: u64) {
    let (lost, expired);
    let mut parts = Vec::with_capacity(2);
    let (mut codec, mut written): (_, &[u8]) = (Codec::default(), &[]);
    let tag = match outcome {
        Outcome::Reply {
            kind,
            payload,
            output,
        } => {
            parts.push(Part::Bytes(&payload.head));
            parts.extend(payload.buffers.iter().map(Part::Buffer));
            codec = payload.codec;
            written = output;
            u32::from(*kind)
        }
        Outcome::Lost(loss) => {
            lost = encode_loss(loss);
            parts.push(Part::Bytes(&lost));
            LOST
        }
        Outcome::StateLost { fallen } => {
            lost = encode_loss(&Lost {
                fallen: vec![*fallen],
                ..Lost::default()
            });
            parts.push(Part::Bytes(&lost));
            STATE_LOST
        }
        Outcome::Expired { deadline } => {
            expired = u64::try_from(deadline.as_nanos())
                .unwrap_or(u64::MAX)
                .to_le_bytes();
            parts.push(Part::Bytes(&expired));
            EXPIRED
        }
        Outcome::Unavailable { head } => {
            parts.push(Part::Bytes(head));
            UNAVAILABLE
        }
        Outcome::Closed => {
            parts.push(Part::Bytes(&[]));
            CLOSED
        }
    };
    parts.push(Part::Bytes(written));
    let head = ItemHead {
        call: number,
        tag,
        codec,
        link: service,
    };
    if let Err(error) = outbox.item(Kind::Replies, head, &parts) {
        let shortage = Shortage::new(&error, outcome.bytes(), Of::Result);
        refuse(outbox, number, shortage);
    }
}

/// Says that there is no room for what would come of the call `number`, or for the call.
pub fn refuse(outbox: &mut Outbox, number: u64, shortage: Shortage) {
    let head = ItemHead {
        call: number,
        tag: u32::from(KIND_NO_ROOM),
        ..ItemHead::default()
    };
    let parts = [Part::Bytes(&shortage.encode()), Part::Bytes(&[])];
    let said = outbox.item(Kind::Replies, head, &parts);
    debug_assert!(said.is_ok(), "so little fits the memory that is there");
}

/// What came of a call, from the item that it travelled as.
pub fn receive(item: Item) -> Result<Outcome, Malformed> {
    match item.tag {
        LOST => Ok(Outcome::Lost(Box::new(decode_loss(&item.payload.head)?))),
        STATE_LOST => Ok(Outcome::StateLost {
            fallen: decode_loss(&item.payload.head)?.last(),
        }),
        EXPIRED if item.payload.head.len() == 8 => Ok(Outcome::Expired {
            deadline: Duration::from_nanos(u64_at(&item.payload.head, 0)),
        }),
        UNAVAILABLE => Ok(Outcome::Unavailable {
            head: item.payload.head,
        }),
        CLOSED => Ok(Outcome::Closed),
        _ => Ok(outcome(item)),
    }
}

/// What the tag of a reply says in addition, if its call is to be tried again, after a pause.
pub fn again(pause: Option<Duration>) -> u32 {
    let steps = |pause: Duration| pause.as_nanos().div_ceil(STEP.as_nanos()).min(MOST_STEPS);
    pause.map_or(0, |pause| AGAIN | (steps(pause) as u32) << PAUSE_SHIFT)
}

/// Whether the tag of a reply says that several calls have not got a result each.
pub fn is_miscounted(item: &Item) -> bool {
    item.tag & (AGAIN | MISCOUNTED) == MISCOUNTED
}

/// The reverse of [`again`]; the tag is then that of any reply.
pub fn take_pause(item: &mut Item) -> Option<Duration> {
    let is_again = item.tag & AGAIN != 0;
    let pause = is_again.then(|| STEP * (item.tag >> PAUSE_SHIFT));
    item.tag &= AGAIN - 1;
    pause
}

/// What came of a call that was answered.
pub fn outcome(item: Item) -> Outcome {
    if let Some(shortage) = item.shortage {
        let shortage = Shortage {
            of: Of::Result,
            ..*shortage
        };
        return Outcome::no_room(shortage, item.output);
    }
    Outcome::Reply {
        kind: u8::try_from(item.tag).unwrap_or(u8::MAX),
        payload: item.payload,
        output: item.output,
    }
}

fn encode_loss(lost: &Lost) -> Vec<u8> {
    let mut bytes = lost.tries.to_le_bytes().to_vec();
    bytes.push(u8::from(lost.may_have_run));
    bytes.push(match lost.cause {
        Cause::Replica | Cause::Value => 0, // replicas are not given values of others
        Cause::Fault => 1,
        Cause::Launcher => 2,
        Cause::Call => 3,
    });
    for fallen in &lost.fallen {
        let beyond = fallen.beyond.unwrap_or(Beyond { peak: 0, limit: 0 });
        bytes.extend_from_slice(&fallen.pid.to_le_bytes());
        bytes.extend_from_slice(&fallen.status.unwrap_or(0).to_le_bytes());
        bytes.extend_from_slice(&beyond.peak.to_le_bytes());
        bytes.extend_from_slice(&beyond.limit.to_le_bytes());
        let (status, beyond) = (fallen.status.is_some(), fallen.beyond.is_some());
        let (status, beyond) = (
            u8::from(status) * HAS_STATUS,
            u8::from(beyond) * WENT_BEYOND,
        );
        bytes.push(status | beyond);
    }
    bytes
}

fn decode_fallen(bytes: &[u8]) -> Fallen {
    let known = bytes[16];
    Fallen {
        pid: u32_at(bytes, 0),
        status: (known & HAS_STATUS != 0).then(|| u32_at(bytes, 4) as i32),
        beyond: (known & WENT_BEYOND != 0).then(|| Beyond {
            peak: u32_at(bytes, 8),
            limit: u32_at(bytes, 12),
        }),
    }
}

fn decode_loss(bytes: &[u8]) -> Result<Lost, Malformed> {
    let size = bytes.len().checked_sub(LOST_SIZE);
    if size.is_none_or(|size| size % FALLEN_SIZE != 0) {
        return Err(Malformed::new("the loss of a call has the wrong size"));
    }
    let fallen = bytes[LOST_SIZE..].chunks_exact(FALLEN_SIZE);
    Ok(Lost {
        fallen: fallen.map(decode_fallen).collect(),
        tries: u32_at(bytes, 0),
        may_have_run: bytes[4] == 1,
        cause: match bytes[5] {
            0 => Cause::Replica,
            2 => Cause::Launcher,
            3 => Cause::Call,
            _ => Cause::Fault,
        },
        call: None,
    })
}

#[cfg(test)]
mod tests {
    use rustix::net::{socketpair, AddressFamily, SocketFlags, SocketType};

    use super::*;
    use crate::link::Link;
    use crate::message::Message;
    use crate::payload::Payload;
    use crate::transport::Transport;

    /// Sends `outcome` over a real socket.
    fn pass_on(outcome: &Outcome) -> Outcome {
        let kind = SocketType::STREAM;
        let made = socketpair(AddressFamily::UNIX, kind, SocketFlags::CLOEXEC, None).unwrap();
        let (mut from, mut to) = (
            Link::new(made.0, Transport::Auto),
            Link::new(made.1, Transport::Auto),
        );
        send(&mut from.outbox, 7, outcome, 0);
        from.flush();
        to.fill().unwrap();
        let Some(Message::Reply(item)) = to.next().unwrap() else {
            panic!()
        };
        assert_eq!(item.call, 7);
        receive(item).unwrap()
    }

    #[test]
    fn an_order_arrives_as_it_was() {
        let order = NestedLoad {
            module: 3,
            parent: Parent {
                call: 1 << 40,
                has_said_world: true,
            },
            order: b"anew".to_vec(),
        };
        assert_eq!(NestedLoad::decode(&order.encode()), Ok(order));
        assert!(NestedLoad::decode(b"short").is_err());
    }

    #[test]
    fn a_pause_travels_beside_the_kind_of_a_reply() {
        let shortage = || Shortage::new(&std::io::Error::other("none"), 0, Of::Result);
        for (pause, comes) in [
            (None, None),
            (Some(Duration::ZERO), Some(Duration::ZERO)),
            (
                Some(Duration::from_millis(250)),
                Some(Duration::from_millis(300)),
            ),
            (Some(Duration::from_secs(7200)), Some(STEP * 16_383)),
        ] {
            let tag = 1 | again(pause);
            assert!(tag < 1 << 24, "it fits an item's tag");
            let mut item = Item::lacking(7, tag, 0, shortage(), Vec::new());
            assert_eq!(take_pause(&mut item), comes);
            assert_eq!(item.tag, 1);
        }
    }

    #[test]
    fn a_nested_call_says_its_module_and_manner() {
        let parent = Parent {
            call: 9 | 1 << 63,
            has_said_world: true,
        };
        let head = NestedCall::head(3, (4095, 1023), Effects::Pure, parent);
        assert!(head.tag < 1 << 24, "it fits an item's tag");
        let shortage = Shortage::new(&std::io::Error::other("none"), 0, Of::Result);
        let item = Item::lacking(head.call, head.tag, head.link, shortage, Vec::new());
        let call = NestedCall::decode(item);
        assert_eq!(
            (call.module, call.manner, call.effects),
            (4095, 1023, Effects::Pure)
        );
        assert_eq!(call.parent, parent);
    }

    #[test]
    fn every_outcome_arrives_as_it_was() {
        let reply = Outcome::Reply {
            kind: 1,
            payload: Payload {
                codec: Codec(9),
                head: b"head".to_vec(),
                buffers: vec![b"buffer".to_vec().into()],
            },
            output: b"output".to_vec(),
        };
        let beyond = Some(Beyond {
            peak: 3 << 20,
            limit: 2 << 20,
        });
        let fallen = |status| Fallen {
            pid: 77,
            status,
            beyond,
        };
        let lost = |status| {
            Outcome::Lost(Box::new(Lost {
                fallen: vec![fallen(Some(1)), fallen(status), Fallen::default()],
                tries: 3,
                may_have_run: true,
                cause: Cause::Call,
                call: None,
            }))
        };
        let unavailable = Outcome::Unavailable {
            head: b"why".to_vec(),
        };
        for outcome in [
            reply,
            lost(None),
            lost(Some(-9)),
            Outcome::StateLost {
                fallen: fallen(Some(9)),
            },
            unavailable,
            Outcome::Expired {
                deadline: Duration::from_millis(1500),
            },
            Outcome::Closed,
        ] {
            assert_eq!(format!("{:?}", pass_on(&outcome)), format!("{outcome:?}"));
        }
    }
}
