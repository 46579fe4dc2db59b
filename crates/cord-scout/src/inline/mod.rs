//! Where a pure call is made: shipped to a replica, or inlined, in the client itself.
//!
//! A call that takes less time than it takes to ship makes the program slower when it is shipped. So
//! what the program spends on calls at one place is measured, and compared with what it spends when it
//! makes them by itself. While calls are shipped this costs nothing: replicas tell how long they took.
//! Waiting for a call that is long is no price of shipping it: it says what else runs on the machine,
//! that replicas begin, or that calls before it were longer (see [`Cost`]).
//! Only where the program has already lost more by shipping than a call may take, some are tried in
//! the client (the ski rental problem: Karlin et al., 1988); from then on the other way is tried now
//! and then, ever less often while it stays worse.
//!
//! Many programs make too few calls to find out so, and wait for replicas that start meanwhile. What
//! shipping has lost in a whole run tells the next one to begin in the client, until the calls there
//! have taken as long as was lost: so neither way costs twice what the other does. Where one call takes
//! longer than that, they are shipped again.

mod cost;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod traces;

use std::time::Duration;

pub use cost::Cost;

/// So many shipped calls are not counted after each change: replicas and scouts get under way.
const WARMING_UP: u32 = 4;
/// So many are counted before anything else is tried.
const FEWEST: u32 = 8;
/// Tried in the client: calls for about so long, within these numbers. The first is not counted.
const TRIAL: Duration = Duration::from_millis(1);
const TRIAL_CALLS: (u32, u32) = (4, 32);
/// Shipped again to see whether that is better by now: so many calls.
const PROBE: u32 = 32;
/// Inlined at first before shipping is tried again; doubled each time that this is worse.
const FIRST_STAY: u32 = 64;
/// What a probe has cost must be so small a part of what is inlined after it.
const PROBE_PART: u64 = 40;
/// Calls longer than this are tried in the client only where they are shipped at a clear loss.
const SHORT: u64 = 2_000_000;
/// Of calls longer than this it pays to look how much of the processor shipping them takes.
const LONG: u64 = 100_000;
/// Where nothing is lost by what is known, a trial may take such a part of the time spent so far.
const CURIOSITY_PART: u64 = 100;
/// … if the client may be faster at all: replicas are not held up by one another more than so many times.
const MOST_HELD_UP: u64 = 8;
/// A call that takes less is never worth shipping: looking for its value takes as long.
const LEAST: u64 = 2_000;
/// Inlined calls are timed one by one, or so many apart where they take less than about so long.
const TIMED: u64 = 10_000;
const MOST_UNTIMED: u64 = 15;
const SECOND: u64 = 1_000_000_000;
/// How much of a running mean is left after another value.
const FADING: f64 = 1.0 - 1.0 / 64.0;
const FADING_FAST: f64 = 1.0 - 1.0 / 8.0;
/// A call that takes more than so many times the mean was likely held up: it counts for no more.
const HELD_UP: u64 = 16;
/// So many calls, from which on there is a mean.
const SEVERAL: f64 = 8.0;
/// A whole run has lost by shipping if it lost more than this, and than such a part of its calls.
const LOST: u64 = 1_000_000;
const LOST_PART: u64 = 10;
/// Replicas that take longer than this to start do so because the machine is busy, which passes.
const START: u64 = 500_000_000;

/// Where to make a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In a replica.
    Shipped,
    /// In the client.
    Inlined,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Calls are shipped.
    Ships,
    /// Calls are shipped, and some would now be tried in the client.
    Curious,
    /// So many more are tried in the client.
    Tries(u32),
    /// Calls are inlined.
    Stays,
    /// Calls are inlined, until they have taken as long as an earlier run has lost by shipping them.
    Begins,
    /// Shipping is tried again.
    Probes,
}

/// A mean in which what is long ago counts less; nanoseconds.
#[derive(Debug, Clone, Copy, Default)]
struct Mean {
    sum: f64,
    weight: f64,
}

impl Mean {
    fn add(&mut self, nanos: u64, fading: f64) {
        self.sum = self.sum * fading + as_f64(nanos);
        self.weight = self.weight * fading + 1.0;
    }

    /// The same, but for how long the system held the call up.
    fn bounded(self, nanos: u64) -> u64 {
        if self.weight < SEVERAL {
            return nanos;
        }
        nanos.min(self.get().max(1).saturating_mul(HELD_UP))
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a mean of u64"
    )]
    fn get(self) -> u64 {
        if self.weight > 0.0 {
            (self.sum / self.weight) as u64
        } else {
            0
        }
    }
}

