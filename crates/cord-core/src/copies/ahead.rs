//! A copy's own end: it issues what it comes to, and looks at replies.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::copies::area::{self, Area};
use crate::copies::confined::{trap, turns};
use crate::copies::issue::{self, Issue};
use crate::copies::knowledge::{passed, Knowledge, Place, Trust};
use crate::copies::view::private;
use crate::copies::why;
use crate::manner::Priority;
use crate::payload::{is_same_world, Payload, World};

/// It looks up so often while it waits.
const LOOK: Duration = Duration::from_millis(200);
/// Where it waits again after so many calls, or less, waiting brings next to nothing.
const NARROW: u32 = 1;
/// Behind something that it has passed by it comes to so many calls in a row that it cannot issue, and ends.
const MOST_BLANKS: u32 = 3;
/// So many calls it goes on behind a guess that has never come true.
const MOST_TRIED: u32 = 4;

/// What a copy knows of the calls that it came to.
#[derive(Debug)]
pub struct Ahead {
    area: &'static Area,
    world: World,
    /// The number of the last call that it came to; the one at which it was made is number 0.
    last: u32,
    /// Where the next reply stands in the log.
    at: usize,
    replies: HashMap<u32, Option<&'static [u8]>>,
    /// So many calls in a row it cannot issue.
    blanks: u32,
    has_passed: bool,
    guesses: Option<Guesses>,
}

/// What it has guessed so far.
#[derive(Debug)]
struct Guesses {
    knowledge: Knowledge,
    /// Functions whose calls are not issued.
    vain: HashSet<u32>,
    /// The last place where it guessed; one where something was asked of a value goes before those
    /// where only the form of one was guessed.
    last: Option<Place>,
    was_asked: bool,
    /// Places that nobody knew before, and the call after which it came to the first of them.
    tried: HashSet<Place>,
    /// And those of them behind which the program has come to a call since.
    proven: HashSet<Place>,
    since: Option<u32>,
    /// Where it has passed something by and issued no call since.
    passed: Option<Place>,
    /// Where it has, and issued calls then.
    useful: HashSet<Place>,
    /// Where it has waited last, and the call that it had come to.
    waited: Option<(Place, u32)>,
}

/// A call as it is issued.
#[derive(Debug)]
pub struct Call<'a> {
    pub number: u32,
    pub late: bool,
    pub module: u32,
    pub function: u32,
    pub manner: u32,
    pub counted: u64,
    pub priority: Priority,
    pub payload: &'a Payload,
    pub world: &'a World,
}

impl Guesses {
    fn has_tried(&self, place: Place) -> bool {
        self.tried.contains(&place) || self.proven.contains(&place)
    }
}

impl Ahead {
    /// With `knowledge` it may guess.
    pub(super) fn new(area: &'static Area, world: World, knowledge: Option<Knowledge>) -> Ahead {
        let guesses = knowledge.map(|knowledge| Guesses {
            vain: knowledge.vain(),
            knowledge,
            last: None,
            was_asked: false,
            tried: HashSet::new(),
            proven: HashSet::new(),
            since: None,
            passed: None,
            useful: HashSet::new(),
            waited: None,
        });
        Ahead {
            area,
            world,
            last: 0,
            at: 0,
            replies: HashMap::new(),
            blanks: 0,
            has_passed: false,
            guesses,
        }
    }

    /// Whether it may guess at all.
    pub fn may_guess(&self) -> bool {
        self.guesses.is_some()
    }

    /// It comes to a call, which gets this number.
    pub fn come(&mut self) -> u32 {
        self.last += 1;
        self.last
    }

    /// Whether calls of a function are not worth issuing.
    pub fn is_vain(&self, function: u32) -> bool {
        let guesses = self.guesses.as_ref();
        guesses.is_some_and(|guesses| guesses.vain.contains(&function))
    }

    /// It goes on without having issued a call.
    pub fn pass_over(&self, number: u32) {
        self.append(&Issue::passed_over(number));
    }

    /// It has come to a call that it will never issue. False if nothing more is to be had of it: it has
    /// passed something by, and all depends on that.
    pub fn goes_on_without(&mut self) -> bool {
        self.blanks += 1;
        !self.has_passed || self.blanks < MOST_BLANKS
    }

    /// Says why it is about to end.
    pub fn say(&self, words: &str) {
        self.append(&Issue::last_words(words, self.last_guess()));
    }

    /// Tells where it waits for a value.
    pub fn waits_at(&self, place: &str) {
        self.append(&Issue::waits_at(place));
    }

    /// Tells which line a place is where it guesses.
    pub fn guesses_at(&self, place: Place, line: &str) {
        self.append(&Issue::guesses_at(place, line));
    }

    /// Tells what it has guessed wrong.
    pub fn was_wrong(&self, words: &str) {
        self.append(&Issue::was_wrong(words));
    }

    fn last_guess(&self) -> Option<Place> {
        self.guesses.as_ref().and_then(|guesses| guesses.last)
    }

    /// Issues a call.
    pub fn issue(&mut self, call: &Call<'_>) {
        let world = (!is_same_world(&self.world, call.world)).then_some(call.world);
        let Some(key) = issue::key(call.module, call.payload, world) else {
            return self.pass_over(call.number); // it is too large
        };
        if private::is_named_in(&key) {
            // there is no such file yet
            if self.guesses.is_none() {
                trap::end(why::NAMED, 0);
            }
            return self.pass_over(call.number);
        }
        self.blanks = 0;
        if let Some(guesses) = &mut self.guesses {
            guesses.useful.extend(guesses.passed.take());
        }
        self.append(&Issue {
            number: call.number,
            manner: call.manner,
            priority: call.priority,
            function: call.function,
            guess: self.last_guess(),
            late: call.late,
            counted: call.counted,
            key: &key,
        });
    }

