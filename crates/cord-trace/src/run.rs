//! The run, put together from its records.

use std::collections::{BTreeMap, HashMap};

use cord_core::trace::{read, Chunk, Damaged, Record, Stamped};
use cord_dispatch::dispatcher::{CallId, Nanos, ReplicaId};

use crate::clock::Bounds;

/// How a call has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Outcome {
    /// It has not, as far as was written down.
    #[default]
    Open,
    /// It was answered.
    Answered,
    /// Nobody wanted its answer any more.
    Dropped,
    /// It was lost, or could not be made.
    Lost,
}

/// One call.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Call {
    /// Its number.
    pub id: CallId,
    /// Index of its module.
    pub module: u32,
    /// Index of its manner there.
    pub manner: u32,
    /// 0 pure, 1 independent, 2 stateful.
    pub effects: u8,
    /// Whether its value was kept for other calls, and those whose values it was given.
    pub keeps: bool,
    pub needs: Vec<CallId>,
    /// Whether it only got a replica ready.
    pub beside: bool,
    /// Its priority as it travels; `None` for the usual one.
    pub priority: Option<u64>,
    /// Bytes of arguments; with content that replicas keep, so far as that was sent along; of the reply.
    pub bytes: u64,
    pub supplied: u64,
    pub came: u64,
    /// The replica that has made it, and the call that ran there (0 for none); the program's have none.
    pub parent: Option<(ReplicaId, CallId)>,
    /// Where the program makes it; 0 if that is not known.
    pub place: u32,
    /// When it was issued, as the dispatcher has heard it; by whoever made it in the program's thread.
    pub issued: Nanos,
    pub placed: Option<Nanos>,
    /// When the program began to wait for it.
    pub demanded: Option<Nanos>,
    /// For how long it has waited for its turn by a rate.
    pub held_up: Nanos,
    /// When it was last sent, to whom, and how often it was.
    pub sent: Option<Nanos>,
    pub replica: Option<ReplicaId>,
    pub tries: u32,
    /// Whether one replica has passed it on to another: it was sent to another one than has run it.
    pub moved: bool,
    /// When it ran; as told by the replica, by the client's clock.
    pub ran: Option<(Nanos, Nanos)>,
    /// How long it took there, without waiting for a core, and for how long of that it used one.
    pub service: Nanos,
    pub used: Nanos,
    /// When that was known here.
    pub ended: Option<Nanos>,
    pub outcome: Outcome,
    /// The take that it answered, by its place in [`Run::takes`]: the last one, where its value was
    /// received late.
    pub take: Option<usize>,
}

impl Call {
    /// Whether nobody has wanted its answer: it was dropped, before or after that came, or has come for
    /// a program that never came to it.
    pub fn is_in_vain(&self) -> bool {
        let is_untaken =
            self.take.is_none() && self.parent.is_none() && !self.keeps && !self.beside;
        match self.outcome {
            Outcome::Dropped => true,
            Outcome::Answered => is_untaken,
            Outcome::Open | Outcome::Lost => false,
        }
    }
}

/// The program was at one of its calls.
#[derive(Debug, Clone, PartialEq)]
pub struct Take {
    /// Its thread: 0 is the one that made the first call.
    pub thread: u32,
    /// The place.
    pub place: u32,
    /// The call that answered; 0 where none was sent.
    pub call: CallId,
    pub began: Nanos,
    pub ended: Nanos,
    /// In how many others of this thread it lies: what takes it is theirs as well.
    pub depth: u32,
}

/// One replica.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Replica {
    pub id: ReplicaId,
    pub module: u32,
    /// Its place in the module, from 0; that of the one which it replaces.
    pub slot: u32,
    /// Its node, if it was not on the client's machine.
    pub node: Option<u32>,
    pub launched: Nanos,
    pub ready: Option<Nanos>,
    /// When it was gone, and in what way: 0 exited, 1 killed, 2 disconnected, 3 silent.
    pub died: Option<(Nanos, u8)>,
    /// Whether that was Cord's wish.
    pub was_ended: bool,
    /// What is added to its clock to have the client's.
    pub offset: i64,
}

/// A scout was born at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scout {
    pub at: Nanos,
    pub place: u32,
}

/// A copy of the program was made: until when, and for how long the program stood still for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copied {
    pub at: Nanos,
    pub cost: Nanos,
}

/// A run.
#[derive(Debug, Default)]
pub struct Run {
    /// What was known before, in JSON.
    pub head: String,
    /// What was known at the end, in JSON; `None` where the file was cut off.
    pub end: Option<String>,
    /// By number.
    pub calls: Vec<Call>,
    /// In the order in which they ended.
    pub takes: Vec<Take>,
    /// By number.
    pub replicas: Vec<Replica>,
    /// The names of nodes, by number; two may be equal.
    pub nodes: BTreeMap<u32, String>,
    pub scouts: Vec<Scout>,
    pub copies: Vec<Copied>,
    /// Calls that were asked back, that came back, and that replicas have passed on.
    pub recalled: u64,
    pub returned: u64,
    pub moved: u64,
    /// How often calls were to be tried again after an exception, took longer than they may, and were
    /// sent a second time while they ran.
    pub retried: u64,
    pub expired: u64,
    pub hedged: u64,
    /// Frames of calls.
    pub frames: u64,
    /// When the last of it has happened.
    pub last: Nanos,
}

