//! What a copy is told of its own files and folders: what the program would be told of real ones.

use crate::system::descriptors::is_stale;
use crate::system::kernel::{self, Answer, Stop};
use crate::view::files::{Content, Files, Folder, Key, Link};
use crate::view::walk::What;

/// Numbers of own folders, out of the way of those that the kernel gives to memory.
const FOLDERS_FROM: u64 = 1 << 40;

/// What is known of what a path leads to.
pub fn about(files: &Files, what: &What) -> Answer<libc::stat> {
    match what {
        What::Missing => Err(Stop::Errno(libc::ENOENT)),
        What::Real(_, about) if is_stale(about) => Err(Stop::End),
        What::Real(_, about) => Ok(altered(files, *about)),
        What::Own(at) => match files.content(*at) {
            Content::Gone | Content::Altered { .. } => Err(Stop::Errno(libc::ENOENT)),
            Content::File { memory, .. } => about_file(files, memory),
            Content::Folder(folder) => Ok(about_folder(&folder)),
            Content::Link(link) => Ok(about_link(&link)),
        },
    }
}

/// What is known of a real folder, with what the copy has altered.
pub fn altered(files: &Files, mut about: libc::stat) -> libc::stat {
    let known = files.find(Key::of(&about), b"");
    if let Some(Content::Altered { mode, changed }) = known.map(|at| files.content(at)) {
        about.st_mode = libc::S_IFDIR | mode;
        (about.st_mtime, about.st_mtime_nsec) = changed;
    }
    about
}

/// The same of a file in memory, by a descriptor of it.
pub fn about_file(files: &Files, fd: usize) -> Answer<libc::stat> {
    let mut about = kernel::about(fd)?;
    let known = files.in_memory(about.st_ino);
    if let Some(Content::File {
        device, original, ..
    }) = known.map(|at| files.content(at))
    {
        about.st_dev = device;
        about.st_nlink = 1;
        if let Some(original) = original {
            about.st_ino = original.key.number;
            (about.st_uid, about.st_gid) = (original.user, original.group);
        }
    }
    Ok(about)
}

fn about_folder(folder: &Folder) -> libc::stat {
    let mut about = at_time(folder.changed);
    about.st_dev = folder.device;
    about.st_ino = FOLDERS_FROM + folder.number;
    about.st_mode = libc::S_IFDIR | folder.mode;
    about.st_nlink = 2;
    about.st_size = 4096;
    about.st_blocks = 8;
    about
}

fn about_link(link: &Link) -> libc::stat {
    let mut about = at_time(link.made);
    about.st_dev = link.device;
    about.st_ino = link.number;
    about.st_mode = libc::S_IFLNK | 0o777;
    about.st_nlink = 1;
    about.st_size = link.length as i64;
    about
}

fn at_time((seconds, nanoseconds): (i64, i64)) -> libc::stat {
    // SAFETY: plain numbers, for which zeros will do.
    let mut about: libc::stat = unsafe { std::mem::zeroed() };
    (about.st_uid, about.st_gid) = kernel::owner();
    about.st_blksize = 4096;
    (about.st_atime, about.st_atime_nsec) = (seconds, nanoseconds);
    (about.st_mtime, about.st_mtime_nsec) = (seconds, nanoseconds);
    (about.st_ctime, about.st_ctime_nsec) = (seconds, nanoseconds);
    about
}

/// The number and kind of an own file or folder among those that a folder holds.
pub fn entry(files: &Files, at: usize) -> (u64, u8) {
    match files.content(at) {
        Content::Folder(folder) => (FOLDERS_FROM + folder.number, libc::DT_DIR),
        Content::File {
            number, original, ..
        } => (
            original.map_or(number, |original| original.key.number),
            libc::DT_REG,
        ),
        Content::Link(link) => (link.number, libc::DT_LNK),
        Content::Gone | Content::Altered { .. } => (0, libc::DT_UNKNOWN),
    }
}

/// The same as the newer call tells it.
#[allow(clippy::cast_lossless, clippy::unnecessary_cast)]
pub fn in_full(about: &libc::stat) -> libc::statx {
    let time = |tv_sec, tv_nsec| {
        // SAFETY: plain numbers, for which zeros will do.
        let mut time: libc::statx_timestamp = unsafe { std::mem::zeroed() };
        time.tv_sec = tv_sec;
        time.tv_nsec = tv_nsec as u32;
        time
    };
    // SAFETY: as above.
    let mut full: libc::statx = unsafe { std::mem::zeroed() };
    full.stx_mask = libc::STATX_BASIC_STATS;
    full.stx_blksize = about.st_blksize as u32;
    full.stx_nlink = about.st_nlink as u32;
    (full.stx_uid, full.stx_gid) = (about.st_uid, about.st_gid);
    full.stx_mode = about.st_mode as u16;
    full.stx_ino = about.st_ino;
    full.stx_size = about.st_size as u64;
    full.stx_blocks = about.st_blocks as u64;
    full.stx_atime = time(about.st_atime, about.st_atime_nsec);
    full.stx_mtime = time(about.st_mtime, about.st_mtime_nsec);
    full.stx_ctime = time(about.st_ctime, about.st_ctime_nsec);
    full.stx_dev_major = libc::major(about.st_dev);
    full.stx_dev_minor = libc::minor(about.st_dev);
    full
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_looks_like_one() {
        let folder = Folder {
            number: 3,
            above: None,
            device: libc::makedev(8, 1),
            mode: 0o750,
            changed: (5, 6),
        };
        let about = about_folder(&folder);
        assert_eq!(about.st_mode, libc::S_IFDIR | 0o750);
        let full = in_full(&about);
        assert_eq!(full.stx_ino, about.st_ino);
        assert_eq!(u32::from(full.stx_mode), about.st_mode);
        assert_eq!((full.stx_dev_major, full.stx_dev_minor), (8, 1));
        assert_eq!((full.stx_mtime.tv_sec, full.stx_mtime.tv_nsec), (5, 6));
    }
}
