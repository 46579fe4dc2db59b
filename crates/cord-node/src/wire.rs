//! A wire: packets in both directions over a tunnel, which may be cut and come back.

use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

use super::packet::{Head, Kind, HEADER};
use super::tunnel::Tunnel;
use cord_wire::wire::{u64_at, Malformed};

/// No more is taken from links while so much waits to be written.
const CROWDED: usize = 512 * 1024;
/// Nor while so much has not been read by the other side, as far as it has said.
const WINDOW: usize = 32 << 20;
/// It is told of so much that was read.
const TELL: u64 = 1 << 20;
/// And now and then in any case.
const BEAT: Duration = Duration::from_secs(1);
/// Who is silent for so long has lost this connection, where there may be another one.
const SILENCE: Duration = Duration::from_secs(5);
/// What it has of pure calls is made elsewhere before that: two beats have not come.
const MISSED: Duration = Duration::from_secs(2);
/// And where there is none, is gone.
const LAST_SILENCE: Duration = Duration::from_secs(10);

/// A packet that has come.
#[derive(Debug, PartialEq, Eq)]
pub struct Packet {
    /// What it is.
    pub kind: Kind,
    /// Which replica it is about.
    pub replica: u32,
    /// What it holds.
    pub body: Vec<u8>,
}

/// One end.
#[derive(Debug)]
pub struct Wire {
    tunnel: Option<Tunnel>,
    /// The greeting, as far as it has not been written.
    greeting: Vec<u8>,
    /// What follows it, from the byte with the number `kept_from` on.
    stream: VecDeque<u8>,
    /// The other side has read all before.
    kept_from: u64,
    /// And this side has written all before.
    written: u64,
    /// What has come and is not understood yet.
    came: Vec<u8>,
    start: usize,
    /// How much has come, greetings not counted.
    read: u64,
    /// How much the other side knows of that.
    told: u64,
    is_greeted: bool,
    heard_at: Instant,
    beat_at: Instant,
}

impl Wire {
    /// One over this tunnel, which begins with a greeting.
    pub fn new(tunnel: Tunnel, now: Instant) -> Wire {
        Wire {
            tunnel: Some(tunnel),
            greeting: Vec::new(),
            stream: VecDeque::new(),
            kept_from: 0,
            written: 0,
            came: Vec::new(),
            start: 0,
            read: 0,
            told: 0,
            is_greeted: false,
            heard_at: now,
            beat_at: now,
        }
    }

    /// The tunnel, unless it is cut.
    pub fn tunnel(&self) -> Option<&Tunnel> {
        self.tunnel.as_ref()
    }

    /// How much has come.
    pub fn read_so_far(&self) -> u64 {
        self.read
    }

    /// Says this before all else.
    pub fn greet(&mut self, kind: Kind, body: &[u8]) {
        let head = Head {
            kind,
            replica: 0,
            length: body.len(),
        };
        self.greeting.extend_from_slice(&head.encode());
        self.greeting.extend_from_slice(body);
    }

    /// Adds a packet.
    pub fn put(&mut self, kind: Kind, replica: u32, body: &[u8]) {
        let head = Head {
            kind,
            replica,
            length: body.len(),
        };
        self.stream.extend(head.encode());
        self.stream.extend(body);
    }

    /// Whether more is to be added.
    pub fn has_room(&self) -> bool {
        self.unwritten() < CROWDED && self.stream.len() < WINDOW && self.tunnel.is_some()
    }

    fn unwritten(&self) -> usize {
        self.stream.len() - self.offset()
    }

    fn offset(&self) -> usize {
        usize::try_from(self.written - self.kept_from).expect("it is in memory")
    }

    /// Tells the other side that this one lives, if it is time. Gives for how long that one has been
    /// silent, if that is too long.
    pub fn beat(&mut self, now: Instant) -> Option<Duration> {
        let tunnel = self.tunnel.as_ref()?;
        let longest = match tunnel.is_secured_here() {
            true => SILENCE,
            false => LAST_SILENCE,
        };
        let is_time = now.duration_since(self.beat_at) >= BEAT || self.read - self.told >= TELL;
        if self.is_greeted && is_time {
            self.tell(now);
        }
        (now.duration_since(self.heard_at) >= longest).then_some(longest)
    }

    /// Whether nothing was heard of the other side for longer than it takes to say that it lives.
    pub fn is_silent(&self, now: Instant) -> bool {
        self.tunnel.is_some() && now.duration_since(self.heard_at) >= MISSED
    }

    fn tell(&mut self, now: Instant) {
        self.beat_at = now;
        self.told = self.read;
        self.put(Kind::Read, 0, &self.read.to_le_bytes());
    }

