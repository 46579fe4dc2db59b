//! Values that calls pass to one another: left here by calls that ran here, or fetched from the
//! replica where they were made.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::sync::Arc;

use rustix::io::Errno;

use super::shared::State;
use super::Incoming;
use cord_wire::buffer::{Buffer, LARGE_HEAD};
use cord_wire::codec::Codec;
use cord_wire::message::Item;
use cord_wire::outbox::{ItemHead, Outbox};
use cord_wire::outcome::{KEPT_FROM, KIND_KEPT, KIND_NO_ROOM, KIND_PASSED, KIND_VALUE};
use cord_wire::part::Part;
use cord_wire::payload::Parcel;
use cord_wire::shortage::{Of, Shortage};
use cord_wire::wire::{Kind, Malformed, Turn};

/// The value of a call, encoded.
#[derive(Debug, Clone)]
pub struct Value(Arc<Parcel>);

impl Value {
    /// How it is encoded.
    pub fn codec(&self) -> Codec {
        self.0.codec
    }

    /// The encoding itself.
    ///
    /// # Errors
    /// When there is no memory to see it in.
    pub fn head(&self) -> io::Result<&[u8]> {
        self.0.head.bytes()
    }

    /// Copies of its out-of-band buffers, whose memory is nobody else's.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn buffers(&self) -> io::Result<Vec<Buffer>> {
        let mut buffers = Vec::with_capacity(self.0.buffers.len());
        for buffer in &self.0.buffers {
            let mut copy = buffer.copy()?;
            copy.open()?;
            buffers.push(copy);
        }
        Ok(buffers)
    }

    fn send(&self, outbox: &mut Outbox, call: u64) {
        let head = ItemHead {
            call,
            codec: self.0.codec,
            ..ItemHead::default()
        };
        if let Err(error) = outbox.item(Kind::Values, head, &self.0.parts()) {
            let shortage = Shortage::new(&error, self.0.len(), Of::Arguments);
            let tag = u32::from(KIND_NO_ROOM);
            let said = [Part::Bytes(&shortage.encode())];
            let told = outbox.item(Kind::Values, ItemHead { tag, ..head }, &said);
            debug_assert!(told.is_ok(), "so little fits the memory that is there");
        }
    }
}

/// A call that cannot begin yet.
#[derive(Debug)]
struct Blocked {
    incoming: Incoming,
    turn: Turn,
    /// The values that it needs, in the order in which it refers to them.
    needs: Vec<u64>,
}

/// All values of a replica, and the calls that wait for some.
#[derive(Debug, Default)]
pub struct Values {
    here: HashMap<u64, Value>,
    /// Asked for, and of which replica.
    wanted: HashMap<u64, u64>,
    /// What a call needs that is to come next, and who has it.
    announced: HashMap<u64, Vec<(u64, u64)>>,
    blocked: BTreeMap<u64, Blocked>,
    /// Values for which there was no room here.
    lacking: HashMap<u64, Shortage>,
    /// Replicas that cannot be asked, for there was no room for a link to them.
    unlinked: HashSet<u64>,
    /// Calls that were begun and leave their values here.
    keeping: HashSet<u64>,
}

/// What is sent back for a call.
#[derive(Debug)]
pub struct Reply<'a> {
    /// What kind of reply.
    pub kind: u8,
    /// How its head is to be read.
    pub codec: Codec,
    /// Its head.
    pub head: Cow<'a, [u8]>,
    /// The buffers beside that.
    pub buffers: Vec<Buffer>,
    /// What its tag says besides.
    pub again: u32,
}

impl Values {
    /// A call begins, and its value is to be kept.
    pub fn will_keep(&mut self, call: u64) {
        self.keeping.insert(call);
    }

