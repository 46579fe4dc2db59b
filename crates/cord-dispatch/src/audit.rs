//! Pure calls that are made again when replicas have nothing to do: which, and what is kept of them.

use std::collections::{HashMap, VecDeque};
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use crate::dispatcher::{CallId, Nanos, ReplicaId};
use cord_wire::buffer::Buffer;
use cord_wire::codec::Codec;
use cord_wire::outcome::{Outcome, KIND_VALUE};
use cord_wire::payload::{is_same_world, Parcel, Payload, World};
use cord_wire::reads;

/// So far apart are the calls of a function at most, of which one may be made again.
const FARTHEST: u64 = 1024;
/// None waits for its turn whose arguments and result are larger than this …
const LARGEST: usize = 256 << 10;
/// … and all that wait have this many bytes at most, of which each takes some for itself.
const MOST: usize = 16 << 20;
const EACH: usize = 512;

/// Chooses among the calls of one function: the first, the second, the fourth and so on, or each.
#[derive(Debug, Default)]
pub struct Sampling {
    takes_all: bool,
    calls: AtomicU64,
    next: AtomicU64,
}

impl Sampling {
    /// Of calls that may take this part of the time in which replicas have nothing to do.
    pub fn of(part: f64) -> Sampling {
        Sampling {
            takes_all: is_all(part),
            ..Sampling::default()
        }
    }

    /// Whether the call that is issued now may be made again. Who issues calls does so one at a time.
    #[inline]
    pub fn takes_next(&self) -> bool {
        let call = self.calls.load(Ordering::Relaxed) + 1;
        self.calls.store(call, Ordering::Relaxed);
        let takes = self.takes_all || call > self.next.load(Ordering::Relaxed);
        if takes {
            let next = call + call.min(FARTHEST);
            self.next.store(next - 1, Ordering::Relaxed);
        }
        takes
    }
}

/// Whether all calls are to be made again, though the program ends later for that.
pub fn is_all(part: f64) -> bool {
    part.is_infinite()
}

/// Who hears that a call of a function has given something else when it was made again.
pub trait Auditor: Debug + Send + Sync {
    /// The bytes differ; whether the values do, only who can read them knows. Runs on the
    /// dispatcher's thread.
    fn differs(&self, pair: Pair);
}

/// A call and what it has given, twice.
#[derive(Debug)]
pub struct Pair {
    /// Its arguments.
    pub call: Payload,
    /// What it gave at first.
    pub first: Payload,
    /// What it gave when it was made again.
    pub second: Payload,
}

/// A call that was answered, and may be made again.
#[derive(Debug)]
pub struct Sample {
    pub module: u32,
    pub manner: u32,
    pub parcel: Parcel,
    pub world: World,
    /// Who answered it, and how long that took.
    pub replica: ReplicaId,
    pub service: Nanos,
    auditor: Arc<dyn Auditor>,
    value: Payload,
    output: Vec<u8>,
}

/// A call that is answered now, as whoever has it sees it.
pub struct Answered<'a> {
    pub module: u32,
    pub manner: u32,
    pub parcel: &'a Parcel,
    pub world: &'a World,
    pub replica: ReplicaId,
    pub service: Nanos,
}

impl Sample {
    /// What is kept of a call that has given a value; nothing if that is too much, or lies in shared
    /// memory: no descriptor is kept for this.
    pub fn of(call: &Answered<'_>, outcome: &Outcome, auditor: Arc<dyn Auditor>) -> Option<Sample> {
        let Outcome::Reply {
            kind: KIND_VALUE,
            payload,
            output,
        } = outcome
        else {
            return None;
        };
        let sent = std::iter::once(&call.parcel.head).chain(&call.parcel.buffers);
        let mut all = sent.chain(&payload.buffers);
        let fits = call.parcel.len() + payload.len() + output.len() <= LARGEST;
        if !fits || !all.all(|buffer| matches!(buffer, Buffer::Inline(_))) {
            return None;
        }
        let parcel = Parcel {
            codec: call.parcel.codec,
            head: call.parcel.head.copy().ok()?,
            buffers: copies(&call.parcel.buffers)?,
        };
        Some(Sample {
            module: call.module,
            manner: call.manner,
            parcel,
            world: World::clone(call.world),
            replica: call.replica,
            service: call.service,
            auditor,
            value: payload.copy().ok()?,
            output: output.clone(),
        })
    }