    /// Writes what can be written; true if something is left.
    ///
    /// # Errors
    /// When the other side is gone.
    pub fn flush(&mut self) -> io::Result<bool> {
        let Some(tunnel) = &mut self.tunnel else {
            return Ok(false);
        };
        while !self.greeting.is_empty() {
            let taken = tunnel.write(&self.greeting)?;
            self.greeting.drain(..taken);
            if tunnel.flush()? || taken == 0 {
                return Ok(!self.greeting.is_empty() || !self.stream.is_empty());
            }
        }
        loop {
            if tunnel.flush()? {
                return Ok(true);
            }
            let offset = usize::try_from(self.written - self.kept_from).expect("in memory");
            let (front, back) = self.stream.as_slices();
            let next = match offset < front.len() {
                true => &front[offset..],
                false => &back[offset - front.len()..],
            };
            if next.is_empty() {
                break;
            }
            let taken = tunnel.write(next)?;
            self.written += taken as u64;
            if taken == 0 {
                return Ok(tunnel.flush()? || !tunnel.is_secured_here());
            }
        }
        if !tunnel.is_secured_here() {
            // what cannot come back need not be kept
            self.stream.clear();
            self.kept_from = self.written;
        }
        Ok(false)
    }

    /// Reads once; whether something came.
    ///
    /// # Errors
    /// When the other side is gone.
    pub fn fill(&mut self, now: Instant) -> io::Result<bool> {
        let Some(tunnel) = &mut self.tunnel else {
            return Ok(false);
        };
        if self.start == self.came.len() {
            self.came.clear();
            self.start = 0;
        } else if self.start > self.came.len() / 2 {
            self.came.drain(..self.start);
            self.start = 0;
        }
        let Some(count) = tunnel.read(&mut self.came)? else {
            return Ok(false);
        };
        self.heard_at = now;
        if self.is_greeted {
            self.read += count as u64;
        }
        Ok(true)
    }

    /// The next packet that is whole. What only wires have to say to one another is taken in here.
    ///
    /// # Errors
    /// When what came is none.
    pub fn next(&mut self) -> Result<Option<Packet>, Malformed> {
        loop {
            let there = &self.came[self.start..];
            if there.len() < HEADER {
                return Ok(None);
            }
            let head = Head::decode(there)?;
            let Some(body) = there.get(HEADER..HEADER + head.length) else {
                return Ok(None);
            };
            let body = body.to_vec();
            self.start += HEADER + head.length;
            if !self.is_greeted {
                self.is_greeted = true;
                self.read += (self.came.len() - self.start) as u64;
            } else if head.kind == Kind::Read {
                self.has_been_read(&body)?;
                continue;
            }
            return Ok(Some(Packet {
                kind: head.kind,
                replica: head.replica,
                body,
            }));
        }
    }

    fn has_been_read(&mut self, body: &[u8]) -> Result<(), Malformed> {
        if body.len() != 8 {
            return Err(Malformed::new("a packet says wrongly how much was read"));
        }
        self.forget_until(u64_at(body, 0))
    }

    /// The other side has read so much: it need not be kept.
    ///
    /// # Errors
    /// When that was never written.
    pub fn forget_until(&mut self, read: u64) -> Result<(), Malformed> {
        if read > self.kept_from + self.stream.len() as u64 {
            return Err(Malformed::new("more was read than was ever written"));
        }
        if read > self.kept_from {
            let count = usize::try_from(read - self.kept_from).expect("it is in memory");
            self.stream.drain(..count);
            self.kept_from = read;
            self.written = self.written.max(read);
        }
        Ok(())
    }

    /// The tunnel is cut: all is kept for another one.
    pub fn cut(&mut self, now: Instant) {
        self.tunnel = None;
        self.greeting.clear();
        self.heard_at = now;
    }

    /// Goes on over another tunnel. The other side has read so much of what this one has ever put.
    ///
    /// # Errors
    /// When it cannot have.
    pub fn go_on(&mut self, over: Wire, read: u64) -> Result<(), Malformed> {
        if read < self.kept_from {
            return Err(Malformed::new("it lacks what is not there any more"));
        }
        self.forget_until(read)?;
        self.written = read;
        let rest = &over.came[over.start..];
        self.came.drain(..self.start);
        self.start = 0;
        self.came.extend_from_slice(rest);
        self.read += rest.len() as u64;
        self.tunnel = over.tunnel;
        self.greeting = over.greeting;
        self.is_greeted = true;
        (self.heard_at, self.beat_at) = (over.heard_at, over.heard_at);
        Ok(())
    }
}
