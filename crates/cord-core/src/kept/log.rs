//! A log: records one behind the other, each with a length and a digest.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::calls::CALLS;
use super::index::LOG;
use super::{is_ours, Key};

/// What a log of this version begins with.
pub const MAGIC: &[u8; 8] = b"cordkep2";
/// In front of each record: its length, when it was written, its key, and what its bytes are mixed to.
pub const HEAD: usize = 4 + 4 + 16 + 8;
/// No record is longer.
pub const LONGEST: usize = 1 << 30;

/// What the files of a run are called, but for the end: those of later runs come behind, also of the same second.
pub fn stem() -> String {
    let mut random = [0; 4];
    let _ = rustix::rand::getrandom(&mut random, rustix::rand::GetRandomFlags::empty());
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let (seconds, part) = since.map_or((0, 0), |since| (since.as_secs(), since.subsec_nanos()));
    format!("{seconds:010}-{part:08x}{:08x}", u32::from_le_bytes(random))
}

/// A record's head.
#[derive(Debug, Clone, Copy)]
pub struct Head {
    pub length: u32,
    pub made: u32,
    pub key: Key,
    pub check: u64,
}

impl Head {
    pub fn of(body: &[u8], made: u32, key: Key) -> Option<Head> {
        let length = u32::try_from(body.len()).ok()?;
        let check = check(&key, made, body);
        (body.len() <= LONGEST).then_some(Head {
            length,
            made,
            key,
            check,
        })
    }

    pub fn write(&self, to: &mut Vec<u8>) {
        to.extend(self.length.to_le_bytes());
        to.extend(self.made.to_le_bytes());
        to.extend(self.key);
        to.extend(self.check.to_le_bytes());
    }

    pub fn read(bytes: &[u8]) -> Option<Head> {
        let (length, rest) = bytes.split_first_chunk()?;
        let (made, rest) = rest.split_first_chunk()?;
        let (key, rest) = rest.split_first_chunk()?;
        Some(Head {
            length: u32::from_le_bytes(*length),
            made: u32::from_le_bytes(*made),
            key: *key,
            check: u64::from_le_bytes(*rest.first_chunk()?),
        })
    }
}

/// A record with its head; nothing if it is too long.
pub fn framed(body: &[u8], made: u32, key: Key) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(body.len() + HEAD);
    if let Some(head) = Head::of(body, made, key) {
        head.write(&mut bytes);
        bytes.extend(body);
    }
    bytes
}

fn check(key: &Key, made: u32, body: &[u8]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(key).update(&made.to_le_bytes()).update(body);
    let digest = hasher.finalize();
    digest
        .as_bytes()
        .first_chunk()
        .map_or(0, |first| u64::from_le_bytes(*first))
}

/// The body of a record, head included in what is read; none if it is not what was written.
pub fn read(path: &Path, offset: u64, length: u32) -> Option<Vec<u8>> {
    let file = open(path).ok()?;
    let mut bytes = vec![0; HEAD + length as usize];
    file.read_exact_at(&mut bytes, offset).ok()?;
    let head = Head::read(&bytes)?;
    let body = bytes.split_off(HEAD);
    (head.length == length && head.check == check(&head.key, head.made, &body)).then_some(body)
}

/// Opens a log of this user's.
pub fn open(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC)
        .open(path)?;
    match is_ours(&file.metadata()?) {
        true => Ok(file),
        false => Err(io::ErrorKind::PermissionDenied.into()),
    }
}

/// Adds records to the end of a log, which is made. Where they begin.
pub fn append(path: &Path, bytes: &[u8], syncs: bool) -> io::Result<u64> {
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC)
        .open(path)?;
    let mut at = file.metadata()?.len();
    if at == 0 {
        file.write_all(MAGIC)?;
        at = MAGIC.len() as u64;
    }
    if let Err(error) = file.write_all(bytes) {
        let _ = file.set_len(at); // half a record says nothing
        return Err(error);
    }
    if syncs {
        file.sync_data()?;
    }
    Ok(at)
}

/// All that was written to a log is on the disk.
pub fn sync(path: &Path) -> io::Result<()> {
    open(path)?.sync_data()
}

/// The heads of the records in a log from an offset on, and where each is. It ends before what was not written whole.
pub fn heads(path: &Path, from: u64, mut each: impl FnMut(u64, Head)) -> io::Result<()> {
    const STEP: usize = 1 << 20;
    let file = open(path)?;
    let end = file.metadata()?.len();
    if !begins_as_one(&file) {
        return Ok(()); // another version's
    }
    let mut at = from.max(MAGIC.len() as u64);
    let (mut begins, mut buffer) = (0, Vec::new());
    while at + HEAD as u64 <= end {
        let is_there = begins <= at && at + HEAD as u64 <= begins + buffer.len() as u64;
        if !is_there {
            let size = STEP.min(usize::try_from(end - at).unwrap_or(STEP));
            buffer.resize(size, 0);
            file.read_exact_at(&mut buffer, at)?;
            begins = at;
        }
        let Some(head) = Head::read(&buffer[usize::try_from(at - begins).unwrap_or(0)..]) else {
            break;
        };
        let next = at + HEAD as u64 + u64::from(head.length);
        if next > end {
            break;
        }
        each(at, head);
        at = next;
    }
    Ok(())
}

fn begins_as_one(file: &File) -> bool {
    let mut magic = [0; 8];
    file.read_exact_at(&mut magic, 0).is_ok() && &magic == MAGIC
}

/// How many files of a store count as not there: they are damaged, or of another version. One that is shorter than what
/// they begin with is being made.
pub fn count_unread(folder: &Path) -> io::Result<usize> {
    let ends = [LOG, CALLS].map(OsStr::new);
    let is_ours = |path: &Path| path.extension().is_some_and(|end| ends.contains(&end));
    let is_unread = |path: &Path| {
        let mut begin = [0; MAGIC.len()];
        let read = File::open(path).and_then(|file| file.read_exact_at(&mut begin, 0));
        read.is_ok() && &begin != MAGIC
    };
    let all = fs::read_dir(folder)?.flatten().map(|one| one.path());
    Ok(all.filter(|path| is_ours(path) && is_unread(path)).count())
}

/// Whether a file is a log of this version and this user's.
pub fn is_one(path: &Path) -> io::Result<bool> {
    Ok(begins_as_one(&open(path)?))
}

/// Writes a file whole, beside, then in place.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let _ = fs::remove_file(&beside);
    create(&beside, bytes)?;
    fs::rename(&beside, path)
}

/// Makes a file with this content.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(bytes)?;
    file.sync_data()
}
