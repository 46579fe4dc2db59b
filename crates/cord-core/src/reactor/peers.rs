//! The links to the replicas: made, written, read and closed here.

use std::io;

use super::kept::Kept;
use super::peer::Peer;
use super::{Reactor, LAUNCHER};
use crate::engine::{Launcher, Link, Wanted};
use cord_dispatch::dispatcher::{is_copy, original, CallId, Death, Event, Nanos, ReplicaId};
use cord_dispatch::life::Delivery;
use cord_os::complaint::complain;
use cord_wire::inbox::Filled;
use cord_wire::message::{Item, Message};
use cord_wire::outbox::Flushed;
use cord_wire::outcome::{Outcome, KIND_DISOWNED_LAST};
use cord_wire::relay;
use cord_wire::shortage::{Of, Shortage};
use cord_wire::wire::{Malformed, Turn};

impl<L: Launcher> Reactor<L> {
    /// Makes a link and asks for a replica at its other end.
    pub(super) fn launch(&mut self, module: u32, replica: ReplicaId, slot: u32) {
        let transport = self.modules[module as usize].transport;
        let Some(place) = self.free_places.last().copied() else {
            return self.not_launched(replica, &rustix::io::Errno::MFILE.into());
        };
        let wanted = Wanted {
            module,
            replica,
            slot,
            transport,
        };
        let link = match self.launcher.launch(wanted) {
            Ok(link) => link,
            Err(error) => return self.not_launched(replica, &error),
        };
        if let Some(source) = link.source() {
            if let Err(error) = self.poller.add(source, u64::from(replica)) {
                return self.not_launched(replica, &error.into());
            }
            self.fds.note(place, source);
        } else {
            self.unpolled.push(replica);
        }
        self.free_places.pop();
        let resident = self.modules[module as usize].resident;
        let mut peer = Box::new(Peer::new(link, module, place, resident));
        if self.log.is_some() {
            peer.want_times();
        }
        if let Some(order) = &self.loads[module as usize] {
            peer.load(&order.load);
        }
        self.peers.insert(replica, peer);
        self.soil(replica);
    }

    /// There is no room for a replica.
    pub(super) fn not_launched(&mut self, replica: ReplicaId, error: &io::Error) {
        let shortage = Shortage::new(error, 0, Of::Replica);
        self.tell(
            self.launcher.now(),
            Event::NotLaunched { replica, shortage },
        );
        self.undecided = true;
    }

    /// Sends calls; to the thread that waits for the call with this number, unless it is 0.
    pub(super) fn send(&mut self, replica: ReplicaId, calls: &[CallId], waiting_for: u64) {
        for call in calls {
            if self.is_elsewhere(replica, *call) {
                continue;
            }
            let sent = self.provide(replica, *call);
            let sent = sent.and_then(|()| self.send_one(replica, *call, waiting_for));
            if let Err(error) = sent {
                self.refuse(replica, *call, &error);
            }
        }
        if let Some(peer) = self.peers.get_mut(&replica) {
            peer.link.outbox().seal();
            if waiting_for == 0 {
                peer.note_last(calls);
            }
        }
        self.soil(replica);
    }

    /// Whether a call is not to be sent, for another run makes it, or has made it: it leaves the dispatcher as if the
    /// replica had handed it back, and nobody wanted it any more.
    fn is_elsewhere(&mut self, replica: ReplicaId, call: CallId) -> bool {
        let Some(Kept::Held(held)) = self.kept.get_mut(&call) else {
            return false;
        };
        if held.may_begin() {
            return false;
        }
        let now = self.launcher.now();
        let calls = vec![call];
        self.tell(now, Event::Withdrawn { replica, calls });
        self.tell(now, Event::Dropped(call));
        self.undecided = true;
        if let Some(Kept::Held(held)) = self.kept.remove(&call) {
            held.stand_aside();
        }
        true
    }

    fn send_one(&mut self, replica: ReplicaId, call: CallId, waiting_for: u64) -> io::Result<()> {
        let kept = self.kept.get(&original(call));
        let (Some(peer), Some(kept)) = (self.peers.get_mut(&replica), kept) else {
            return Ok(());
        };
        let turn = if waiting_for > 0 {
            Turn::OnTopOf(waiting_for)
        } else if self.dispatcher.is_demanded(call) {
            Turn::First
        } else {
            Turn::ByPriority(kept.priority())
        };
        if let Kept::Held(held) = kept {
            held.is_sent();
        }
        peer.send(call, kept, turn, self.dispatcher.group_of(call))
    }

