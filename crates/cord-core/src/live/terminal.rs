//! Where a run tells of itself: standard error, and whether it is a terminal to draw on now.

use std::os::fd::BorrowedFd;

use rustix::process::getpgrp;
use rustix::stdio::stderr;
use rustix::termios::{isatty, tcgetattr, tcgetpgrp, tcgetwinsize, LocalModes};

use super::screen::Size;
use cord_os::descriptor::Which;

/// Standard error as it was when the run began. The program may put something else in its place, which
/// is nothing to tell of a run in.
#[derive(Debug)]
pub struct Stderr {
    which: Option<Which>,
    /// Of a terminal that can move its cursor: how it treats what is typed when nobody has asked for
    /// something else.
    modes: Option<LocalModes>,
}

impl Stderr {
    /// As it is now. `kind` is what `TERM` says.
    pub fn now(kind: Option<&str>) -> Stderr {
        let is_simple = matches!(kind, None | Some("" | "dumb"));
        let can_draw = !is_simple && isatty(descriptor());
        Stderr {
            which: Which::of(descriptor()),
            modes: can_draw.then(|| typing(descriptor())).flatten(),
        }
    }

    /// Whether it is a terminal that can be drawn on, if not always.
    pub fn draws(&self) -> bool {
        self.modes.is_some()
    }

    fn is_here(&self) -> bool {
        self.which.is_some() && Which::of(descriptor()) == self.which
    }

    /// Its size, if it can be drawn on now. It cannot while the program reads single keys, as editors of
    /// a line and all that use the whole screen do; nor in the background, where it is somebody else's.
    pub fn canvas(&self) -> Option<Size> {
        let terminal = descriptor();
        let is_ours = self.is_here() && typing(terminal) == self.modes;
        if !is_ours || is_in_background(terminal) {
            return None;
        }
        let size = tcgetwinsize(terminal).ok()?;
        let size = Size {
            rows: size.ws_row,
            columns: size.ws_col,
        };
        size.has_room().then_some(size)
    }

    /// Writes what can be written at once, if it is still there.
    pub fn say(&self, text: &str) {
        let mut bytes = text.as_bytes();
        while !bytes.is_empty() && self.is_here() {
            match rustix::io::write(descriptor(), bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return,
            }
        }
    }
}

fn descriptor() -> BorrowedFd<'static> {
    stderr()
}

/// Whether lines are typed, and shown.
fn typing(terminal: BorrowedFd<'_>) -> Option<LocalModes> {
    let modes = tcgetattr(terminal).ok()?.local_modes;
    Some(modes & (LocalModes::ICANON | LocalModes::ECHO))
}

/// Where it is not this process's own terminal, nobody is in its foreground.
fn is_in_background(terminal: BorrowedFd<'_>) -> bool {
    tcgetpgrp(terminal).is_ok_and(|foreground| foreground != getpgrp())
}
