//! Threads of the program that wait in a function of Python's, or for a call: a copy goes on with them, for
//! such a function can be called anew, and something stands for what the call returns. So each is called by
//! way of this: what a thread needs to go on is kept where a copy finds it.
//!
//! Only once calls are long enough for copies do the functions lead here (`functions`); that costs them
//! nanoseconds. Python's own tables are changed for that, so it does not show in the functions.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicUsize, Ordering};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use cord_copies::{can_have_threads, here, is_first, Standing};
use cord_core::ticket::{Ticket, Watch};
use cord_os::copied::is_copy;
use pyo3::ffi;
use pyo3::prelude::*;

use self::entered::{again, enter, Entered};
use super::locked;

mod entered;
mod functions;
mod parked;
mod stuck;

pub use functions::watch;

/// So many threads may wait at a time, and are found.
const MOST: usize = 256;
static PLACES: [AtomicPtr<Entered>; MOST] = [const { AtomicPtr::new(std::ptr::null_mut()) }; MOST];
static TAKEN: [AtomicBool; MOST] = [const { AtomicBool::new(false) }; MOST];
/// Whose places they are: numbers of threads, and where the C library keeps what it knows of them.
static THREADS: [AtomicI32; MOST] = [const { AtomicI32::new(0) }; MOST];
static OWNS: [AtomicUsize; MOST] = [const { AtomicUsize::new(0) }; MOST];
/// The calls that are waited for, by places.
static CALLS: [Mutex<Option<Watch>>; MOST] = [const { Mutex::new(None) }; MOST];
/// In copies, their numbers begin here.
const FIRST_CALL: u32 = 1 << 30;
/// A thread waits until others stand.
static ARE_ASKED_FOR: AtomicBool = AtomicBool::new(false);
/// So often, in a row, somebody did not stand.
static MISSED: AtomicU32 = AtomicU32::new(0);
const MOST_MISSED: u32 = 4;
/// For so long who makes a copy waits for threads that are about to wait.
const PATIENCE: Duration = Duration::from_millis(1);

/// Of one thread: the place where it says what it is in.
struct Own(usize);

impl Own {
    fn new() -> Option<Own> {
        let is_free = |taken: &AtomicBool| !taken.swap(true, Ordering::Relaxed);
        let place = TAKEN.iter().position(is_free)?;
        let (thread, own) = here();
        THREADS[place].store(thread, Ordering::Relaxed);
        OWNS[place].store(own, Ordering::Relaxed);
        Some(Own(place))
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        PLACES[self.0].store(std::ptr::null_mut(), Ordering::Relaxed);
        TAKEN[self.0].store(false, Ordering::Relaxed);
    }
}

fn own_place() -> Option<usize> {
    OWN.try_with(|own| own.as_ref().map(|own| own.0))
        .ok()
        .flatten()
}

thread_local! {
    static OWN: Option<Own> = Own::new();
}

unsafe fn stand_at(place: usize, entered: &mut Entered) -> *mut ffi::PyObject {
    let place = &PLACES[place];
    entered.outer = place.load(Ordering::Relaxed);
    place.store(entered, Ordering::Relaxed);
    // SAFETY: as the caller says.
    let result = unsafe { enter(entered) };
    place.store(entered.outer, Ordering::Relaxed);
    result
}

/// Waits for a call, without the interpreter. In a copy that wait is over at once.
///
/// On the program's first thread that is so where calls are long.
pub fn wait<F: FnOnce() + Send>(py: Python<'_>, ticket: &Ticket, are_long: bool, wait: F) {
    let stands = |place: &usize| are_long || !is_first(THREADS[*place].load(Ordering::Relaxed));
    let Some(place) = own_place().filter(|_| can_have_threads()).filter(stands) else {
        return py.detach(wait);
    };
    *locked(&CALLS[place]) = Some(ticket.watch());
    py.detach(|| {
        let mut wait = Some(wait);
        let mut entered = Entered {
            stack: 0,
            call: call_wait::<F>,
            in_copy: is_over,
            original: 0,
            args: [&raw mut wait as usize, 0, 0, 0, 0, 0],
            state: std::ptr::null_mut(),
            outer: std::ptr::null_mut(),
        };
        // SAFETY: what it calls is here.
        unsafe { stand_at(place, &mut entered) };
        std::mem::forget(wait); // a copy has not called it
    });
    if !is_copy() {
        *locked(&CALLS[place]) = None;
    }
}

