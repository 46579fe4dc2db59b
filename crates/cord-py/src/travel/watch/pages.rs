//! Which of many nodes may have changed: those on pages that the kernel has seen written.
//!
//! A hundred thousand lists in a list are as many places to look at. While nobody touches them, the
//! pages on which they lie are not written, not even their reference counts; then a look at the page
//! table says that all of them are as they were.

use std::cmp::Reverse;
use std::ops::Range;

use cord_os::written::{Tracked, Written};

use super::node::Noted;

/// Fewer are looked at sooner than the kernel is asked.
const FROM: usize = 8192;
/// Nodes are found again by the blocks of memory that they lie in: as large as most systems' pages.
const BLOCK: usize = 4096;
/// Stretches of blocks with less between them are watched as one.
const GAP: usize = 64 * 1024;
/// To ask of one stretch takes about as long as to look at so many nodes …
const ASKED: usize = 512;
/// … and there are not to be too many.
const MOST_STRETCHES: usize = 64;
/// What is not changed for so many looks is worth watching.
const WORTH: u32 = 2;
/// Where more than one block in so many is written, all nodes are looked at …
const FEW: usize = 4;
/// … and after so many such looks in a row, or where nothing can be watched, nothing is watched for
/// some time: for so many looks at first, then for twice as many each time.
const MOST_MISSES: u32 = 2;
const REST: u32 = 64;
const LONGEST_REST: u32 = 1 << 16;

/// The blocks that the nodes lie in, if they are watched.
pub struct Pages {
    stretches: Vec<Stretch>,
    /// The nodes of which it is not known where they lie.
    elsewhere: Vec<u32>,
    misses: u32,
    rests: u32,
    next_rest: u32,
}

impl Default for Pages {
    fn default() -> Pages {
        Pages {
            stretches: Vec::new(),
            elsewhere: Vec::new(),
            misses: 0,
            rests: WORTH,
            next_rest: REST,
        }
    }
}

struct Stretch {
    tracked: Tracked,
    /// Where the nodes of each block begin, and where the last ones end.
    starts: Vec<u32>,
    nodes: Vec<u32>,
}

/// What is to be looked at now.
pub struct Looked {
    /// In order; `None` if it is all of them.
    pub nodes: Option<Vec<u32>>,
    written: Vec<Written>,
}

impl Pages {
    /// Whether so many nodes are enough to have the kernel asked.
    #[inline]
    pub fn are_worth_it(nodes: usize) -> bool {
        nodes >= FROM
    }

    /// The nodes that may have changed; `None` if nothing is known of them.
    #[inline]
    pub fn look(&mut self) -> Option<Looked> {
        if self.stretches.is_empty() {
            return None;
        }
        self.look_at_pages()
    }

    fn look_at_pages(&mut self) -> Option<Looked> {
        let tell = |stretch: &Stretch| stretch.tracked.written();
        let Some(written) = self.stretches.iter().map(tell).collect::<Option<Vec<_>>>() else {
            self.rest();
            return None;
        };
        let blocks = |told: &Written| told.places.iter().map(blocks_of).collect::<Vec<_>>();
        let written_blocks: Vec<_> = written.iter().map(blocks).collect();
        let met: usize = written_blocks.iter().flatten().map(Range::len).sum();
        let all: usize = self
            .stretches
            .iter()
            .map(|stretch| stretch.starts.len())
            .sum();
        if met > all / FEW {
            return Some(Looked {
                nodes: None,
                written,
            });
        }
        let mut nodes = self.elsewhere.clone();
        for (stretch, blocks) in self.stretches.iter().zip(written_blocks) {
            nodes.extend(
                blocks
                    .into_iter()
                    .flat_map(|blocks| stretch.nodes_in(blocks)),
            );
        }
        nodes.sort_unstable();
        nodes.dedup();
        Some(Looked {
            nodes: Some(nodes),
            written,
        })
    }