/// Of a place whose calls had better be inlined: how many before the next probe, what a call took, what
/// the last probe has cost, in nanoseconds; and whether so much is to be inlined at first, no more.
pub type Left = (u32, u64, u64, bool);

/// What the shipped calls of a whole run have cost the program, and how long they took in replicas.
#[derive(Debug, Clone, Copy, Default)]
struct Whole {
    calls: u64,
    spent: u64,
    service: u64,
}

impl Whole {
    fn add(&mut self, spent: u64, service: u64) {
        self.calls += 1;
        self.spent = self.spent.saturating_add(spent);
        self.service = self.service.saturating_add(service);
    }

    /// What was lost, if that is worth speaking of. Replicas that share cores and memory take longer
    /// than the client alone, where a call takes `inlined`, if that is known.
    fn loss(self, inlined: Option<u64>) -> Option<u64> {
        let alone = inlined.map_or(u64::MAX, |each| each.saturating_mul(self.calls));
        let here = self.service.min(alone.max(self.service / 2));
        let loss = self.spent.saturating_sub(here).min(START);
        (loss > LOST.max(here / LOST_PART)).then_some(loss)
    }
}

/// Decides where the calls of one place in the program are made.
#[derive(Debug)]
pub struct Inline {
    phase: Phase,
    /// Calls in this phase, and what the program has spent on them.
    calls: u32,
    spent: u64,
    /// What shipping has cost beyond the calls themselves, in this phase.
    loss: u64,
    /// What a shipped call costs the program, and how long it takes in a replica.
    shipped: Mean,
    service: Mean,
    /// What an inlined call takes: over many calls, and over the last few. How many of the last few, in
    /// thousandths, took so long that shipping them may be better.
    inlined: Mean,
    lately: Mean,
    long: Mean,
    /// The longest that a call has taken in a replica.
    longest: u64,
    /// How often trying calls in the client was in vain, as a power of two.
    doubts: u32,
    /// Inlined calls before the next probe, what the last one has cost, and what a call took then.
    stay: u32,
    probe_cost: u64,
    expected: u64,
    /// What the calls of this probe have cost, the first ones too.
    probed: u64,
    whole: Whole,
    /// What earlier runs have lost.
    begun: u64,
    /// What it would have cost an earlier run to try shipping again.
    dear: u64,
}

impl Default for Inline {
    fn default() -> Self {
        Self {
            phase: Phase::Ships,
            calls: 0,
            spent: 0,
            loss: 0,
            shipped: Mean::default(),
            service: Mean::default(),
            inlined: Mean::default(),
            lately: Mean::default(),
            long: Mean::default(),
            longest: 0,
            doubts: 0,
            stay: FIRST_STAY,
            probe_cost: 0,
            expected: 0,
            probed: 0,
            whole: Whole::default(),
            begun: 0,
            dear: 0,
        }
    }
}

impl Inline {
    /// Begins as a policy that has ended so: see [`Inline::left`].
    pub fn after((stay, expected, cost, at_first): Left) -> Self {
        Self {
            phase: if at_first {
                Phase::Begins
            } else {
                Phase::Stays
            },
            stay: stay.max(FIRST_STAY),
            expected,
            probe_cost: if at_first { 0 } else { cost },
            begun: if at_first { cost } else { 0 },
            dear: if at_first { 0 } else { cost },
            ..Self::default()
        }
    }

    /// What another run begins with; none where calls are shipped, and that has not lost.
    pub fn left(&self) -> Option<Left> {
        let expected = self.inlined.get().max(self.expected);
        match self.phase {
            Phase::Stays | Phase::Probes => Some((self.stay, expected, self.next_probe(), false)),
            Phase::Begins => Some((self.stay, expected, self.begun, true)),
            Phase::Ships | Phase::Curious | Phase::Tries(_) => {
                let inlined = (self.inlined.weight > 0.0).then(|| self.inlined.get());
                let loss = match self.whole.loss(inlined) {
                    None if self.begun == 0 || self.whole.spent > 0 => return None,
                    loss => loss.unwrap_or(0).saturating_add(self.begun),
                };
                // one call alone would cost more than there is to be won
                if self.each() > loss {
                    return None;
                }
                Some((FIRST_STAY, self.service.get(), loss, true))
            }
        }
    }

