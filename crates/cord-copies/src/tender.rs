//! The thread of the program's process that looks after a copy and its leaders: it issues what they come
//! to, gives them the replies, and leaves nothing of them when they end. It never needs the interpreter.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::area::{self, Area, Stage, LEADERS};
use crate::cost::huge;
use crate::early::Early;
use crate::issue::{call_of, flat, Issue, Said, LESSON, NONE, SAME};
use crate::knowledge::Lesson;
use crate::table::Arrival;
use crate::{birth, why, Shared, State};
use cord_core::call::Call;
use cord_core::kept::Keep;
use cord_core::ticket::Watch;
use cord_sync::wake::Wake;
use cord_wire::effects::Effects;
use cord_wire::outcome::Outcome;
use cord_wire::payload::{Payload, World};

/// It looks up so often at least.
const PULSE: Duration = Duration::from_millis(100);
/// And so often while there is no room for more calls.
const ROOM: Duration = Duration::from_millis(2);
/// Larger replies are not shown to copies.
const LARGEST: usize = 8 << 20;

#[derive(Debug)]
pub struct Tender {
    shared: Arc<Shared>,
    pid: i32,
    area: Arc<Area>,
    world: World,
    /// Where the next call stands in each log.
    at: [usize; 1 + LEADERS],
    /// There was no room for it.
    waits: bool,
    /// Calls without an outcome, by the copy's numbers.
    pending: HashMap<u32, Watch>,
    settled: Arc<Settled>,
    /// The copy guesses what it does not know.
    guesses: bool,
    /// Why each of them ends, in its own words.
    words: [Option<String>; 1 + LEADERS],
}

/// Numbers of calls that have been settled.
#[derive(Debug)]
struct Settled {
    numbers: Mutex<Vec<u32>>,
    area: Arc<Area>,
}

impl Wake for Settled {
    fn wake(&self, token: u64) {
        let number = u32::try_from(token).unwrap_or(u32::MAX);
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        numbers.push(number);
        drop(numbers);
        area::ring(&self.area.header().bell);
    }
}

impl Tender {
    /// `calls` are those that were waited for when the copy was made; that of the thread which did so has
    /// the number 0.
    pub fn new(
        shared: Arc<Shared>,
        pid: i32,
        area: Arc<Area>,
        calls: Vec<(u32, Watch)>,
        world: World,
        guesses: bool,
    ) -> Tender {
        let settled = Arc::new(Settled {
            numbers: Mutex::default(),
            area: Arc::clone(&area),
        });
        let mut tender = Tender {
            shared,
            pid,
            area,
            world,
            at: [0; 1 + LEADERS],
            waits: false,
            pending: HashMap::new(),
            settled,
            guesses,
            words: Default::default(),
        };
        for (number, call) in calls {
            tender.follow(number, call);
        }
        tender
    }

    /// Looks after the copy until it ends.
    pub fn run(mut self) {
        let area = Arc::clone(&self.area);
        let header = area.header();
        self.measure();
        let ended = loop {
            let seen = header.bell.load(Ordering::SeqCst);
            header.pulse.fetch_add(1, Ordering::Relaxed);
            let stage = self.area.stage();
            self.make_way();
            self.issue_all();
            if let Err(reason) = self.deliver_all() {
                break Some(reason);
            }
            if let Some(words) = self.unwanted() {
                break Some(words);
            }
            let leads = self.let_leaders_go();
            if stage == Stage::Ended && !leads {
                break None;
            }
            if let Some(status) = self.status() {
                self.pid = 0;
                let is_silent = self.area.stage() != Stage::Ended;
                if is_silent {
                    break Some(why::silent(status));
                }
            }
            let Some(patience) = self.patience() else {
                break Some("the program was slowed down".into());
            };
            area::wait(&header.bell, seen, patience);
        };
        self.finish(ended);
    }

    /// How the copy has ended, if that is news.
    fn status(&self) -> Option<i32> {
        (self.pid != 0)
            .then(|| birth::has_ended(self.pid))
            .flatten()
    }

