//! Writes down calls as they are sent, on a thread of its own.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{channel, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use super::calls::{bytes_record, framed, Encoded, Part, Sent, CALLS, LOST};
use super::{key_of, locked, log, now, usable, Keep, Key};
use cord_os::threads::spawn_quiet;
use cord_wire::buffer::Buffer;
use cord_wire::outcome::{Outcome, KIND_ERROR, KIND_UNENCODABLE, KIND_VALUE};
use cord_wire::payload::{Parcel, Payload, World};

/// Calls with more bytes are not written down, nor what many of them share.
const MOST: usize = 1 << 20;
/// The same for calls that raised: there are few, and somebody will want to know why.
const MOST_OF_RAISED: usize = 64 << 20;
/// What has as many bytes is written once, however many calls have it.
const APART_FROM: usize = 4096;
/// Bytes that wait to be written.
const MOST_WAITING: usize = 64 << 20;
/// So many worlds may wait for somebody who can tell what is in them.
const MOST_WORLDS: usize = 1000;

enum Job {
    Call(Box<Waiting>),
    Bytes(Key, Vec<u8>),
}

/// A call that waits to be written.
struct Waiting {
    key: Key,
    function: Arc<str>,
    module: String,
    world: Key,
    service: u64,
    codec: u8,
    /// With the key of what is named by one already.
    parts: Vec<(Buffer, Option<Key>)>,
    came: Option<(u8, Option<Payload>)>,
    bytes: usize,
}

/// A call that has come to its end.
pub struct Ended<'a> {
    pub module: u32,
    pub parcel: &'a Parcel,
    pub world: &'a World,
    pub outcome: &'a Outcome,
    pub service: u64,
}

/// What writes down the calls of a run.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    stem: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    modules: Vec<String>,
    sender: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    waiting: usize,
    /// By the keys of their records, worlds that calls were made in; nothing of one that is written down.
    worlds: HashMap<Key, Option<World>>,
    is_over: bool,
}

impl std::fmt::Debug for State {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("State").finish_non_exhaustive()
    }
}

impl Recorder {
    /// Of a run that keeps outcomes in this folder.
    pub fn new(folder: &Path) -> Recorder {
        let stem = log::stem();
        Recorder {
            path: folder.join(format!("{stem}.{CALLS}")),
            stem,
            state: Arc::default(),
        }
    }

    /// The modules of the session, by their numbers.
    pub fn name_modules(&self, modules: Vec<String>) {
        locked(&self.state).modules = modules;
    }

    /// Writes down a call, if it is one that may be made again; what came of it only if that is not kept elsewhere.
    pub fn record(&self, keep: &Keep, ended: &Ended<'_>, is_kept: bool) {
        let came = match ended.outcome {
            Outcome::Reply {
                kind: KIND_VALUE, ..
            } if is_kept => None,
            Outcome::Reply {
                kind: kind @ (KIND_VALUE | KIND_ERROR | KIND_UNENCODABLE),
                payload,
                ..
            } => match payload.copy() {
                Ok(copy) if copy.len() <= MOST_OF_RAISED => Some((*kind, Some(copy))),
                _ => return,
            },
            Outcome::Lost(_) => Some((LOST, None)),
            _ => return,
        };
        let has_raised = matches!(came, Some((kind, _)) if kind != KIND_VALUE);
        let most = if has_raised { MOST_OF_RAISED } else { MOST };
        let parts = match ended.outcome {
            Outcome::Lost(lost) if lost.call.is_some() => {
                lost.call.as_ref().and_then(parts_of_payload)
            }
            _ => parts_of(ended.parcel, most),
        };
        let Some(parts) = parts else { return };
        let Some(world_key) = key_of(&[self.stem.as_bytes(), ended.world], None) else {
            return;
        };
        let mut state = locked(&self.state);
        let bytes: usize = parts.iter().map(|(part, _)| part.own_len()).sum();
        let known = state.worlds.len();
        let Some(module) = state.modules.get(ended.module as usize).cloned() else {
            return;
        };
        if state.waiting > MOST_WAITING || state.is_over {
            return;
        }
        if known < MOST_WORLDS {
            state
                .worlds
                .entry(world_key)
                .or_insert_with(|| Some(World::clone(ended.world)));
        }
        let call = Waiting {
            key: keep.key,
            function: Arc::clone(&keep.function),
            module,
            world: world_key,
            service: ended.service,
            codec: ended.parcel.codec.0,
            parts,
            came,
            bytes,
        };
        state.waiting += bytes;
        self.send(&mut state, Job::Call(Box::new(call)));
    }

    fn send(&self, state: &mut State, job: Job) {
        if state.sender.is_none() && !state.is_over {
            let (sender, receiver) = channel();
            let (path, own) = (self.path.clone(), Arc::clone(&self.state));
            // what cannot be written down is not there to be made again, and nothing else
            let began = spawn_quiet("cord-calls", move || {
                drop(write_all(&path, &own, &receiver))
            });
            state.thread = began.ok();
            state.sender = state.thread.is_some().then_some(sender);
        }
        if let Some(sender) = &state.sender {
            let _ = sender.send(job);
        }
    }

