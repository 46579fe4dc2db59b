//! Where calls wait before they may go to a replica: for their turn by the plan's rates, or for others that
//! one call serves with them.
//!
//! A gate lets one call through at a time, and the next one when that has gone to a replica. So what waits
//! is ordered by the usual rule for as long as possible, and no start is counted for a call that could not
//! start. Where calls are served together, the one that goes through takes others along when it is sent.

use super::queue::{Place, Queue};
use super::rate::Bucket;
use super::tended::Tended;
use super::{Action, Call, CallId, Dispatcher, Nanos};
use crate::manner::GateSpec;

/// No more calls of a layer come if none has for so long.
const QUIET: Nanos = 2_000_000_000;

/// One gate.
#[derive(Debug, Clone)]
pub struct Gate {
    /// Which of the module's rates it keeps.
    rate: Option<usize>,
    /// How many calls one may serve.
    pub group: usize,
    /// Where calls wait until no more come: when the last one came, and how many layers there were.
    layer: Option<(Nanos, u32)>,
    /// What waits.
    pub queue: Queue,
    /// What has gone through and was not sent yet, when it was looked at last.
    through: Vec<CallId>,
}

impl Gate {
    pub fn new(spec: &GateSpec) -> Gate {
        Gate {
            rate: spec.rate,
            group: spec.group.max(1),
            layer: spec.layered.then_some((0, 0)),
            queue: Queue::default(),
            through: Vec::new(),
        }
    }

    /// Whether one call may serve several.
    pub fn gathers(&self) -> bool {
        self.group > 1
    }
}

/// All gates of a module, and its rates.
#[derive(Debug, Clone, Default)]
pub struct Gates {
    pub all: Vec<Gate>,
    pub rates: Vec<Bucket>,
}

impl Gates {
    /// How many calls wait.
    pub fn len(&self) -> usize {
        self.all.iter().map(|gate| gate.queue.len()).sum()
    }
}

/// The gate that a call is to go through, if it has not.
pub fn gate_before(call: &Call) -> Option<usize> {
    let tended = call.tended.as_ref().filter(|tended| !tended.admitted)?;
    tended.care.gate
}

impl Dispatcher {
    /// The rates of a module.
    pub fn rates(&mut self, module: usize) -> &mut [Bucket] {
        &mut self.modules[module].gates.rates
    }

    /// A call waits at its gate, if it has one that it has not gone through. Whether it does.
    pub(super) fn stops_at_gate(&mut self, id: CallId) -> bool {
        let Some(call) = self.calls.get_mut(&id) else {
            return false;
        };
        let Some(gate) = gate_before(call) else {
            return false;
        };
        let place = Place::new(id, call);
        if let Some(tended) = &mut call.tended {
            tended.at_gate.get_or_insert(self.agenda.now);
        }
        let module = &mut self.modules[call.module as usize];
        if module.gates.all[gate].gathers() {
            call.lane = None; // whoever has room makes one call of several
        }
        let gate = &mut module.gates.all[gate];
        if let Some((last, _)) = &mut gate.layer {
            *last = self.agenda.now;
        }
        gate.queue.insert(place);
        true
    }

    /// A call does not wait at its gate any more. Whether it did.
    pub(super) fn leaves_gate(&mut self, id: CallId) -> bool {
        let Some(call) = self.calls.get_mut(&id) else {
            return false;
        };
        let Some(gate) = gate_before(call) else {
            return false;
        };
        let place = Place::new(id, call);
        let waits = |tended: &Tended| tended.at_gate.is_some();
        if !call.tended.as_deref().is_some_and(waits) {
            return false;
        }
        let gates = &mut self.modules[call.module as usize].gates;
        gates.all[gate].queue.remove(place);
        true
    }

    /// Lets calls through whose time has come. Whether any went.
    pub(super) fn admit(&mut self, now: Nanos, index: usize) -> bool {
        let gates = &self.modules[index].gates.all;
        if gates.is_empty() {
            return false;
        }
        let waits = |(at, gate): (usize, &Gate)| Some((gate.queue.first()?, at));
        let mut waiting: Vec<_> = gates.iter().enumerate().filter_map(waits).collect();
        waiting.sort_unstable(); // gates that keep the same rate go by the order of calls
        let mut any = false;
        for (_, gate) in waiting {
            any |= self.admit_one(now, index, gate);
        }
        any
    }