    /// Nothing is left of leaders that have ended. Whether there are others.
    fn let_leaders_go(&mut self) -> bool {
        let header = self.area.header();
        let Tender { words, shared, .. } = self;
        let mut are_there = false;
        for (leader, place) in header.leaders.iter().enumerate() {
            let pid = place.pid.load(Ordering::SeqCst);
            if pid == 0 {
                continue;
            }
            let ends = place.ends.load(Ordering::SeqCst) != 0;
            if ends {
                birth::end(pid);
                let why = place.why.load(Ordering::Relaxed);
                let words = words[1 + leader].take();
                let words =
                    words.unwrap_or_else(|| why::words(why, place.detail.load(Ordering::Relaxed)));
                shared.state().account.note_leader(words);
            }
            if ends || birth::has_ended(pid).is_some() {
                let of_leaders = !(1 << (1 + leader));
                header.sleeps.fetch_and(of_leaders, Ordering::SeqCst);
                place.pid.store(0, Ordering::SeqCst);
            } else {
                are_there = true;
            }
        }
        are_there
    }

    /// Nothing is left of any of them. A leader makes none, and the copy goes first.
    fn end_all(&mut self) {
        match std::mem::take(&mut self.pid) {
            0 => {}
            pid => birth::end(pid),
        }
        for leader in &self.area.header().leaders {
            match leader.pid.swap(0, Ordering::SeqCst) {
                0 => {}
                pid => birth::end(pid),
            }
        }
    }

    /// The program is not to wait for calls that nobody wants.
    fn make_way(&self) -> bool {
        let mut state = self.shared.state();
        let service = state.policy.service();
        let last = state.last.as_mut().filter(|last| last.is(&self.area));
        let Some(last) = last else {
            return false;
        };
        let given_up = last.make_way(Instant::now(), service);
        let has_tickets = !last.table.is_empty();
        drop(state);
        drop(given_up);
        has_tickets
    }

    /// Finds out what the copy costs the program for each page that it writes.
    fn measure(&self) {
        if let Some(each) = self.shared.probe.measure() {
            self.shared.state().faults.measured(each);
        }
    }

    /// How long nobody need look after the copy. None if it costs the program too much.
    fn patience(&self) -> Option<Duration> {
        let longest = if self.waits { ROOM } else { PULSE };
        let seen = self.shared.probe.seen();
        let state = self.shared.state();
        match state.faults.left(seen) {
            Some(left) => Some(longest.min(left)),
            None => state.policy.is_eager().then_some(longest),
        }
    }

    /// Why the copy is not wanted any more.
    fn unwanted(&self) -> Option<String> {
        let state = self.shared.state();
        let last = state.last.as_ref().filter(|last| last.is(&self.area));
        let (is_unwanted, suspect) =
            last.map_or((true, None), |last| (last.unwanted, last.suspect));
        is_unwanted.then(|| state.account.elsewhere(suspect))
    }

    fn finish(mut self, ended: Option<String>) {
        self.end_all();
        self.waits = false;
        self.issue_all(); // what it said before its end
        let words = ended.unwrap_or_else(|| {
            let (reason, detail) = self.area.last_words();
            let words = self.words[0].take();
            words.unwrap_or_else(|| why::words(reason, detail))
        });
        let mut state = self.shared.state();
        *state.account.ends.entry(words).or_default() += 1;
        let seen = self.shared.probe.seen();
        let copied = state.faults.copied(seen);
        state.faults.ended(seen);
        let mut given_up = None;
        if let Some(last) = state.last.as_mut().filter(|last| last.is(&self.area)) {
            last.alive = false;
            given_up = state.give_up();
        }
        state.split |= copied >= huge::WORTH_IT;
        drop(state);
        self.shared.changed.notify_all();
        drop(given_up);
        let bell = &self.area.header().bell;
        loop {
            let seen = bell.load(Ordering::SeqCst);
            if self.is_closed() || !self.make_way() {
                return;
            }
            area::wait(bell, seen, PULSE);
        }
    }

