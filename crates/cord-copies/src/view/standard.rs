//! What a copy is told of standard input, output and error: what they were when it was made. Nobody can
//! look at them any more, for something else is in their place.

use std::os::fd::RawFd;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::system::kernel::{Answer, Stop};

/// What the kernel tells of a terminal's settings: smaller than what the C library makes of it.
const SETTINGS: usize = 36;

/// What was known of one of the three.
struct Stream {
    about: libc::stat,
    terminal: Option<Terminal>,
}

struct Terminal {
    settings: [u8; SETTINGS],
    size: Option<libc::winsize>,
}

static STREAMS: [AtomicPtr<Stream>; 3] = [const { AtomicPtr::new(std::ptr::null_mut()) }; 3];

/// Of a fresh copy: looks at one of the three, before something else takes its place.
pub fn note(fd: RawFd, about: &libc::stat) {
    let place = usize::try_from(fd).ok().and_then(|at| STREAMS.get(at));
    if let Some(place) = place {
        let stream = Stream {
            about: *about,
            terminal: terminal(fd),
        };
        place.store(Box::leak(Box::new(stream)), Ordering::Relaxed);
    }
}

fn terminal(fd: RawFd) -> Option<Terminal> {
    let mut settings = [0u8; 2 * SETTINGS];
    // SAFETY: there is room for the answers.
    unsafe {
        if libc::syscall(libc::SYS_ioctl, fd, libc::TCGETS, settings.as_mut_ptr()) != 0 {
            return None;
        }
        let mut size: libc::winsize = std::mem::zeroed();
        let has_size = libc::ioctl(fd, libc::TIOCGWINSZ, &raw mut size) == 0;
        Some(Terminal {
            settings: *settings.first_chunk()?,
            size: has_size.then_some(size),
        })
    }
}

fn stream(fd: usize) -> Answer<&'static Stream> {
    let place = STREAMS.get(fd).ok_or(Stop::End)?;
    // SAFETY: set by `note` to memory that lasts as long as the process.
    unsafe { place.load(Ordering::Relaxed).as_ref() }.ok_or(Stop::End)
}

/// What `stat` told of it.
pub fn about(fd: usize) -> Answer<libc::stat> {
    stream(fd).map(|stream| stream.about)
}

/// What a terminal answered to a question; others are none.
///
/// # Safety
/// As the system call: the answer is written to `to`.
pub unsafe fn request(fd: usize, what: u64, to: usize) -> Answer {
    let terminal = stream(fd)?.terminal.as_ref();
    let terminal = terminal.ok_or(Stop::Errno(libc::ENOTTY))?;
    // SAFETY: as the caller says.
    unsafe {
        match what {
            libc::TCGETS => (to as *mut [u8; SETTINGS]).write_unaligned(terminal.settings),
            libc::TIOCGWINSZ => {
                let size = terminal.size.ok_or(Stop::End)?;
                (to as *mut libc::winsize).write_unaligned(size);
            }
            _ => return Err(Stop::End),
        }
    }
    Ok(0)
}
