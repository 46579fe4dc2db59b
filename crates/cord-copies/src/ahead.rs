//! A copy's own end, and that of its leaders: it issues what it comes to, and looks at replies.

use std::collections::hash_map::DefaultHasher;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::Duration;

use crate::area::{self, Area, Header, Leader, LEADERS};
use crate::birth;
use crate::confined::{trap, turns};
use crate::guesses::Guesses;
use crate::issue::{self, Issue, Said, LESSON, SAME};
use crate::knowledge::{Knowledge, Lesson, Place, Trust};
use crate::lead::{Leads, Seen, Step};
use crate::notes::Notes;
use crate::system::stub::ask;
use crate::view::private;
use crate::why;
use cord_core::kept::{Keep, KEEP};
use cord_wire::payload::{is_same_world, Payload, World};
use cord_wire::priority::Priority;

/// It looks up so often while it waits.
const LOOK: Duration = Duration::from_millis(200);
/// So often it lets others run until what it has said is heard.
const MOST_YIELDS: u32 = 200;
/// Behind something that it has passed by it comes to so many calls in a row that it cannot issue, and ends.
const MOST_BLANKS: u32 = 12;

/// What a copy, or a leader, knows of the calls that it came to.
#[derive(Debug)]
pub struct Ahead {
    area: &'static Area,
    world: World,
    /// So many calls it came to, since the copy was made.
    come: u32,
    /// The number of the last one; the one at which the copy was made is number 0.
    number: u32,
    /// How often it came to equal ones.
    times: HashMap<u64, u32>,
    /// Where the next reply stands in the log.
    at: usize,
    replies: HashMap<u32, Reply>,
    /// What tells calls that it has issued from others, from run to run.
    digests: HashMap<u32, u64>,
    /// Calls that are the same as others, by whose replies are to come.
    same: HashMap<u32, Vec<u32>>,
    /// So many calls in a row it cannot issue.
    blanks: u32,
    role: Role,
    /// Where what each leader says next stands in its log.
    said: [usize; LEADERS],
    /// What it need not make, for another one has.
    notes: Arc<Notes>,
}

/// What came of a call, unless the copy cannot have that.
type Reply = Option<&'static [u8]>;

/// The same in each run.
fn digest(key: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

fn seen(header: &Header, replies: usize) -> Seen {
    let leaders = header
        .leaders
        .each_ref()
        .map(|one| (one.found.load(Ordering::SeqCst), one.is_there()));
    let lingers = header
        .leaders
        .each_ref()
        .map(|one| one.lingers.load(Ordering::SeqCst) != 0);
    let unforeseen = header.unforeseen.load(Ordering::SeqCst);
    Seen {
        leaders,
        lingers,
        replies,
        unforeseen,
    }
}

/// How it goes on where it does not know what the program asks for.
#[derive(Debug)]
enum Role {
    /// It waits, and never has a leader.
    Alone,
    /// It waits, and a leader goes on.
    Copy(Box<Leads>, Box<Knowledge>),
    /// It goes on.
    Leader(usize, Box<Guesses>),
}

/// A call as it is issued.
#[derive(Debug)]
pub struct Call<'a> {
    pub number: u32,
    pub late: bool,
    pub module: u32,
    pub function: u32,
    /// The lines that it is made by.
    pub place: Place,
    pub manner: u32,
    pub counted: u64,
    /// What it is known by in later runs, if its outcome is kept.
    pub keep: Option<&'a Keep>,
    pub priority: Priority,
    pub payload: &'a Payload,
    pub world: &'a World,
}

impl Ahead {
    /// With `knowledge` it may have leaders.
    pub(super) fn new(
        area: &'static Area,
        world: World,
        knowledge: Option<Knowledge>,
        notes: Arc<Notes>,
    ) -> Ahead {
        let role = knowledge.map_or(Role::Alone, |known| {
            Role::Copy(Box::default(), Box::new(known))
        });
        Ahead {
            area,
            world,
            come: 0,
            number: 0,
            times: HashMap::new(),
            at: 0,
            replies: HashMap::new(),
            digests: HashMap::new(),
            same: HashMap::new(),
            blanks: 0,
            role,
            said: [0; LEADERS],
            notes,
        }
    }