    /// How long a call has taken over the whole run.
    fn each(&self) -> u64 {
        let in_replicas = self.whole.service.checked_div(self.whole.calls);
        in_replicas.unwrap_or_else(|| self.inlined.get())
    }

    /// A call was made by who runs ahead of the program, of whom nothing else is known here: what the
    /// program spent on it, and how long it took in a replica.
    pub fn ahead(&mut self, spent: Cost, service: Duration) {
        self.whole.add(spent.whole(), nanos(service));
    }

    /// Whether calls here are so long that it pays to look how much of the processor shipping takes.
    pub fn is_long(&self) -> bool {
        self.service.get() >= LONG || (self.calls <= WARMING_UP && self.longest >= LONG)
    }

    /// Where the next call is made.
    pub fn place(&self) -> Place {
        match self.phase {
            Phase::Ships | Phase::Curious | Phase::Probes => Place::Shipped,
            Phase::Tries(_) | Phase::Stays | Phase::Begins => Place::Inlined,
        }
    }

    /// What shipping calls has cost the program, beyond the time that they took.
    pub fn lost(&self) -> Duration {
        let lost = self.whole.spent.saturating_sub(self.whole.service);
        Duration::from_nanos(lost.saturating_add(self.dear))
    }

    /// The shipped calls of the whole run: how many, what the program has spent on them, and how long
    /// they took in replicas.
    pub fn whole(&self) -> (u64, Duration, Duration) {
        let Whole {
            calls,
            spent,
            service,
        } = self.whole;
        (
            calls,
            Duration::from_nanos(spent),
            Duration::from_nanos(service),
        )
    }

    /// What shipping them can have spared it at most: the time that they took.
    pub fn spared(&self) -> Duration {
        Duration::from_nanos(self.whole.service)
    }

    /// How long a shipped call takes in a replica.
    pub fn service(&self) -> Duration {
        Duration::from_nanos(self.service.get())
    }

    /// Whether calls are shipped and, by what is known, should rather be made in the client.
    pub fn is_curious(&self) -> bool {
        self.phase == Phase::Curious
    }

    /// Tries some calls in the client.
    pub fn try_inlined(&mut self) {
        let mean = self.service.get().max(1);
        let fitting = u32::try_from(nanos(TRIAL) / mean).unwrap_or(u32::MAX);
        let calls = fitting.clamp(TRIAL_CALLS.0, TRIAL_CALLS.1);
        (self.inlined, self.lately) = (Mean::default(), Mean::default());
        self.long = Mean::default();
        self.enter(Phase::Tries(calls));
    }

    /// Values are wanted ahead of the program, which only replicas can give.
    pub fn ship(&mut self) {
        if self.place() == Place::Inlined {
            self.doubts = (self.doubts + 1).min(16);
            self.begin_shipping();
        }
    }

    /// A call was shipped: what the program spent on it, and how long it took in a replica.
    pub fn shipped(&mut self, spent: Cost, service: Duration) {
        self.whole.add(spent.whole(), nanos(service));
        self.calls = self.calls.saturating_add(1);
        let service = self.service.bounded(nanos(service));
        let spent = spent.price(service);
        self.longest = self.longest.max(service);
        if self.phase == Phase::Probes {
            self.probed += spent;
            self.probe_cost += spent.saturating_sub(self.expected);
        }
        if self.calls <= WARMING_UP {
            return;
        }
        let spent = self.shipped.bounded(spent);
        self.shipped.add(spent, FADING);
        self.service.add(service, FADING);
        self.spent += spent;
        self.loss = (self.loss + spent).saturating_sub(service);
        match self.phase {
            Phase::Ships if self.wants_a_trial() => self.phase = Phase::Curious,
            Phase::Curious if !self.wants_a_trial() => self.phase = Phase::Ships,
            Phase::Probes => self.judge_probe(),
            _ => {}
        }
    }

    /// Inlined calls were made, of which the last took so long. Returns how many more need not be
    /// timed.
    pub fn inlined(&mut self, calls: u32, took: Duration) -> u32 {
        let took = nanos(took);
        self.calls = self.calls.saturating_add(calls);
        self.spent += took * u64::from(calls);
        if let Phase::Tries(wanted) = self.phase {
            if self.calls > 1 {
                self.note(took);
            }
            if self.calls > wanted {
                self.judge_trial();
            }
            return 0;
        }
        self.note(took);
        if self.phase == Phase::Begins {
            if self.spent >= self.begun && self.inlined.get() >= LEAST {
                self.begin_shipping();
            }
        } else if self.wants_a_probe() {
            self.probe();
            return 0;
        }
        u32::try_from((TIMED / took.max(1)).min(MOST_UNTIMED)).unwrap_or(0)
    }

