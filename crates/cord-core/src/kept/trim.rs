//! A store that has grown is written anew, without what was not used for longest.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rustix::fs::{flock, FlockOperation};

use super::calls::{self, CALLS};
use super::index::{Entry, Index, INDEX, LOG};
use super::record::Record;
use super::{log, now, Key};

/// More logs than that are put together.
const MOST_LOGS: usize = 24;
/// Of what a store may have calls have this part at most, once it is full.
const CALLS_SHARE: u64 = 4;
/// A log that was written to since may be another run's still.
const AT_REST: Duration = Duration::from_secs(24 * 60 * 60);

/// Who changes logs that others have written.
pub fn lock(folder: &Path) -> io::Result<File> {
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(folder.join("lock"))?;
    flock(file.as_fd(), FlockOperation::LockExclusive)?;
    Ok(file)
}

/// Makes a store smaller that is larger than it may be, or has many logs. Logs that others may write to are left.
pub fn trim(folder: &Path, most: u64) -> io::Result<()> {
    let (mut bytes, mut of_calls, mut logs) = (0, 0, [0, 0]);
    for one in fs::read_dir(folder)? {
        let one = one?;
        let Ok(about) = one.metadata() else {
            continue; // another run, which ends as well, has renamed or removed it
        };
        let (path, size) = (one.path(), about.len());
        bytes += size;
        for (count, end) in logs.iter_mut().zip([LOG, CALLS]) {
            *count += usize::from(path.extension().is_some_and(|own| own == end));
        }
        if path.extension().is_some_and(|end| end == CALLS) {
            of_calls += size;
        }
    }
    if bytes <= most && logs.iter().all(|count| *count <= MOST_LOGS) {
        return Ok(());
    }
    let _lock = lock(folder)?;
    let index = Index::read(folder)?;
    let is_over = bytes > most;
    // calls go first: without them nothing is slower
    let room = if is_over {
        most / CALLS_SHARE
    } else {
        u64::MAX
    };
    let known: HashSet<Key> = index.entries().into_iter().map(|(key, _)| key).collect();
    calls::rewrite(
        folder,
        room,
        |file| is_over || is_at_rest_file(folder, file),
        |key, sent| sent.came.is_some() || known.contains(key),
    )?;
    let most = most - room.min(of_calls);
    let is_over = bytes - of_calls > most;
    if !is_over && logs[0] <= MOST_LOGS {
        return Ok(());
    }
    let own = |log: &Arc<str>| is_over || is_at_rest(folder, log);
    let logs: Vec<_> = index
        .logs()
        .iter()
        .filter(|log| own(log))
        .cloned()
        .collect();
    let mut left = most / 10 * 9;
    rewrite(folder, &index, &logs, |_, entry| {
        let size = log::HEAD as u64 + u64::from(entry.length);
        let stays = size <= left;
        left = left.saturating_sub(size);
        Ok(stays)
    })
    .map(drop)
}

fn is_at_rest_file(folder: &Path, file: &Path) -> bool {
    file.file_name()
        .is_some_and(|name| is_at_rest(folder, &name.to_string_lossy()))
}

fn is_at_rest(folder: &Path, log: &str) -> bool {
    let index = folder.join(log).with_extension(INDEX);
    let modified = |path: &Path| fs::metadata(path).and_then(|about| about.modified()).ok();
    // whoever has ended has left an index that is no older
    let ended = modified(&index) >= modified(&folder.join(log)) && index.exists();
    let rests = modified(&folder.join(log))
        .and_then(|time| SystemTime::now().duration_since(time).ok())
        .is_some_and(|rests| rests > AT_REST);
    ended || rests
}

/// Forgets outcomes of one function, or all. How many.
pub fn clear(folder: &Path, function: Option<&str>) -> io::Result<usize> {
    let index = Index::read(folder)?;
    let logs = index.logs().to_vec();
    rewrite(folder, &index, &logs, |key, entry| {
        let Some(function) = function else {
            return Ok(false);
        };
        let bytes = log::read(&folder.join(&*entry.log), entry.offset, entry.length);
        let record = bytes.and_then(|bytes| Record::decode(&bytes, key));
        Ok(record.is_some_and(|record| record.function != function))
    })
}

/// Writes what stays of some logs to a new one, and removes them. How many outcomes went.
fn rewrite(
    folder: &Path,
    index: &Index,
    logs: &[Arc<str>],
    mut stays: impl FnMut(&Key, &Entry) -> io::Result<bool>,
) -> io::Result<usize> {
    let old: HashSet<&str> = logs.iter().map(|log| &**log).collect();
    let mut gone = 0;
    // named before all that are there: of two outcomes of one key the one that is not written anew is newer
    let name = format!(
        "{:010}-{:016x}.{LOG}",
        0,
        u64::from(now()) << 32 | u64::from(std::process::id())
    );
    let path = folder.join(&name);
    let mut fresh = Index::default();
    for (key, entry) in index.entries() {
        if !stays(&key, &entry)? {
            gone += 1;
            continue;
        }
        if !old.contains(&*entry.log) {
            continue;
        }
        let Some(body) = log::read(&folder.join(&*entry.log), entry.offset, entry.length) else {
            gone += 1;
            continue;
        };
        let at = log::append(&path, &log::framed(&body, entry.made, key), false)?;
        fresh.add_used(&name, key, at, &entry);
    }
    if path.exists() {
        log::sync(&path)?;
        fresh.write_rows(folder, &name)?;
    }
    for log in logs.iter().filter(|log| ***log != *name) {
        let path = folder.join(&**log);
        let _ = fs::remove_file(path.with_extension(INDEX));
        fs::remove_file(path)?;
    }
    Ok(gone)
}
