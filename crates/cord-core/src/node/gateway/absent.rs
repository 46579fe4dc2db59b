//! Agents that stand and are not there: they were lost, or nobody listened when the run began. Where one
//! listens again, it is connected to as at the beginning, and serves with the others.

use std::io;
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use super::calling::Calling;
use super::Gateway;
use crate::node::identity::NOBODY;
use crate::node::tunnel::Tunnel;

/// So long passes between two attempts.
const AGAIN: Duration = Duration::from_secs(1);

/// One of them.
#[derive(Debug)]
pub(super) struct Absent {
    name: String,
    address: SocketAddr,
    calling: Calling,
}

impl Absent {
    /// One that was called so, and listens there when it is back.
    pub(super) fn new(name: String, address: SocketAddr) -> Absent {
        let mut calling = Calling::to(address);
        calling.rest(Instant::now(), AGAIN);
        Absent {
            name,
            address,
            calling,
        }
    }
}

impl Gateway {
    /// A node is not there any more. If it stands it may come back.
    pub(super) fn is_absent(&mut self, wire: usize) {
        if let Some(address) = self.call_no_more(wire) {
            let name = self.nodes[wire].name.clone();
            self.absent.push(Absent::new(name, address));
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
                Ok(Some(socket)) => {
                    let absent = self.absent.swap_remove(at);
                    if self.begin_anew(&absent, socket).is_err() {
                        self.absent.push(Absent::new(absent.name, absent.address));
                    }
                }
                Err(_) => calling.rest(now, AGAIN),
            }
        }
    }

    fn begin_anew(&mut self, absent: &Absent, socket: OwnedFd) -> io::Result<()> {
        let Some(key) = &self.settings.key else {
            return Ok(());
        };
        self.add(Tunnel::knocking(socket, key, &NOBODY)?)?;
        if let Some(node) = self.nodes.last_mut() {
            node.name.clone_from(&absent.name);
            node.calling = Some(Calling::to(absent.address));
            node.was_absent = true;
        }
        Ok(())
    }
}
