//! The program's thread: its own work, its takes, and its scout, which runs while it waits.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;

use cord_dispatch::dispatcher::{Event, Issue as Issued, Nanos};
use cord_scout::Pace;
use cord_wire::priority::Priority;

use super::cores::Who;
use super::workload::{Costs, Index, Issue, Order, Setup, Step, Workload};
use super::world::{At, World};

/// So long a scout may go on where the program could.
const TOP_UP: Nanos = 300_000;

/// What the program's thread is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The next step.
    Next,
    /// It looks for a call, which its scout may still issue for so long.
    Finding(Nanos),
    /// It waits for a call, and its scout runs meanwhile.
    Scouting,
    /// The scout has nothing to do either, since then.
    Waiting(Nanos),
    /// What it waited for is there, and its scout may go on for so long.
    ToppingUp(Nanos),
    /// It has taken a call.
    Taken,
    Over,
}

/// The program's thread.
pub(super) struct Program {
    /// The step that it is at.
    pub at: usize,
    pub own: Nanos,
    pub places: Vec<At>,
    phase: Phase,
    /// Issued once it has computed.
    issuing: Option<Index>,
    /// The call was not there when it came to it.
    waited: bool,
    pace: Pace,
    /// Numbers scouts, and where the present one was born.
    scout: u32,
    born: Option<u32>,
    /// What scouts issue, in order, and how much of it they have.
    ahead: Vec<Index>,
    next: usize,
    /// Calls that a scout can issue now that it has a value.
    woken: VecDeque<Index>,
    /// Calls that are dropped, by when; so many are.
    vain: Vec<(u32, Index)>,
    dropped: usize,
}

impl Program {
    pub fn new(load: &Workload, setup: &Setup) -> Program {
        let calls = || load.calls.iter().enumerate();
        let is_ahead = |module: u32| setup.ahead[module as usize];
        let ahead = calls()
            .filter(|(_, call)| matches!(call.issue, Issue::Ahead { .. }) && is_ahead(call.module));
        let vain = calls().filter_map(|(at, call)| Some((call.dropped?, at as Index)));
        let mut vain: Vec<(u32, Index)> = vain.collect();
        vain.sort_unstable();
        Program {
            at: 0,
            own: 0,
            places: vec![At::default(); load.costs.len()],
            phase: Phase::Next,
            issuing: None,
            waited: false,
            pace: Pace::new(1),
            scout: 0,
            born: None,
            ahead: ahead.map(|(at, _)| at as Index).collect(),
            next: 0,
            woken: VecDeque::new(),
            vain,
            dropped: 0,
        }
    }

    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    pub fn waits(&self) -> bool {
        matches!(self.phase, Phase::Waiting(_))
    }
}

