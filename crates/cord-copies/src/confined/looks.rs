//! Waits of a copy for descriptors. What comes by them is the program's. So a copy that only looks
//! whether something is there, as event loops do between two things that they have to do, is told
//! that there is nothing yet. One that would wait does so as long as its own threads may send something, or
//! until its time is over.

use std::slice;

use crate::confined::{loops, waits};
use crate::system::descriptors::{kind, Kind};
use crate::system::kernel::{Answer, Ends, Stop, Wait};

type Args = [usize; 6];

/// For how long a call would wait.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Time {
    Never,
    Nanoseconds(i64),
}

const MILLISECOND: i64 = 1_000_000;

/// What a wait gives. The kernel is not asked for anything but what is the copy's own.
pub fn look(number: i64, args: Args) -> Option<Answer> {
    let [first, count, third, fourth, fifth, _] = args;
    // SAFETY: the kernel would read and write there.
    unsafe {
        Some(match number {
            libc::SYS_epoll_pwait => epoll(first, count, third, milliseconds(fourth)),
            libc::SYS_epoll_pwait2 => epoll(first, count, third, timespec(fourth)),
            libc::SYS_ppoll => poll(first, count, timespec(third)),
            libc::SYS_pselect6 => select(first, [count, third, fourth], timespec(fifth)),
            #[cfg(target_arch = "x86_64")]
            libc::SYS_epoll_wait => epoll(first, count, third, milliseconds(fourth)),
            #[cfg(target_arch = "x86_64")]
            libc::SYS_poll => poll(first, count, milliseconds(third)),
            #[cfg(target_arch = "x86_64")]
            libc::SYS_select => select(first, [count, third, fourth], timeval(fifth)),
            _ => return None,
        })
    }
}

/// Whether it is one for sets of descriptors, which hold none where its time is over.
pub fn is_select(number: i64) -> bool {
    #[cfg(target_arch = "x86_64")]
    if number == libc::SYS_select {
        return true;
    }
    number == libc::SYS_pselect6
}

/// Empties these sets.
pub fn empty_sets(args: Args) {
    let [count, sets @ .., _, _] = args;
    for set in sets.into_iter().filter(|set| *set != 0) {
        for fd in 0..count.min(libc::FD_SETSIZE) {
            // SAFETY: the kernel would write there.
            unsafe { libc::FD_CLR(fd as i32, set as *mut libc::fd_set) };
        }
    }
}

fn milliseconds(time: usize) -> Time {
    match i64::from(time as i32) {
        ..0 => Time::Never,
        time => Time::Nanoseconds(time * MILLISECOND),
    }
}

unsafe fn timespec(at: usize) -> Time {
    // SAFETY: as the caller says.
    let time = unsafe { (at as *const libc::timespec).as_ref() };
    time.map_or(Time::Never, |time| {
        Time::Nanoseconds(waits::nanoseconds(time))
    })
}

#[cfg(target_arch = "x86_64")]
unsafe fn timeval(at: usize) -> Time {
    // SAFETY: as the caller says.
    let time = unsafe { (at as *const libc::timeval).as_ref() };
    time.map_or(Time::Never, |time| {
        let micros = time
            .tv_sec
            .saturating_mul(1_000_000)
            .saturating_add(time.tv_usec);
        Time::Nanoseconds(micros.saturating_mul(1000))
    })
}

/// What is given where so much was found, by who may yet add to it.
fn found(found: isize, time: Time, ends: Ends) -> Answer {
    match time {
        _ if found > 0 => Ok(found),
        Time::Nanoseconds(..=0) => Ok(0),
        time => Err(Stop::Wait(Wait {
            until: match time {
                Time::Never => None,
                Time::Nanoseconds(time) => Some(waits::after(time)),
            },
            late: 0,
            ends,
        })),
    }
}

fn ends(is_own: bool) -> Ends {
    if is_own {
        Ends::Thread
    } else {
        Ends::Outside
    }
}

fn epoll(epoll: usize, to: usize, most: usize, time: Time) -> Answer {
    let is_own = kind(epoll) == Some(Kind::Loop) && !loops::hear_less();
    let there = loops::found(epoll, to, most).unwrap_or(0);
    found(there, time, ends(is_own))
}

