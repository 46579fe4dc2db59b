//! A copy's own end: it issues what it comes to, and looks at replies.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::area::{self, Area};
use super::issue::{self, Issue};
use super::{private, trap, why};
use crate::manner::Priority;
use crate::payload::{is_same_world, Payload, World};

/// It looks up so often while it waits.
const LOOK: Duration = Duration::from_millis(200);
/// So long it waits for a value.
const LONGEST: Duration = Duration::from_secs(20);

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
}

impl Ahead {
    pub(super) fn new(area: &'static Area, world: World) -> Ahead {
        Ahead {
            area,
            world,
            last: 0,
            at: 0,
            replies: HashMap::new(),
        }
    }

    /// Issues a call, and gives its number. Waits where the program is too far behind.
    pub fn issue(
        &mut self,
        module: u32,
        manner: u32,
        priority: Priority,
        payload: &Payload,
        world: &World,
    ) -> u32 {
        if !is_same_world(&self.world, world) {
            trap::end(why::WORLD, 0);
        }
        let Some(key) = issue::key(module, payload) else {
            trap::end(why::ARGUMENTS, 0);
        };
        if private::is_named_in(&key) {
            trap::end(why::NAMED, 0); // there is no such file yet
        }
        self.last += 1;
        let issue = Issue {
            number: self.last,
            manner,
            priority,
            key: &key,
        };
        if !self.area.issues().append(&[&issue.head(), &key]) {
            trap::end(why::FULL, 0);
        }
        let header = self.area.header();
        header.reached.store(self.last, Ordering::SeqCst);
        area::ring(&header.bell);
        self.wait_for_room();
        self.last
    }

    fn wait_for_room(&self) {
        let header = self.area.header();
        loop {
            let seen = header.news.load(Ordering::SeqCst);
            header.sleeps.store(1, Ordering::SeqCst);
            let taken = header.taken.load(Ordering::SeqCst);
            let window = header.window.load(Ordering::Relaxed);
            if self.last.saturating_sub(taken) < window {
                header.sleeps.store(0, Ordering::SeqCst);
                return;
            }
            area::wait(&header.news, seen, LOOK);
        }
    }

    /// What came of a call; waits for it.
    pub fn reply(&mut self, number: u32) -> Payload {
        let until = Instant::now() + LONGEST;
        loop {
            let seen = self.area.header().news.load(Ordering::SeqCst);
            self.read();
            match self.replies.get(&number) {
                Some(Some(value)) => match issue::read(value) {
                    Some(payload) => return payload,
                    None => trap::end(why::VALUE, 1),
                },
                Some(None) => trap::end(why::VALUE, 2),
                None if Instant::now() > until => trap::end(why::VALUE, 3),
                None => area::wait(&self.area.header().news, seen, LOOK),
            }
        }
    }

    fn read(&mut self) {
        while let Some(record) = self.area.replies().next(&mut self.at) {
            let Some((number, rest)) = record.split_first_chunk() else {
                continue;
            };
            let value = match rest.split_first() {
                Some((1, value)) => Some(value),
                _ => None,
            };
            self.replies.insert(u32::from_le_bytes(*number), value);
        }
    }
}
