//! Where the program is, said for whoever looks on while it runs: at which call, and in which loops.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use cord_core::live::{At, Board, Walk};
use cord_scout::Answers;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::client::remote::RemoteFunction;
use crate::objects::plain::is_fixed;
use crate::takes::activation::Activation;
use crate::takes::site::Site;

/// Iterators that tell how many items are left, and run no code of the program's for that.
const COUNTABLE: [&str; 14] = [
    "list_iterator",
    "list_reverseiterator",
    "tuple_iterator",
    "range_iterator",
    "longrange_iterator",
    "str_iterator",
    "str_ascii_iterator",
    "bytes_iterator",
    "bytearray_iterator",
    "set_iterator",
    "dict_keyiterator",
    "dict_valueiterator",
    "dict_itemiterator",
    "dict_reversekeyiterator",
];
/// Those that walk others, which they tell.
const WALKING: [&str; 3] = ["enumerate", "zip", "map"];
/// So deep such iterators are looked into.
const DEEPEST: usize = 4;

static LIVE: AtomicBool = AtomicBool::new(false);
static BOARD: OnceLock<Arc<Board>> = OnceLock::new();
/// By the number of a site: the loops around it, the outermost first, each with its place.
static LOOPS: LazyLock<Mutex<HashMap<u32, Arc<[Around]>>>> = LazyLock::new(Mutex::default);

/// A loop around a site: its number, if it is one over something, and where it stands.
type Around = (Option<u32>, String);

/// Whether somebody looks on.
pub fn is_live() -> bool {
    LIVE.load(Ordering::Relaxed)
}

/// From now on the program's threads say where they are.
pub fn look_on() -> Arc<Board> {
    LIVE.store(true, Ordering::Relaxed);
    Arc::clone(BOARD.get_or_init(Arc::default))
}

/// In another process that has begun as this one: nobody looks on.
pub fn look_away() {
    LIVE.store(false, Ordering::Relaxed);
}

fn board() -> Option<&'static Board> {
    BOARD.get().filter(|_| is_live()).map(|board| &**board)
}

/// The program makes a call by itself.
pub fn count_here() {
    if let Some(board) = board() {
        board.count_here();
    }
}

/// These loops are around the calls at a site.
pub fn put_loops(site: u32, around: Vec<Around>) {
    let mut all = LOOPS.lock().unwrap_or_else(PoisonError::into_inner);
    all.insert(site, around.into());
}

fn loops_around(site: u32) -> Option<Arc<[Around]>> {
    let all = LOOPS.lock().unwrap_or_else(PoisonError::into_inner);
    all.get(&site).cloned()
}

/// Who comes to a call: the site and the frame, if they are known, and what is called.
#[derive(Clone, Copy)]
pub struct Comer<'a, 'py> {
    pub site: Option<&'a Site>,
    pub activation: Option<&'a Bound<'py, PyAny>>,
    pub callee: &'a Bound<'py, PyAny>,
}

/// While it lives, this thread of the program is at a call.
pub struct Standing {
    thread: u32,
    before: Option<At>,
}

impl Standing {
    /// A thread comes to a call; none where nobody looks on, or it is no remote call.
    pub fn begin(comer: Comer<'_, '_>, answers: &Answers) -> Option<Standing> {
        let board = board()?;
        let function = comer.callee.cast_exact::<RemoteFunction>().ok()?;
        if let (Some(site), Some(activation)) = (comer.site, comer.activation) {
            repeat(site.uid, activation);
            if board.wants_loops() {
                board.walk(walks(site.uid, activation));
            }
        }
        let thread = thread_number();
        let call = answers.account.name(function.get().label());
        let before = board.begin(thread, call);
        Some(Standing { thread, before })
    }
}

impl Drop for Standing {
    fn drop(&mut self) {
        if let Some(board) = board() {
            board.end(self.thread, self.before.take());
        }
    }
}

/// The kernel's number of this thread.
fn thread_number() -> u32 {
    // SAFETY: it only asks.
    unsafe { libc::gettid() as u32 }
}

/// The loops around a call at a site of a frame, and around the calls that led to that frame.
fn walks(site: u32, activation: &Bound<'_, PyAny>) -> Vec<Walk> {
    let py = activation.py();
    let mut walks = Vec::new();
    let mut at = activation.cast_exact::<Activation>().ok().cloned();
    let mut site = site;
    while let Some(activation) = at {
        let around = loops_around(site);
        let around = around.iter().flat_map(|around| around.iter().rev());
        for (at, (number, place)) in around.enumerate() {
            walks.extend(match number {
                Some(number) => walk_of(&activation, *number, place),
                None => {
                    let known = activation.get().repeated(site).filter(|_| at == 0);
                    Some(known.unwrap_or_default().walk(place))
                }
            });
        }
        at = activation.get().around(py).map(|(caller, called_at)| {
            site = called_at;
            caller
        });
    }
    walks.reverse();
    walks
}