    /// Whether it, or a leader of its, may guess at all.
    pub fn may_guess(&self) -> bool {
        !matches!(self.role, Role::Alone)
    }

    fn guesses(&mut self) -> Option<&mut Guesses> {
        match &mut self.role {
            Role::Leader(_, guesses) => Some(guesses),
            _ => None,
        }
    }

    /// Which of the logs is its own.
    fn member(&self) -> usize {
        match self.role {
            Role::Leader(leader, _) => 1 + leader,
            _ => 0,
        }
    }

    /// It comes to a call, which gets this number.
    pub fn come(&mut self) -> u32 {
        self.come += 1;
        let count = &self.area.header().count;
        self.number = count.fetch_add(1, Ordering::SeqCst) + 1;
        self.number
    }

    /// Whether this process goes on without what is asked for at a place: a leader does. The copy itself
    /// waits, and makes a leader if that promises something.
    pub fn leads(&mut self, place: Place) -> bool {
        let heard = self.area.issues(0).length();
        let header = self.area.header();
        let (leads, knowledge) = match &mut self.role {
            Role::Leader(..) => return true,
            Role::Copy(leads, knowledge) => (leads, knowledge),
            Role::Alone => return false,
        };
        let is_hopeless = !knowledge.may_pass(place) && knowledge.trust(place) == Trust::Wait;
        if header.leads.load(Ordering::Relaxed) == 0 || is_hopeless {
            return false;
        }
        let mut yields = 0;
        while header.heard.load(Ordering::SeqCst) < heard && yields < MOST_YIELDS {
            // SAFETY: it only lets others run.
            unsafe { ask(libc::SYS_sched_yield, [0; 6]) };
            yields += 1;
        }
        let seen = seen(header, self.replies.len());
        match leads.waits(place, &seen) {
            Step::Wait => {}
            Step::Make(leader) => match birth::lead(self.area, leader) {
                Ok(true) => {
                    let guesses = Box::new(Guesses::new(Knowledge::clone(knowledge)));
                    self.role = Role::Leader(leader, guesses);
                    return true;
                }
                Ok(false) => {
                    if let Some(oldest) = leads.made(leader, place, &seen) {
                        header.leaders[oldest].stop.store(1, Ordering::SeqCst);
                        area::ring(&header.news);
                    }
                }
                Err(_) => {}
            },
        }
        false
    }

    /// Whether a leader that the copy makes now may get further than those before: replies have come since.
    pub fn may_get_further(&self) -> bool {
        let header = self.area.header();
        let Role::Copy(leads, _) = &self.role else {
            return false;
        };
        header.leads.load(Ordering::Relaxed) != 0
            && leads.may_get_further(&seen(header, self.replies.len()))
    }

    /// It goes no further, but waits for what its calls need.
    pub fn lingers(&self) {
        if let Role::Leader(leader, _) = self.role {
            let header = self.area.header();
            header.leaders[leader].lingers.store(1, Ordering::SeqCst);
            area::ring(&header.news);
        }
    }

    /// What the copy has waited for is there: it goes on itself.
    pub fn goes_on_itself(&mut self) {
        if let Role::Copy(leads, _) = &mut self.role {
            leads.goes_on_itself();
        }
    }

    /// Whether a leader goes on in its place.
    pub fn is_led(&self) -> bool {
        self.area.header().leaders.iter().any(Leader::is_there)
    }

    /// What another one has noted under a key: the copy has all that its leaders have.
    pub fn noted(&mut self, key: &[u8]) -> Option<&[u8]> {
        for (leader, at) in self.said.iter_mut().enumerate() {
            while let Some(record) = self.area.issues(1 + leader).next(at) {
                let said = Issue::read(record).and_then(|one| one.said());
                if let Some(Said::Notes(key, note)) = said {
                    Arc::make_mut(&mut self.notes).add(&key, &note);
                }
            }
        }
        self.notes.get(key)
    }

    /// Notes for others what this one has made.
    pub fn note(&mut self, key: &[u8], note: &[u8]) {
        Arc::make_mut(&mut self.notes).add(key, note);
        if let Some(noted) = issue::note(key, note) {
            self.append(&Issue::notes(&noted));
        }
    }