    /// How much memory it takes.
    fn len(&self) -> usize {
        EACH + self.parcel.len() + self.value.len() + self.output.len()
    }

    /// The call was made again; tells of it if it gave something else. What a file says that has changed
    /// since, or an exception, says nothing.
    pub fn compare(self, outcome: Outcome) {
        let Outcome::Reply {
            kind: KIND_VALUE,
            payload,
            output,
        } = outcome
        else {
            return;
        };
        if is_same(&self.value, &payload) || has_changed(&self.output) || has_changed(&output) {
            return;
        }
        let Buffer::Inline(head) = &self.parcel.head else {
            return;
        };
        let call = Payload {
            codec: self.parcel.codec,
            head: head.to_vec(),
            buffers: self.parcel.buffers,
        };
        self.auditor.differs(Pair {
            call,
            first: self.value,
            second: payload,
        });
    }
}

fn copies(buffers: &[Buffer]) -> Option<Vec<Buffer>> {
    buffers.iter().map(|buffer| buffer.copy().ok()).collect()
}

fn has_changed(output: &[u8]) -> bool {
    reads::changed(output).is_some()
}

fn is_same(left: &Payload, right: &Payload) -> bool {
    let of = |payload: &Payload| -> (Codec, usize) { (payload.codec, payload.buffers.len()) };
    let buffers = left.buffers.iter().zip(&right.buffers);
    of(left) == of(right)
        && left.head == right.head
        && buffers
            .map(|(one, other)| (one.bytes(), other.bytes()))
            .all(|(one, other)| matches!((one, other), (Ok(one), Ok(other)) if one == other))
}

/// Calls that wait to be made again, the oldest first.
#[derive(Debug, Default)]
pub struct Samples {
    waiting: VecDeque<Sample>,
    bytes: usize,
    /// By module, the newest call that was answered, and the world that it has seen.
    newest: HashMap<u32, (CallId, World)>,
}

impl Samples {
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// One more; where there are many, the oldest has waited in vain. `call` is its number.
    pub fn keep(&mut self, call: CallId, sample: Sample) {
        let new = || (call, World::clone(&sample.world));
        let newest = self.newest.entry(sample.module).or_insert_with(new);
        if !is_same_world(&newest.1, &sample.world) {
            return;
        }
        self.bytes += sample.len();
        self.waiting.push_back(sample);
        while self.bytes > MOST {
            let oldest = self.waiting.pop_front();
            self.bytes -= oldest.map_or(self.bytes, |one| one.len());
        }
    }

    /// A call was answered in this world: what earlier ones have seen of another one is no longer so, and
    /// not all replicas can go back to it.
    pub fn pass(&mut self, module: u32, call: CallId, world: &World) {
        let Some(newest) = self.newest.get_mut(&module).filter(|one| one.0 < call) else {
            return;
        };
        newest.0 = call;
        if !is_same_world(&newest.1, world) {
            newest.1 = World::clone(world);
            self.waiting.retain(|one| one.module != module);
            self.bytes = self.waiting.iter().map(Sample::len).sum();
        }
    }

    /// The first of them that has a place.
    pub fn take<T>(&mut self, place: impl Fn(&Sample) -> Option<T>) -> Option<(Sample, T)> {
        let mut all = self.waiting.iter().enumerate();
        let (at, place) = all.find_map(|(at, sample)| Some((at, place(sample)?)))?;
        let sample = self.waiting.remove(at)?;
        self.bytes -= sample.len();
        Some((sample, place))
    }
}

/// What a module may spend on calls that are made again, and has spent.
#[derive(Debug, Clone, Default)]
pub struct Share {
    /// A part of the time in which its replicas have nothing to do; infinite for as long as it takes.
    part: f64,
    /// The one that is under way.
    pub under_way: Option<CallId>,
    spent: Nanos,
    /// How many were answered.
    pub made: u64,
}

impl Share {
    pub fn of(part: f64) -> Share {
        Share {
            part,
            ..Share::default()
        }
    }

    /// Whether one that takes so long may be made, where replicas have done nothing for so long.
    pub fn allows(&self, service: Nanos, idle: Nanos) -> bool {
        self.part > 0.0
            && self.under_way.is_none()
            && (is_all(self.part)
                || self.spent.saturating_add(service) as f64 <= self.part * idle as f64)
    }