    /// There is no room for what a call needs: as if its replica had said so.
    pub(super) fn refuse(&mut self, replica: ReplicaId, call: CallId, error: &io::Error) {
        let bytes = self
            .kept
            .get(&original(call))
            .map_or(0, |kept| kept.parcel().len());
        let shortage = Shortage::new(error, bytes, Of::Arguments);
        self.undecided = true;
        let event = Event::Replied {
            replica,
            call,
            service: 0,
            bytes: 0,
        };
        match self.dispatcher.handle(self.launcher.now(), event) {
            Ok(Delivery::Deliver) => {
                self.settle(original(call), Outcome::no_room(shortage, Vec::new()));
            }
            Ok(Delivery::Discard) => self.forget(call),
            Ok(Delivery::Again) | Err(_) => {} // it is not there any more
        }
    }

    pub(super) fn close(&mut self, replica: ReplicaId) {
        if let Some(peer) = self.peers.remove(&replica) {
            self.fds.forget(peer.place);
            self.free_places.push(peer.place);
            self.unpolled.retain(|unpolled| *unpolled != replica);
            let linked: Vec<ReplicaId> = peer.linked.into_iter().collect();
            self.disconnect(replica, &linked);
        }
    }

    pub(super) fn soil(&mut self, replica: ReplicaId) {
        if let Some(peer) = self.peers.get_mut(&replica) {
            if !peer.dirty {
                peer.dirty = true;
                self.dirty.push(replica);
            }
        }
    }

    /// Writes whatever was added since the last time.
    pub(super) fn flush(&mut self) {
        self.congested = false;
        for replica in std::mem::take(&mut self.dirty) {
            self.flush_one(replica);
        }
        let wants_out = self.launcher.flush();
        if wants_out != self.launcher_wants_out {
            self.launcher_wants_out = wants_out;
            if let Some(source) = self.launcher.source() {
                let _ = self.poller.watch(source, LAUNCHER, wants_out);
            }
        }
    }

    fn flush_one(&mut self, replica: ReplicaId) {
        let Some(peer) = self.peers.get_mut(&replica) else {
            return;
        };
        peer.dirty = false;
        if peer.ended {
            return;
        }
        let flushed = peer.link.flush();
        let wants_out = flushed == Flushed::Full;
        if wants_out != peer.wants_out {
            peer.wants_out = wants_out;
            if let Some(source) = peer.link.source() {
                let _ = self.poller.watch(source, u64::from(replica), wants_out);
            }
        }
        if flushed == Flushed::Congested {
            self.congested = true;
            self.soil(replica);
        }
        self.cut_off |= flushed == Flushed::CutOff;
        // `Gone` needs nothing: what the replica still said is read first, then its end.
    }

    /// The socket of a link can be read.
    pub(super) fn hear_bell(&mut self, replica: ReplicaId) {
        let Some(peer) = self.peers.get_mut(&replica) else {
            return;
        };
        if let Err(malformed) = peer.link.hear() {
            self.close_malformed(replica, &malformed);
        }
    }

    fn close_malformed(&mut self, replica: ReplicaId, malformed: &Malformed) {
        let Some(peer) = self.peers.get_mut(&replica) else {
            return;
        };
        let name = &self.modules[peer.module as usize].name;
        if *malformed != Malformed::cut_off() {
            complain(&format!(
                "a frame from replica {replica} of module {name} is malformed, its link is closed: {}",
                malformed.0
            ));
        }
        self.end_link(replica);
    }

    pub(super) fn read(&mut self, replica: ReplicaId) {
        let Some(mut peer) = self.peers.remove(&replica) else {
            return;
        };
        let read = if peer.ended {
            Ok(Filled::Nothing)
        } else {
            self.read_peer(replica, &mut peer)
        };
        let has_answers = !peer.link.outbox().is_empty();
        self.peers.insert(replica, peer);
        if has_answers {
            self.soil(replica);
        }
        match read {
            Ok(Filled::Gone) => self.end_link(replica),
            Ok(_) => {}
            Err(malformed) => self.close_malformed(replica, &malformed),
        }
    }

    fn read_peer(
        &mut self,
        replica: ReplicaId,
        peer: &mut Peer<L::Link>,
    ) -> Result<Filled, Malformed> {
        let filled = peer.link.fill()?;
        let now = self.launcher.now();
        self.read_at = Some(now);
        while let Some(message) = peer.link.next()? {
            self.hear(now, replica, peer, message)?;
        }
        let more = match self.watched == Some(replica) {
            true => peer.link.has_some(),
            // also where nothing came: the bell may have been for what was looked for and read before,
            // and then the replica rings none for what comes next
            false => !peer.link.sleeps(),
        };
        if more {
            self.unread.push(replica); // others have their turn first
        }
        Ok(filled)
    }