    fn append(&self, issue: &Issue<'_>) {
        turns::gets_on();
        if !self.area.issues().append(&[&issue.head(), issue.key]) {
            trap::end(why::FULL, 0);
        }
        area::ring(&self.area.header().bell);
    }

    /// How to go on at a place where it does not know: it guesses there, or is to wait. `is_asked`:
    /// something is asked of a value, so that it is not only its form.
    pub fn guess(&mut self, place: Place, is_asked: bool) -> Trust {
        let Some(guesses) = &mut self.guesses else {
            return Trust::Wait;
        };
        let trust = match guesses.knowledge.trust(place) {
            Trust::Try if guesses.has_tried(place) => Trust::Sure,
            trust => trust,
        };
        match trust {
            Trust::Wait => return trust,
            Trust::Try => {
                guesses.tried.insert(place);
                guesses.since = Some(self.last);
            }
            Trust::Sure => {}
        }
        if is_asked || !guesses.was_asked {
            (guesses.last, guesses.was_asked) = (Some(place), is_asked);
        }
        trust
    }

    /// Whether to go on behind what is asked for at a place, without knowing it. `line` is that place.
    pub fn pass_by(&mut self, place: Place, line: &str) -> bool {
        let last = self.last;
        let Some(guesses) = &mut self.guesses else {
            return false;
        };
        let before = guesses.waited.take();
        let narrow = before.filter(|(_, come)| last - come <= NARROW);
        if let Some((before, _)) = narrow {
            guesses.knowledge.note_narrow(before);
            self.append(&Issue::narrow(before));
        }
        let guesses = self.guesses.as_mut().expect("seen above");
        if !guesses.knowledge.may_pass(place) {
            guesses.waited = Some((place, last));
            return false;
        }
        let place = passed(place);
        self.guess(place, true);
        self.has_passed = true;
        self.append(&Issue::passes_at(place, line));
        if let Some(guesses) = &mut self.guesses {
            guesses.passed = Some(place);
        }
        true
    }

    /// It comes to no more calls.
    pub fn finish(&mut self) {
        let Some(guesses) = &mut self.guesses else {
            return;
        };
        let last = guesses.passed.take();
        if let Some(place) = last.filter(|place| !guesses.useful.contains(place)) {
            self.append(&Issue::passed_in_vain(place));
        }
    }

    /// Whether the program is near enough for this copy to go on; if not, there will be news when it is.
    pub fn has_room(&mut self) -> bool {
        let header = self.area.header();
        header.sleeps.store(1, Ordering::SeqCst);
        let taken = header.taken.load(Ordering::SeqCst);
        let window = header.window.load(Ordering::Relaxed);
        if self.last.saturating_sub(taken) < window && !self.is_cautious(taken) {
            header.sleeps.store(0, Ordering::SeqCst);
            return true;
        }
        false
    }

    /// Whether it is to go no further before a guess has come true.
    fn is_cautious(&mut self, taken: u32) -> bool {
        let Some(guesses) = &mut self.guesses else {
            return false;
        };
        let hit = self.area.header().hit.load(Ordering::SeqCst);
        if guesses.since.is_some_and(|since| hit > since) {
            guesses.since = None;
            guesses.proven.extend(guesses.tried.drain());
        } else if taken > self.last {
            guesses.since = None;
        }
        let is_far = guesses
            .since
            .is_some_and(|since| self.last - since >= MOST_TRIED);
        // and no further than it has come so far, where it guesses for the first time
        let is_new = !guesses.tried.is_empty();
        is_far || is_new && self.last.saturating_sub(taken) >= hit.max(MOST_TRIED)
    }

    /// Sleeps until there may be news; of any other thread, nothing is held.
    pub fn wait(area: &Area, seen: u32) {
        area::wait(&area.header().news, seen, LOOK);
    }

    /// The memory that it shares with the program.
    pub fn area(&self) -> &'static Area {
        self.area
    }

    /// What changes with news.
    pub fn news(&self) -> u32 {
        self.area.header().news.load(Ordering::SeqCst)
    }

    /// The numbers of calls whose replies have come since this was last asked.
    pub fn read(&mut self) -> Vec<u32> {
        let mut all = Vec::new();
        while let Some(record) = self.area.replies().next(&mut self.at) {
            let Some((number, rest)) = record.split_first_chunk() else {
                continue;
            };
            let value = match rest.split_first() {
                Some((1, value)) => Some(value),
                _ => None,
            };
            let number = u32::from_le_bytes(*number);
            self.replies.insert(number, value);
            all.push(number);
        }
        all
    }

    /// What came of a call, if that is known.
    pub fn reply(&self, number: u32) -> Option<Payload> {
        let value = (*self.replies.get(&number)?)?;
        issue::read(value).or_else(|| trap::end(why::VALUE, 1))
    }

    /// Whether a call has come to something that a copy cannot have: an exception, or a value that is
    /// too large.
    pub fn is_lost(&self, number: u32) -> bool {
        matches!(self.replies.get(&number), Some(None))
    }
}
