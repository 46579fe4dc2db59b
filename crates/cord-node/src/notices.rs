//! What whoever places agents hears of their ends: a cluster knows that a machine is gone before its
//! link has been silent for long.

use std::os::fd::OwnedFd;

use super::epoll::Epoll;

/// Of a pipe, which takes and gives as much at once.
const PIECE: usize = 4096;

/// Lines, each with the place of an agent, as its launcher calls it, and why that has ended.
#[derive(Debug)]
pub(super) struct Notices {
    pipe: OwnedFd,
    text: Vec<u8>,
}

impl Notices {
    /// Those that come by this pipe.
    pub(super) fn new(pipe: OwnedFd) -> Notices {
        let text = Vec::new();
        Notices { pipe, text }
    }

    /// Has them waited for, under this number.
    ///
    /// # Errors
    /// When the system has no room for it.
    pub(super) fn watch(&self, epoll: &Epoll, number: u64) -> Result<(), rustix::io::Errno> {
        epoll.add(&self.pipe, number)
    }

    /// Those that have come; call it when there is something to be read.
    pub(super) fn read(&mut self, epoll: &Epoll) -> Vec<(String, String)> {
        let mut piece = [0; PIECE];
        match rustix::io::read(&self.pipe, &mut piece) {
            Ok(length) if length > 0 => self.text.extend_from_slice(&piece[..length]),
            Err(rustix::io::Errno::INTR) => {}
            _ => epoll.delete(&self.pipe), // nobody is left who could write
        }
        let mut notices = Vec::new();
        while let Some(end) = self.text.iter().position(|byte| *byte == b'\n') {
            let line = String::from_utf8_lossy(&self.text[..end]).into_owned();
            self.text.drain(..=end);
            if let Some((place, why)) = line.split_once(' ') {
                notices.push((place.to_owned(), why.to_owned()));
            }
        }
        notices
    }
}
