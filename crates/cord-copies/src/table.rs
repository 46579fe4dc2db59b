//! Calls that a copy and its leaders came to, and those that the program makes: which ticket is for which
//! call.
//!
//! The k-th of several equal calls of the program is the k-th that the copy came to, and the k-th that a
//! leader came to on its way from the copy's beginning. So a call that the program made by itself, because
//! the copy was behind, is not issued once more; nor is one that another of them has come to.

use std::collections::{HashMap, VecDeque};

/// By what is sent: tickets `T` that the copy's calls have, and views `W` of those that the program
/// made by itself.
#[derive(Debug)]
pub struct Table<T, W> {
    lines: HashMap<Box<[u8]>, Line<T, W>>,
    /// What an earlier copy issued, and the program has not come to.
    spare: HashMap<Box<[u8]>, VecDeque<T>>,
    /// There are leaders: what was taken is remembered, as others may come to it yet.
    keeps: bool,
}

#[derive(Debug)]
struct Line<T, W> {
    /// So many of whoever came to them are not counted any more, once that is known.
    before: Option<u32>,
    /// Those that copy and leaders came to, by the numbers that they had for them.
    reached: VecDeque<u32>,
    /// So many the program has made.
    made: u32,
    ahead: VecDeque<T>,
    own: VecDeque<(u32, W)>,
}

impl<T, W> Default for Line<T, W> {
    fn default() -> Self {
        Line {
            before: None,
            reached: VecDeque::new(),
            made: 0,
            ahead: VecDeque::new(),
            own: VecDeque::new(),
        }
    }
}

impl<T, W> Line<T, W> {
    /// Whether program and copy are as if neither had come to such a call.
    fn is_even(&self) -> bool {
        self.reached() == self.made && self.ahead.is_empty() && self.own.is_empty()
    }

    fn reached(&self) -> u32 {
        u32::try_from(self.reached.len()).unwrap_or(u32::MAX)
    }
}

impl<T, W> Default for Table<T, W> {
    fn default() -> Self {
        Table {
            lines: HashMap::new(),
            spare: HashMap::new(),
            keeps: false,
        }
    }
}

/// What becomes of a call that a copy comes to.
#[derive(Debug, PartialEq, Eq)]
pub enum Arrival<W> {
    /// It is to be issued, and given to [`Table::issued`].
    New,
    /// The program has made it; a view of that, unless nobody has one.
    Made(Option<W>),
    /// The program is about to make it: that is not known yet.
    Coming,
    /// Another of copy and leaders has come to it, with this number.
    Known(u32),
}

impl<T, W> Table<T, W> {
    fn line(&mut self, key: &[u8]) -> &mut Line<T, W> {
        if !self.lines.contains_key(key) {
            self.lines.insert(key.into(), Line::default());
        }
        self.lines.get_mut(key).expect("just put there")
    }

    /// The tickets that the program has not come to.
    pub fn left(&self) -> impl Iterator<Item = &T> {
        let ahead = self.lines.values().flat_map(|line| &line.ahead);
        ahead.chain(self.spare.values().flatten())
    }

    /// Whether there are no tickets.
    pub fn is_empty(&self) -> bool {
        self.spare.is_empty() && self.lines.values().all(|line| line.ahead.is_empty())
    }

    /// There are leaders from now on.
    pub fn keep(&mut self) {
        self.keeps = true;
    }

    /// The copy or a leader comes to a call, which it has this number for; to so many such calls on its way.
    pub fn arrive(&mut self, key: &[u8], number: u32, times: u32) -> Arrival<W> {
        let line = self.line(key);
        let next = line.reached() + 1;
        let before = *line.before.get_or_insert(times.saturating_sub(next));
        let at = times.saturating_sub(before.saturating_add(1));
        if let Some(known) = line.reached.get(at as usize) {
            return Arrival::Known(*known);
        }
        line.before = Some(times.saturating_sub(next)); // it may have passed some over
        line.reached.push_back(number);
        if next > line.made {
            return Arrival::New;
        }
        let wanted = next;
        let at = line.own.iter().position(|(number, _)| *number == wanted);
        let found = at.and_then(|at| line.own.remove(at));
        Arrival::Made(found.map(|(_, view)| view))
    }

    /// The ticket of such a call, if an earlier copy has issued it.
    pub fn spare(&mut self, key: &[u8]) -> Option<T> {
        self.spare.get_mut(key)?.pop_front()
    }

    /// The table of another copy, which may come to what this one has issued.
    pub fn succeed(self) -> Table<T, W> {
        let mut spare = self.spare;
        for (key, line) in self.lines {
            let mut ahead = line.ahead;
            ahead.extend(spare.remove(&key).into_iter().flatten());
            spare.insert(key, ahead);
        }
        spare.retain(|_, ahead| !ahead.is_empty());
        Table {
            spare,
            ..Table::default()
        }
    }

    /// It was issued.
    pub fn issued(&mut self, key: &[u8], ticket: T) {
        self.line(key).ahead.push_back(ticket);
    }

    /// The program makes a call: its ticket, if the copy has been there.
    pub fn take(&mut self, key: &[u8]) -> Option<T> {
        let line = self.lines.get_mut(key)?;
        let found = line.ahead.pop_front()?;
        line.made += 1;
        if line.is_even() && !self.keeps {
            self.lines.remove(key); // as if there had been none
        }
        Some(found)
    }

