//! The limits of the program's resources, as a copy shows them: those that it has itself are narrower.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::system::kernel::{Answer, Stop};

/// So many resources have a limit.
const RESOURCES: usize = 16;

/// What is in force, and the most that may be.
struct Limit {
    now: AtomicU64,
    most: AtomicU64,
}

static LIMITS: [Limit; RESOURCES] = [const {
    Limit {
        now: AtomicU64::new(0),
        most: AtomicU64::new(0),
    }
}; RESOURCES];

/// They are the program's at this moment.
pub fn note() {
    for (resource, limit) in LIMITS.iter().enumerate() {
        // SAFETY: there is room for the answer.
        let found = unsafe {
            let mut found: libc::rlimit = std::mem::zeroed();
            libc::getrlimit(resource as u32, &raw mut found);
            found
        };
        limit.set(&found);
    }
}

impl Limit {
    fn get(&self) -> libc::rlimit {
        libc::rlimit {
            rlim_cur: self.now.load(Ordering::Relaxed),
            rlim_max: self.most.load(Ordering::Relaxed),
        }
    }

    fn set(&self, limit: &libc::rlimit) {
        self.now.store(limit.rlim_cur, Ordering::Relaxed);
        self.most.store(limit.rlim_max, Ordering::Relaxed);
    }
}

/// Tells a limit, and has another one from then on, as far as the copy can see. Of this process alone.
///
/// # Safety
/// Where these are no null, there is a limit at `wanted`, and room for one at `before`.
pub unsafe fn answer(process: usize, resource: usize, wanted: usize, before: usize) -> Answer {
    let Some(limit) = LIMITS.get(resource).filter(|_| process == 0) else {
        return Err(Stop::End);
    };
    let old = limit.get();
    if wanted != 0 {
        // SAFETY: as the caller says.
        let wanted = unsafe { (wanted as *const libc::rlimit).read_unaligned() };
        if wanted.rlim_cur > wanted.rlim_max {
            return Err(Stop::Errno(libc::EINVAL));
        }
        if wanted.rlim_max > old.rlim_max {
            return Err(Stop::End); // who may do that is the kernel's to say
        }
        limit.set(&wanted);
    }
    if before != 0 {
        // SAFETY: as the caller says.
        unsafe { (before as *mut libc::rlimit).write_unaligned(old) };
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_told() {
        note();
        let files = libc::RLIMIT_NOFILE as usize;
        let ask = |wanted: Option<libc::rlimit>| {
            let mut told = libc::rlimit {
                rlim_cur: 0,
                rlim_max: 0,
            };
            let at = wanted.as_ref().map_or(0, |one| &raw const *one as usize);
            // SAFETY: both are there.
            let answer = unsafe { answer(0, files, at, &raw mut told as usize) };
            (answer.is_ok(), told.rlim_cur, told.rlim_max)
        };
        let (is_told, now, most) = ask(None);
        assert!(is_told && now > 0);
        let less = libc::rlimit {
            rlim_cur: now - 1,
            rlim_max: most,
        };
        assert_eq!(ask(Some(less)), (true, now, most));
        assert_eq!(ask(None), (true, now - 1, most));
        let wrong = libc::rlimit {
            rlim_cur: most,
            rlim_max: most - 1,
        };
        assert!(!ask(Some(wrong)).0);
    }
}