    /// Keeps the value of a call that is to be kept, if it is large and may be passed on as it is.
    pub fn keep<'a>(&mut self, call: u64, mut reply: Reply<'a>, may_be_passed: bool) -> Reply<'a> {
        if self.keeping.is_empty() {
            return reply;
        }
        if !self.keeping.remove(&call) || reply.kind != KIND_VALUE || !may_be_passed {
            return reply;
        }
        let buffers = reply.buffers.iter().map(Buffer::len).sum::<usize>();
        let size = reply.head.len() + buffers;
        if size < KEPT_FROM {
            reply.kind = KIND_PASSED;
            return reply;
        }
        let Ok(head) = Buffer::copy_from(&reply.head, LARGE_HEAD) else {
            return reply; // it comes to the program
        };
        let value = Parcel {
            codec: reply.codec,
            head,
            buffers: reply.buffers,
        };
        self.here.insert(call, Value(Arc::new(value)));
        Reply {
            kind: KIND_KEPT,
            codec: Codec::default(),
            head: (size as u64).to_le_bytes().to_vec().into(),
            buffers: Vec::new(),
            again: 0,
        }
    }

    /// A call comes next that needs values; as a frame lays it out.
    pub fn announce(&mut self, body: &[u64]) {
        let needs = body[1..].chunks_exact(2).map(|pair| (pair[0], pair[1]));
        self.announced.insert(body[0], needs.collect());
    }

    /// Takes out a call that waits for values, if it is there.
    pub fn remove(&mut self, call: u64) -> Option<Incoming> {
        self.blocked.remove(&call).map(|blocked| blocked.incoming)
    }

    /// The program waits for this call.
    pub fn hasten(&mut self, call: u64) {
        if let Some(blocked) = self.blocked.get_mut(&call) {
            blocked.turn = Turn::First;
        }
    }

    /// There was no room for a link to this replica.
    pub fn cannot_ask(&mut self, replica: u64) {
        self.unlinked.insert(replica);
    }

    /// A call that was announced does not come.
    pub fn forget_needs(&mut self, call: u64) {
        self.announced.remove(&call);
    }

    /// What there is no room for, of a value that this replica has.
    fn shortage_of(&self, value: u64, home: u64) -> Option<Shortage> {
        let lacking = self.lacking.get(&value).copied();
        lacking.or_else(|| {
            let no_link = || Shortage::new(&Errno::MFILE.into(), 0, Of::Arguments);
            self.unlinked.contains(&home).then(no_link)
        })
    }

    /// Nobody needs these values any more.
    pub fn release(&mut self, calls: &[u64]) {
        for call in calls {
            self.lacking.remove(call);
            self.here.remove(call);
            self.wanted.remove(call);
        }
    }

    /// Answers another replica that asks for values.
    pub fn answer(&self, outbox: &mut Outbox, calls: &[u64]) {
        for call in calls {
            match self.here.get(call) {
                Some(value) => value.send(outbox, *call),
                None => outbox.ids(Kind::Release, &[*call]),
            }
        }
    }

    /// What was asked of a replica and has not come.
    pub fn asked_of(&self, replica: u64) -> Vec<u64> {
        let asked = self.wanted.iter().filter(|(_, from)| **from == replica);
        asked.map(|(call, _)| *call).collect()
    }

    /// The values of `needs`, if all are there.
    fn all(&self, needs: &[u64]) -> Option<Vec<Value>> {
        needs
            .iter()
            .map(|need| self.here.get(need).cloned())
            .collect()
    }

    /// The calls that cannot begin without one of these.
    fn blocked_by(&self, values: &[u64]) -> Vec<u64> {
        let needs_one = |blocked: &Blocked| blocked.needs.iter().any(|need| values.contains(need));
        let blocked = self.blocked.iter();
        let waiting = blocked.filter(|(_, blocked)| needs_one(blocked));
        waiting.map(|(call, _)| *call).collect()
    }

    fn take_ready(&mut self) -> Vec<Blocked> {
        let is_ready = |blocked: &Blocked| self.all(&blocked.needs).is_some();
        let blocked = self.blocked.iter();
        let ready: Vec<u64> = blocked
            .filter(|(_, blocked)| is_ready(blocked))
            .map(|(call, _)| *call)
            .collect();
        let taken = ready.iter().filter_map(|call| self.blocked.remove(call));
        taken.collect()
    }
}

impl State {
    /// A call has come: it can begin at once, or when the values that it needs are there.
    pub fn admit(&mut self, incoming: Incoming, turn: Turn) {
        let announced = &mut self.values.announced;
        let needs = (!announced.is_empty()).then(|| announced.remove(&incoming.call));
        let Some(needs) = needs.flatten() else {
            return self.queue.push(incoming, turn);
        };
        for (need, home) in &needs {
            if self.values.here.contains_key(need) || self.values.wanted.contains_key(need) {
                continue;
            }
            if let Some(shortage) = self.values.shortage_of(*need, *home) {
                return self.refuse(incoming.call, shortage);
            }
            let Some(peer) = self.peers.get_mut(home) else {
                return self.link.outbox.ids(Kind::Unmet, &[incoming.call]);
            };
            peer.ask(*need);
            self.values.wanted.insert(*need, *home);
        }
        let blocked = Blocked {
            needs: needs.iter().map(|(need, _)| *need).collect(),
            incoming,
            turn,
        };
        self.values.blocked.insert(blocked.incoming.call, blocked);
        self.unblock();
    }

    fn unblock(&mut self) {
        for mut blocked in self.values.take_ready() {
            blocked.incoming.values = self.values.all(&blocked.needs).unwrap_or_default();
            self.queue.push(blocked.incoming, blocked.turn);
        }
    }

    /// A value has come: from the client, or from a replica that was asked for it.
    pub fn take_value(&mut self, item: Item, from_client: bool) -> Result<(), Malformed> {
        let asked = self.values.wanted.remove(&item.call).is_some();
        if !asked && !from_client {
            return Ok(()); // released meanwhile
        }
        let said =
            (item.tag == u32::from(KIND_NO_ROOM)).then(|| Shortage::decode(&item.payload.head));
        if let Some(shortage) = said.flatten().or(item.shortage.map(|shortage| *shortage)) {
            self.do_without_room(item.call, shortage);
            return Ok(());
        }
        let value = Value(Arc::new(item.payload.into()));
        self.values.here.insert(item.call, value);
        self.unblock();
        Ok(())
    }

    /// There is no room for a value: nor for the calls that need it.
    fn do_without_room(&mut self, value: u64, shortage: Shortage) {
        self.values.lacking.insert(value, shortage);
        for call in self.values.blocked_by(&[value]) {
            self.values.blocked.remove(&call);
            self.refuse(call, shortage);
        }
    }

    /// These values will not come from where they were asked: calls that need them go back.
    pub fn do_without(&mut self, values: &[u64]) {
        for value in values {
            self.values.wanted.remove(value);
        }
        let unmet = self.values.blocked_by(values);
        for call in &unmet {
            self.values.blocked.remove(call);
        }
        if !unmet.is_empty() {
            self.link.outbox.ids(Kind::Unmet, &unmet);
        }
    }
}