    /// Whether nobody has said yet what is in this world, in which a call is about to be made.
    pub fn lacks_world(&self, world: &World) -> bool {
        let Some(key) = key_of(&[self.stem.as_bytes(), world], None) else {
            return false;
        };
        let state = locked(&self.state);
        let is_told = matches!(state.worlds.get(&key), Some(None));
        !is_told && !state.is_over && state.worlds.len() < MOST_WORLDS
    }

    /// What is in a world.
    pub fn put_world(&self, world: &[u8], told: &[u8]) {
        if let Some(key) = key_of(&[self.stem.as_bytes(), world], None) {
            let mut state = locked(&self.state);
            state.worlds.insert(key, None);
            self.send(&mut state, Job::Bytes(key, bytes_record(told)));
        }
    }

    /// Worlds of calls of which nobody has said yet what is in them.
    pub fn lacking(&self) -> Vec<World> {
        let state = locked(&self.state);
        state.worlds.values().flatten().cloned().collect()
    }

    /// All that was given to it is written.
    pub fn close(&self, is_here: bool) {
        let mut state = locked(&self.state);
        state.is_over = true;
        state.sender = None;
        let thread = state.thread.take();
        drop(state);
        match thread {
            Some(thread) if is_here => drop(thread.join()),
            thread => std::mem::forget(thread), // it does not exist here
        }
    }
}

/// What a call sends, the head first; none if that is much.
fn parts_of(parcel: &Parcel, most: usize) -> Option<Vec<(Buffer, Option<Key>)>> {
    let all = || std::iter::once(&parcel.head).chain(&parcel.buffers);
    let is_much = parcel.own_len() > most || all().any(|part| part.len() > MOST_OF_RAISED);
    let copy = |part: &Buffer| match part {
        Buffer::Resident(resident) => {
            let name = resident.key.as_bytes().first_chunk().copied();
            Some((resident.content.as_ref()?.bytes().copy().ok()?, name))
        }
        other => Some((other.copy().ok()?, None)),
    };
    (!is_much).then(|| all().map(copy).collect()).flatten()
}

fn parts_of_payload(payload: &Payload) -> Option<Vec<(Buffer, Option<Key>)>> {
    let head = Buffer::from(payload.head.clone());
    let rest = payload.buffers.iter().map(|buffer| buffer.copy().ok());
    let all = std::iter::once(Some(head)).chain(rest);
    all.map(|part| Some((part?, None))).collect()
}

fn write_all(path: &Path, state: &Mutex<State>, receiver: &Receiver<Job>) -> io::Result<()> {
    let mut written = HashSet::new();
    path.parent().map_or(Ok(()), usable)?; // whoever reads outcomes may not have made it yet
    while let Ok(first) = receiver.recv() {
        let mut bytes = Vec::new();
        let mut next = Some(first);
        while let Some(job) = next {
            match job {
                Job::Bytes(key, body) => bytes.extend(framed(key, now(), &body)),
                Job::Call(call) => {
                    locked(state).waiting -= call.bytes;
                    add(&mut bytes, *call, &mut written);
                }
            }
            next = (bytes.len() < MOST)
                .then(|| receiver.try_recv().ok())
                .flatten();
        }
        if let Err(error) = log::append(path, &bytes, false) {
            let mut state = locked(state);
            (state.is_over, state.sender) = (true, None);
            return Err(error);
        }
    }
    Ok(())
}

fn add(to: &mut Vec<u8>, call: Waiting, written: &mut HashSet<Key>) {
    let mut parts = Vec::new();
    for (part, name) in &call.parts {
        let Ok(bytes) = part.bytes() else { return };
        if bytes.len() < APART_FROM {
            parts.push(Part::Here(bytes.to_vec()));
            continue;
        }
        let Some(key) = name.or_else(|| key_of(&[b"bytes", bytes], None)) else {
            return;
        };
        if written.insert(key) {
            to.extend(framed(key, now(), &bytes_record(bytes)));
        }
        parts.push(Part::Elsewhere(key));
    }
    let came = match call.came {
        Some((kind, payload)) => match encoded(payload) {
            Some(encoded) => Some((kind, encoded)),
            None => return,
        },
        None => None,
    };
    let sent = Sent {
        function: call.function.to_string(),
        module: call.module,
        world: call.world,
        service: call.service,
        codec: call.codec,
        parts,
        came,
    };
    to.extend(framed(call.key, now(), &sent.encode()));
}

fn encoded(payload: Option<Payload>) -> Option<Encoded> {
    let Some(payload) = payload else {
        return Some((0, Vec::new(), Vec::new()));
    };
    let buffers = payload
        .buffers
        .iter()
        .map(|one| Some(one.bytes().ok()?.to_vec()));
    Some((
        payload.codec.0,
        payload.head,
        buffers.collect::<Option<_>>()?,
    ))
}