    fn admit_one(&mut self, now: Nanos, index: usize, at: usize) -> bool {
        let module = &mut self.modules[index];
        let missing = (module.wanted as usize).saturating_sub(module.serving);
        let gate = &mut module.gates.all[at];
        let is_there = |id: &CallId| {
            let call = self.calls.get(id).filter(|call| call.life.is_waiting());
            let tended = call.and_then(|call| call.tended.as_ref());
            tended.is_some_and(|tended| tended.admitted)
        };
        gate.through.retain(is_there);
        let most = if gate.gathers() { 1 } else { missing.max(1) };
        if gate.through.len() >= most {
            return false;
        }
        if let Some((last, _)) = gate.layer.filter(|_| !gate.queue.is_empty()) {
            if now < last + QUIET {
                self.wake_at(last + QUIET);
                return false;
            }
        }
        if let Some(rate) = gate.rate {
            let bucket = &mut module.gates.rates[rate];
            let next = bucket.next(now);
            if next > now {
                self.wake_at(next);
                return false;
            }
            bucket.take(now);
        }
        let Some(place) = gate.queue.pop() else {
            return false;
        };
        gate.through.push(place.call);
        let is_paced = gate.rate.is_some();
        let waited = now - self.pass_gate(place.call).unwrap_or(now).min(now);
        if is_paced && waited > 0 {
            self.note_wait(index, place.call, waited);
        }
        self.queue(place.call);
        true
    }

    fn note_wait(&mut self, index: usize, call: CallId, waited: Nanos) {
        let tally = &mut self.modules[index].tally;
        tally.waited += 1;
        tally.wait += waited;
        self.actions.push(Action::Admit { call, waited });
    }

    /// A call goes through. Since when it has waited.
    fn pass_gate(&mut self, id: CallId) -> Option<Nanos> {
        let tended = self.calls.get_mut(&id)?.tended.as_mut()?;
        tended.admitted = true;
        tended.at_gate.take()
    }

    /// What waits at the gate of a call that is sent and may be served with it goes along.
    pub(super) fn take_along(&mut self, id: CallId, calls: &mut Vec<CallId>) {
        self.take_all_along(id, calls);
        self.tell_of_layer(id, calls.len());
    }

    /// A layer goes to its replica: that is told, for much may come of it much later.
    fn tell_of_layer(&mut self, id: CallId, count: usize) {
        let Some(call) = self.calls.get(&id) else {
            return;
        };
        let at = call.tended.as_ref().and_then(|tended| tended.care.gate);
        let gates = &mut self.modules[call.module as usize].gates.all;
        if let Some((_, number)) = at.and_then(|at| gates[at].layer.as_mut()) {
            *number += 1;
            let number = *number;
            self.actions.push(Action::Layer {
                call: id,
                number,
                count,
            });
        }
    }

    fn take_all_along(&mut self, id: CallId, calls: &mut Vec<CallId>) {
        let Some(call) = self.calls.get(&id).filter(|call| !call.suspect) else {
            return;
        };
        let (index, tended) = (call.module as usize, call.tended.as_ref());
        let Some(at) = tended.and_then(|tended| tended.care.gate) else {
            return;
        };
        if call.part.is_some() {
            return;
        }
        while calls.len() < self.modules[index].gates.all[at].group {
            let gate = &mut self.modules[index].gates.all[at];
            let next = gate.queue.first();
            let fits = |place: &Place| {
                let is_alone = self
                    .calls
                    .get(&place.call)
                    .is_some_and(|one| one.part.is_some());
                !place.suspect && !is_alone
            };
            let Some(place) = next.filter(fits) else {
                return;
            };
            gate.queue.pop();
            self.pass_gate(place.call);
            calls.push(place.call);
            let tally = &mut self.modules[index].tally;
            let is_first = calls.len() == 2;
            tally.groups += u64::from(is_first);
            tally.grouped += 1 + u64::from(is_first);
        }
    }

    /// Which calls a call may be served together with, as a number; 0 for none.
    pub fn group_of(&self, id: CallId) -> u32 {
        if !self.tends {
            return 0;
        }
        let gate = |call: &Call| {
            let gate = call.tended.as_ref()?.care.gate?;
            let gates = &self.modules[call.module as usize].gates;
            let gathers = gates.all[gate].gathers() && call.part.is_none() && !call.suspect;
            gathers.then_some(gate as u32 + 1)
        };
        self.calls.get(&id).and_then(gate).unwrap_or(0)
    }

    /// No replica is left: what waits at gates is given up with the rest.
    pub(super) fn open_gates(&mut self, index: usize) {
        for at in 0..self.modules[index].gates.all.len() {
            while let Some(place) = self.modules[index].gates.all[at].queue.pop() {
                self.pass_gate(place.call);
                self.queue(place.call);
            }
        }
    }

    /// From when on a copy of a call may start by its rate, if not yet; if it may, it counts.
    pub(super) fn too_early_for(&mut self, now: Nanos, id: CallId) -> Option<Nanos> {
        let call = self.calls.get(&id)?;
        let gate = call.tended.as_ref()?.care.gate?;
        let gates = &mut self.modules[call.module as usize].gates;
        let bucket = &mut gates.rates[gates.all[gate].rate?];
        let next = bucket.next(now);
        if next > now {
            return Some(next);
        }
        bucket.take(now);
        None
    }
}
