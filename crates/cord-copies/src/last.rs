//! The copy that was made last, as the program sees it: what it has issued, and whether it is on the
//! program's way.

use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::area::{self, Area};
use crate::belief::Belief;
use crate::course::{Course, Step, Verdict};
use crate::early::Early;
use crate::issue::Issue;
use crate::knowledge::{Knowledge, Lesson, Place};
use crate::passed::Passed;
use crate::table::{Arrival, Table};
use cord_core::ticket::Watch;
use cord_wire::payload::World;

/// So many calls a copy may be ahead at most.
const WIDEST_WINDOW: u32 = 4096;

/// A call that the copy did not foresee may take so many times as long as others, and as long as this
/// at least, before what the copy has issued is taken to be in its way.
const UNFORESEEN: (u32, Duration) = (4, Duration::from_secs(1));
/// The same for a call that it has issued, too: others of the copy's, which nobody wants and which may
/// never come to an end, may have all replicas.
const FORESEEN: (u32, Duration) = (10, Duration::from_secs(5));

/// A call is old that the program has not come to after so many times as many as may be ahead, or as this.
const TIMES_OLD: u32 = 2;
const LEAST_OLD: u32 = 16;
/// After so many calls it is looked whether others are old.
const LOOKS: u32 = 4;

/// The program goes on to take its tickets when it has ended.
#[derive(Debug)]
pub struct Last {
    pub area: Arc<Area>,
    pub table: Table<Early, Watch>,
    pub world: World,
    pub tender: Option<std::thread::JoinHandle<()>>,
    /// It is to end: it is elsewhere.
    pub unwanted: bool,
    /// Since it guessed there.
    pub suspect: Option<Place>,
    /// A call of the program's has raised an exception, which nobody could know.
    pub raised: bool,
    pub alive: bool,
    pub issued: u32,
    pub hits: u32,
    pub course: Course,
    /// The call that the program has not found here, and is about to make by itself.
    coming: Option<Box<[u8]>>,
    /// So many calls of leaders may be out at most.
    most: u32,
    passed: Passed,
    /// What came of it was told.
    told: bool,
    /// Since when the program waits for a call, and how patiently.
    waits: Option<(Instant, (u32, Duration))>,
}

impl Last {
    /// `guesses`: how many calls of its leaders may be out, if it may have any.
    pub fn new(
        area: &Arc<Area>,
        table: Table<Early, Watch>,
        world: World,
        guesses: Option<u32>,
    ) -> Last {
        let most = guesses.unwrap_or_default();
        Last {
            area: Arc::clone(area),
            table,
            world,
            tender: None,
            unwanted: false,
            suspect: None,
            raised: false,
            alive: true,
            issued: 0,
            hits: 0,
            course: Course::new(guesses.is_some()),
            coming: None,
            waits: Some((Instant::now(), UNFORESEEN)), // else there would be no copy
            told: false,
            most,
            passed: Passed::default(),
        }
    }

    /// Whether nobody will ask for what it has issued.
    pub fn is_wrong(&self) -> bool {
        self.unwanted && !self.raised
    }

    /// How many calls speak for or against it, once it is over, and how many for it: the next copy, or
    /// the program, may come to the others. Told once.
    pub fn result(&mut self) -> Option<(u32, u32)> {
        if std::mem::replace(&mut self.told, true) {
            return None;
        }
        let counted = match self.is_wrong() {
            true => self.issued,
            false => self.hits,
        };
        Some((counted, self.hits))
    }

    /// Whether the copy has not come to the program's call yet, and may.
    pub fn is_just_behind(&self) -> bool {
        self.alive && !self.unwanted && self.course.is_just_behind()
    }

    /// The program comes to its next call.
    pub fn asked(&mut self) {
        (self.waits, self.coming) = (None, None);
        let asked = self.course.asked();
        let header = self.area.header();
        header.taken.store(asked, Ordering::SeqCst);
        if header.sleeps.load(Ordering::SeqCst) > 0 {
            area::ring(&header.news);
        }
    }

    /// The program takes a call of the copy's, at its call of this number.
    pub fn hit(&mut self, early: &Early, knowledge: &mut Knowledge, made: u32) {
        self.waits = Some((Instant::now(), FORESEEN));
        self.hits += 1;
        self.course.hit(early.number);
        if let Some(leader) = early.leader {
            self.area.header().open.fetch_sub(1, Ordering::SeqCst);
            self.passed.took(leader, early.number, made);
            knowledge.learn(Lesson::Right(early.place, early.guess));
        }
        for step in self.course.overdue() {
            self.table.give_up(&step.key);
        }
        let header = self.area.header();
        header.hit.fetch_max(early.number, Ordering::SeqCst);
        if header.sleeps.load(Ordering::SeqCst) > 0 {
            area::ring(&header.news);
        }
        let window = header.window.load(Ordering::Relaxed);
        if self.hits >= window && window < WIDEST_WINDOW {
            let wider = (window * 2).min(WIDEST_WINDOW);
            header.window.store(wider, Ordering::Relaxed);
        }
    }