/// Says of all these descriptors that nothing has come, but for what is the copy's own.
unsafe fn poll(at: usize, count: usize, time: Time) -> Answer {
    if count == 0 || at == 0 {
        return found(0, time, Ends::Nobody);
    }
    // SAFETY: the kernel would read and write so many of them.
    let asked = unsafe { slice::from_raw_parts_mut(at as *mut libc::pollfd, count) };
    let (mut there, mut is_own) = (0, true);
    for one in asked.iter_mut().filter(|one| one.fd >= 0) {
        one.revents = match kind(one.fd as usize) {
            Some(Kind::Loop) => loops::ready(one.fd as usize, one.events),
            _ => {
                is_own = false;
                0
            }
        };
        there += isize::from(one.revents != 0);
    }
    found(there, time, ends(is_own))
}

/// What is ready, of sets: for reading, for writing, and for what is out of the ordinary.
unsafe fn select(count: usize, sets: [usize; 3], time: Time) -> Answer {
    let events = [libc::POLLIN | libc::POLLHUP, libc::POLLOUT, libc::POLLPRI];
    let count = count.min(libc::FD_SETSIZE);
    let given = || sets.into_iter().zip(events).filter(|(set, _)| *set != 0);
    let ready = |fd: usize, events: i16| {
        kind(fd) == Some(Kind::Loop) && loops::ready(fd, events) & events != 0
    };
    let (mut there, mut others, mut own) = (0, 0, 0);
    for (set, events) in given() {
        for fd in 0..count {
            // SAFETY: the kernel would read there.
            if unsafe { libc::FD_ISSET(fd as i32, set as *const libc::fd_set) } {
                there += isize::from(ready(fd, events));
                *match kind(fd) {
                    Some(Kind::Loop) => &mut own,
                    _ => &mut others,
                } += 1;
            }
        }
    }
    let by = match (own, others) {
        (0, 0) => Ends::Nobody,
        _ => ends(others == 0),
    };
    let answer = found(there, time, by)?;
    for (set, events) in given() {
        for fd in (0..count).filter(|fd| !ready(*fd, events)) {
            // SAFETY: the kernel would write there.
            unsafe { libc::FD_CLR(fd as i32, set as *mut libc::fd_set) };
        }
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look_for(number: i64, args: &[usize]) -> Option<Answer> {
        let mut all = [0; 6];
        all[..args.len()].copy_from_slice(args);
        look(number, all)
    }

    fn waits(answer: Option<Answer>, for_time: bool) -> bool {
        matches!(answer, Some(Err(Stop::Wait(wait))) if wait.until.is_some() == for_time)
    }

    #[test]
    fn one_that_only_looks_finds_nothing() {
        let epoll = |time: usize| look_for(libc::SYS_epoll_pwait, &[3, 4096, 8, time]);
        assert_eq!(epoll(0), Some(Ok(0)));
        assert!(waits(epoll(20), true));
        let forever = u32::MAX as usize; // -1
        assert!(waits(epoll(forever), false));
        assert_eq!(look_for(libc::SYS_read, &[3, 0, 0, 0]), None);
    }

    #[test]
    fn a_time_is_read_where_it_is() {
        let (no_time, some) = (time(0), time(5));
        let at = |time: &libc::timespec| std::ptr::from_ref(time) as usize;
        assert!(waits(look_for(libc::SYS_ppoll, &[0, 0, at(&some)]), true));
        let mut asked = [libc::pollfd {
            fd: 0,
            events: libc::POLLIN,
            revents: libc::POLLIN,
        }];
        let place = asked.as_mut_ptr() as usize;
        assert!(waits(
            look_for(libc::SYS_ppoll, &[place, 1, at(&some)]),
            true
        ));
        assert!(waits(look_for(libc::SYS_ppoll, &[place, 1, 0]), false));
        assert_eq!(
            look_for(libc::SYS_ppoll, &[place, 1, at(&no_time)]),
            Some(Ok(0))
        );
        assert_eq!(asked[0].revents, 0);
    }

    #[test]
    fn sets_hold_what_is_ready() {
        let no_time = time(0);
        // SAFETY: a zeroed set is empty.
        let mut set: libc::fd_set = unsafe { std::mem::zeroed() };
        unsafe { libc::FD_SET(0, &raw mut set) };
        let args = [
            1,
            &raw mut set as usize,
            0,
            0,
            &raw const no_time as usize,
            0,
        ];
        assert_eq!(look(libc::SYS_pselect6, args), Some(Ok(0)));
        assert!(!unsafe { libc::FD_ISSET(0, &raw const set) });
    }

    fn time(tv_nsec: i64) -> libc::timespec {
        libc::timespec { tv_sec: 0, tv_nsec }
    }
}
