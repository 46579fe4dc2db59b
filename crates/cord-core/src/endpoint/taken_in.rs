//! Calls as they come to a replica, and those that are asked back before they have begun.

use super::contents::complete;
use super::shared::{Event, State};
use super::Incoming;
use cord_wire::message::Item;
use cord_wire::payload::World;
use cord_wire::relay;
use cord_wire::shortage::Shortage;
use cord_wire::wire::{group_of, keeps, Kind, Malformed, Turn};

impl State {
    /// A call has come, to be run in this world: by the thread that serves, or by one that waits.
    pub fn take_in(&mut self, mut item: Item, world: World) -> Result<(), Malformed> {
        let tag = item.tag;
        let turn = Turn::decode(tag, item.link)?;
        let wait = match turn {
            Turn::OnTopOf(number) if !self.waits.contains_key(&number) => {
                self.link.outbox.ids(Kind::Returned, &[item.call]);
                return Ok(());
            }
            Turn::OnTopOf(number) => Some(number),
            Turn::First | Turn::ByPriority(_) => None,
        };
        item.open();
        if let Some(shortage) = item.shortage {
            self.refuse(item.call, *shortage);
            return Ok(());
        }
        if !complete(&mut self.contents, &mut item.payload.buffers, &[]) {
            if wait.is_some() {
                return Err(Malformed::new("a thread waits, but content is lacking"));
            }
            self.lacking.push(item.call);
        }
        let incoming = Incoming {
            call: item.call,
            payload: item.payload,
            world,
            keeps: keeps(tag),
            group: group_of(tag),
            values: Vec::new(),
        };
        match wait.and_then(|number| self.waits.get_mut(&number)) {
            Some(wait) => wait.events.push_back(Event::Call(incoming)),
            None => self.admit(incoming, turn),
        }
        Ok(())
    }

    /// A call cannot be run, for there is no room for what it needs.
    pub fn refuse(&mut self, call: u64, shortage: Shortage) {
        self.values.forget_needs(call);
        relay::refuse(&mut self.link.outbox, call, shortage);
    }

    /// Answers a recall with those of `calls` that have not begun.
    pub fn give_back(&mut self, calls: &[u64]) {
        let mut returned = Vec::new();
        for call in calls {
            if self.queue.remove(*call).is_some() || self.values.remove(*call).is_some() {
                returned.push(*call);
            }
        }
        self.link.outbox.ids(Kind::Returned, &returned);
    }
}