    fn end_link(&mut self, replica: ReplicaId) {
        let Some(peer) = self.peers.get_mut(&replica) else {
            return;
        };
        peer.ended = true;
        if let Some(source) = peer.link.source() {
            let _ = self.poller.delete(source);
        }
        let unread = peer.unread();
        let now = self.launcher.now();
        let death = Death::Disconnected;
        self.tell(now, Event::Died { replica, death });
        let calls = unread;
        self.tell(now, Event::Unread { replica, calls });
    }

    fn hear(
        &mut self,
        now: Nanos,
        replica: ReplicaId,
        peer: &mut Peer<L::Link>,
        message: Message,
    ) -> Result<(), Malformed> {
        match message {
            Message::Ready(pid) => {
                if peer.has_loaded() {
                    self.launcher.note(replica, pid);
                    self.tell(now, Event::Ready { replica });
                }
            }
            Message::InitFailed(head) => {
                if !peer.has_loaded() {
                    return Ok(());
                }
                self.load_errors[peer.module as usize] = head;
                self.tell(now, Event::LoadFailed { replica });
            }
            Message::Reply(item) => {
                if relay::is_miscounted(&item) {
                    self.traffic.count_miscounted(peer.module);
                }
                self.deliver(now, replica, item)?;
            }
            Message::Returned(calls) => {
                self.hear_of(now, Event::Returned { replica, calls })?;
            }
            Message::Call(item) => self.take_nested(now, replica, peer, item)?,
            Message::World(world) => peer.said = world.into(),
            Message::Load(order) => self.take_order(now, peer, &order)?,
            Message::Interrupt(number, exception) => {
                if let Some(call) = self.nested_call(replica, number) {
                    self.interrupt(now, call, exception);
                }
            }
            Message::Noticed(calls) => self.tell_noticed(&calls),
            Message::Withdrawn(calls) => {
                self.hear_of(now, Event::Withdrawn { replica, calls })?;
            }
            Message::Moved(calls) => {
                self.hear_of(now, Event::Moved { replica, calls })?;
            }
            Message::Want(calls) => self.supply(replica, peer, &calls),
            Message::Ran(times) => {
                if let Some(log) = &self.log {
                    log.ran(now, replica, &times);
                }
            }
            Message::Worn => self.tell(now, Event::Worn { replica }),
            Message::Unmet(calls) => {
                self.hear_of(now, Event::Unmet { replica, calls })?;
            }
            Message::Recall(_)
            | Message::First(_)
            | Message::Move(_)
            | Message::Meet(_)
            | Message::Peer(..)
            | Message::Contents(_)
            | Message::Needs(_)
            | Message::Value(_)
            | Message::Fetch(_)
            | Message::Release(_) => {
                return Err(Malformed::new("it says what only the client says"));
            }
        }
        Ok(())
    }

    /// Nobody wants what came of a call; that of a copy says nothing of its call.
    fn forget(&mut self, call: CallId) {
        if !is_copy(call) {
            self.kept.remove(&call);
        }
    }

    pub(super) fn deliver(
        &mut self,
        now: Nanos,
        replica: ReplicaId,
        mut item: Item,
    ) -> Result<(), Malformed> {
        let again = relay::take_pause(&mut item);
        if item.shortage.is_none() && self.is_kept(&item) {
            return self.deliver_kept(now, replica, item);
        }
        let from = item.call;
        item.call = original(from);
        match self.kept.get_mut(&item.call) {
            Some(Kept::Held(held)) => {
                held.took(item.link);
                self.traffic.count_came(item.bytes() - item.output.len());
            }
            Some(Kept::Nested(nested)) => nested.service = item.link,
            Some(Kept::Again(_)) | None => {}
        }
        if item.tag == u32::from(KIND_DISOWNED_LAST) {
            self.tell(now, Event::Spent { replica });
        }
        let (call, service, bytes) = (from, item.link, item.bytes());
        let event = match again {
            None => Event::Replied {
                replica,
                call,
                service,
                bytes,
            },
            Some(after) => Event::Failed {
                replica,
                call,
                service,
                bytes,
                after,
            },
        };
        match self.hear_of(now, event)? {
            Delivery::Deliver => {}
            Delivery::Discard => {
                self.forget(from);
                return Ok(());
            }
            Delivery::Again => return Ok(()),
        }
        if let Some(Kept::Held(_)) = self.kept.get(&item.call) {
            item.open_to_wait(); // what goes on to a replica is opened there
        }
        let call = item.call;
        let outcome = relay::outcome(item);
        if let Some(Kept::Held(held)) = self.kept.get(&call) {
            self.samples.pass(held.module(), call, held.world());
            if let Some(sample) = held.sample(replica, &outcome) {
                self.samples.keep(call, sample);
            }
        }
        self.settle(call, outcome);
        Ok(())
    }
}
