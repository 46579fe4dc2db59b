//! Opening files: those to be written become the copy's own.

use super::{find, format, is_directory, is_folder, spot};
use crate::system::descriptors::{set_detail, Kind, NULL_DEVICE};
use crate::system::kernel::{self, Answer, Held, Stop};
use crate::view::files::{Content, Files, Folder};
use crate::view::private::{self, copy_of, keep, with};
use crate::view::walk::{Spot, What};

/// Flags of files that memory can be opened with.
const FLAGS: i32 = libc::O_ACCMODE
    | libc::O_APPEND
    | libc::O_TRUNC
    | libc::O_NONBLOCK
    | libc::O_SYNC
    | libc::O_CLOEXEC
    | LARGE;
/// Flags that say how a name is followed or a file is made.
const WAYS: i32 = libc::O_CREAT
    | libc::O_EXCL
    | libc::O_NOFOLLOW
    | libc::O_NOCTTY
    | libc::O_NOATIME
    | libc::O_DIRECTORY
    | libc::O_TMPFILE;
/// The binding has none where it is always set.
#[cfg(target_arch = "x86_64")]
const LARGE: i32 = 0o100_000;
#[cfg(not(target_arch = "x86_64"))]
const LARGE: i32 = 0o400_000;

pub(super) unsafe fn open(folder: usize, path: usize, flags: usize, mode: usize) -> Answer {
    let flags = flags as i32;
    if flags & libc::O_PATH != 0 {
        return Err(Stop::End);
    }
    let writes = flags & libc::O_ACCMODE != libc::O_RDONLY
        || flags & (libc::O_CREAT | libc::O_TRUNC | libc::O_TMPFILE & !libc::O_DIRECTORY) != 0;
    if writes && flags & !(FLAGS | WAYS) != 0 {
        return Err(Stop::End);
    }
    let is_new = libc::O_CREAT | libc::O_EXCL;
    let follows = flags & libc::O_NOFOLLOW == 0 && flags & is_new != is_new;
    with(|files| {
        // SAFETY: as the caller says.
        unsafe {
            if !writes {
                let what = find(files, folder, path, follows)?;
                return open_to_read(files, what, flags);
            }
            let spot = spot(files, folder, path, follows)?;
            if flags & libc::O_TMPFILE == libc::O_TMPFILE {
                return open_nameless(files, spot, flags, mode);
            }
            open_to_write(files, spot, flags, mode)
        }
    })
}

fn closes(flags: i32) -> bool {
    flags & libc::O_CLOEXEC != 0
}

fn open_to_read(files: &Files, what: What, flags: i32) -> Answer {
    let wants_folder = flags & libc::O_DIRECTORY != 0;
    match what {
        What::Missing => Err(Stop::Errno(libc::ENOENT)),
        What::Own(at) => match files.content(at) {
            Content::Folder(folder) => open_own_folder(&folder, flags),
            _ if wants_folder => Err(Stop::Errno(libc::ENOTDIR)),
            Content::Link(_) => Err(Stop::Errno(libc::ELOOP)),
            _ => open_own(files, at, flags),
        },
        What::Real(_, about) if wants_folder && !is_directory(&about) => {
            Err(Stop::Errno(libc::ENOTDIR))
        }
        What::Real(_, about) if format(&about) == libc::S_IFLNK => Err(Stop::Errno(libc::ELOOP)),
        What::Real(held, about) if is_null(&about) => open_null(held, flags),
        What::Real(held, about) => {
            if !private::may_be_read(held.fd(), &about) {
                return Err(Stop::End);
            }
            // SAFETY: a regular file or a folder, for reading.
            let opened = unsafe { kernel::open_real(held.fd(), flags) }?;
            drop(held);
            opened.land(closes(flags), Kind::Own)
        }
    }
}

fn is_null(about: &libc::stat) -> bool {
    format(about) == libc::S_IFCHR && about.st_rdev == NULL_DEVICE
}

fn open_null(held: Held, flags: i32) -> Answer {
    // SAFETY: no regular file, but nothing is changed there.
    let opened = unsafe { kernel::open_again(held.fd(), flags & FLAGS & !libc::O_TRUNC) }?;
    drop(held);
    opened.land(closes(flags), Kind::Null)
}

