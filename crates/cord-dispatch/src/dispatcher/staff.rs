//! The starts and ends of replicas.

use super::replica::{Phase, Piled, Replica};
use super::starts::Failure;
use super::{Action, Call, CallId, Death, Dispatcher, Loss, Nanos, ReplicaId, MILLI};
use cord_wire::loss::Cause;
use cord_wire::shortage::Shortage;

/// How long the end of a link waits for the end of its process, and the other way round.
pub(super) const END_WAIT: Nanos = 200 * MILLI;
/// Where there was no room for a replica, it is tried again after so long; at once, if a call needs it.
const ROOM_WAIT: Nanos = 100 * MILLI;

/// So many replicas that died are remembered.
const MOST_FALLEN: usize = 1_000;

impl Dispatcher {
    /// All replicas of this module are told to load it, or to load it again.
    pub(super) fn loading(&mut self, now: Nanos, module: u32) {
        let told = &mut self.modules[module as usize];
        told.starts.succeed();
        told.state_lost = None;
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
    pub(super) fn not_launched(&mut self, now: Nanos, id: ReplicaId, shortage: Shortage) {
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
    pub(super) fn ready(&mut self, now: Nanos, id: ReplicaId) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        if replica.phase == Phase::Starting {
            replica.phase = Phase::Ready;
            replica.start_time = now - replica.launched;
            self.modules[replica.module as usize].starts.succeed();
            self.begin_first(now, id);
            self.soil(id);
        }
    }

    /// The replica cannot load its module: it is of no use.
    pub(super) fn load_failed(&mut self, now: Nanos, id: ReplicaId) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        replica.failed_start = false; // that it has ended since tells less
        let index = replica.module;
        if let Phase::Ending(by) = replica.phase {
            self.ending.remove(&(by, id));
        }
        let starts = &mut self.modules[index as usize].starts;
        starts.fail(now, id, self.next_replica, Failure::Load);
        self.bury(now, id);
    }

    /// Whether the last attempts to start replicas of a module have failed, and none is left.
    pub fn has_failed(&self, module: u32) -> bool {
        let module = &self.modules[module as usize];
        module.live == 0 && module.starts.failure().is_some()
    }

