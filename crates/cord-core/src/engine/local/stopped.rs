//! A zygote that a signal has stopped: whoever wants a replica would wait for ever. It is ended after a while, as
//! the zygote ends replicas that are stopped.

use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

use rustix::process::{kill_process, Pid, Signal};

use cord_os::descriptor::Descriptor;

/// Two looks are that far from one another at least.
const EVERY: Duration = Duration::from_millis(150);
/// It may be stopped at so many: some ten seconds. While the whole machine stands still nobody looks.
const MOST: u32 = 50;

/// What is known of it.
#[derive(Debug)]
pub(super) struct Watch {
    process: Option<Pid>,
    /// Replicas that it was asked for, and of which it has said nothing.
    pub wanted: u32,
    looked: Option<Instant>,
    seen: u32,
}

impl Watch {
    /// Watches the process that the socket to it belongs to (`F_SETOWN`).
    pub fn new(control: &Descriptor) -> Watch {
        // SAFETY: asks about a descriptor, whatever it is.
        let owner = |fd| unsafe { libc::fcntl(fd, libc::F_GETOWN) };
        let owner = control.get().map_or(-1, |socket| owner(socket.as_raw_fd()));
        Watch {
            process: (owner > 1).then(|| Pid::from_raw(owner)).flatten(),
            wanted: 0,
            looked: None,
            seen: 0,
        }
    }

    /// Nothing happens.
    pub fn look(&mut self) {
        let Some(process) = self.process.filter(|_| self.wanted > 0) else {
            return;
        };
        if self.looked.is_some_and(|at| at.elapsed() < EVERY) {
            return;
        }
        self.looked = Some(Instant::now());
        self.seen = if is_stopped(process) {
            self.seen + 1
        } else {
            0
        };
        if self.seen > MOST {
            let _ = kill_process(process, Signal::KILL); // the end of its socket tells the rest
        }
    }
}

fn is_stopped(process: Pid) -> bool {
    let status = std::fs::read(format!("/proc/{}/stat", process.as_raw_nonzero()));
    let status = status.unwrap_or_default();
    let after = status.iter().rposition(|byte| *byte == b')');
    after.is_some_and(|at| status[at..].starts_with(b") T"))
}