    /// Tickets of which this says that the program will not come to them.
    pub fn drop_old(&mut self, is_old: impl Fn(&T) -> bool) -> Vec<T> {
        let mut old = Vec::new();
        for ahead in self.lines.values_mut().map(|line| &mut line.ahead) {
            let (given_up, kept) = std::mem::take(ahead).into_iter().partition(&is_old);
            *ahead = kept;
            old.extend::<VecDeque<T>>(given_up);
        }
        old
    }

    /// The oldest ticket of such a call: the program will not come to it.
    pub fn give_up(&mut self, key: &[u8]) -> Option<T> {
        let line = self.lines.get_mut(key)?;
        let found = line.ahead.pop_front()?;
        line.reached.pop_front();
        line.before = line.before.map(|before| before + 1);
        if line.is_even() && !self.keeps {
            self.lines.remove(key);
        }
        Some(found)
    }

    /// Whether the program has made more such calls than the copy has come to.
    pub fn is_made(&self, key: &[u8]) -> bool {
        let line = self.lines.get(key);
        line.is_some_and(|line| line.made > line.reached())
    }

    /// The program has issued such a call by itself.
    pub fn made(&mut self, key: &[u8], view: W) {
        let line = self.line(key);
        line.made += 1;
        line.own.push_back((line.made, view));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Names = Table<&'static str, &'static str>;

    fn come(table: &mut Names, key: &[u8], ticket: &'static str) -> Arrival<&'static str> {
        let times = u32::try_from(table.lines.get(key).map_or(0, |line| line.reached.len()));
        let arrival = table.arrive(key, 1, times.unwrap() + 1);
        if arrival == Arrival::New {
            table.issued(key, ticket);
        }
        arrival
    }

    #[test]
    fn equal_calls_are_taken_in_order() {
        let mut table = Names::default();
        come(&mut table, b"f", "first");
        come(&mut table, b"g", "other");
        come(&mut table, b"f", "second");
        assert_eq!(table.take(b"f"), Some("first"));
        assert_eq!(table.take(b"f"), Some("second"));
        assert_eq!(table.take(b"f"), None);
        assert_eq!(table.take(b"g"), Some("other"));
    }

    #[test]
    fn what_the_program_made_by_itself_is_not_issued_again() {
        let mut table = Names::default();
        assert_eq!(table.take(b"f"), None);
        table.made(b"f", "own");
        assert_eq!(come(&mut table, b"f", "late"), Arrival::Made(Some("own")));
        assert_eq!(come(&mut table, b"f", "next"), Arrival::New);
        assert_eq!(table.take(b"f"), Some("next"));
    }

    #[test]
    fn of_equal_calls_the_copy_learns_of_the_right_one() {
        let mut table = Names::default();
        for view in ["one", "two"] {
            assert_eq!(table.take(b"f"), None);
            table.made(b"f", view);
        }
        assert_eq!(come(&mut table, b"f", ""), Arrival::Made(Some("one")));
        assert_eq!(come(&mut table, b"f", ""), Arrival::Made(Some("two")));
    }

    #[test]
    fn what_a_leader_came_to_is_known() {
        let mut table = Names::default();
        table.keep();
        for (number, times) in [(1, 3), (2, 4)] {
            assert_eq!(table.arrive(b"f", number, times), Arrival::New);
            table.issued(b"f", "a leader's");
        }
        assert_eq!(table.arrive(b"f", 7, 3), Arrival::Known(1));
        assert!(table.take(b"f").is_some() && table.take(b"f").is_some());
        assert_eq!(
            table.arrive(b"f", 8, 4),
            Arrival::Known(2),
            "though it was taken"
        );
        assert_eq!(table.arrive(b"f", 9, 5), Arrival::New);
    }

    #[test]
    fn what_is_old_is_dropped() {
        let mut table = Names::default();
        for ticket in ["old", "new"] {
            come(&mut table, b"f", ticket);
        }
        assert_eq!(table.drop_old(|ticket| *ticket == "old"), ["old"]);
        assert_eq!(table.take(b"f"), Some("new"));
    }

    #[test]
    fn what_is_taken_leaves_nothing_behind() {
        let mut table = Names::default();
        for _ in 0..3 {
            come(&mut table, b"f", "one");
            assert_eq!(table.take(b"f"), Some("one"));
            come(&mut table, b"g", "unwanted");
            assert_eq!(table.give_up(b"g"), Some("unwanted"));
            assert!(table.lines.is_empty());
        }
    }

    #[test]
    fn another_copy_takes_over_what_was_issued() {
        let mut table = Names::default();
        for ticket in ["one", "two"] {
            come(&mut table, b"f", ticket);
        }
        assert_eq!(table.take(b"f"), Some("one"));
        let mut table = table.succeed().succeed();
        assert_eq!(table.take(b"f"), None, "the other copy has not come to it");
        assert_eq!(table.arrive(b"f", 1, 1), Arrival::New);
        assert_eq!(table.spare(b"f"), Some("two"));
        assert_eq!(table.spare(b"f"), None);
    }

    #[test]
    fn a_call_that_the_copy_comes_to_while_the_program_waits_is_its_own() {
        let mut table = Names::default();
        assert_eq!(table.take(b"f"), None);
        assert_eq!(come(&mut table, b"f", "just now"), Arrival::New);
        assert_eq!(table.take(b"f"), Some("just now"));
    }
}
