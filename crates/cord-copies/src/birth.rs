//! Making a copy of this process, and its first steps: what it shares with the program is cut, and
//! what it can do to the world.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Duration;

use crate::area::{self, Area, Stage};
use crate::confined::{filter, limits, mappings, signals, trap, turns, waits};
use crate::cost::refusal::{Refusal, Size};
use crate::system::stub::ask;
use crate::view::inherited;
use crate::why;
use cord_os::threads::threads_beside;

/// Seconds of a core that a copy may use.
const LONGEST: u64 = 60;
/// How much more memory than the program it may use.
const MOST_MORE: u64 = 1 << 30;
/// The program's first thread has made it: that one's end is the program's.
static IS_FIRST: AtomicBool = AtomicBool::new(false);
/// For so long the program waits for a copy to be cut off.
const PATIENCE: Duration = Duration::from_millis(500);

/// Which of the two processes this is.
#[derive(Debug)]
pub enum Side {
    /// The program's; the number is that of the copy.
    Program(i32),
    /// The copy, with nothing to do but run.
    Copy(&'static Area),
}

/// Makes a copy of this process, which goes on from here too. Only the thread that asks is in it, until
/// others are told of that stand; `threads` are those.
///
/// # Errors
/// The reason why there is none.
///
/// # Safety
/// Nothing that the copy goes on to use may be locked by another thread.
pub unsafe fn make(area: &Arc<Area>, threads: &[i32]) -> Result<Side, Refusal> {
    let program = number(std::process::id());
    let parent = number(std::os::unix::process::parent_id());
    let others = threads_beside(threads);
    turns::are_possible(); // it finds out what copies need to know
    let is_first = cord_os::threads::is_main_thread();
    let alarm = signals::alarm_of_program();
    // SAFETY: without flags and stack this is a fork whose end no signal tells of. The memory that
    // the copy goes on with is its own.
    let pid = unsafe { libc::syscall(libc::SYS_clone, 0, 0, 0, 0, 0) };
    match i32::try_from(pid) {
        Ok(0) => {
            // SAFETY: this reference is never given back.
            let area: &'static Area = unsafe { &*Arc::into_raw(Arc::clone(area)) };
            trap::take_over(area, program, parent, &alarm);
            waits::take_over(area, others);
            turns::have(&[]);
            if let Err(reason) = cut_off(area, program, is_first) {
                trap::end(reason, 0);
            }
            area.say_it_runs();
            Ok(Side::Copy(area))
        }
        Ok(pid) if pid > 0 => {
            area.keep_from_children();
            wait_until_it_runs(area)
                .map(|()| Side::Program(pid))
                .inspect_err(|_| end(pid))
        }
        _ => Err(Refusal::Clone),
    }
}

/// Makes a leader of this process, which is a copy: a copy of it that goes on from here, too, as the
/// program's child. Whether this is the leader.
///
/// # Errors
/// The kernel makes none.
pub fn lead(area: &'static Area, leader: usize) -> io::Result<bool> {
    let place = &area.header().leaders[leader];
    place.ends.store(0, Ordering::SeqCst);
    place.stop.store(0, Ordering::SeqCst);
    place.found.store(0, Ordering::SeqCst);
    place.lingers.store(0, Ordering::SeqCst);
    let flags = (libc::CLONE_PARENT | libc::CLONE_PARENT_SETTID) as usize;
    // its number is there before it runs: whoever looks after it knows of it
    let number = place.pid.as_ptr() as usize;
    // SAFETY: a fork, as in `make`; there is one thread that the kernel knows.
    match unsafe { ask(libc::SYS_clone, [flags, 0, number, 0, 0, 0]) } {
        0 => {
            trap::take_over_leader(leader);
            end_with_program();
            Ok(true)
        }
        pid if pid > 0 => Ok(false),
        error => Err(io::Error::from_raw_os_error(
            i32::try_from(-error).unwrap_or(0),
        )),
    }
}

/// The kernel tells of the end of the thread that has made the copy: only that of the first is always
/// the program's. Of any other the copy looks whether it is.
fn end_with_program() {
    let signal = match IS_FIRST.load(Ordering::Relaxed) {
        true => libc::SIGKILL,
        false => libc::SIGALRM,
    };
    let (what, signal) = (libc::PR_SET_PDEATHSIG as usize, signal as usize);
    // SAFETY: plain integers.
    unsafe { ask(libc::SYS_prctl, [what, signal, 0, 0, 0, 0]) };
}

fn number(process: u32) -> i32 {
    i32::try_from(process).unwrap_or(0)
}

fn wait_until_it_runs(area: &Area) -> Result<(), Refusal> {
    let began = std::time::Instant::now();
    let bell = &area.header().bell;
    loop {
        let seen = bell.load(Ordering::SeqCst);
        match area.stage() {
            Stage::Runs => return Ok(()),
            // it may have run, and come to its end, by now
            Stage::Ended => return refusal(area.last_words().0).map_or(Ok(()), Err),
            Stage::Made if began.elapsed() > PATIENCE => return Err(Refusal::Late),
            Stage::Made => area::wait(bell, seen, PATIENCE),
        }
    }
}

fn refusal(reason: u32) -> Option<Refusal> {
    match reason {
        why::MAPPINGS => Some(Refusal::Mappings),
        why::DESCRIPTORS => Some(Refusal::Descriptors),
        why::FILTER => Some(Refusal::Filter),
        why::ALONE => Some(Refusal::Clone),
        _ => None,
    }
}

/// Ends a copy, if it has not ended, and leaves nothing of it.
pub fn end(pid: i32) {
    // SAFETY: the process is a child that nobody else waits for, so the number is still its own.
    unsafe {
        libc::kill(pid, libc::SIGKILL);
        while libc::waitpid(pid, std::ptr::null_mut(), libc::__WALL) < 0
            && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
        {}
    }
}

/// How a copy has ended, if it has; then nothing of it is left.
pub fn has_ended(pid: i32) -> Option<i32> {
    let mut status = 0;
    // SAFETY: as above, and there is room for the answer.
    let ended = unsafe { libc::waitpid(pid, &raw mut status, libc::WNOHANG | libc::__WALL) == pid };
    ended.then_some(status)
}

fn cut_off(area: &Area, program: i32, is_first: bool) -> Result<(), u32> {
    // SAFETY: plain integers; this process is the copy.
    unsafe {
        IS_FIRST.store(is_first, Ordering::Relaxed);
        end_with_program();
        if libc::getppid() != program {
            return Err(why::ALONE);
        }
    }
    go_to_the_back();
    limits::note();
    mappings::make_private(area.place()).map_err(|_| why::MAPPINGS)?;
    inherited::cut_off().map_err(|_| why::DESCRIPTORS)?;
    limit();
    filter::install().map_err(|_| why::FILTER)
}

/// The copy does not take the core from who runs, and goes first when memory is short.
fn go_to_the_back() {
    // SAFETY: a zeroed parameter is that of this class.
    unsafe {
        let plain: libc::sched_param = std::mem::zeroed();
        libc::sched_setscheduler(0, libc::SCHED_BATCH, &raw const plain);
    }
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
}

fn limit() {
    let size = Size::now().map_or(0, |size| size.addresses);
    let limits = [
        (libc::RLIMIT_CPU, LONGEST),
        (libc::RLIMIT_AS, size + MOST_MORE),
        (libc::RLIMIT_CORE, 0),
    ];
    for (what, most) in limits {
        // SAFETY: there is room for the answer, and what is set lives through the call.
        unsafe {
            let mut now: libc::rlimit = std::mem::zeroed();
            if libc::getrlimit(what, &raw mut now) == 0 {
                now.rlim_cur = now.rlim_cur.min(most);
                now.rlim_max = now.rlim_max.min(most);
                libc::setrlimit(what, &raw const now);
            }
        }
    }
}
