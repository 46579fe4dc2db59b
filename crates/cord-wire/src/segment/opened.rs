//! Received memory in the ways in which it is seen.

use std::io;
use std::ops::Range;

use memmap2::{Mmap, MmapOptions};

use super::held::CountedFd;
use super::mapped::Counted;
use super::views::View;
use cord_os::memory::{read_from, Copied};

/// What shows the bytes of a file to those who only read.
#[derive(Debug)]
pub enum Seen {
    /// All of the file, up to their end.
    Mapped(Mmap),
    /// They alone.
    Copied(Vec<u8>),
}

impl Seen {
    /// Shows these bytes.
    ///
    /// # Errors
    /// When there is no memory to see them in.
    pub fn of(file: &CountedFd, within: &Range<usize>) -> io::Result<Seen> {
        let file = file.get()?;
        // SAFETY: the file is sealed, and not written while this one has it; it does not shrink.
        let mapped = unsafe { MmapOptions::new().len(within.end).map(&file) };
        mapped.map(Seen::Mapped).or_else(|_| {
            let copied = read_from(file, within.start, within.len());
            copied.map(Seen::Copied)
        })
    }
}

/// Bytes in memory that is their owner's.
#[derive(Debug)]
pub enum Opened {
    /// A private mapping.
    Mapped {
        /// All of the file.
        view: View,
        /// Where they are in it.
        within: Range<usize>,
        /// Goes after the view.
        _counted: Counted,
    },
    /// A copy.
    Copied {
        /// They alone.
        memory: Copied,
        /// Where in the file they were.
        within: Range<usize>,
    },
}

impl Opened {
    /// Where they begin.
    pub fn start(&self) -> *mut u8 {
        match self {
            // SAFETY: the mapping is longer than that.
            Opened::Mapped { view, within, .. } => unsafe {
                view.map().as_mut_ptr().add(within.start)
            },
            Opened::Copied { memory, .. } => memory.start(),
        }
    }

    /// Where in the file they are, or were.
    pub fn within(&self) -> &Range<usize> {
        match self {
            Opened::Mapped { within, .. } | Opened::Copied { within, .. } => within,
        }
    }
}