    /// What was to be looked at is the same.
    pub fn was_same(&mut self, looked: &Looked) {
        for (stretch, written) in self.stretches.iter().zip(&looked.written) {
            stretch.tracked.confirm(written);
        }
        match looked.nodes {
            Some(_) => (self.misses, self.next_rest) = (0, REST),
            None => self.misses += 1,
        }
        if self.misses >= MOST_MISSES {
            self.rest();
        }
    }

    fn rest(&mut self) {
        *self = Pages {
            rests: self.next_rest,
            next_rest: (2 * self.next_rest).min(LONGEST_REST),
            ..Pages::default()
        };
    }

    /// Has writes to the pages of these nodes noted from now on, if that is worth it and can be.
    /// Whether they are: then all must be looked at once more.
    ///
    /// # Safety
    /// All nodes are as they were, so that they are alive.
    pub unsafe fn watch(&mut self, noted: &Noted) -> bool {
        if !Pages::are_worth_it(noted.nodes.len()) || self.rests > 0 {
            self.rests = self.rests.saturating_sub(1);
            return false;
        }
        let mut places = Vec::with_capacity(2 * noted.nodes.len());
        let mut elsewhere = Vec::new();
        for (at, node) in (0u32..).zip(&noted.nodes) {
            // SAFETY: the caller's promise.
            match unsafe { noted.memory_of(node) } {
                Some(memory) => {
                    for range in memory.into_iter().filter(|range| !range.is_empty()) {
                        places.extend(blocks_of(&range).map(|block| (block, at)));
                    }
                }
                None => elsewhere.push(at),
            }
        }
        places.sort_unstable();
        places.dedup();
        self.elsewhere = elsewhere;
        self.watch_most_of(&places, noted.nodes.len());
        if self.elsewhere.len() > noted.nodes.len() / FEW {
            self.rest();
        }
        !self.stretches.is_empty()
    }

    /// Watches the stretches with the most nodes; what is in the others is looked at always.
    fn watch_most_of(&mut self, places: &[(usize, u32)], nodes: usize) {
        let mut found = stretches_of(places);
        found.sort_by_key(|places| Reverse(places.len()));
        let most = MOST_STRETCHES.min(nodes / ASKED);
        for (nth, places) in found.into_iter().enumerate() {
            match (nth < most).then(|| Stretch::new(places)).flatten() {
                Some(stretch) => self.stretches.push(stretch),
                None => self.elsewhere.extend(places.iter().map(|place| place.1)),
            }
        }
        self.elsewhere.sort_unstable();
        self.elsewhere.dedup();
    }
}

/// The blocks that some memory lies in.
fn blocks_of(memory: &Range<usize>) -> Range<usize> {
    memory.start / BLOCK..memory.end.div_ceil(BLOCK)
}

/// Blocks and the nodes in them, cut where much lies between two.
fn stretches_of(places: &[(usize, u32)]) -> Vec<&[(usize, u32)]> {
    let is_near = |one: &(usize, u32), next: &(usize, u32)| (next.0 - one.0) * BLOCK < GAP;
    places.chunk_by(is_near).collect()
}

impl Stretch {
    fn new(places: &[(usize, u32)]) -> Option<Stretch> {
        let (first, last) = (places.first()?.0, places.last()?.0);
        let start = first * BLOCK;
        let len = (last - first + 1) * BLOCK;
        // SAFETY: nothing is read of it but by the kernel; a hole in it is noticed and refused.
        let memory = unsafe { std::slice::from_raw_parts(start as *const u8, len) };
        let tracked = Tracked::new(memory)?;
        let before = |block: usize| places.partition_point(|place| place.0 < block) as u32;
        Some(Stretch {
            tracked,
            starts: (first..=last + 1).map(before).collect(),
            nodes: places.iter().map(|place| place.1).collect(),
        })
    }

    /// The nodes in some of its blocks.
    fn nodes_in(&self, blocks: Range<usize>) -> impl Iterator<Item = u32> + '_ {
        self.nodes[self.starts[blocks.start] as usize..self.starts[blocks.end] as usize]
            .iter()
            .copied()
    }
}