    /// For each module, for how long each of its replicas has run calls that were answered.
    pub fn busy(&self) -> impl Iterator<Item = &[Nanos]> + '_ {
        self.modules
            .iter()
            .map(|module| &module.busy[..module.wanted as usize])
    }

    /// The replicas that have died by themselves, with their modules.
    pub fn fallen(&self) -> &[(u32, ReplicaId)] {
        &self.fallen
    }

    /// The replica's link or process has ended; both ends together are its end.
    pub(super) fn died(&mut self, now: Nanos, id: ReplicaId, death: Death) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        replica.link_closed |= matches!(death, Death::Disconnected | Death::Silent);
        replica.exited |= matches!(death, Death::Exited | Death::Killed);
        replica.is_silent |= death == Death::Silent;
        self.end(now, id);
    }

    /// The replica ends of itself, and another one takes its place: nobody is to blame.
    pub(super) fn spent(&mut self, id: ReplicaId) {
        if self.replicas.contains_key(&id) {
            self.end_process(id);
        }
    }

    fn end(&mut self, now: Nanos, id: ReplicaId) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        let both = replica.link_closed && (replica.exited || replica.is_silent);
        let by = if both { now } else { now + END_WAIT };
        if let Phase::Ending(before) = replica.phase {
            self.ending.remove(&(before, id));
        } else {
            self.note_bad_end(id);
        }
        if let Some(replica) = self.replicas.get_mut(&id) {
            replica.phase = Phase::Ending(by);
        }
        self.ending.insert((by, id));
        self.wake_at(by);
        self.soil(id);
        self.lose_values(id);
    }

    /// Notes deaths before readiness, and deaths in idleness.
    fn note_bad_end(&mut self, id: ReplicaId) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        let module = &mut self.modules[replica.module as usize];
        match replica.phase {
            Phase::Starting => replica.failed_start = true,
            Phase::Ready if replica.load() == 0 && replica.served == 0 => module.idle_deaths += 1,
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
            self.bury(now, id);
        }
    }

    fn bury(&mut self, now: Nanos, id: ReplicaId) {
        self.unfile(id);
        self.set_piled(id, Piled::default());
        self.lose_values(id);
        let (is_survived, others) = (self.is_survived(id), self.housemates(id));
        let Some(mut replica) = self.replicas.remove(&id) else {
            return;
        };
        if replica.exclusive {
            self.free_others(&others);
        }
        if !replica.exited && !is_survived {
            // It may live: nothing may be left behind.
            self.actions.push(Action::End { replica: id });
        }
        self.actions.push(Action::Close { replica: id });
        let loss = Loss {
            cause: self.cause(),
            ..Loss::of(id)
        };
        let module = &mut self.modules[replica.module as usize];
        module.live -= 1;
        module.slots[replica.slot as usize] = None;
        module.free.insert(replica.slot);
        module.recalls -= usize::from(replica.recalling);
        module.last_loss = loss;
        if replica.failed_start {
            let next = self.next_replica;
            module.starts.fail(now, id, next, Failure::Death);
        }
        if replica.stateful > 0 {
            self.lose_state(replica.module, loss);
        }
        let blame = !replica.killed;
        let begun: Vec<CallId> = replica.all_begun().collect();
        if blame && self.fallen.len() < MOST_FALLEN {
            self.fallen.push((replica.module, id));
        }
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
            if let Some(known) = self.calls.get_mut(&call).filter(|_| blame) {
                known.suspect = true;
                if known.life.is_pure() {
                    self.ended.entry(call).or_default().push(id);
                }
            }
            let has_begun = begun.contains(&call);
            self.leave(call, |life| life.replica_died(blame, has_begun), loss);
        }
        for wait in replica.waits {
            self.dropped(wait.call);
        }
    }

    /// Asks for the replicas that are missing, and gives up what can have none.
    pub(super) fn staff(&mut self, now: Nanos, index: usize) {
        let module = &mut self.modules[index];
        module.grow();
        if module.live < module.needed() && !self.launcher_gone {
            self.launch_missing(now, index);
        }
        let module = &self.modules[index];
        if module.queue.is_empty() || !self.is_hopeless(now, index) {
            return;
        }
        if module.live == 0 {
            self.open_gates(index);
            return self.lose_queue(index);
        }
        if !self.launcher_gone {
            self.wake_at(module.starts.not_before());
        }
        self.close_lanes(index);
    }

    /// Whether no replica of a module can be started now.
    fn is_hopeless(&self, now: Nanos, index: usize) -> bool {
        self.launcher_gone || now < self.modules[index].starts.not_before()
    }

    fn launch_missing(&mut self, now: Nanos, index: usize) {
        let module = &self.modules[index];
        if module.is_reluctant() && module.queue.is_empty() {
            return;
        }
        let is_needed = module.live == 0 && !module.queue.is_empty();
        if now < module.launch_at && !is_needed {
            let at = module.launch_at;
            self.close_lanes(index);
            return self.wake_at(at);
        }
        let missing = module.needed() - module.live;
        if module.starts.failure().is_none() {
            return (0..missing).for_each(|_| self.launch(now, index));
        }
        // One after the other, until one of them is ready.
        let is_starting = |id: &ReplicaId| self.replicas[id].phase == Phase::Starting;
        if module.slots.iter().flatten().any(is_starting) {
            return;
        }
        if now >= module.starts.not_before() {
            self.launch(now, index);
        }
    }

    fn launch(&mut self, now: Nanos, index: usize) {
        let module = &mut self.modules[index];
        let Some(slot) = module.next_free() else {
            return;
        };
        let replica = self.next_replica;
        self.next_replica += 1;
        module.live += 1;
        module.slots[slot as usize] = Some(replica);
        let number = index as u32;
        let most = module.recycle;
        let mut made = Replica::new(number, slot, now);
        made.most = most;
        self.replicas.insert(replica, made);
        self.meet_others(replica);
        self.actions.push(Action::Launch {
            module: number,
            replica,
            slot,
        });
    }

    /// No replica is left, and none can be started now.
    fn lose_queue(&mut self, index: usize) {
        let module = &self.modules[index];
        let (last, failure) = (module.last_loss, module.starts.failure());
        let cause = self.cause();
        self.give_up_queue(index, |call, tries| match failure {
            Some(Failure::Load) => Action::Refuse {
                call,
                module: index as u32,
            },
            _ => {
                let may_have_run = tries > 0;
                let loss = Loss {
                    tries,
                    may_have_run,
                    cause,
                    ..last
                };
                Action::Lose { call, loss }
            }
        });
    }

    /// With what a replica, or the last hope of one, is lost now.
    fn cause(&self) -> Cause {
        match self.launcher_gone {
            true => Cause::Launcher,
            false => Cause::Replica,
        }
    }

    /// Gives up all that waits: what becomes of each call, by its number and how often it was tried.
    fn give_up_queue(&mut self, index: usize, how: impl Fn(CallId, u32) -> Action) {
        while let Some(place) = self.modules[index].queue.pop_any() {
            if let Some(call) = self.give_up(place.call) {
                self.actions.push(how(place.call, call.life.tries()));
            }
        }
    }

    /// A call that waits ends without a replica.
    pub(super) fn give_up(&mut self, id: CallId) -> Option<Call> {
        let given_up = self.calls.get_mut(&id)?.life.give_up();
        if let Err(illegal) = given_up {
            self.fault(id, illegal);
            return None;
        }
        self.end_call(id)
    }
}
