//! The starts and ends of replicas.

use super::replica::{Phase, Piled, Replica};
use super::{Action, CallId, Dispatcher, Loss, Nanos, ReplicaId, MILLI};
use crate::shortage::Shortage;

/// How long the end of a link waits for the end of its process, and the other way round.
pub(super) const END_WAIT: Nanos = 200 * MILLI;
/// So many replicas of a module may die in a row before they are ready.
const MAX_FAILED_STARTS: u32 = 3;
/// Where there was no room for a replica, it is tried again after so long; at once, if a call needs it.
const ROOM_WAIT: Nanos = 100 * MILLI;
/// So many may die idle in a row before the next is made only when it is needed.
const MAX_IDLE_DEATHS: u32 = 3;

impl Dispatcher {
    /// The replica's process exists.
    pub fn started(&mut self, replica: ReplicaId, pid: u32) {
        if let Some(replica) = self.replicas.get_mut(&replica) {
            replica.pid = pid;
        }
    }

    /// All replicas of this module are told to load it, or to load it again.
    pub fn loading(&mut self, now: Nanos, module: u32) {
        let told = &mut self.modules[module as usize];
        told.unavailable = false;
        told.failed_starts = 0;
        for (id, replica) in &mut self.replicas {
            if replica.module == module && !matches!(replica.phase, Phase::Ending(_)) {
                replica.phase = Phase::Starting;
                replica.launched = now;
                if !std::mem::replace(&mut replica.dirty, true) {
                    self.dirty.push(*id);
                }
            }
        }
    }

    /// There was no room for this replica. What waits goes to others, if there are any.
    pub fn not_launched(&mut self, now: Nanos, id: ReplicaId, shortage: Shortage) {
        self.unfile(id);
        self.set_piled(id, Piled::default());
        let Some(replica) = self.replicas.remove(&id) else {
            return;
        };
        self.actions.push(Action::Close { replica: id });
        let module = &mut self.modules[replica.module as usize];
        module.live -= 1;
        module.slots[replica.slot as usize] = None;
        module.free.insert(replica.slot);
        module.launch_at = now + ROOM_WAIT;
        if module.live == 0 {
            self.give_up_queue(replica.module as usize, |call, _| Action::NoRoom {
                call,
                shortage,
            });
        }
    }

