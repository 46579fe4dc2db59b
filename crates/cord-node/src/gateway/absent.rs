//! Agents that stand and are not there: they were lost, or nobody listened when the run began. Where one
//! listens again, it is connected to as at the beginning, and serves with the others.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::net::SendFlags;

use super::calling::Calling;
use super::Gateway;
use crate::handed::receive;
use crate::identity::NOBODY;
use crate::tunnel::Tunnel;

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

    /// A node was lost: its launcher may start another agent.
    pub(super) fn ask_for_another(&self, wire: usize) {
        let node = &self.nodes[wire];
        if let Some(anew) = self
            .settings
            .anew
            .as_ref()
            .filter(|_| !(self.is_over || node.was_told))
        {
            let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
            let _ = rustix::net::send(anew, format!("{}\n", node.called).as_bytes(), flags);
        }
    }

    /// An agent was started where one was lost, and this leads to it.
    pub(super) fn take_another(&mut self) {
        let mut name = [0; 4096];
        loop {
            let Some(anew) = &self.settings.anew else {
                return;
            };
            let (length, socket) = match receive(anew, &mut name) {
                Ok((0, _)) => return self.exchange.epoll.delete(anew),
                Ok((length, Some(socket))) => (length, socket),
                Ok(_) | Err(Errno::INTR) => continue,
                Err(_) => return,
            };
            let writer = socket.try_clone();
            let tunnel = writer.and_then(|writer| Tunnel::plain(socket, writer));
            if tunnel.and_then(|tunnel| self.add(tunnel)).is_ok() {
                if let Some(node) = self.nodes.last_mut() {
                    node.name = String::from_utf8_lossy(&name[..length]).into_owned();
                    node.called.clone_from(&node.name);
                }
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