    /// It may have leaders, or not, from now on, and so many of their calls may be out.
    pub fn may_lead(&self, belief: Belief) {
        let may = u32::from(self.course.guesses && belief.may_lead());
        let header = self.area.header();
        header.leads.store(may, Ordering::Relaxed);
        header
            .believed
            .store(belief.room(self.most), Ordering::SeqCst);
    }

    /// The program makes this call by itself from now on.
    pub fn comes(&mut self, key: &[u8]) {
        self.coming = Some(key.into());
    }

    /// The program has made such a call by itself.
    pub fn made(&mut self, key: &[u8], view: Watch) {
        self.table.made(key, view);
        if self.coming.take().is_some() {
            area::ring(&self.area.header().bell); // the copy may have come to it meanwhile
        }
    }

    /// The program makes a call that the copy has not issued.
    pub fn miss(&mut self, function: u32, knowledge: &mut Knowledge) {
        self.waits = Some((Instant::now(), UNFORESEEN));
        if let Verdict::Lost(guess) = self.course.miss(function) {
            self.suspect = guess;
            if let Some(place) = guess {
                knowledge.learn(Lesson::WrongGuess(place));
            }
            self.end();
        }
    }

    /// Whether this is the copy with that memory.
    pub fn is(&self, area: &Arc<Area>) -> bool {
        Arc::ptr_eq(&self.area, area)
    }

    /// Whether there is nothing more to be had from it, though it may still be there.
    pub fn is_over(&self) -> bool {
        !self.alive || self.unwanted
    }

    /// The call that the program waited for has come to its end.
    pub fn goes_on(&mut self) {
        self.waits = None;
    }

    /// Gives up what was issued if that seems to keep the program from a call that it waits for: calls
    /// that nobody wants may never come to an end.
    pub fn make_way(&mut self, now: Instant, service: Duration) -> Option<Table<Early, Watch>> {
        if cord_core::far::is_far() {
            return None; // all of them wait for one another
        }
        let (since, (times, least)) = self.waits?;
        let patience = least.max(service * times);
        if now.saturating_duration_since(since) < patience || self.table.is_empty() {
            return None;
        }
        self.end();
        Some(std::mem::take(&mut self.table))
    }

    /// It is to end.
    pub fn end(&mut self) {
        self.unwanted = true;
        area::ring(&self.area.header().bell);
    }

    /// Calls that it has issued, and that the program would have come to if they were on its way: they are
    /// to be dropped. `made`: so many the program has made.
    pub fn drop_old(&mut self, made: u32) -> Vec<Early> {
        if !self.course.has_leaders() || made % LOOKS != 0 {
            return Vec::new();
        }
        self.passed.go_on(made);
        let window = self.area.header().window.load(Ordering::Relaxed);
        let (most, passed) = (self.most, &self.passed);
        let old = self.table.drop_old(|early| {
            let ahead = early.leader.map_or(window, |_| most);
            let is_passed = early.leader.is_some_and(|one| passed.is(one, early.number));
            is_passed || made - early.made > ahead.max(LEAST_OLD) * TIMES_OLD
        });
        let of_leaders = old.iter().filter(|early| early.leader.is_some()).count();
        let of_leaders = i32::try_from(of_leaders).unwrap_or(i32::MAX);
        self.area
            .header()
            .open
            .fetch_sub(of_leaders, Ordering::SeqCst);
        old
    }

    /// What becomes of a call that the copy comes to, or a leader.
    pub fn arrive(&mut self, issue: &Issue<'_>, member: usize) -> Arrival<Watch> {
        if member > 0 && !self.course.has_leaders() {
            self.course.leads();
            self.table.keep();
        }
        if issue.late && self.course.is_over(issue.number) && !self.table.is_made(issue.key) {
            return Arrival::Made(None); // the program has called something else
        }
        if self.coming.as_deref() == Some(issue.key) && !self.table.is_made(issue.key) {
            return Arrival::Coming;
        }
        let arrival = self.table.arrive(issue.key, issue.number, issue.times);
        if matches!(arrival, Arrival::Made(_)) {
            self.course.was_made(issue.number);
        }
        arrival
    }

    /// The call has this ticket.
    pub fn issued(&mut self, issue: &Issue<'_>, mut early: Early, leader: Option<i32>) {
        // an earlier copy's were others
        (early.number, early.place, early.guess) = (issue.number, issue.place, issue.guess);
        early.leader = leader;
        self.table.issued(issue.key, early);
        let step = Step {
            function: issue.function,
            guess: issue.guess,
            key: issue.key.into(),
        };
        self.course.issued(issue.number, step);
    }
}
