//! Second copies of pure calls that take longer than most of their like: the first answer wins.
//!
//! Jeffrey Dean, Luiz André Barroso: "The Tail at Scale", Communications of the ACM 56 (2), 2013, where
//! these are called hedged requests. What they cost is bounded: no more than one call in twenty has a copy,
//! and a copy only goes where nothing else is to be done. What replicas have that are away has one in any
//! case (`absence.rs`).

use super::quantile::Quantile;
use super::tended::nanos;
use super::{Call, CallId, Delivery, Dispatcher, Nanos, ReplicaId, Violation};
use crate::life::Life;
use crate::manner::Hedge;
use cord_wire::priority::Priority;

/// Set in the number of a copy, which is that of its call besides.
const COPY: CallId = 1 << 63;
/// A quantile of fewer times than this tells nothing.
const ENOUGH: usize = 20;
/// One call in so many may have a copy.
const SHARE: u64 = 20;

/// Whether this is the number of a copy.
pub fn is_copy(call: CallId) -> bool {
    call & COPY != 0
}

/// The call that this is, or is a copy of.
pub fn original(call: CallId) -> CallId {
    call & !COPY
}

/// What is known of the calls of one manner that may be hedged.
#[derive(Debug, Clone)]
pub struct Hedging {
    after: Option<Nanos>,
    times: Option<Quantile>,
    /// How many calls have begun, and how many copies.
    calls: u64,
    copies: u64,
}

impl Hedging {
    pub fn new(hedge: Hedge) -> Hedging {
        let (after, times) = match hedge {
            Hedge::After(time) => (Some(nanos(time)), None),
            Hedge::Quantile(part) => (None, Some(Quantile::new(part))),
        };
        Hedging {
            after,
            times,
            calls: 0,
            copies: 0,
        }
    }

    /// From how long on a call is worth a copy, once that can be told.
    fn threshold(&self) -> Option<Nanos> {
        let known = self.times.as_ref().filter(|times| times.count() >= ENOUGH);
        self.after.or(known.map(|times| times.value() as Nanos))
    }

    /// A call took so long. Whether that was the last that was missing.
    fn measure(&mut self, service: Nanos) -> bool {
        let Some(times) = &mut self.times else {
            return false;
        };
        times.add(service as f64);
        times.count() == ENOUGH
    }

    fn may_copy(&self) -> bool {
        self.copies < (self.calls / SHARE).max(1)
    }
}

/// Whether a second one can answer for it.
pub fn is_alone(call: &Call) -> bool {
    call.life.is_pure() && call.part.is_none()
}

impl Dispatcher {
    fn hedging_of(&mut self, id: CallId) -> Option<&mut Hedging> {
        let call = self.calls.get(&id)?;
        let style = &mut self.modules[call.module as usize].styles[call.manner as usize];
        style.hedging.as_mut()
    }

    /// A call that may be hedged has begun: from when on it is worth a copy.
    pub(super) fn watch(&mut self, now: Nanos, id: CallId) {
        if !self.calls.get(&id).is_some_and(is_alone) {
            return;
        }
        if let Some(hedging) = self.hedging_of(id) {
            hedging.calls += 1;
            let threshold = hedging.threshold();
            self.watch_until(id, threshold.map(|time| now.saturating_add(time)));
        }
    }

    pub(super) fn watch_until(&mut self, id: CallId, at: Option<Nanos>) {
        let tended = self.calls.get_mut(&id);
        if let (Some(tended), Some(at)) = (tended.and_then(|call| call.tended.as_mut()), at) {
            if tended.hedge_at.is_none() && !tended.has_copy {
                tended.hedge_at = Some(at);
                self.agenda.hedges.insert((at, id));
            }
        }
    }

    /// A call that may be hedged took so long. Those that have begun before enough was known are looked
    /// at once that is so.
    pub(super) fn learn_time(&mut self, module: u32, manner: u32, service: Nanos) {
        let style = &mut self.modules[module as usize].styles[manner as usize];
        let Some(hedging) = &mut style.hedging else {
            return;
        };
        let (is_enough, threshold) = (hedging.measure(service), hedging.threshold());
        let Some(threshold) = threshold.filter(|_| is_enough) else {
            return;
        };
        let slots = self.modules[module as usize].slots.iter().flatten();
        let there = slots.filter_map(|id| self.replicas.get(id));
        let running: Vec<(CallId, Nanos)> = there
            .filter_map(|one| Some((one.line.first()?, one.head_since)))
            .collect();
        for (id, since) in running {
            let known = self.calls.get(&id);
            if known.is_some_and(|call| call.manner == manner && call.part.is_none()) {
                self.watch_until(id, Some(since.saturating_add(threshold)));
            }
        }
    }

    /// Has copies made of the calls that are worth one, as far as there is a place for them.
    pub(super) fn hedge_all(&mut self, now: Nanos) {
        let worth = self.agenda.hedges.range(..=(now, CallId::MAX));
        for (_, id) in worth.copied().collect::<Vec<_>>() {
            self.hedge(now, id);
        }
    }

