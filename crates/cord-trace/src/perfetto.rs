//! A run as Perfetto's own format, which <https://ui.perfetto.dev> opens: protocol buffers of
//! `perfetto.protos.Trace`, as far as tracks and their events go.

use std::collections::HashMap;
use std::fmt::Write;

use cord_dispatch::dispatcher::Nanos;

use crate::{Call, Run};

/// What the run's things are called.
#[derive(Debug, Default)]
pub struct Names {
    /// The program.
    pub program: String,
    /// Its modules in replicas, by number.
    pub modules: Vec<String>,
    /// The calls at places, by number.
    pub places: HashMap<u32, String>,
}

/// Kinds of events on a track.
const BEGIN: u64 = 1;
const END: u64 = 2;
const INSTANT: u64 = 3;
const COUNTER: u64 = 4;
/// All packets are of one sequence, whose state is complete from the first on.
const SEQUENCE: u64 = 1;
const STATE_CLEARED: u64 = 1;
const NEEDS_STATE: u64 = 2;
/// Tracks that are there once.
const PROGRAM: u64 = 1;
const ISSUES: u64 = 2;
const SCOUTS: u64 = 3;
const COPIES: u64 = 4;
const WAITING: u64 = 5;
const RUNNING: u64 = 6;
/// The first of those of which there are more.
const MODULES: u64 = 1 << 16;
const REPLICAS: u64 = 1 << 32;
const THREADS: u64 = 1 << 48;
/// What is shown for processes and threads that have numbers of their own elsewhere.
const PROGRAM_PID: u64 = 1;

/// The run in Perfetto's format.
///
/// Tracks: the program's threads with the takes that they were in; calls as they were issued, births of
/// scouts and copies; a process for each module, with its replicas and the calls that ran there; how many
/// calls waited and ran. Arrows lead from a call's issue to its run and on to its take.
pub fn export(run: &Run, names: &Names) -> Vec<u8> {
    let mut writing = Writing::new(names);
    writing.tracks(run);
    writing.program(run);
    writing.replicas(run);
    writing.counters(run);
    writing.bytes
}

struct Writing<'a> {
    names: &'a Names,
    bytes: Vec<u8>,
    packet: Vec<u8>,
    event: Vec<u8>,
    inner: Vec<u8>,
    /// Texts that were told before, by number.
    interned: HashMap<String, u64>,
}