impl Run {
    /// Reads a run.
    ///
    /// # Errors
    /// Where this is none, or makes no sense from somewhere on.
    pub fn read(bytes: &[u8]) -> Result<Run, Damaged> {
        let mut making = Making::default();
        for chunk in read(bytes)? {
            match chunk? {
                Chunk::Head(text) => making.run.head = text.to_owned(),
                Chunk::End(text) => making.run.end = Some(text.to_owned()),
                records => {
                    for record in records.records() {
                        making.add(record?);
                    }
                }
            }
        }
        Ok(making.finish())
    }

    /// A call by its number.
    pub fn call(&self, id: CallId) -> Option<&Call> {
        let at = self.calls.binary_search_by_key(&id, |call| call.id).ok()?;
        Some(&self.calls[at])
    }

    /// A replica by its number.
    pub fn replica(&self, id: ReplicaId) -> Option<&Replica> {
        let at = self.replicas.binary_search_by_key(&id, |one| one.id).ok()?;
        Some(&self.replicas[at])
    }

    /// By number: names of nodes, none twice.
    pub fn node_names(&self) -> BTreeMap<u32, String> {
        let named = |name: &String| self.nodes.values().filter(|other| *other == name).count();
        let one = |(node, name): (&u32, &String)| match named(name) {
            1 => (*node, name.clone()),
            _ => (*node, format!("{name} ({})", node + 1)),
        };
        self.nodes.iter().map(one).collect()
    }
}

#[derive(Default)]
struct Making {
    run: Run,
    /// Where calls and replicas are in their lists, until these are in order.
    calls: HashMap<CallId, usize>,
    replicas: HashMap<ReplicaId, usize>,
    /// As replicas have told it.
    ran: Vec<(ReplicaId, CallId, i64, i64, Nanos)>,
}

impl Making {
    fn call(&mut self, id: CallId) -> &mut Call {
        let calls = &mut self.run.calls;
        let at = *self.calls.entry(id).or_insert_with(|| {
            calls.push(Call {
                id,
                ..Call::default()
            });
            calls.len() - 1
        });
        &mut calls[at]
    }

    fn replica(&mut self, id: ReplicaId) -> &mut Replica {
        let replicas = &mut self.run.replicas;
        let at = *self.replicas.entry(id).or_insert_with(|| {
            replicas.push(Replica {
                id,
                ..Replica::default()
            });
            replicas.len() - 1
        });
        &mut replicas[at]
    }

    fn send(&mut self, at: Nanos, replica: ReplicaId, calls: &[CallId]) {
        self.run.frames += 1;
        for call in calls {
            let call = self.call(*call);
            (call.sent, call.replica) = (Some(at), Some(replica));
            call.tries += 1;
            if call.outcome == Outcome::Answered {
                (call.outcome, call.ended) = (Outcome::Open, None); // it is made once more
            }
        }
    }

    fn answer(&mut self, at: Nanos, replica: ReplicaId, id: CallId, service: Nanos, bytes: u64) {
        let call = self.call(id);
        if matches!(call.outcome, Outcome::Answered | Outcome::Lost) {
            return; // a copy of it was first, or its deadline
        }
        (call.ended, call.replica) = (Some(at), Some(replica));
        (call.service, call.came) = (service, bytes);
        if call.outcome != Outcome::Dropped {
            call.outcome = Outcome::Answered;
        }
    }

