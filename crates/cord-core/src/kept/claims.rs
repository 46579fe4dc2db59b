//! Which calls are under way in a run that shares the store: each has a byte of a file locked.
//!
//! The kernel lets go of a lock when its process ends, however that is, and children do not inherit it. The file's time
//! of change tells runs that somebody has kept something since.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{Timespec, Timestamps};

use super::{is_ours, locked, Key};
use cord_os::descriptor::Descriptor;

/// The name of the file.
const CLAIMS: &str = "claims";

#[derive(Debug)]
pub struct Claims {
    file: Descriptor,
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    changed: (i64, i64),
    /// Somebody else's change was seen where only this run's was to be noted.
    is_behind: bool,
}

/// Who has claimed a call.
#[derive(Debug, PartialEq, Eq)]
pub enum Owner {
    Nobody,
    /// A run with this process id; one of another machine may have any.
    Run(i32),
}

impl Claims {
    /// The claims of all runs that share this folder.
    pub fn open(folder: &Path) -> io::Result<Claims> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC)
            .open(folder.join(CLAIMS))?;
        if !is_ours(&file.metadata()?) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let claims = Claims {
            file: Descriptor::new(OwnedFd::from(file)),
            seen: Mutex::default(),
        };
        claims.has_news();
        Ok(claims)
    }

    /// Claims a call for this run; false if another one has it. Where nothing can be locked, nobody has any.
    pub fn claim(&self, key: &Key) -> bool {
        let errno = self.lock(key, libc::F_SETLK, libc::F_WRLCK).err();
        !errno.is_some_and(|errno| [libc::EAGAIN, libc::EACCES].contains(&errno))
    }

    /// The call is not under way any more.
    pub fn release(&self, key: &Key) {
        let _ = self.lock(key, libc::F_SETLK, libc::F_UNLCK);
    }

    /// Who has claimed a call, besides this run.
    pub fn owner(&self, key: &Key) -> Owner {
        match self.lock(key, libc::F_GETLK, libc::F_WRLCK) {
            Ok(lock) if i32::from(lock.l_type) != libc::F_UNLCK => Owner::Run(lock.l_pid),
            _ => Owner::Nobody,
        }
    }

    fn lock(&self, key: &Key, how: i32, what: i32) -> Result<libc::flock, i32> {
        let file = self.file.get().map_err(rustix::io::Errno::raw_os_error)?;
        let place = key
            .first_chunk()
            .map_or(0, |some| u64::from_le_bytes(*some));
        // SAFETY: zeros are a value of it.
        let mut lock: libc::flock = unsafe { std::mem::zeroed() };
        lock.l_type = what as libc::c_short;
        lock.l_whence = libc::SEEK_SET as libc::c_short;
        lock.l_start = (place >> 2) as libc::off_t; // there are no negative ones, and there is one behind it
        lock.l_len = 1;
        // SAFETY: the descriptor is open, and what is pointed to is what this takes.
        match unsafe { libc::fcntl(file.as_raw_fd(), how, &mut lock) } {
            -1 => Err(io::Error::last_os_error().raw_os_error().unwrap_or(0)),
            _ => Ok(lock),
        }
    }

    /// Whether others have kept anything since this was asked last.
    pub fn has_news(&self) -> bool {
        let now = self.changed();
        let mut seen = locked(&self.seen);
        let before = std::mem::replace(&mut seen.changed, now);
        std::mem::take(&mut seen.is_behind) || before != now
    }

    /// This run has kept something.
    pub fn tell(&self) {
        let mut seen = locked(&self.seen);
        seen.is_behind |= self.changed() != seen.changed;
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let since = since.unwrap_or_default();
        let now = Timespec {
            tv_sec: i64::try_from(since.as_secs()).unwrap_or(0),
            tv_nsec: i64::from(since.subsec_nanos()),
        };
        let times = Timestamps {
            last_access: now,
            last_modification: now,
        };
        if let Ok(file) = self.file.get() {
            let _ = rustix::fs::futimens(file, &times);
        }
        seen.changed = self.changed();
    }

    fn changed(&self) -> (i64, i64) {
        let about = self.file.stat();
        about.map_or((0, 0), |(_, about)| {
            (about.st_mtime, about.st_mtime_nsec as i64)
        })
    }
}

/// Whether a process of this machine is stopped: what it has claimed gets nowhere.
pub fn is_stopped(process: i32) -> bool {
    let about = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = about.rsplit(')').next().unwrap_or_default().trim_start();
    state.starts_with(['T', 't'])
}
