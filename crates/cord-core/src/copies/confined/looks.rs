//! Waits of a copy for descriptors. What comes by them is the program's. So a copy that only looks
//! whether something is there, as event loops do between two things that they have to do, is told
//! that there is nothing yet; and it ends where it could do nothing but wait.

use std::slice;

use crate::copies::confined::loops;
use crate::copies::system::descriptors::{kind, Kind};

type Args = [usize; 6];

/// What a wait gives, if it is over at once. The kernel is not asked.
pub fn look(number: i64, args: Args) -> Option<isize> {
    let [first, count, third, fourth, fifth, _] = args;
    match number {
        libc::SYS_epoll_pwait => {
            loops::found(first, count, third).or((fourth as i32 == 0).then_some(0))
        }
        libc::SYS_epoll_pwait2 => {
            loops::found(first, count, third).or(is_no_time(fourth).then_some(0))
        }
        libc::SYS_ppoll => poll(first, count, is_no_time(third)),
        // sets of descriptors: only where there are none
        libc::SYS_pselect6 => (first == 0 && fifth != 0).then_some(0),
        _ => look_as_before(number, args),
    }
}

/// Calls that newer architectures do not have.
#[cfg(target_arch = "x86_64")]
fn look_as_before(number: i64, args: Args) -> Option<isize> {
    let [first, count, third, fourth, fifth, _] = args;
    match number {
        libc::SYS_epoll_wait => {
            loops::found(first, count, third).or((fourth as i32 == 0).then_some(0))
        }
        libc::SYS_poll => poll(first, count, third as i32 == 0),
        libc::SYS_select => (first == 0 && fifth != 0).then_some(0),
        _ => None,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn look_as_before(_: i64, _: Args) -> Option<isize> {
    None
}

/// Whether a time is given, and none is to pass.
fn is_no_time(at: usize) -> bool {
    // SAFETY: the kernel would read it there.
    let time = unsafe { (at as *const libc::timespec).as_ref() };
    time.is_some_and(|time| time.tv_sec == 0 && time.tv_nsec == 0)
}

/// Says of all these descriptors that nothing has come, but for what is the copy's own.
fn poll(at: usize, count: usize, is_look: bool) -> Option<isize> {
    if count == 0 || at == 0 {
        return (count == 0 || is_look).then_some(0);
    }
    // SAFETY: the kernel would read and write so many of them.
    let asked = unsafe { slice::from_raw_parts_mut(at as *mut libc::pollfd, count) };
    let mut found = 0;
    for one in asked {
        one.revents = match usize::try_from(one.fd) {
            Ok(fd) if kind(fd) == Some(Kind::Loop) => loops::ready(fd, one.events),
            _ => 0,
        };
        found += isize::from(one.revents != 0);
    }
    (found > 0 || is_look).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look_for(number: i64, args: &[usize]) -> Option<isize> {
        let mut all = [0; 6];
        all[..args.len()].copy_from_slice(args);
        look(number, all)
    }

    #[test]
    fn one_that_only_looks_finds_nothing() {
        assert_eq!(look_for(libc::SYS_epoll_pwait, &[3, 4096, 8, 0]), Some(0));
        assert_eq!(look_for(libc::SYS_epoll_pwait, &[3, 4096, 8, 20]), None);
        let forever = u32::MAX as usize; // -1
        assert_eq!(
            look_for(libc::SYS_epoll_pwait, &[3, 4096, 8, forever]),
            None
        );
        assert_eq!(look_for(libc::SYS_read, &[3, 0, 0, 0]), None);
    }

    #[test]
    fn a_time_is_read_where_it_is() {
        let (no_time, some) = (time(0), time(5));
        let at = |time: &libc::timespec| std::ptr::from_ref(time) as usize;
        assert_eq!(look_for(libc::SYS_ppoll, &[0, 0, at(&some)]), Some(0));
        let mut asked = [libc::pollfd {
            fd: 0,
            events: libc::POLLIN,
            revents: libc::POLLIN,
        }];
        let place = asked.as_mut_ptr() as usize;
        assert_eq!(look_for(libc::SYS_ppoll, &[place, 1, at(&some)]), None);
        assert_eq!(look_for(libc::SYS_ppoll, &[place, 1, 0]), None);
        assert_eq!(
            look_for(libc::SYS_ppoll, &[place, 1, at(&no_time)]),
            Some(0)
        );
        assert_eq!(asked[0].revents, 0);
    }

    fn time(tv_nsec: i64) -> libc::timespec {
        libc::timespec { tv_sec: 0, tv_nsec }
    }
}
