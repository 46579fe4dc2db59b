//! Agents that stand and are not there: they were lost, or nobody listened when the run began. Where one
//! listens again, it is connected to as at the beginning, and serves with the others.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use super::calling::Calling;
use super::Gateway;
use crate::node::identity::NOBODY;
use crate::node::tunnel::Tunnel;

/// So long passes between two attempts.
const AGAIN: Duration = Duration::from_secs(1);

/// One of them: what it was called, and what leads to where it listens when it is back.
#[derive(Debug)]
pub(super) struct Absent {
    name: String,
    calling: Calling,
}

impl Absent {
    pub(super) fn new(name: String, mut calling: Calling) -> Absent {
        calling.rest(Instant::now(), AGAIN);
        Absent { name, calling }
    }
}

impl Gateway {
    /// A node is not there any more. If it stands it may come back.
    pub(super) fn is_absent(&mut self, wire: usize) {
        if let Some(calling) = self.call_no_more(wire) {
            let name = self.nodes[wire].name.clone();
            self.absent.push(Absent::new(name, calling));
        }
    }

    /// Looks whether any of them is there again.
    pub(super) fn look_for_absent(&mut self, now: Instant) {
        if self.is_over {
            return self.absent.clear();
        }
        for at in (0..self.absent.len()).rev() {
            let calling = &mut self.absent[at].calling;
            match calling.step(now, &self.exchange.epoll) {
                Ok(None) => {}
                Ok(Some(socket)) => self.begin_anew(at, socket),
                Err(_) => calling.rest(now, AGAIN),
            }
        }
    }

    fn begin_anew(&mut self, at: usize, socket: OwnedFd) {
        let Absent { name, calling } = self.absent.swap_remove(at);
        let Some(key) = &self.settings.key else {
            return;
        };
        let added = Tunnel::knocking(socket, key, &NOBODY).and_then(|tunnel| self.add(tunnel));
        match self.nodes.last_mut().filter(|_| added.is_ok()) {
            Some(node) => {
                node.name = name;
                node.calling = Some(calling);
                node.was_absent = true;
            }
            None => self.absent.push(Absent::new(name, calling)),
        }
    }
}