fn open_own(files: &Files, at: usize, flags: i32) -> Answer {
    let memory = files.memory(at).ok_or(Stop::End)?;
    let opened = open_memory(memory, flags)?;
    opened.land(closes(flags), Kind::Private)
}

fn open_own_folder(folder: &Folder, flags: i32) -> Answer {
    let number = u16::try_from(folder.number).map_err(|_| Stop::Full)?;
    let something = kernel::place(None, b"/\0", libc::O_DIRECTORY)?;
    let fd = something.land(closes(flags), Kind::Folder)?;
    set_detail(fd as usize, number);
    Ok(fd)
}

/// A file in a folder that no name leads to.
fn open_nameless(files: &Files, spot: Spot, flags: i32, mode: usize) -> Answer {
    if !is_folder(files, &spot.what) {
        return Err(Stop::Errno(libc::ENOTDIR));
    }
    if let What::Real(held, _) = &spot.what {
        kernel::may(held.fd(), libc::W_OK | libc::X_OK)?;
    }
    let memory = kernel::memory()?;
    let opened = open_memory(memory.fd(), flags)?;
    kernel::set_rights(memory.fd(), private::rights(mode))?;
    drop((spot, memory));
    opened.land(closes(flags), Kind::Private)
}

fn open_memory(memory: usize, flags: i32) -> Answer<Held> {
    // SAFETY: memory of this process alone.
    unsafe { kernel::open_again(memory, flags & FLAGS) }
}

fn open_to_write(files: &mut Files, spot: Spot, flags: i32, mode: usize) -> Answer {
    let creates = flags & libc::O_CREAT != 0;
    match &spot.what {
        _ if creates && spot.slash => return Err(Stop::Errno(libc::EISDIR)),
        What::Missing if !creates => return Err(Stop::Errno(libc::ENOENT)),
        What::Missing => return create(files, spot, flags, mode),
        _ if creates && flags & libc::O_EXCL != 0 => return Err(Stop::Errno(libc::EEXIST)),
        what if is_folder(files, what) => return Err(Stop::Errno(libc::EISDIR)),
        _ if spot.slash || flags & libc::O_DIRECTORY != 0 => {
            return Err(Stop::Errno(libc::ENOTDIR))
        }
        _ => {}
    }
    let only_reads = flags & (libc::O_ACCMODE | libc::O_TRUNC) == libc::O_RDONLY;
    match spot.what {
        What::Own(at) if files.link(at).is_some() => Err(Stop::Errno(libc::ELOOP)),
        What::Own(at) => {
            drop(spot.folder);
            open_own(files, at, flags)
        }
        what if only_reads => open_to_read(files, what, flags),
        What::Real(_, about) if format(&about) == libc::S_IFLNK => Err(Stop::Errno(libc::ELOOP)),
        What::Real(held, about) if is_null(&about) => open_null(held, flags),
        What::Real(held, about) => {
            let reads = flags & libc::O_ACCMODE == libc::O_RDWR;
            let rights = libc::W_OK | if reads { libc::R_OK } else { 0 };
            kernel::may(held.fd(), rights)?;
            let memory = copy_of(files, &held, &about, flags & libc::O_TRUNC == 0)?;
            let opened = open_memory(memory.fd(), flags)?;
            let place = (&spot.folder, &spot.name);
            keep(files, place, memory, about.st_mode, Some(&about))?;
            drop((held, spot.folder));
            opened.land(closes(flags), Kind::Private)
        }
        What::Missing => Err(Stop::End),
    }
}

fn create(files: &mut Files, spot: Spot, flags: i32, mode: usize) -> Answer {
    spot.folder.may_change()?;
    let memory = kernel::memory()?;
    let opened = open_memory(memory.fd(), flags)?;
    keep(
        files,
        (&spot.folder, &spot.name),
        memory,
        private::rights(mode),
        None,
    )?;
    drop(spot);
    opened.land(closes(flags), Kind::Private)
}