impl World<'_> {
    fn costs(&self, call: Index) -> Costs {
        self.load.costs[self.load.calls[call as usize].place as usize]
    }

    fn at_place(&mut self, call: Index) -> &mut At {
        &mut self.program.places[self.load.calls[call as usize].place as usize]
    }

    /// What the priority of a call is in this setup.
    pub fn priority(&self, call: Index) -> Priority {
        let call = &self.load.calls[call as usize];
        match self.setup.order {
            Order::Priority => call.priority,
            Order::Oldest => Priority::default(),
            Order::Longest => Priority::new(call.service.total() as f64),
        }
    }

    /// The program's thread computes; false if that takes no time.
    fn compute(&mut self, time: Nanos) -> bool {
        if time > 0 {
            self.cores.begin(self.now, Who::Program, time);
        } else {
            self.issue_now();
        }
        time > 0
    }

    /// It has computed.
    pub fn computed(&mut self) {
        self.issue_now();
        self.advance();
    }

    fn issue_now(&mut self) {
        if let Some(call) = self.program.issuing.take() {
            self.issue(call);
        }
    }

    /// Goes on until the thread computes, waits or has come to its end.
    pub fn advance(&mut self) {
        loop {
            let goes_on = match self.program.phase {
                Phase::Next => self.step(),
                Phase::Finding(left) => self.find(left),
                Phase::Scouting => self.scout(),
                Phase::Waiting(since) => {
                    let waited = self.now - since;
                    if let Some(call) = self.current() {
                        self.at_place(call).waited += waited;
                    }
                    self.program.phase = Phase::Scouting;
                    true
                }
                Phase::ToppingUp(left) => self.top_up(left),
                Phase::Taken => self.taken(),
                Phase::Over => false,
            };
            if !goes_on {
                return;
            }
        }
    }

    /// The call that it is at.
    fn current(&self) -> Option<Index> {
        match self.load.program.get(self.program.at) {
            Some(Step::Take(call) | Step::Pass(call)) => Some(*call),
            Some(Step::Work(_)) | None => None,
        }
    }

    fn step(&mut self) -> bool {
        self.drop_vain();
        match self.load.program.get(self.program.at) {
            None => self.program.phase = Phase::Over,
            Some(Step::Work(time)) => {
                self.program.at += 1;
                self.program.own += time;
                return !self.compute(*time);
            }
            Some(Step::Take(_) | Step::Pass(_)) => {
                self.program.pace.count_take();
                self.program.waited = false;
                self.program.phase = Phase::Finding(TOP_UP);
            }
        }
        true
    }

    /// Calls that nobody will take are dropped when the program has come so far.
    fn drop_vain(&mut self) {
        while let Some((at, call)) = self.program.vain.get(self.program.dropped).copied() {
            if at as usize > self.program.at {
                return;
            }
            self.program.dropped += 1;
            let fate = &mut self.fates[call as usize];
            fate.over = true;
            let (id, settled) = (fate.id, fate.settled);
            drop(fate.spent.take());
            if id == 0 {
                continue;
            }
            self.uncount(call);
            if settled {
                self.release(call);
            } else {
                self.leave(Event::Dropped(id));
            }
        }
    }

    fn find(&mut self, left: Nanos) -> bool {
        let Some(call) = self.current() else {
            return false;
        };
        if self.fates[call as usize].id != 0 {
            self.found(call);
            return true;
        }
        let costs = self.costs(call);
        if left > 0 && self.will_be_issued(call) {
            if let Some(next) = self.foreseen(false) {
                self.program.phase = Phase::Finding(left.saturating_sub(costs.ahead.max(1)));
                return !self.issue_after(next, self.costs(next).ahead);
            }
        }
        !self.issue_after(call, costs.in_place)
    }

    /// Whether the scout comes to this call.
    fn will_be_issued(&self, call: Index) -> bool {
        let ahead = &self.program.ahead[self.program.next..];
        ahead.binary_search(&call).is_ok() || self.program.woken.contains(&call)
    }

    /// Issues a call after so much is computed; false if that takes no time.
    fn issue_after(&mut self, call: Index, cost: Nanos) -> bool {
        self.at_place(call).spent += cost;
        self.program.issuing = Some(call);
        self.compute(cost)
    }

    /// The call that the program is at is under way, or has ended.
    fn found(&mut self, call: Index) {
        self.uncount(call);
        if matches!(self.load.program[self.program.at], Step::Pass(_)) {
            let cost = self.costs(call).taken;
            self.program.at += 1;
            self.program.phase = Phase::Next;
            self.at_place(call).spent += cost;
            self.compute(cost);
            return;
        }
        let fate = &mut self.fates[call as usize];
        if fate.settled {
            self.program.phase = Phase::ToppingUp(TOP_UP);
            return;
        }
        fate.demanded = true;
        let id = fate.id;
        self.program.waited = true;
        self.program.phase = Phase::Scouting;
        self.leave(Event::Demanded(id));
    }

    /// The program has come to a call, or drops it: it is not out any more.
    fn uncount(&mut self, call: Index) {
        let fate = &mut self.fates[call as usize];
        let (scout, during) = (std::mem::take(&mut fate.scout), fate.during);
        if scout == 0 || scout != self.program.scout {
            return;
        }
        self.program
            .pace
            .outstanding
            .fetch_sub(1, Ordering::Relaxed);
        if self.load.calls[call as usize].dropped.is_none() {
            self.program.pace.hit(during);
        }
    }

    fn scout(&mut self) -> bool {
        let Some(call) = self.current() else {
            return false;
        };
        if self.fates[call as usize].settled {
            self.program.phase = Phase::ToppingUp(TOP_UP);
            return true;
        }
        match self.foreseen(true) {
            Some(next) => !self.issue_after(next, self.costs(next).ahead),
            None => {
                self.program.phase = Phase::Waiting(self.now);
                false
            }
        }
    }

    fn top_up(&mut self, left: Nanos) -> bool {
        if left > 0 && (self.program.pace.is_low() || !self.program.woken.is_empty()) {
            if let Some(next) = self.foreseen(true) {
                let cost = self.costs(next).ahead;
                self.program.phase = Phase::ToppingUp(left.saturating_sub(cost.max(1)));
                return !self.issue_after(next, cost);
            }
        }
        let Some(call) = self.current() else {
            return false;
        };
        let costs = self.costs(call);
        let cost = match self.program.waited {
            true => costs.awaited,
            false => costs.taken,
        };
        self.at_place(call).spent += cost;
        self.program.phase = Phase::Taken;
        !self.compute(cost)
    }

    fn taken(&mut self) -> bool {
        if let Some(call) = self.current() {
            self.at_place(call).taken += 1;
            let fate = &mut self.fates[call as usize];
            fate.over = true;
            drop(fate.spent.take());
            self.release(call);
            self.let_go(call);
        }
        self.program.at += 1;
        self.program.phase = Phase::Next;
        true
    }

    /// A reply waits no more to be taken.
    fn release(&mut self, call: Index) {
        let what = &self.load.calls[call as usize];
        if !what.keeps {
            let budget = &self.budgets[what.module as usize][what.manner as usize];
            if budget.release(what.came) {
                self.look_again();
            }
        }
    }

    /// The value of a call will not be passed on any more, if it was taken and all that are to be given
    /// it are issued.
    fn let_go(&mut self, call: Index) {
        let fate = &self.fates[call as usize];
        if self.load.calls[call as usize].keeps && fate.over && fate.users == 0 {
            self.leave(Event::LetGo(fate.id));
        }
    }

    /// The next call that the scout can issue; within its window, if that is to count.
    fn foreseen(&mut self, paced: bool) -> Option<Index> {
        while let Some(call) = self.program.woken.front().copied() {
            if self.fates[call as usize].id != 0 {
                self.program.woken.pop_front();
            } else if self.program.pace.is_crowded() {
                break;
            } else {
                return Some(call);
            }
        }
        while let Some(call) = self.program.ahead.get(self.program.next).copied() {
            let what = &self.load.calls[call as usize];
            let Issue::Ahead { born } = what.issue else {
                return None;
            };
            if self.fates[call as usize].id != 0 || self.fates[call as usize].over {
                self.program.next += 1;
                continue;
            }
            if born as usize > self.program.at {
                return None;
            }
            if self.program.born != Some(born) {
                self.be_born(born, what.module);
            }
            let budget = &self.budgets[what.module as usize][what.manner as usize];
            self.program.pace.keep_within(budget);
            return (!paced || !self.program.pace.is_full()).then_some(call);
        }
        None
    }

    /// Another scout begins, which has as many calls out at first as there are replicas, or half of what
    /// the last one had.
    fn be_born(&mut self, born: u32, module: u32) {
        let last = self.program.pace.score.window.load(Ordering::Relaxed) / 2;
        let replicas = self.setup.modules[module as usize].replicas as usize;
        self.program.pace = Pace::new(last.max(replicas));
        self.program.scout += 1;
        self.program.born = Some(born);
    }

    /// A call is issued.
    fn issue(&mut self, call: Index) {
        let what = &self.load.calls[call as usize];
        let is_in_place = self.current() == Some(call) && !self.is_foreseen(call);
        let needs = self.ids_of(&what.needs);
        let id = self.give_number(call);
        let budget = &self.budgets[what.module as usize][what.manner as usize];
        let spent = budget.spend(what.bytes);
        let program = &mut self.program;
        let fate = &mut self.fates[call as usize];
        fate.spent = Some(spent);
        if !is_in_place {
            (fate.during, fate.scout) = (program.pace.takes(), program.scout);
            program.pace.outstanding.fetch_add(1, Ordering::Relaxed);
            program.pace.count_call();
            self.at_place(call).ahead += 1;
        }
        self.leave(Event::Issued(Issued {
            call: id,
            module: what.module,
            effects: what.effects,
            manner: what.manner,
            priority: self.priority(call),
            beside: false,
            bytes: what.bytes,
            keeps: what.keeps,
            needs,
        }));
        for need in &what.needs {
            self.fates[*need as usize].users -= 1;
            self.let_go(*need);
        }
    }

    /// Whether it is the scout's turn to issue this call.
    fn is_foreseen(&self, call: Index) -> bool {
        let next = self.program.ahead.get(self.program.next);
        next == Some(&call) || self.program.woken.front() == Some(&call)
    }

    /// Something has come of a call.
    pub fn settle(&mut self, call: Index) {
        if std::mem::replace(&mut self.fates[call as usize].settled, true) {
            return;
        }
        let mut goes_on = self.current() == Some(call);
        if let Some(followers) = self.followers.get(&call) {
            let born = |call: &Index| match self.load.calls[*call as usize].issue {
                Issue::After { born, .. } => born as usize <= self.program.at,
                Issue::Ahead { .. } | Issue::InPlace => false,
            };
            let ahead =
                |call: &Index| self.setup.ahead[self.load.calls[*call as usize].module as usize];
            let woken = followers.iter().filter(|call| born(call) && ahead(call));
            self.program.woken.extend(woken);
            goes_on = true;
        }
        if goes_on && self.program.waits() {
            self.advance();
        }
    }
}