    /// Whether the program's session has ended.
    fn is_closed(&self) -> bool {
        self.shared.state().refused.is_some()
    }

    /// Issues what copy and leaders have come to, as far as there is room.
    fn issue_all(&mut self) {
        let area = Arc::clone(&self.area);
        self.waits = false;
        for member in 0..self.at.len() {
            while let Some(next) = self.next_of(&area, member) {
                self.at[member] = next;
            }
        }
        let heard = self.at[0] as u64;
        area.header().heard.store(heard, Ordering::SeqCst);
    }

    /// Does what is next in a log; where the one after that stands. None if nothing could be done.
    fn next_of(&mut self, area: &Area, member: usize) -> Option<usize> {
        let mut next = self.at[member];
        let issue = Issue::read(area.issues(member).next(&mut next)?);
        match issue.as_ref().map(|issue| (issue, issue.said())) {
            Some((_, Some(said))) => self.hear(said, member),
            Some((issue, None)) if !self.issue(issue, member) => {
                self.waits = true;
                return None;
            }
            _ => {}
        }
        Some(next)
    }

    /// The copy, or a leader, says something.
    fn hear(&mut self, said: Said, member: usize) {
        let mut state = self.shared.state();
        match said {
            Said::Ends(words, guess) => {
                if let Some(place) = guess {
                    state.knowledge.went_wrong(place);
                }
                self.words[member] = Some(words);
            }
            Said::Waits(line) => state.account.note_wait(line),
            Said::Guesses(place, line) => state.account.note_guess(place, line),
            Said::Wrong(place, words) => {
                state.knowledge.learn(Lesson::Misled(place));
                state.account.note_wrong(words);
            }
            Said::Passes(_, line) => state.account.note_passed(line),
            Said::Notes(key, note) => Arc::make_mut(&mut state.notes).add(&key, &note),
            Said::Answered(question, answer) => {
                state.knowledge.learn(Lesson::Answer(question, answer));
                state.account.note_answer(question, answer);
            }
            Said::StoodFor(function, call, right, by) => {
                if state.account.note_stood_for(by, call, right) {
                    state.knowledge.learn(Lesson::StoodFor(function, right));
                }
            }
        }
    }

    /// False if there is no room for it now, or the program makes it at this moment.
    fn issue(&mut self, issue: &Issue<'_>, member: usize) -> bool {
        let Some(session) = self.shared.session.upgrade() else {
            return true;
        };
        let Some((module, payload, world)) = call_of(issue.key) else {
            self.pass_over(issue.number);
            return true;
        };
        let budget = session.budget(module, issue.manner);
        if budget.is_spent() {
            return false;
        }
        let shared = Arc::clone(&self.shared);
        let mut state = shared.state();
        let State {
            last,
            account,
            made,
            ..
        } = &mut *state;
        let last = last.as_mut().filter(|last| last.is(&self.area));
        let Some(last) = last.filter(|last| !last.unwanted) else {
            return true;
        };
        let header = self.area.header();
        let arrival = last.arrive(issue, member);
        if member == 0 && matches!(arrival, Arrival::New | Arrival::Made(_)) {
            header.unforeseen.fetch_add(1, Ordering::SeqCst);
        }
        if member > 0 && matches!(arrival, Arrival::Made(_) | Arrival::Known(_)) {
            header.open.fetch_sub(1, Ordering::SeqCst);
        }
        let watch = match arrival {
            Arrival::Coming => return false,
            Arrival::Made(watch) => watch,
            Arrival::Known(number) => {
                drop(state);
                self.tell_same(issue.number, number);
                return true;
            }
            Arrival::New => {
                let leader = member.checked_sub(1).map(|leader| {
                    header.leaders[leader].found.fetch_add(1, Ordering::SeqCst);
                    header.leaders[leader].pid.load(Ordering::SeqCst)
                });
                let early = last.table.spare(issue.key).unwrap_or_else(|| {
                    last.issued += 1;
                    account.issued += 1;
                    let call = self.call(issue, module, payload, world);
                    let found = (session.issue(call), budget.spend(issue.key.len()));
                    Early::new(found, issue, *made, &shared.waste)
                });
                let watch = early.watch();
                last.issued(issue, early, leader);
                watch
            }
        };
        drop(state);
        self.shared.changed.notify_all();
        if let Some(watch) = watch {
            self.follow(issue.number, watch);
        }
        true
    }