    /// Whether a leader's calls by these lines are not worth issuing.
    pub fn is_vain(&mut self, place: Place) -> bool {
        self.guesses()
            .is_some_and(|guesses| guesses.knowledge().is_vain(place))
    }

    /// It goes on without having issued a call.
    pub fn pass_over(&self, number: u32) {
        self.append(&Issue::passed_over(number));
    }

    /// It has come to a call that it will never issue. False if nothing more is to be had of it: it has
    /// passed something by, and all depends on that.
    pub fn goes_on_without(&mut self) -> bool {
        self.blanks += 1;
        let blanks = self.blanks;
        self.guesses()
            .is_none_or(|guesses| !guesses.has_passed() || blanks < MOST_BLANKS)
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

    /// Tells what it has guessed wrong at a place.
    pub fn was_wrong(&self, place: Place, words: &str) {
        self.append(&Issue::was_wrong(place, words));
    }

    fn last_guess(&self) -> Option<Place> {
        match &self.role {
            Role::Leader(_, guesses) => guesses.last(),
            _ => None,
        }
    }

    /// Issues a call.
    pub fn issue(&mut self, call: &Call<'_>) {
        let world = (!is_same_world(&self.world, call.world)).then_some(call.world);
        let Some(key) = issue::key(call.module, call.payload, world) else {
            return self.pass_over(call.number); // it is too large
        };
        if private::is_named_in(&key) {
            // there is no such file yet
            if !self.may_guess() {
                trap::end(why::NAMED, 0);
            }
            return self.pass_over(call.number);
        }
        self.blanks = 0;
        if let Some(guesses) = self.guesses() {
            guesses.issues();
        }
        let digest = digest(&key);
        self.digests.insert(call.number, digest);
        let times = self.times.entry(digest).or_default();
        *times += 1;
        let times = *times;
        if let Role::Leader(..) = &self.role {
            self.area.header().open.fetch_add(1, Ordering::SeqCst);
        }
        self.append(&Issue {
            number: call.number,
            times,
            manner: call.manner,
            priority: call.priority,
            function: call.function,
            place: call.place,
            guess: self.last_guess(),
            late: call.late,
            counted: call.counted,
            keep: call.keep.map_or([0; KEEP], Keep::flat),
            key: &key,
        });
    }

    /// The call at which the copy was made.
    pub fn began_at(&mut self, module: u32, payload: &Payload) {
        if let Some(key) = issue::key(module, payload, None) {
            self.digests.insert(0, digest(&key));
        }
    }

    /// What tells a call from others, from run to run, if it was issued.
    pub fn digest(&self, number: u32) -> Option<u64> {
        self.digests.get(&number).copied()
    }

    fn knowledge(&mut self) -> Option<&Knowledge> {
        match &self.role {
            Role::Copy(_, knowledge) => Some(knowledge),
            Role::Leader(_, guesses) => Some(guesses.knowledge()),
            Role::Alone => None,
        }
    }

    /// What a question was answered before, in this run or the last one.
    pub fn answer(&mut self, question: u64) -> Option<u32> {
        self.knowledge()?.answer(question)
    }

    /// It has found what a question is answered.
    pub fn answered(&mut self, question: u64, answer: u32) {
        if self.answer(question) != Some(answer) {
            self.learn(Lesson::Answer(question, answer));
            self.append(&Issue::answered(question, answer));
        }
    }

    /// It has found whether what a function of the project's gave for the value of a call is that.
    pub fn stood_for(&self, function: u32, number: u32, right: bool, by: &str) {
        if let Some(call) = self.digest(number) {
            self.append(&Issue::stood_for(function, call, right, by));
        }
    }

    /// Whether what a function of the project's gives for values of this one may be sent in their place.
    pub fn is_good_for(&mut self, function: u32) -> bool {
        let leads = self.area.header().leads.load(Ordering::Relaxed) != 0;
        leads
            && self
                .knowledge()
                .is_some_and(|known| known.is_good_for(function))
    }

    fn append(&self, issue: &Issue<'_>) {
        turns::gets_on();
        let log = self.area.issues(self.member());
        if !log.append(&[&issue.head(), issue.key]) {
            trap::end(why::FULL, 0);
        }
        area::ring(&self.area.header().bell);
    }

    /// How a leader goes on at a place where it does not know: it guesses there, or is to wait. Who is none
    /// waits.
    pub fn guess(&mut self, place: Place) -> Trust {
        let number = self.number;
        let guesses = self.guesses();
        guesses.map_or(Trust::Wait, |guesses| guesses.guess(place, number))
    }

    /// Whether a leader would rather pass by what is asked for at a place than guess it.
    pub fn may_pass(&mut self, place: Place) -> bool {
        self.guesses()
            .is_some_and(|guesses| guesses.may_pass(place))
    }

    /// Whether a leader goes on behind what is asked for at a place, without knowing it. `line` is that
    /// place.
    pub fn pass_by(&mut self, place: Place, line: &str) -> bool {
        let number = self.number;
        let guesses = self.guesses().filter(|guesses| guesses.may_pass(place));
        let Some(place) = guesses.map(|guesses| guesses.pass_by(place, number)) else {
            return false;
        };
        self.append(&Issue::passes_at(place, line));
        true
    }

    /// Whether the program is near enough for it to go on; if not, there will be news when it is.
    pub fn has_room(&mut self) -> bool {
        let header = self.area.header();
        let own = 1 << self.member();
        header.sleeps.fetch_or(own, Ordering::SeqCst);
        let taken = header.taken.load(Ordering::SeqCst);
        let farthest = match self.role {
            Role::Leader(..) => &header.farthest,
            _ => &header.window,
        };
        let is_near = self.come.saturating_sub(taken) < farthest.load(Ordering::Relaxed);
        if is_near && self.is_believed() && !self.is_cautious(taken) {
            header.sleeps.fetch_and(!own, Ordering::SeqCst);
            return true;
        }
        false
    }

    /// Whether the program has taken most of what leaders have found, as far as it is one.
    fn is_believed(&self) -> bool {
        let header = self.area.header();
        let may = i32::try_from(header.believed.load(Ordering::SeqCst)).unwrap_or(i32::MAX);
        !matches!(self.role, Role::Leader(..)) || header.open.load(Ordering::SeqCst) < may
    }

    /// Whether it is to go no further before a guess has come true.
    fn is_cautious(&mut self, taken: u32) -> bool {
        let (hit, come) = (self.area.header().hit.load(Ordering::SeqCst), self.come);
        self.guesses()
            .is_some_and(|guesses| guesses.is_cautious(hit, taken > come))
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

    /// The numbers of calls whose replies have come since this was last asked. A leader ends here if it is
    /// not wanted any more.
    pub fn read(&mut self) -> Vec<u32> {
        if let Role::Leader(leader, _) = self.role {
            let header = self.area.header();
            let stops = header.leaders[leader].stop.load(Ordering::SeqCst) != 0;
            if stops || header.leads.load(Ordering::Relaxed) == 0 {
                trap::end(why::FINISHED, 0);
            }
        }
        let mut all = Vec::new();
        while let Some(record) = self.area.replies().next(&mut self.at) {
            let Some((number, rest)) = record.split_first_chunk() else {
                continue;
            };
            let number = u32::from_le_bytes(*number);
            match rest.split_first() {
                Some((&LESSON, lesson)) => self.hear(lesson),
                Some((&SAME, other)) => {
                    let other = other
                        .first_chunk()
                        .map_or(0, |one| u32::from_le_bytes(*one));
                    match self.replies.get(&other).copied() {
                        Some(reply) => self.came(number, reply, &mut all),
                        None => self.same.entry(other).or_default().push(number),
                    }
                }
                Some((1, value)) => self.came(number, Some(value), &mut all),
                _ => self.came(number, None, &mut all),
            }
        }
        all
    }

    fn hear(&mut self, lesson: &[u8]) {
        if let Some(lesson) = Lesson::read(lesson) {
            self.learn(lesson);
        }
    }

    fn learn(&mut self, lesson: Lesson) {
        match &mut self.role {
            Role::Copy(_, knowledge) => knowledge.hear(lesson),
            Role::Leader(_, guesses) => guesses.hear(lesson),
            Role::Alone => {}
        }
    }

    fn came(&mut self, number: u32, reply: Reply, all: &mut Vec<u32>) {
        let same = self.same.remove(&number).unwrap_or_default();
        for number in [number].into_iter().chain(same) {
            self.replies.insert(number, reply);
            all.push(number);
        }
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
