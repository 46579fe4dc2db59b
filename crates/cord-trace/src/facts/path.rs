//! The critical path: what the run's length is made of, found by walking back from its end.
//!
//! At the end it is the program's own time; where the program has waited for a call, it is that call's run;
//! where that call could not begin because its replica was at another one, it is that one's; else what has
//! led to its being issued: the program's own time again, a scout's, or a call whose value was needed.

use std::collections::BTreeMap;

use cord_dispatch::dispatcher::Nanos;

use super::replicas::ByReplica;
use super::{ran, At};
use crate::{Call, Run, Take};

/// What a piece of the path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// The program's own lines.
    Own,
    /// At a call without waiting for a replica: encoding, comparing, decoding.
    Handling,
    /// The program made a call itself.
    Made,
    /// A scout found out which call comes next.
    Scout,
    /// A replica was getting ready, for its first call.
    Starting,
    /// A call was on its way to a replica that had nothing else to do.
    Sending,
    /// A call ran that the program waited for.
    Running,
    /// A call ran, and the one that was waited for was behind it in the same replica.
    Behind,
    /// A call ran, and another one could not be issued, or begin, without its value.
    Needed,
    /// An outcome was on its way.
    Coming,
}

/// A piece of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    pub began: Nanos,
    pub ended: Nanos,
    pub kind: Kind,
    /// The place of the call; for the program's own time, of the call that it led to, 0 for the end.
    pub place: u32,
}

/// The path.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// How long all pieces of a kind at a place are together, and how many they are.
    pub sums: BTreeMap<(u32, Kind), (Nanos, u64)>,
    /// In order.
    pub pieces: Vec<Piece>,
    /// Of which kind most of each of equal parts of it is.
    pub kinds: Vec<Kind>,
}

const KINDS: [Kind; 10] = [
    Kind::Own,
    Kind::Handling,
    Kind::Made,
    Kind::Scout,
    Kind::Starting,
    Kind::Sending,
    Kind::Running,
    Kind::Behind,
    Kind::Needed,
    Kind::Coming,
];
/// In so many parts it is told.
const PARTS: u64 = 4096;

pub(super) fn of(run: &Run, takes: &[&Take], by_replica: &ByReplica<'_>, length: Nanos) -> Path {
    let times = |of: fn(&Call) -> Option<Nanos>| {
        let mut all: Vec<(Nanos, usize)> = (run.calls.iter().enumerate())
            .filter(|(_, call)| call.parent.is_none() && !call.beside)
            .filter_map(|(at, call)| Some((of(call)?, at)))
            .collect();
        all.sort_unstable();
        all
    };
    let mut walk = Walk {
        run,
        takes,
        by_replica,
        issues: times(|call| Some(call.issued)),
        ends: times(|call| ran(call).and(call.ended)),
        at: length,
        next: 0,
        path: Path::default(),
    };
    walk.go();
    walk.path.pieces.reverse();
    walk.path.kinds = kinds(&walk.path.pieces, length);
    walk.path
}

fn kinds(pieces: &[Piece], length: Nanos) -> Vec<Kind> {
    let width = length.div_ceil(PARTS).max(1);
    let mut sums = vec![[0_u64; KINDS.len()]; length.div_ceil(width) as usize];
    for piece in pieces {
        let mut at = piece.began;
        while at < piece.ended {
            let until = piece.ended.min((at / width + 1) * width);
            sums[(at / width) as usize][piece.kind as usize] += until - at;
            at = until;
        }
    }
    let most = |sums: [u64; KINDS.len()]| KINDS.into_iter().max_by_key(|kind| sums[*kind as usize]);
    sums.into_iter().filter_map(most).collect()
}

/// So many steps may make no way, one after the other.
const MOST_STANDS: u32 = 6;

struct Walk<'a> {
    run: &'a Run,
    takes: &'a [&'a Take],
    by_replica: &'a ByReplica<'a>,
    /// When calls were issued, and answered, with their places in the run's list.
    issues: Vec<(Nanos, usize)>,
    ends: Vec<(Nanos, usize)>,
    /// What comes after this is accounted for.
    at: Nanos,
    /// The place that the program comes to next.
    next: u32,
    path: Path,
}

/// Where the walk goes on.
enum From<'a> {
    /// With what the program was at.
    Program,
    /// With what has led to a call, of which all from its end on is accounted for.
    Call(&'a Call, Kind),
    /// With what has led to a call's being issued just then.
    Issue,
}

/// The last of these, before a time.
fn before(times: &[(Nanos, usize)], at: Nanos) -> Option<(Nanos, usize)> {
    let many = times.partition_point(|(time, _)| *time < at);
    many.checked_sub(1).map(|last| times[last])
}