impl<'a> Writing<'a> {
    fn new(names: &'a Names) -> Writing<'a> {
        let mut writing = Writing {
            names,
            bytes: Vec::new(),
            packet: Vec::new(),
            event: Vec::new(),
            inner: Vec::new(),
            interned: HashMap::new(),
        };
        number(&mut writing.packet, 13, STATE_CLEARED);
        writing.seal();
        writing
    }

    /// Ends a packet.
    fn seal(&mut self) {
        number(&mut self.packet, 10, SEQUENCE);
        bytes(&mut self.bytes, 1, &self.packet);
        self.packet.clear();
    }

    fn tracks(&mut self, run: &Run) {
        let program = self.names.program.clone();
        self.process(PROGRAM, PROGRAM_PID, &program);
        self.lane(ISSUES, PROGRAM, "issued");
        self.lane(SCOUTS, PROGRAM, "scouts");
        self.lane(COPIES, PROGRAM, "copies of the program");
        self.count(WAITING, "calls waiting");
        self.count(RUNNING, "calls running");
        let threads = run.takes.iter().map(|take| take.thread).max();
        for thread in 0..=threads.unwrap_or(0) {
            let name = match thread {
                0 => "program".to_owned(),
                other => format!("thread {other}"),
            };
            self.lane(THREADS + u64::from(thread), PROGRAM, &name);
        }
        let nodes = run.node_names();
        let processes = processes(run, self.names.modules.len());
        for (at, (node, module)) in (0..).zip(&processes) {
            let mut name = (self.names.modules.get(*module as usize).cloned()).unwrap_or_default();
            if let Some(node) = node.and_then(|node| nodes.get(&node)) {
                let _ = write!(name, " on {node}");
            }
            self.process(MODULES + at, PROGRAM_PID + 1 + at, &name);
        }
        for replica in &run.replicas {
            let is_its = |(node, module): &(Option<u32>, u32)| {
                (*node, *module) == (replica.node, replica.module)
            };
            let parent = MODULES + processes.iter().position(is_its).unwrap_or(0) as u64;
            let name = format!("replica {} ({})", replica.slot + 1, replica.id);
            self.lane(REPLICAS + u64::from(replica.id), parent, &name);
        }
    }

    fn process(&mut self, track: u64, pid: u64, name: &str) {
        self.inner.clear();
        number(&mut self.inner, 1, pid);
        bytes(&mut self.inner, 6, name.as_bytes());
        self.event.clear();
        number(&mut self.event, 1, track);
        bytes(&mut self.event, 3, &self.inner);
        self.describe();
    }

    fn lane(&mut self, track: u64, parent: u64, name: &str) {
        self.event.clear();
        number(&mut self.event, 1, track);
        bytes(&mut self.event, 2, name.as_bytes());
        number(&mut self.event, 5, parent);
        self.describe();
    }

    fn count(&mut self, track: u64, name: &str) {
        self.event.clear();
        number(&mut self.event, 1, track);
        bytes(&mut self.event, 2, name.as_bytes());
        number(&mut self.event, 5, PROGRAM);
        bytes(&mut self.event, 8, &[]);
        self.describe();
    }

    fn describe(&mut self) {
        bytes(&mut self.packet, 60, &self.event);
        self.seal();
    }

    /// Begins an event; its fields come next, then [`Writing::end_event`].
    fn begin_event(&mut self, kind: u64, track: u64, name: Option<&str>) {
        self.event.clear();
        number(&mut self.event, 9, kind);
        number(&mut self.event, 11, track);
        let Some(name) = name else { return };
        let next = self.interned.len() as u64 + 1;
        if let Some(known) = self.interned.get(name) {
            return number(&mut self.event, 10, *known);
        }
        self.interned.insert(name.to_owned(), next);
        number(&mut self.event, 10, next);
        self.inner.clear();
        number(&mut self.inner, 1, next);
        bytes(&mut self.inner, 2, name.as_bytes());
        let mut told = Vec::new();
        bytes(&mut told, 2, &self.inner);
        bytes(&mut self.packet, 12, &told);
    }

    fn end_event(&mut self, at: Nanos) {
        number(&mut self.packet, 8, at);
        number(&mut self.packet, 13, NEEDS_STATE);
        bytes(&mut self.packet, 11, &self.event);
        self.seal();
    }

    /// A fact about an event.
    fn note(&mut self, name: &str, value: u64) {
        self.inner.clear();
        bytes(&mut self.inner, 10, name.as_bytes());
        number(&mut self.inner, 3, value);
        bytes(&mut self.event, 4, &self.inner);
    }

    /// An arrow through all events of a call.
    fn flow(&mut self, call: &Call) {
        tag(&mut self.event, 47, 1);
        self.event.extend_from_slice(&call.id.to_le_bytes());
    }

    fn name_of(&self, call: &Call) -> String {
        let place = self.names.places.get(&call.place);
        let module = self.names.modules.get(call.module as usize);
        place.or(module).cloned().unwrap_or_default()
    }

    fn program(&mut self, run: &Run) {
        for call in run.calls.iter().filter(|call| call.parent.is_none()) {
            let name = self.name_of(call);
            self.begin_event(INSTANT, ISSUES, Some(&name));
            self.note("call", call.id);
            self.flow(call);
            self.end_event(call.issued);
        }
        for scout in &run.scouts {
            let name = self.names.places.get(&scout.place).cloned();
            self.begin_event(INSTANT, SCOUTS, Some(name.as_deref().unwrap_or("scout")));
            self.end_event(scout.at);
        }
        for copy in &run.copies {
            self.slice(
                COPIES,
                "made",
                (copy.at.saturating_sub(copy.cost), copy.at),
                |_| {},
            );
        }
        for take in in_order(run) {
            let take = &run.takes[take];
            let track = THREADS + u64::from(take.thread);
            let call = run.call(take.call);
            let place = self.names.places.get(&take.place).cloned();
            let name = place.unwrap_or_else(|| "call".to_owned());
            self.slice(track, &name, (take.began, take.ended), |writing| {
                if let Some(call) = call {
                    writing.note("call", call.id);
                    writing.flow(call);
                } else {
                    writing.note("not sent", 1);
                }
            });
        }
    }

    fn slice(
        &mut self,
        track: u64,
        name: &str,
        (began, ended): (Nanos, Nanos),
        notes: impl FnOnce(&mut Self),
    ) {
        self.begin_event(BEGIN, track, Some(name));
        notes(self);
        self.end_event(began);
        self.begin_event(END, track, None);
        self.end_event(ended);
    }

    fn replicas(&mut self, run: &Run) {
        for call in &run.calls {
            let (Some(ran), Some(replica)) = (call.ran, call.replica) else {
                continue;
            };
            let name = self.name_of(call);
            self.slice(REPLICAS + u64::from(replica), &name, ran, |writing| {
                writing.note("call", call.id);
                writing.note("bytes sent", call.bytes);
                writing.note("bytes back", call.came);
                writing.note("times sent", u64::from(call.tries));
                writing.flow(call);
            });
        }
    }

    /// How many calls waited for a replica, and ran, at each moment.
    fn counters(&mut self, run: &Run) {
        for (track, changes) in [(WAITING, waiting(run)), (RUNNING, running(run))] {
            let mut now: i64 = 0;
            let mut changes = changes.into_iter().peekable();
            while let Some((at, change)) = changes.next() {
                now += change;
                if changes.peek().is_some_and(|(next, _)| *next == at) {
                    continue;
                }
                self.begin_event(COUNTER, track, None);
                number(&mut self.event, 30, now.unsigned_abs());
                self.end_event(at);
            }
        }
    }
}

/// Modules on nodes; those without replicas are told of, too.
fn processes(run: &Run, modules: usize) -> Vec<(Option<u32>, u32)> {
    let mut found: Vec<_> = (run.replicas.iter())
        .map(|replica| (replica.node, replica.module))
        .collect();
    let all = 0..u32::try_from(modules).unwrap_or(u32::MAX);
    let idle = all.filter(|module| found.iter().all(|(_, other)| other != module));
    found.extend(idle.map(|module| (None, module)).collect::<Vec<_>>());
    found.sort_unstable();
    found.dedup();
    found
}

/// The takes in such an order that an outer one begins before an inner one, and ends after it.
fn in_order(run: &Run) -> Vec<usize> {
    let mut order: Vec<usize> = (0..run.takes.len()).collect();
    order.sort_by_key(|at| (run.takes[*at].began, run.takes[*at].depth));
    order
}

fn waiting(run: &Run) -> Vec<(Nanos, i64)> {
    changes(run, |call| {
        let until = call.ran.map(|(began, _)| began).or(call.ended)?;
        Some((call.issued, until))
    })
}

fn running(run: &Run) -> Vec<(Nanos, i64)> {
    changes(run, |call| call.ran)
}

fn changes(run: &Run, span: impl Fn(&Call) -> Option<(Nanos, Nanos)>) -> Vec<(Nanos, i64)> {
    let spans = run.calls.iter().filter_map(span);
    let mut all: Vec<(Nanos, i64)> = spans
        .filter(|(from, until)| from < until)
        .flat_map(|(from, until)| [(from, 1), (until, -1)])
        .collect();
    all.sort_unstable();
    all
}

fn varint(to: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

fn tag(to: &mut Vec<u8>, field: u64, kind: u64) {
    varint(to, field << 3 | kind);
}

fn number(to: &mut Vec<u8>, field: u64, value: u64) {
    tag(to, field, 0);
    varint(to, value);
}

fn bytes(to: &mut Vec<u8>, field: u64, value: &[u8]) {
    tag(to, field, 2);
    varint(to, value.len() as u64);
    to.extend_from_slice(value);
}