unsafe extern "C-unwind" fn call_wait<F: FnOnce()>(entered: *mut Entered) -> *mut ffi::PyObject {
    // SAFETY: as `wait` has put it there.
    let wait = unsafe { (*((*entered).args[0] as *mut Option<F>)).take() };
    wait.into_iter().for_each(|wait| wait());
    std::ptr::null_mut()
}

unsafe extern "C-unwind" fn is_over(_: *mut Entered) -> *mut ffi::PyObject {
    std::ptr::null_mut()
}

/// The calls that other threads wait for, by their numbers in a copy.
pub fn calls(_py: Python<'_>) -> Vec<(u32, Watch)> {
    let calls = CALLS.iter().enumerate();
    let watched = calls.filter_map(|(place, call)| Some((number(place), locked(call).clone()?)));
    watched.collect()
}

fn number(place: usize) -> u32 {
    FIRST_CALL + place as u32
}

/// In a copy: the number of the call that this thread waited for.
pub fn own_call() -> Option<u32> {
    own_place().map(number)
}

/// The other threads that stand so now.
pub fn threads(_py: Python<'_>) -> Vec<i32> {
    let (here, _) = here();
    let standing = PLACES.iter().zip(&THREADS);
    let standing = standing.filter(|(place, _)| !place.load(Ordering::Relaxed).is_null());
    let numbers = standing.map(|(_, thread)| thread.load(Ordering::Relaxed));
    numbers.filter(|thread| *thread != here).collect()
}

/// The same, once those that are about to wait do so. None if another thread asks just now, or if one does
/// not stand that may do so next time.
pub fn settled_threads(py: Python<'_>) -> Option<Vec<i32>> {
    if ARE_ASKED_FOR.swap(true, Ordering::Relaxed) {
        return None;
    }
    let until = Instant::now() + PATIENCE;
    let (mut standing, mut moving) = (Vec::new(), Vec::new());
    while are_many(py) {
        // who has just been woken comes out of what it stands in
        py.detach(|| std::thread::sleep(PATIENCE / 20));
        standing = threads(py);
        moving = stuck::moving(py, stands);
        if moving.is_empty() || Instant::now() >= until {
            break;
        }
    }
    ARE_ASKED_FOR.store(false, Ordering::Relaxed);
    if !moving.is_empty() && MISSED.fetch_add(1, Ordering::Relaxed) < MOST_MISSED {
        stuck::remember(moving);
        return None;
    }
    MISSED.store(0, Ordering::Relaxed);
    Some(standing)
}

/// Whether a thread stands of which the C library keeps there what it knows.
fn stands(own: usize) -> bool {
    let is_it = |place: usize| {
        OWNS[place].load(Ordering::Relaxed) == own
            && !PLACES[place].load(Ordering::Relaxed).is_null()
    };
    (0..MOST).any(is_it)
}

/// Whether the interpreter knows more than one thread.
fn are_many(_py: Python<'_>) -> bool {
    // SAFETY: the interpreter is held.
    unsafe {
        let first = ffi::PyInterpreterState_ThreadHead(ffi::PyInterpreterState_Get());
        !ffi::PyThreadState_Next(first).is_null()
    }
}

/// In a fresh copy: the other threads, which go on when their turn comes.
pub fn go_on() -> Vec<Standing> {
    parked::forget();
    let (here, _) = here();
    let standing = (0..MOST).filter_map(|place| {
        // SAFETY: on the stack of a thread that has no turn yet, or that is this one's.
        let entered = unsafe { PLACES[place].load(Ordering::Relaxed).as_mut()? };
        let thread = THREADS[place].load(Ordering::Relaxed);
        entered.call = entered.in_copy;
        (thread != here).then_some(Standing {
            thread,
            own: OWNS[place].load(Ordering::Relaxed),
            at: again(),
            stack: entered.stack,
        })
    });
    standing.collect()
}