    /// One has been answered after so long.
    pub fn answered(&mut self, service: Nanos) {
        self.spent += service;
        self.made += 1;
    }

    /// A call has come to its end.
    pub fn ended(&mut self, call: CallId) {
        if self.under_way == Some(call) {
            self.under_way = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Debug, Default)]
    struct Heard(Mutex<Vec<Pair>>);

    impl Auditor for Heard {
        fn differs(&self, pair: Pair) {
            self.0.lock().unwrap().push(pair);
        }
    }

    fn reply(value: &[u8]) -> Outcome {
        Outcome::Reply {
            kind: KIND_VALUE,
            payload: Payload::of_head(value.to_vec()),
            output: Vec::new(),
        }
    }

    fn sample(size: usize, auditor: &Arc<Heard>) -> Option<Sample> {
        let parcel = Parcel::from(Payload::of_head(vec![7; size]));
        let call = Answered {
            module: 0,
            manner: 0,
            parcel: &parcel,
            world: &World::default(),
            replica: 1,
            service: 5,
        };
        Sample::of(&call, &reply(b"first"), Arc::clone(auditor) as _)
    }

    #[test]
    fn calls_are_chosen_ever_farther_apart() {
        let sampling = Sampling::default();
        let chosen: Vec<u64> = (1..5000).filter(|_| sampling.takes_next()).collect();
        let expected = [
            1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3072, 4096,
        ];
        assert_eq!(chosen, expected);
        let all = Sampling::of(f64::INFINITY);
        assert!((1..99).all(|_| all.takes_next()));
    }

    #[test]
    fn what_differs_is_told_and_nothing_else_is() {
        let heard = Arc::new(Heard::default());
        let lost = Outcome::Closed;
        for outcome in [reply(b"first"), reply(b"second"), lost] {
            sample(3, &heard).unwrap().compare(outcome);
        }
        let told = heard.0.lock().unwrap();
        let [pair] = &told[..] else { panic!() };
        let heads = [&pair.call.head[..], &pair.first.head, &pair.second.head];
        assert_eq!(heads, [&[7, 7, 7][..], b"first", b"second"]);
    }

    #[test]
    fn what_is_large_is_not_kept_and_what_is_old_goes_first() {
        let heard = Arc::new(Heard::default());
        assert!(sample(LARGEST, &heard).is_none());
        let mut samples = Samples::default();
        let large = LARGEST / 2;
        let fit = MOST / sample(large, &heard).unwrap().len();
        for call in 0..fit + 2 {
            samples.keep(call as CallId, sample(large + call % 2, &heard).unwrap());
        }
        assert_eq!(samples.waiting.len(), fit);
        let odd = |one: &Sample| (one.parcel.len() > large).then_some(());
        let (found, ()) = samples.take(odd).unwrap();
        assert_eq!(found.parcel.len(), large + 1);
        assert_eq!(samples.take(|_| None::<()>).map(drop), None);
        while samples.take(|_| Some(())).is_some() {}
        assert_eq!(samples.bytes, 0);
    }

    #[test]
    fn what_has_seen_another_world_is_made_again_no_more() {
        let heard = Arc::new(Heard::default());
        let mut samples = Samples::default();
        let later = World::from(&b"later"[..]);
        samples.keep(5, sample(3, &heard).unwrap());
        samples.pass(0, 6, &World::default());
        samples.pass(0, 4, &later);
        samples.pass(1, 7, &later);
        assert!(!samples.is_empty());
        samples.pass(0, 8, &later);
        assert!(samples.is_empty());
        samples.keep(7, sample(3, &heard).unwrap());
        assert!(samples.is_empty(), "it was answered later, and came before");
    }

    #[test]
    fn the_share_is_kept() {
        let mut share = Share::of(0.01);
        assert!(!share.allows(10, 999));
        assert!(share.allows(10, 1000));
        share.under_way = Some(3);
        assert!(!share.allows(10, 10_000));
        share.ended(2);
        assert!(!share.allows(10, 10_000));
        share.ended(3);
        share.answered(50);
        assert!(!share.allows(10, 5999) && share.allows(10, 6000));
        assert!(!Share::default().allows(0, Nanos::MAX));
        assert!(Share::of(f64::INFINITY).allows(10, 0));
    }
}