    fn add(&mut self, Stamped { at, what }: Stamped) {
        self.run.last = self.run.last.max(at);
        match what {
            Record::Issued {
                call,
                module,
                manner,
                effects,
                keeps,
                beside,
                priority,
                bytes,
                needs,
            } => {
                let (place, placed) = (self.call(call).place, self.call(call).placed);
                *self.call(call) = Call {
                    id: call,
                    module,
                    manner,
                    effects,
                    keeps,
                    needs,
                    beside,
                    priority,
                    bytes,
                    place,
                    placed,
                    issued: at,
                    ..Call::default()
                };
            }
            Record::Nested {
                call,
                module,
                effects,
                from,
                parent,
            } => {
                let call = self.call(call);
                (call.module, call.effects) = (module, effects);
                (call.parent, call.issued) = (Some((from, parent)), at);
            }
            Record::Placed { call, place } => {
                let call = self.call(call);
                (call.place, call.placed) = (place, Some(at));
            }
            Record::Demanded(call) => {
                self.call(call).demanded.get_or_insert(at);
            }
            Record::Dropped(call) => {
                let call = self.call(call);
                if call.outcome == Outcome::Open {
                    (call.outcome, call.ended) = (Outcome::Dropped, Some(at));
                }
            }
            Record::Took {
                thread,
                place,
                call,
                spent,
            } => self.run.takes.push(Take {
                thread,
                place,
                call,
                began: at.saturating_sub(spent),
                ended: at,
                depth: 0,
            }),
            Record::Sent { replica, calls } => self.send(at, replica, &calls),
            Record::Entered { replica, call, .. } => self.send(at, replica, &[call]),
            Record::Replied {
                replica,
                call,
                service,
                bytes,
            }
            | Record::Kept {
                replica,
                call,
                service,
                bytes,
                ..
            } => self.answer(at, replica, call, service, bytes),
            Record::Ran {
                replica,
                call,
                began,
                ended,
                used,
            } => self.ran.push((replica, call, began, ended, used)),
            Record::Launched {
                module,
                replica,
                slot,
            } => {
                let one = self.replica(replica);
                (one.module, one.slot, one.launched) = (module, slot, at);
            }
            Record::Lives {
                replica,
                node,
                name,
            } => {
                self.replica(replica).node = Some(node);
                self.run.nodes.insert(node, name);
            }
            Record::Ready(replica) => {
                self.replica(replica).ready.get_or_insert(at);
            }
            Record::LoadFailed(_) => {}
            Record::Died(replica, how) => {
                self.replica(replica).died.get_or_insert((at, how));
            }
            Record::Ended(replica) => self.replica(replica).was_ended = true,
            Record::Recalled { calls, .. } => self.run.recalled += calls.len() as u64,
            Record::Returned { calls, .. } => self.run.returned += calls.len() as u64,
            Record::Moving { .. } => {}
            Record::Moved { calls, .. } => {
                self.run.moved += calls.len() as u64;
                calls
                    .into_iter()
                    .for_each(|call| self.call(call).moved = true);
            }
            Record::Lost(call) => {
                let call = self.call(call);
                (call.outcome, call.ended) = (Outcome::Lost, Some(at));
            }
            Record::Failed {
                replica,
                call,
                service,
            } => {
                self.run.retried += 1;
                self.answer(at, replica, call, service, 0);
            }
            Record::Admitted { call, waited } => {
                self.call(call).held_up = waited;
            }
            Record::Expired(call) => {
                self.run.expired += 1;
                let call = self.call(call);
                (call.outcome, call.ended) = (Outcome::Lost, Some(at));
            }
            Record::Hedged { .. } => self.run.hedged += 1,
            Record::Scouted { place } => self.run.scouts.push(Scout { at, place }),
            Record::Copied { cost } => self.run.copies.push(Copied { at, cost }),
            Record::Supplied { call, bytes, .. } => self.call(call).supplied += bytes,
        }
    }

    fn finish(mut self) -> Run {
        self.set_times();
        let Making { mut run, calls, .. } = self;
        for (at, take) in run.takes.iter().enumerate() {
            if let Some(call) = calls.get(&take.call) {
                let call = &mut run.calls[*call];
                call.take = Some(at);
                if call.place == 0 {
                    call.place = take.place;
                }
            }
        }
        nest(&mut run.takes);
        run.calls.sort_unstable_by_key(|call| call.id);
        run.replicas.sort_unstable_by_key(|replica| replica.id);
        run
    }

    /// When calls ran, by the client's clock.
    fn set_times(&mut self) {
        let ran = std::mem::take(&mut self.ran);
        let mut bounds: HashMap<Clock, Bounds> = HashMap::new();
        for (replica, call, began, ended, _) in &ran {
            let call = self.call(*call);
            if let (Some(sent), Some(answered), true) =
                (call.sent, call.ended, call.replica == Some(*replica))
            {
                let clock = Clock::of(self.replica(*replica));
                let bounds = bounds.entry(clock).or_default();
                bounds.learn(sent, (*began, *ended), answered);
            }
        }
        for replica in &mut self.run.replicas {
            if let Some(bounds) = bounds.get(&Clock::of(replica)) {
                replica.offset = bounds.offset();
            }
        }
        for (replica, call, began, ended, used) in ran {
            let offset = self.replica(replica).offset;
            let here = |time: i64| Nanos::try_from(time.saturating_add(offset)).unwrap_or(0);
            let call = self.call(call);
            if call.replica == Some(replica) {
                call.ran = Some((here(began), here(ended)));
                call.used = used;
            }
        }
    }
}

/// Whose clock a replica's times are told by: its node's, where that is known.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Clock {
    Node(u32),
    Replica(ReplicaId),
}

impl Clock {
    fn of(replica: &Replica) -> Clock {
        replica.node.map_or(Clock::Replica(replica.id), Clock::Node)
    }
}

/// Finds out which takes lie in which others of their thread. They are in the order of their ends, so
/// that the outer ones come later.
fn nest(takes: &mut [Take]) {
    let mut outer: HashMap<u32, Vec<Nanos>> = HashMap::new();
    for take in takes.iter_mut().rev() {
        let around = outer.entry(take.thread).or_default();
        while around.last().is_some_and(|began| *began >= take.ended) {
            around.pop();
        }
        take.depth = u32::try_from(around.len()).unwrap_or(u32::MAX);
        around.push(take.began);
    }
}