    /// The replica can take calls.
    pub fn ready(&mut self, now: Nanos, id: ReplicaId, pid: u32) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        if replica.pid == 0 {
            replica.pid = pid;
        }
        if replica.phase == Phase::Starting {
            replica.phase = Phase::Ready;
            replica.start_time = now - replica.launched;
            self.modules[replica.module as usize].failed_starts = 0;
            self.soil(id);
        }
    }

    /// The replica cannot load its module. Gives the module's index.
    pub fn init_failed(&mut self, id: ReplicaId) -> Option<u32> {
        let replica = self.replicas.get_mut(&id)?;
        replica.phase = Phase::Failed;
        let index = replica.module;
        self.soil(id);
        let module = &mut self.modules[index as usize];
        module.unavailable = true;
        self.refuse_queue(index);
        Some(index)
    }

    /// The replica's link is closed.
    pub fn link_closed(&mut self, now: Nanos, id: ReplicaId) {
        if let Some(replica) = self.replicas.get_mut(&id) {
            replica.link_closed = true;
            self.end(now, id);
        }
    }

    /// The replica's process has ended.
    pub fn exited(&mut self, now: Nanos, id: ReplicaId, status: Option<i32>) {
        if let Some(replica) = self.replicas.get_mut(&id) {
            replica.exited = true;
            replica.status = status;
            self.end(now, id);
        }
    }

    /// No replica can be started any more. Those that live may go on.
    pub fn engine_gone(&mut self) {
        self.engine_gone = true;
    }

    /// Link or process has ended; both ends together are the replica's end.
    fn end(&mut self, now: Nanos, id: ReplicaId) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        let both = replica.link_closed && replica.exited;
        let by = if both { now } else { now + END_WAIT };
        if let Phase::Ending(before) = replica.phase {
            self.ending.remove(&(before, id));
        } else {
            self.note_bad_start(id);
        }
        if let Some(replica) = self.replicas.get_mut(&id) {
            replica.phase = Phase::Ending(by);
        }
        self.ending.insert((by, id));
        self.soil(id);
        self.lose_values(id);
    }

    /// Counts deaths before readiness, and deaths in idleness.
    fn note_bad_start(&mut self, id: ReplicaId) {
        let Some(replica) = self.replicas.get(&id) else {
            return;
        };
        let module = &mut self.modules[replica.module as usize];
        match replica.phase {
            Phase::Starting => module.failed_starts += 1,
            Phase::Ready if replica.load() == 0 && !replica.has_served => module.idle_deaths += 1,
            _ => {}
        }
    }

    /// Buries replicas of which both link and process have ended, or one of them long enough ago.
    pub(super) fn bury_ended(&mut self, now: Nanos) {
        while let Some((by, id)) = self.ending.first().copied() {
            if by > now {
                return self.wake_at(by);
            }
            self.ending.pop_first();
            self.bury(id);
        }
    }

    fn bury(&mut self, id: ReplicaId) {
        self.unfile(id);
        self.set_piled(id, Piled::default());
        self.lose_values(id);
        let Some(mut replica) = self.replicas.remove(&id) else {
            return;
        };
        if !replica.exited && replica.pid != 0 {
            // It closed its link, but lives: nothing may be left behind.
            self.actions.push(Action::Kill { pid: replica.pid });
        }
        self.actions.push(Action::Close { replica: id });
        let loss = Loss {
            pid: replica.pid,
            status: replica.status,
            ..Loss::default()
        };
        let module = &mut self.modules[replica.module as usize];
        module.live -= 1;
        module.slots[replica.slot as usize] = None;
        module.free.insert(replica.slot);
        module.recalls -= usize::from(replica.recalling);
        module.last_loss = loss;
        let blame = !replica.killed;
        for call in replica
            .line
            .drain()
            .into_iter()
            .chain(replica.inner.drain(..))
        {
            if let Some((_, to)) = self.end_way(call) {
                if let Some(receiver) = self.replicas.get_mut(&to) {
                    receiver.strays.insert(call);
                }
            }
            if let Some(call) = self.calls.get_mut(&call) {
                call.suspect |= blame;
            }
            self.leave(call, |life| life.replica_died(blame), loss);
        }
        for wait in replica.waits {
            self.dropped(wait.call);
        }
    }

    /// Asks for the replicas that are missing, and gives up what can have none.
    pub(super) fn staff(&mut self, now: Nanos, index: usize) {
        let module = &mut self.modules[index];
        if module.unavailable {
            return;
        }
        let hopeless = self.engine_gone || module.failed_starts > MAX_FAILED_STARTS;
        let reluctant = module.idle_deaths >= MAX_IDLE_DEATHS && module.queue.is_empty();
        let needed = module.live == 0 && !module.queue.is_empty();
        let waits = now < module.launch_at && !needed && module.live < module.wanted;
        if waits {
            let at = module.launch_at;
            self.close_lanes(index);
            return self.wake_at(at);
        }
        while !hopeless && !reluctant && module.live < module.wanted {
            let replica = self.next_replica;
            let Some(slot) = module.free.pop_first() else {
                break;
            };
            self.next_replica += 1;
            module.live += 1;
            module.slots[slot as usize] = Some(replica);
            let number = index as u32;
            self.replicas
                .insert(replica, Replica::new(number, slot, now));
            self.actions.push(Action::Launch {
                module: number,
                replica,
                slot,
            });
        }
        if hopeless && module.live == 0 {
            let loss = module.last_loss;
            self.give_up_queue(index, |call, tries| {
                let may_have_run = tries > 0;
                let loss = Loss {
                    tries,
                    may_have_run,
                    ..loss
                };
                Action::Lose { call, loss }
            });
        } else if hopeless {
            self.close_lanes(index);
        }
    }

    /// Gives up all that waits: what becomes of each call, by its number and how often it was tried.
    fn give_up_queue(&mut self, index: usize, how: impl Fn(CallId, u32) -> Action) {
        while let Some(place) = self.modules[index].queue.pop_any() {
            if let Some(mut call) = self.end_call(place.call) {
                let given_up = call.life.give_up();
                debug_assert!(given_up.is_ok());
                let tries = call.life.tries();
                self.actions.push(how(place.call, tries));
            }
        }
    }
}
