//! Channels on one side, wires on the other: what comes in by one goes out by the other. The same for
//! gateway and agent, which decide what all else means that is said.

mod channels;
mod wires;

use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

use crate::channel::{Channel, Side};
use crate::contents::{Contents, NodeStore};
use crate::epoll::{Can, Epoll};
use crate::meeting::Meetings;
use crate::routes::Routes;
use crate::wire::{Packet, Wire};
use cord_dispatch::dispatcher::{IdMap, ReplicaId};
use cord_os::spin::Spin;

/// Numbers of wires, as what is waited for; channels have those of their replicas, which fit 32 bits.
const WIRES: u64 = 1 << 32;
/// Of the ends that wires write to, where those are not what they read from.
const WRITERS: u64 = 2 << 32;
/// Numbers from here on are the owner's.
pub(crate) const OWN: u64 = 3 << 32;
/// What cannot be sent for lack of room in the system is tried again after so long.
const CONGESTED: Duration = Duration::from_millis(1);
/// Wires are looked after so often.
const TICK: Duration = Duration::from_millis(250);

/// What an exchange does not know what to do with.
#[derive(Debug)]
pub(crate) enum Happened {
    /// Something was said over a wire that is no frame's.
    Said(usize, Packet),
    /// A replica's link has ended here, and all that came over it is on its way.
    Ended(ReplicaId),
    /// A wire is cut: why.
    Cut(usize, String),
    /// What the owner waits for can be read.
    Own(u64),
}

/// What decides about what goes on.
#[derive(Debug)]
pub(crate) struct Known {
    /// By wire: what its other side has. Asked by gateways; an agent's is what it has itself.
    contents: Vec<Contents>,
    pub(crate) store: Option<NodeStore>,
    /// Links between replicas, as an agent makes them.
    meetings: Meetings,
    /// And as a gateway passes on what comes over them.
    pub(crate) routes: Routes,
}

impl Known {
    fn side(&mut self, wire: usize) -> Side<'_> {
        match &mut self.store {
            Some(store) => Side::Agent(store, &mut self.meetings),
            None => Side::Gateway(&mut self.contents[wire], &mut self.routes),
        }
    }
}

/// All of it.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) epoll: Epoll,
    pub(crate) channels: IdMap<ReplicaId, Channel>,
    pub(crate) wires: Vec<Option<Wire>>,
    pub(crate) known: Known,
    /// Channels with something for their wire.
    ready: VecDeque<ReplicaId>,
    /// Channels of which more is to be read.
    unread: Vec<ReplicaId>,
    /// Channels that are not read on until their wire has taken what it was given.
    stalled: Vec<ReplicaId>,
    /// Channels whose link could not take all for lack of descriptors.
    congested: Vec<ReplicaId>,
    /// Wires of which more has come than was looked at.
    unheard: Vec<usize>,
    /// By wire: whether it waits to be writable.
    wants_out: Vec<bool>,
    ticked_at: Instant,
    spin: Spin,
    cans: Vec<Can>,
    happened: Vec<Happened>,
}

impl Exchange {
    /// One without channels and wires. An agent's has a store.
    ///
    /// # Errors
    /// When the system has no descriptors left.
    pub(crate) fn new(store: Option<NodeStore>) -> io::Result<Exchange> {
        Ok(Exchange {
            epoll: Epoll::new()?,
            channels: IdMap::default(),
            wires: Vec::new(),
            known: Known {
                contents: Vec::new(),
                store,
                meetings: Meetings::default(),
                routes: Routes::default(),
            },
            ready: VecDeque::new(),
            unread: Vec::new(),
            stalled: Vec::new(),
            congested: Vec::new(),
            unheard: Vec::new(),
            wants_out: Vec::new(),
            ticked_at: Instant::now(),
            spin: Spin::default(),
            cans: Vec::new(),
            happened: Vec::new(),
        })
    }

    /// Does what there is to do, after waiting for it; tells what has happened besides. What comes of
    /// that goes out when the next turn begins, with what the owner has said meanwhile.
    ///
    /// # Errors
    /// When it cannot be waited.
    pub(crate) fn turn(&mut self) -> io::Result<Vec<Happened>> {
        self.pump();
        self.wait()?;
        for wire in std::mem::take(&mut self.unheard) {
            self.read_wire(wire);
        }
        let cans = std::mem::take(&mut self.cans);
        for can in &cans {
            self.heed(*can);
        }
        self.cans = cans;
        self.cans.clear();
        for replica in std::mem::take(&mut self.unread) {
            self.read_channel(replica);
        }
        for replica in std::mem::take(&mut self.congested) {
            self.flush_channel(replica);
        }
        self.look_after_wires();
        Ok(std::mem::take(&mut self.happened))
    }

    fn wait(&mut self) -> io::Result<()> {
        let is_busy = [
            self.unread.is_empty(),
            self.unheard.is_empty(),
            self.happened.is_empty(),
        ];
        let longest = if is_busy.contains(&false) {
            Duration::ZERO
        } else if !self.congested.is_empty() {
            CONGESTED
        } else {
            TICK
        };
        let (epoll, cans) = (&self.epoll, &mut self.cans);
        if longest == TICK {
            let mut failed = None;
            let came = self.spin.until(|| {
                failed = epoll.wait(Duration::ZERO, cans).err();
                !cans.is_empty() || failed.is_some()
            });
            if came {
                return failed.map_or(Ok(()), |error| Err(error.into()));
            }
        }
        Ok(epoll.wait(longest, cans)?)
    }

    fn heed(&mut self, can: Can) {
        let index = (can.number & u64::from(u32::MAX)) as usize;
        match can.number {
            own if own >= OWN => self.happened.push(Happened::Own(own)),
            writer if writer >= WRITERS => self.flush_wire(index),
            wire if wire >= WIRES => {
                if can.be_written {
                    self.flush_wire(index);
                }
                if can.be_read {
                    self.read_wire(index);
                }
            }
            _ => {
                let replica = index as ReplicaId;
                if can.be_written {
                    self.flush_channel(replica);
                }
                if can.be_read {
                    let channel = self.channels.get_mut(&replica);
                    let heard = channel.map_or(Ok(()), |channel| channel.link.hear());
                    match heard {
                        Ok(()) => self.read_channel(replica),
                        Err(_) => self.end_channel(replica),
                    }
                    self.flush_channel(replica); // the bell may say that there is room
                }
            }
        }
    }
}