    /// Tells who has issued a call that it is the same as that one.
    fn tell_same(&self, number: u32, other: u32) {
        if number == other {
            return;
        }
        let (number, other) = (number.to_le_bytes(), other.to_le_bytes());
        let _ = self.area.replies().append(&[&number, &[SAME], &other]);
        area::ring(&self.area.header().news);
    }

    fn pass_over(&self, number: u32) {
        let mut state = self.shared.state();
        let last = state.last.as_mut();
        if let Some(last) = last.filter(|last| last.is(&self.area)) {
            last.course.passed_over(number);
        }
        drop(state);
        self.shared.changed.notify_all();
    }

    /// What the call is known by in later runs, if its outcome is kept.
    fn keep(&self, issue: &Issue<'_>) -> Option<Box<Keep>> {
        let session = self.shared.session.upgrade()?;
        let function = session.kept()?.function(issue.function)?;
        Keep::of_flat(&issue.keep, function).map(Box::new)
    }

    fn call(&self, issue: &Issue<'_>, module: u32, payload: Payload, world: Option<World>) -> Call {
        Call {
            module,
            manner: issue.manner,
            priority: issue.priority,
            ahead: true,
            world: world.unwrap_or_else(|| World::clone(&self.world)),
            keep: self.keep(issue),
            ..Call::plain(Effects::Pure, payload)
        }
    }

    fn follow(&mut self, number: u32, call: Watch) {
        let who: Arc<dyn Wake> = Arc::clone(&self.settled) as Arc<dyn Wake>;
        if !call.wake(&who, u64::from(number)) {
            self.settled.wake(u64::from(number));
        }
        self.pending.insert(number, call);
    }

    /// Shows the copy what has come.
    ///
    /// # Errors
    /// Why the copy is to end: a call did not return, so it is elsewhere.
    fn deliver_all(&mut self) -> Result<(), String> {
        let mut numbers = self.settled.numbers.lock();
        let all = numbers.as_mut().map_or_else(
            |poisoned| std::mem::take(&mut **poisoned.get_mut()),
            |numbers| std::mem::take(&mut **numbers),
        );
        drop(numbers);
        for number in &all {
            if let Some(call) = self.pending.remove(number) {
                self.deliver(*number, &call)?;
            }
        }
        self.teach();
        if !all.is_empty() {
            area::ring(&self.area.header().news);
        }
        Ok(())
    }

    /// What the program's calls have shown: it need not wake the copy.
    fn teach(&self) {
        for lesson in self.shared.state().knowledge.news() {
            let _ = self
                .area
                .replies()
                .append(&[&NONE, &[LESSON], &lesson.written()]);
        }
    }

    fn deliver(&self, number: u32, call: &Watch) -> Result<(), String> {
        let value = match call.value() {
            Some(Outcome::Reply { payload, .. }) => {
                flat(&payload).filter(|value| value.len() <= LARGEST)
            }
            // one that guesses goes on as if there had been no exception
            _ if self.guesses => None,
            _ => return Err("a call that did not return a value".into()),
        };
        let there = [u8::from(value.is_some())];
        let value = value.unwrap_or_default();
        // where the log is full the copy waits for the value in vain, and ends
        let _ = self
            .area
            .replies()
            .append(&[&number.to_le_bytes(), &there, &value]);
        Ok(())
    }
}