/// How far a loop is; none where it has not shown what it walks.
fn walk_of(activation: &Bound<'_, Activation>, number: u32, place: &str) -> Option<Walk> {
    let py = activation.py();
    let begun = activation.get().begun(number)?;
    let counted = activation.get().counted(number);
    let left = || left_of(&activation.get().iterator(py, number)?, DEEPEST);
    let had = counted.or_else(|| Some(begun.total?.saturating_sub(left()?)));
    let done = had.map(|had| had.saturating_sub(1)); // one of them is under way
    let turn = done.and_then(|done| activation.get().turn(number, done));
    Some(Walk {
        place: place.into(),
        is_while: false,
        done,
        total: begun.total,
        since: begun.since,
        turn: turn.unwrap_or_else(Instant::now),
    })
}

/// Counts a call in the turns of a loop by `while`, if it stands in one.
fn repeat(site: u32, activation: &Bound<'_, PyAny>) {
    let Some(around) = loops_around(site) else {
        return;
    };
    let [outer @ .., (None, _)] = &*around else {
        return;
    };
    if let Ok(activation) = activation.cast_exact::<Activation>() {
        // another turn of the loop around is another loop
        let numbered = outer.iter().rev().find_map(|(number, _)| *number);
        let walk = numbered.and_then(|number| walk_of(activation, number, ""));
        let turn = walk.and_then(|walk| Some((walk.since, walk.done?)));
        activation.get().repeat(site, turn);
    }
}

/// Calls that are made at a site in the turns of a loop by `while`.
#[derive(Clone, Copy)]
pub struct Repeated {
    calls: usize,
    since: Instant,
    /// In this turn of the loop around.
    turn: Option<(Instant, usize)>,
}

impl Default for Repeated {
    fn default() -> Repeated {
        Repeated {
            calls: 0,
            since: Instant::now(),
            turn: None,
        }
    }
}

impl Repeated {
    /// One more.
    pub fn count(&mut self, turn: Option<(Instant, usize)>) {
        if self.turn != turn {
            *self = Repeated {
                turn,
                ..Repeated::default()
            };
        }
        self.calls += 1;
    }

    fn walk(self, place: &str) -> Walk {
        Walk {
            place: place.into(),
            is_while: true,
            done: self.calls.checked_sub(1),
            total: None,
            since: self.since,
            turn: self.since,
        }
    }
}

/// What was known of a loop when it began.
#[derive(Clone, Copy)]
pub struct Begun {
    pub total: Option<usize>,
    pub since: Instant,
    /// How many turns were done when somebody looked last, and when that was first so.
    turn: (usize, Instant),
}

impl Begun {
    /// When it was first seen that so many turns are done.
    pub fn turn(&mut self, done: usize) -> Instant {
        if self.turn.0 != done {
            self.turn = (done, Instant::now());
        }
        self.turn.1
    }

    /// A loop over this begins.
    pub fn now(iterator: Option<&Bound<'_, PyAny>>) -> Begun {
        Begun {
            total: iterator.and_then(|iterator| left_of(iterator, DEEPEST)),
            since: Instant::now(),
            turn: (0, Instant::now()),
        }
    }
}

/// How many items an iterator has still to give, if it can tell at once.
fn left_of(iterator: &Bound<'_, PyAny>, deepest: usize) -> Option<usize> {
    let (py, class) = (iterator.py(), iterator.get_type());
    if !is_fixed(&class) {
        return None;
    }
    let name = class.name().ok()?;
    let name = name.to_str().ok()?;
    if COUNTABLE.contains(&name) {
        let hint = iterator.call_method0(intern!(py, "__length_hint__"));
        return hint.ok()?.extract().ok();
    }
    if deepest == 0 {
        return None;
    }
    let walked = match iterator.cast_exact::<PyTuple>() {
        Ok(several) => several.clone(), // which are walked together
        Err(_) => walked_by(iterator, name)?,
    };
    let each = walked.iter().map(|one| left_of(&one, deepest - 1));
    each.collect::<Option<Vec<usize>>>()?.into_iter().min()
}

/// The iterators that an iterator of this kind walks.
fn walked_by<'py>(iterator: &Bound<'py, PyAny>, kind: &str) -> Option<Bound<'py, PyTuple>> {
    if !WALKING.contains(&kind) {
        return None;
    }
    let reduced = iterator.call_method0(intern!(iterator.py(), "__reduce__"));
    let given = reduced.ok()?.get_item(1).ok()?;
    let given = given.cast_into::<PyTuple>().ok()?;
    Some(match kind {
        "enumerate" => given.get_slice(0, 1),
        "map" => given.get_slice(1, given.len()),
        _ => given,
    })
}
