//! Rates that hold over all runs that share a store: when the next call is due, in a file that each of them has mapped.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use cord_dispatch::dispatcher::rate::Due;
use memmap2::{MmapOptions, MmapRaw};

use super::is_ours;

/// The name of the file, and how many rates it has room for: where two share a place, both are slower.
const RATES: &str = "rates";
const PLACES: usize = 4096;

/// The file.
#[derive(Debug)]
pub struct Rates(MmapRaw);

/// When the next call of a rate is due, in nanoseconds since 1970, for all runs.
#[derive(Debug, Clone)]
pub struct Shared {
    rates: Arc<Rates>,
    place: usize,
    /// When this session began.
    since: u64,
}

impl Rates {
    /// Those of all runs that share this folder.
    pub fn open(folder: &Path) -> io::Result<Arc<Rates>> {
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .mode(0o600)
            .custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC)
            .open(folder.join(RATES))?;
        let about = file.metadata()?;
        if !is_ours(&about) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let size = PLACES * size_of::<u64>();
        if about.len() < size as u64 {
            file.write_all(&vec![0; size])?; // a hole would need room when it is written to, where none is left
        }
        Ok(Arc::new(Rates(
            MmapOptions::new().len(size).map_raw(&file)?,
        )))
    }

    /// When the calls of a rate are due, which has this name in all plans; now it is `now` in this session.
    pub fn due(self: &Arc<Rates>, name: &str, now: u64) -> Shared {
        let digest = blake3::hash(name.as_bytes());
        let number = digest.as_bytes().first_chunk();
        let number = number.map_or(0, |some| u64::from_le_bytes(*some));
        let time = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        Shared {
            rates: Arc::clone(self),
            place: (number % PLACES as u64) as usize,
            since: time.saturating_sub(now),
        }
    }
}

impl Shared {
    fn cell(&self) -> &AtomicU64 {
        let first = self.rates.0.as_mut_ptr().cast::<u64>();
        // SAFETY: a mapping begins at a page, has so many places, and lives as long as this; all runs use them as this
        // does.
        unsafe { AtomicU64::from_ptr(first.add(self.place)) }
    }
}

impl Due for Shared {
    fn get(&self) -> u64 {
        self.cell()
            .load(Ordering::Relaxed)
            .saturating_sub(self.since)
    }

    fn change(&self, next: &dyn Fn(u64) -> u64) {
        let change = |due: u64| Some(next(due.saturating_sub(self.since)) + self.since);
        let _ = self
            .cell()
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, change);
    }
}
