//! Replicas that are processes of this machine: a zygote forks them, rings of shared memory or sockets
//! lead to them.

pub mod control;
mod processes;
pub mod ready;
mod stopped;
pub mod zygote;

use std::io;
use std::os::fd::AsFd;
use std::time::Instant;

use super::{Launcher, Report, Wanted};
use cord_dispatch::dispatcher::{Death, Nanos, ReplicaId};
use cord_os::complaint::complain;
use cord_os::descriptor::{Descriptor, Which};
use cord_os::spare;
use cord_wire::inbox::Filled;
use cord_wire::link::Link;
use cord_wire::loss::Fallen;
use cord_wire::message::Message;
use cord_wire::outbox::Flushed;
use cord_wire::outbox::Outbox;
use cord_wire::wire::Malformed;
use processes::Processes;
use ready::Ready;
use stopped::Watch;
use zygote::{Said, Zygote};

/// What is said where the zygote has ended before its client, and none takes its place.
const ZYGOTE_GONE: &str = "the process of Cord's that starts replicas was ended, and they with it";
/// The same of a gateway.
const GATEWAY_GONE: &str = "the process of Cord's that leads to the nodes was ended, and so are all \
    replicas: the program makes pure calls by itself from here on, others raise ReplicaLost; start it \
    anew to have the nodes again";

/// Starts replicas by a zygote.
#[derive(Debug)]
pub struct Local {
    zygote: Zygote,
    watch: Watch,
    processes: Processes,
    ready: Ready,
    started: Instant,
    /// Their processes are on other machines: a gateway stands in the zygote's place.
    is_far: bool,
    /// What standard error is, where it is said that the zygote has ended.
    stderr: Option<Which>,
}

impl Local {
    /// Takes over the `SOCK_SEQPACKET` socket to the zygote, and links to replicas that are to come.
    ///
    /// With `is_far` it leads to a gateway, whose replicas are on other machines.
    pub fn new(zygote: Descriptor, ready: Ready, is_far: bool) -> Local {
        Local {
            watch: Watch::new(&zygote),
            zygote: Zygote::new(zygote),
            processes: Processes::default(),
            ready,
            started: Instant::now(),
            is_far,
            stderr: which_is_stderr(),
        }
    }

    /// Says that the zygote is gone; not if the program has closed the socket to it, or has
    /// something else where standard error was.
    fn complain_gone(&mut self) {
        let stderr = self.stderr.take();
        if stderr.is_some() && stderr == which_is_stderr() && self.zygote.socket().is_ours() {
            complain(match self.is_far {
                true => GATEWAY_GONE,
                false => ZYGOTE_GONE,
            });
        }
    }
}

fn which_is_stderr() -> Option<Which> {
    Which::of(io::stderr().as_fd())
}

impl Launcher for Local {
    type Link = Link;

    fn now(&self) -> Nanos {
        u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(Nanos::MAX)
    }

    fn introduces(&self) -> bool {
        self.is_far
    }

    fn launch(&mut self, wanted: Wanted) -> io::Result<Link> {
        let mut take = || self.ready.take(wanted.transport);
        // one that replaces another finds that one's descriptor free, too
        let (link, theirs) = take().or_else(|_| spare::lend(take))?;
        self.zygote.launch(wanted, theirs);
        self.watch.wanted += u32::from(!self.is_far);
        Ok(link)
    }

    fn flush(&mut self) -> bool {
        self.zygote.flush()
    }

    fn report(&mut self) -> Option<Report> {
        loop {
            return Some(match self.zygote.receive()? {
                Said::Started(replica, pid) => {
                    self.watch.wanted = self.watch.wanted.saturating_sub(1);
                    self.processes.note(replica, pid);
                    continue;
                }
                Said::Exited(replica, status) => {
                    Report::Died(replica, self.processes.note_end(replica, status))
                }
                Said::Beyond(replica, beyond) => {
                    self.processes.note_beyond(replica, beyond);
                    continue;
                }
                Said::Failed(replica, errno) => {
                    self.watch.wanted = self.watch.wanted.saturating_sub(1);
                    Report::Failed(replica, errno)
                }
                Said::Lost(replica) => Report::Died(replica, Death::Disconnected),
                Said::Placed(replica, node, name) => Report::Placed(replica, node, name),
                Said::Away(replica, is_away) => Report::Away(replica, is_away),
                Said::Grown(cores) => Report::Grown(cores),
                Said::Gone => {
                    if self.is_far {
                        self.complain_gone();
                    }
                    Report::Gone
                }
            });
        }
    }

    fn miss(&mut self) {
        if !self.is_far {
            self.complain_gone();
        }
    }

    fn source(&self) -> Option<&Descriptor> {
        Some(self.zygote.socket())
    }

    fn look(&mut self) {
        self.watch.look();
    }

    fn note(&mut self, replica: ReplicaId, pid: u32) {
        self.processes.note(replica, pid);
    }

    fn end(&mut self, replica: ReplicaId) {
        match self.is_far {
            true => self.zygote.end(replica),
            false => self.processes.end(replica),
        }
    }

    fn retire(&mut self, replica: ReplicaId) {
        self.processes.retire(replica);
    }

    fn fallen(&self, replica: ReplicaId) -> Fallen {
        self.processes.fallen(replica)
    }

    fn shut_down(&mut self) {
        self.zygote.shut_down();
    }
}

impl super::Link for Link {
    #[inline]
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.outbox
    }

    #[inline]
    fn flush(&mut self) -> Flushed {
        Link::flush(self)
    }

    #[inline]
    fn fill(&mut self) -> Result<Filled, Malformed> {
        Link::fill(self)
    }

    #[inline]
    fn next(&mut self) -> Result<Option<Message>, Malformed> {
        Link::next(self)
    }

    fn source(&self) -> Option<&Descriptor> {
        Some(self.socket())
    }

    fn hear(&mut self) -> Result<(), Malformed> {
        Link::hear(self)
    }

    #[inline]
    fn can_be_watched(&self) -> bool {
        self.has_rings()
    }

    #[inline]
    fn has_some(&self) -> bool {
        Link::has_some(self)
    }

    #[inline]
    fn sleeps(&self) -> bool {
        Link::sleeps(self)
    }

    #[inline]
    fn is_awake(&self) {
        Link::is_awake(self);
    }

    #[inline]
    fn written(&self) -> Option<u64> {
        Link::written(self)
    }

    fn is_unread_from(&self, position: u64) -> bool {
        Link::is_unread_from(self, position)
    }

    fn shut_down(&self) {
        if let Ok(socket) = self.socket().get() {
            let _ = rustix::net::shutdown(socket, rustix::net::Shutdown::Both);
        }
    }
}
