//! The terminal behind standard error, if there is one, and whether it is Cord's to draw on now.

use std::os::fd::BorrowedFd;

use rustix::process::getpgrp;
use rustix::stdio::stderr;
use rustix::termios::{isatty, tcgetattr, tcgetpgrp, tcgetwinsize, LocalModes};

use super::screen::Size;
use crate::descriptor::Which;

/// A terminal that can do more than print one line after the other.
#[derive(Debug)]
pub struct Terminal {
    which: Which,
    /// How it treats what is typed, when nobody has asked for something else.
    modes: LocalModes,
}

impl Terminal {
    /// The terminal behind standard error, unless `kind` (what `TERM` says) is one that cannot move its
    /// cursor.
    pub fn of_stderr(kind: Option<&str>) -> Option<Terminal> {
        if matches!(kind, None | Some("" | "dumb")) || !isatty(standard_error()) {
            return None;
        }
        Some(Terminal {
            which: Which::of(standard_error())?,
            modes: typing(standard_error())?,
        })
    }

    /// Its size, if it can be drawn on now. It cannot while the program reads single keys, as editors of
    /// a line and all that use the whole screen do; nor in the background, where it is somebody else's;
    /// nor once standard error leads elsewhere.
    pub fn is_ours(&self) -> Option<Size> {
        let terminal = standard_error();
        let is_here = Which::of(terminal) == Some(self.which);
        if !is_here || typing(terminal)? != self.modes || is_in_background(terminal) {
            return None;
        }
        let size = tcgetwinsize(terminal).ok()?;
        let size = Size {
            rows: size.ws_row,
            columns: size.ws_col,
        };
        size.has_room().then_some(size)
    }
}

fn standard_error() -> BorrowedFd<'static> {
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

/// Writes to standard error what can be written at once; whoever has closed it is not told.
pub fn say(text: &str) {
    let mut bytes = text.as_bytes();
    while !bytes.is_empty() {
        match rustix::io::write(standard_error(), bytes) {
            Ok(written) => bytes = &bytes[written..],
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
    }
}