    fn note(&mut self, took: u64) {
        let is_long = took > 2 * self.expected && took > self.shipped.get();
        self.long.add(1_000 * u64::from(is_long), FADING_FAST);
        self.lately.add(took, FADING_FAST);
        self.inlined.add(self.inlined.bounded(took), FADING);
    }

    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        (self.calls, self.spent, self.loss) = (0, 0, 0);
    }

    fn begin_shipping(&mut self) {
        (self.shipped, self.service) = (Mean::default(), Mean::default());
        self.enter(Phase::Ships);
    }

    /// Whether shipping has cost more than trying calls in the client may.
    fn wants_a_trial(&self) -> bool {
        if self.calls < WARMING_UP + FEWEST {
            return false;
        }
        let (shipped, service) = (self.shipped.get(), self.service.get());
        let loses = if service <= SHORT {
            shipped > service - service / 10
        } else {
            shipped > service + service / 10
        };
        let price = self.price(service) << self.doubts;
        if loses && self.loss >= price {
            return true;
        }
        let may_be_faster = shipped >= service / MOST_HELD_UP;
        service <= SHORT && may_be_faster && self.spent / CURIOSITY_PART >= price
    }

    /// What may be lost before a trial. A function that once took long may do so again in the client,
    /// if it loads there what it needs; what a trial may cost then counts in full from a second on, and
    /// less the shorter it is, for most of that is what replicas alone pay when they begin.
    fn price(&self, service: u64) -> u64 {
        let share = self.longest.min(SECOND) / 1_000; // of a million
        (self.longest / 1_000_000)
            .saturating_mul(share)
            .max(service)
    }

    fn judge_trial(&mut self) {
        let (shipped, inlined) = (self.shipped.get(), self.inlined.get());
        if inlined < shipped - shipped / 20 {
            self.doubts = 0;
            (self.stay, self.probe_cost) = (FIRST_STAY, 0);
            self.expected = inlined;
            self.long = Mean::default();
            self.enter(Phase::Stays);
        } else {
            self.doubts = (self.doubts + 1).min(16);
            self.begin_shipping();
        }
    }

    /// Whether it is time to see if shipping is better by now: after a while, or because calls have
    /// become longer.
    fn wants_a_probe(&self) -> bool {
        let paid = |part: u64| self.spent >= self.probe_cost.saturating_mul(part);
        let is_due = self.calls >= self.stay && self.inlined.get() >= LEAST && paid(PROBE_PART);
        is_due || (self.have_grown() && paid(PROBE_PART / 8))
    }

    /// Whether most of the last calls took so long that shipping them may be better.
    fn have_grown(&self) -> bool {
        self.long.weight >= SEVERAL / 2.0 && self.long.get() > 500
    }

    /// What the next probe may cost: as much as the last one; if there was none, by what is known.
    fn next_probe(&self) -> u64 {
        if self.probe_cost > 0 || self.shipped.weight <= 0.0 {
            return self.probe_cost;
        }
        let each = self.shipped.get().saturating_sub(self.inlined.get());
        each.saturating_mul(u64::from(PROBE))
    }

    fn probe(&mut self) {
        if self.have_grown() {
            self.inlined = self.lately;
        }
        self.expected = self.inlined.get();
        self.long = Mean::default();
        (self.probe_cost, self.probed) = (0, 0);
        (self.shipped, self.service) = (Mean::default(), Mean::default());
        self.enter(Phase::Probes);
    }

    fn judge_probe(&mut self) {
        let counted = self.calls - WARMING_UP;
        // what it took to get under way counts: a scout that is born issues many calls at once
        let shipped = self.probed / u64::from(self.calls);
        let is_hopeless = counted >= FEWEST && shipped > 2 * self.expected;
        if counted < PROBE && !is_hopeless {
            return;
        }
        if shipped < self.expected - self.expected / 5 {
            self.enter(Phase::Ships);
        } else {
            self.stay = self.stay.saturating_mul(2);
            self.enter(Phase::Stays);
        }
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn as_f64(nanos: u64) -> f64 {
    nanos as f64
}