impl<'a> Walk<'a> {
    fn go(&mut self) {
        let mut from = From::Program;
        let mut stands = 0;
        while self.at > 0 {
            let was = self.at;
            from = match from {
                From::Program => self.program(),
                From::Call(call, kind) => self.call(call, kind),
                From::Issue => self.issue(),
            };
            stands = if self.at == was { stands + 1 } else { 0 };
            if stands > MOST_STANDS {
                // by clocks that do not agree it goes in a circle: what cannot be known is the program's
                let began = self.take().map_or(0, |take| take.began);
                self.to(began, Kind::Handling, self.next);
                from = From::Program;
            }
        }
    }

    /// The path from `began` to where it is known from is of this kind.
    fn to(&mut self, began: Nanos, kind: Kind, place: u32) {
        if began >= self.at {
            return;
        }
        let sum = self.path.sums.entry((place, kind)).or_default();
        sum.0 += self.at - began;
        match self.path.pieces.last_mut() {
            Some(last) if last.kind == kind && last.place == place => last.began = began,
            _ => {
                sum.1 += 1;
                self.path.pieces.push(Piece {
                    began,
                    ended: self.at,
                    kind,
                    place,
                });
            }
        }
        self.at = began;
    }

    /// The take that the program is in, or was in last.
    fn take(&self) -> Option<&'a Take> {
        let many = self.takes.partition_point(|take| take.began < self.at);
        many.checked_sub(1).map(|last| self.takes[last])
    }

    fn program(&mut self) -> From<'a> {
        let Some(take) = self.take() else {
            self.to(0, Kind::Own, self.next);
            return From::Program;
        };
        self.to(take.ended, Kind::Own, self.next);
        self.next = take.place;
        let call = self.run.call(take.call);
        let at = At::of(take, call);
        if let (Some(call), true) = (call, at.running + at.queued + at.coming > 0) {
            if self.at == take.ended {
                self.to(take.ended - at.coming, Kind::Coming, take.place);
                return From::Call(call, Kind::Running);
            }
        }
        let kind = match at.made {
            0 => Kind::Handling,
            _ => Kind::Made,
        };
        self.to(take.began, kind, take.place);
        From::Program
    }

    fn call(&mut self, call: &'a Call, kind: Kind) -> From<'a> {
        let Some((began, _)) = ran(call) else {
            return From::Issue;
        };
        self.to(began, kind, call.place);
        let began = self.at.min(began);
        let before = self.before(call);
        let needed = (call.needs.iter())
            .filter_map(|id| self.run.call(*id))
            .filter_map(|need| Some((ran(need)?.1, need)))
            .filter(|(ended, _)| *ended > call.issued && *ended <= began)
            .max_by_key(|(ended, _)| *ended);
        let last = [
            before,
            needed.map(|(ended, need)| (ended, need, Kind::Needed)),
        ];
        if let Some((ended, other, kind)) = last.into_iter().flatten().max_by_key(|one| one.0) {
            self.to(ended, Kind::Sending, call.place);
            return From::Call(other, kind);
        }
        let kind = if self.is_first(call) {
            Kind::Starting
        } else {
            Kind::Sending
        };
        self.to(call.issued, kind, call.place);
        match call.parent.and_then(|(_, parent)| self.run.call(parent)) {
            Some(parent) => From::Call(parent, Kind::Running),
            None => From::Issue,
        }
    }

    /// Whether its replica has run none before it, and so had to import what this one needs.
    fn is_first(&self, call: &Call) -> bool {
        let calls = call.replica.and_then(|id| self.by_replica.get(&id));
        calls.is_some_and(|calls| calls[0].id == call.id)
    }

    /// The call before it in its replica, if that has kept it from beginning.
    fn before(&self, call: &Call) -> Option<(Nanos, &'a Call, Kind)> {
        let calls = self.by_replica.get(&call.replica?)?;
        let at = calls.partition_point(|one| ran(one) < ran(call));
        let before = calls[at.checked_sub(1)?];
        let (_, ended) = ran(before)?;
        (ended > call.issued && ended <= ran(call)?.0).then_some((ended, before, Kind::Behind))
    }

    /// A call was issued now. In a take it is a scout that has done so: since it has issued another one, or
    /// has been given a value, or since the take has begun.
    fn issue(&mut self) -> From<'a> {
        let inside = self.take().filter(|take| take.ended >= self.at);
        let Some(take) = inside else {
            return From::Program;
        };
        self.next = take.place;
        let issued = before(&self.issues, self.at).map_or(0, |(at, _)| at);
        let ended = before(&self.ends, self.at).filter(|(at, _)| *at > take.began.max(issued));
        if let Some((ended, other)) = ended {
            if self.at - ended < ended - issued.max(take.began) {
                self.to(ended, Kind::Scout, take.place);
                let other = &self.run.calls[other];
                self.to(
                    ran(other).map_or(ended, |(_, at)| at),
                    Kind::Coming,
                    other.place,
                );
                return From::Call(other, Kind::Needed);
            }
        }
        self.to(issued.max(take.began), Kind::Scout, take.place);
        if issued > take.began {
            From::Issue
        } else {
            From::Program
        }
    }
}