    fn hedge(&mut self, now: Nanos, id: CallId) {
        let Some((index, at)) = self.calls.get(&id).map(|call| (call.module, call.at)) else {
            return;
        };
        let is_away = |at| self.replicas.get(&at).is_some_and(|one| one.is_away);
        let is_away = at.is_some_and(is_away);
        let may_copy = |hedging: &mut Hedging| hedging.may_copy();
        if !is_away && !self.hedging_of(id).is_some_and(may_copy) {
            return self.forget_hedge(id);
        }
        let index = index as usize;
        let module = &mut self.modules[index];
        let idle = module
            .open
            .iter()
            .take_while(|(load, _)| *load == 0 || is_away);
        let Some(to) = idle.map(|(_, id)| *id).find(|id| Some(*id) != at) else {
            let more = module.live + 1;
            if more <= module.wanted && module.most < more {
                module.most = more;
                self.wake_at(now); // for another replica
            }
            return;
        };
        if let Some(next) = self.too_early_for(now, id) {
            return self.wake_at(next);
        }
        self.forget_hedge(id);
        self.send_copy(now, id, to);
    }

    fn forget_hedge(&mut self, id: CallId) {
        let tended = self.calls.get_mut(&id);
        let tended = tended.and_then(|call| call.tended.as_mut());
        if let Some(at) = tended.and_then(|tended| tended.hedge_at.take()) {
            self.agenda.hedges.remove(&(at, id));
        }
    }

    fn send_copy(&mut self, now: Nanos, id: CallId, to: ReplicaId) {
        let Some(call) = self.calls.get_mut(&id) else {
            return;
        };
        if let Some(tended) = &mut call.tended {
            tended.has_copy = true;
        }
        let mut life = Life::new(true);
        life.may_be_repeated(0);
        let copy = Call {
            module: call.module,
            manner: call.manner,
            priority: Priority::default(),
            bytes: call.bytes,
            lane: None,
            life,
            stateful: false,
            demanded: call.demanded,
            beside: true,
            suspect: false,
            at: None,
            heading: None,
            origin: None,
            vain: false,
            part: None,
            tended: None,
        };
        if let Some(hedging) = self.hedging_of(id) {
            hedging.copies += 1;
        }
        let module = &mut self.modules[copy.module as usize];
        module.beside += 1;
        module.tally.copies += 1;
        self.calls.insert(id | COPY, copy);
        self.send(now, to, vec![id | COPY], false);
    }

    /// The copy of a call answered: that is the answer, if nobody has it yet.
    pub(super) fn copy_replied(
        &mut self,
        now: Nanos,
        id: ReplicaId,
        copy: CallId,
        service: Nanos,
        bytes: usize,
    ) -> Result<Delivery, Violation> {
        if !self.take_reply(now, id, copy, service)? {
            return Ok(Delivery::Discard);
        }
        let mut ended = self.end_call(copy).ok_or(Violation(copy))?;
        self.measure(&ended, bytes);
        let delivery = ended.life.reply().map_err(|_| Violation(copy))?;
        let call = original(copy);
        if delivery == Delivery::Deliver {
            self.learn_time(ended.module, ended.manner, service);
            self.modules[ended.module as usize].tally.won += 1;
            self.lose_sight_of_copy(call);
            self.untend(call);
            self.dropped(call);
        }
        Ok(delivery)
    }

    /// The copy of a call failed, which is tried again where it is.
    pub(super) fn copy_failed(
        &mut self,
        now: Nanos,
        id: ReplicaId,
        copy: CallId,
        service: Nanos,
    ) -> Result<Delivery, Violation> {
        if self.take_reply(now, id, copy, service)? {
            self.lose_copy(copy);
        }
        Ok(Delivery::Discard)
    }

    /// A copy is gone without an answer, which changes nothing; where its call is away, another is made.
    pub(super) fn lose_copy(&mut self, copy: CallId) {
        if let Some(call) = self.end_call(copy) {
            let style = &mut self.modules[call.module as usize].styles[call.manner as usize];
            style.sent -= usize::from(call.at.is_some());
        }
        self.lose_sight_of_copy(original(copy));
        self.copy_elsewhere(original(copy));
    }

    fn lose_sight_of_copy(&mut self, id: CallId) {
        let call = self.calls.get_mut(&id);
        if let Some(tended) = call.and_then(|call| call.tended.as_mut()) {
            tended.has_copy = false;
        }
    }

    /// Nobody needs the copy of a call any more.
    pub(super) fn drop_copy(&mut self, id: CallId) {
        let call = self.calls.get_mut(&id);
        let tended = call.and_then(|call| call.tended.as_mut());
        if tended.is_some_and(|tended| std::mem::take(&mut tended.has_copy)) {
            self.dropped(id | COPY);
        }
    }
}
