//! A note to a thread that waits for descriptors.

use std::io;
use std::os::fd::BorrowedFd;

use rustix::io::Errno;
use rustix::pipe::PipeFlags;

use crate::descriptor::Descriptor;

/// A pipe to oneself. (An `eventfd` would be one descriptor, not two; but all of them have one inode,
/// so it could not be told from one of the program's.)
#[derive(Debug)]
pub struct SelfPipe {
    reader: Descriptor,
    writer: Descriptor,
}

impl SelfPipe {
    /// One without a note in it.
    ///
    /// # Errors
    /// When the system has no descriptors left.
    pub fn new() -> io::Result<SelfPipe> {
        let (reader, writer) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        Ok(SelfPipe {
            reader: Descriptor::new(reader),
            writer: Descriptor::new(writer),
        })
    }

    /// Wakes who waits.
    pub fn wake(&self) {
        if let Ok(writer) = self.writer.get() {
            let _ = rustix::io::write(writer, &[0]); // a full one wakes as well
        }
    }

    /// Takes the notes out.
    pub fn clear(&self) {
        if let Ok(reader) = self.reader.get() {
            let _ = rustix::io::read(reader, &mut [0; 64]);
        }
    }

    /// What can be read when there is a note.
    ///
    /// # Errors
    /// When the program has closed it.
    pub fn reader(&self) -> Result<BorrowedFd<'_>, Errno> {
        self.reader.get()
    }

    /// The same, for who finds out by himself whether it is still what it was.
    pub fn reader_unseen(&self) -> BorrowedFd<'_> {
        self.reader.unseen()
    }

    /// Both ends.
    pub fn ends(&self) -> [&Descriptor; 2] {
        [&self.reader, &self.writer]
    }
}
