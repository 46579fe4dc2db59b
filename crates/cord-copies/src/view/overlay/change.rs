//! What the program makes, moves, removes and alters: the copy alone sees it.

use super::{follows, is_directory, is_folder, make, spot, Args};
use crate::system::descriptors::{is_stale, kind, Kind};
use crate::system::kernel::{self, Answer, Stop};
use crate::view::files::{Content, Files, Folder, Key, Link, Name};
use crate::view::private::{self, changeable, give_up, put, with};
use crate::view::walk::{self, Place, Spot, What};
use crate::view::{listing, shown};

pub(super) unsafe fn mkdir(folder: usize, path: usize, mode: usize) -> Answer {
    with(|files| {
        // SAFETY: as the caller says.
        let spot = unsafe { spot(files, folder, path, false) }?;
        if !matches!(spot.what, What::Missing) {
            return Err(Stop::Errno(libc::EEXIST));
        }
        spot.folder.may_change()?;
        let now = kernel::now();
        let made = Folder {
            number: files.new_folder(),
            above: above(&spot.folder)?,
            device: spot.folder.device(),
            mode: private::rights(mode),
            changed: (now.tv_sec, now.tv_nsec),
        };
        let key = spot.folder.key();
        put(files, key, &spot.name, Content::Folder(made), false)?;
        Ok(0)
    })
}

pub(super) unsafe fn symlink(target: usize, folder: usize, path: usize) -> Answer {
    with(|files| {
        // SAFETY: as the caller says.
        let (target, spot) = unsafe { (walk::path(target)?, spot(files, folder, path, false)?) };
        match spot.what {
            What::Missing if spot.slash => return Err(Stop::Errno(libc::ENOENT)),
            What::Missing => {}
            _ => return Err(Stop::Errno(libc::EEXIST)),
        }
        spot.folder.may_change()?;
        let (memory, now) = (kernel::memory()?, kernel::now());
        kernel::write(memory.fd(), target)?;
        let link = Link {
            number: kernel::about(memory.fd())?.st_ino,
            memory: memory.hide()?,
            length: target.len(),
            device: spot.folder.device(),
            made: (now.tv_sec, now.tv_nsec),
        };
        let key = spot.folder.key();
        put(files, key, &spot.name, Content::Link(link), false)?;
        Ok(0)
    })
}

/// What an own folder needs to know of the real one that it is in.
fn above(folder: &Place) -> Answer<Option<usize>> {
    match folder {
        Place::Real(held, _) => {
            let above = kernel::place(Some(held.fd()), b".\0", libc::O_DIRECTORY)?;
            above.hide().map(Some)
        }
        Place::Own(_) => Ok(None),
    }
}

pub(super) unsafe fn unlink(folder: usize, path: usize, flags: usize) -> Answer {
    let wants_folder = flags as i32 & libc::AT_REMOVEDIR != 0;
    with(|files| {
        // SAFETY: as the caller says.
        let spot = unsafe { spot(files, folder, path, false) }?;
        may_remove(files, &spot, wants_folder)?;
        match &spot.what {
            What::Own(at) => give_up(files.take(*at)),
            _ => {
                put(files, spot.folder.key(), &spot.name, Content::Gone, true)?;
            }
        }
        Ok(0)
    })
}

/// Whether the program might remove what is there, as an error if not.
fn may_remove(files: &Files, spot: &Spot, wants_folder: bool) -> Answer<()> {
    if spot.name.is_empty() {
        return Err(Stop::End);
    }
    if matches!(spot.what, What::Missing) {
        return Err(Stop::Errno(libc::ENOENT));
    }
    match (wants_folder, is_folder(files, &spot.what)) {
        (false, true) => return Err(Stop::Errno(libc::EISDIR)),
        (true, false) => return Err(Stop::Errno(libc::ENOTDIR)),
        (false, false) if spot.slash => return Err(Stop::Errno(libc::ENOTDIR)),
        _ => {}
    }
    spot.folder.may_change()?;
    let is_bare = match &spot.what {
        What::Real(_, about) if is_stale(about) => return Err(Stop::End),
        What::Real(held, about) if wants_folder => listing::is_bare(files, held, Key::of(about))?,
        What::Own(at) => {
            let folder = files.folder(*at);
            folder.is_none_or(|folder| files.next_in(folder.key(), 0).is_none())
        }
        _ => true,
    };
    if is_bare {
        Ok(())
    } else {
        Err(Stop::Errno(libc::ENOTEMPTY))
    }
}

pub(super) unsafe fn rename(from: (usize, usize), to: (usize, usize), flags: usize) -> Answer {
    if flags as u32 & !libc::RENAME_NOREPLACE != 0 {
        return Err(Stop::End);
    }
    with(|files| {
        // SAFETY: as the caller says.
        let (from, to) = unsafe {
            let from = spot(files, from.0, from.1, false)?;
            (from, spot(files, to.0, to.1, false)?)
        };
        may_move(files, &from, &to)?;
        if !matches!(to.what, What::Missing) {
            if flags != 0 {
                return Err(Stop::Errno(libc::EEXIST));
            }
            may_replace(files, &from.what, &to.what)?;
        }
        from.folder.may_change()?;
        to.folder.may_change()?;
        if is_same(&from.what, &to.what) {
            return Ok(0);
        }
        let at = match &from.what {
            What::Own(at) => *at,
            _ => changeable(files, &from)?,
        };
        move_own(files, at, &to)?;
        Ok(0)
    })
}

/// Whether the program might move this there, as an error if not.
fn may_move(files: &Files, from: &Spot, to: &Spot) -> Answer<()> {
    let moves_folder = is_folder(files, &from.what);
    match &from.what {
        _ if from.name.is_empty() || to.name.is_empty() => Err(Stop::End),
        What::Missing => Err(Stop::Errno(libc::ENOENT)),
        _ if !moves_folder && (from.slash || to.slash) => Err(Stop::Errno(libc::ENOTDIR)),
        // others may be using what is in it
        What::Real(..) if moves_folder => Err(Stop::End),
        What::Own(at) => match files.folder(*at) {
            Some(folder) if files.is_within(to.folder.key(), folder.key()) => {
                Err(Stop::Errno(libc::EINVAL))
            }
            _ => Ok(()),
        },
        What::Real(..) => Ok(()),
    }
}

fn is_same(one: &What, other: &What) -> bool {
    match (one, other) {
        (What::Own(one), What::Own(other)) => one == other,
        (What::Real(_, one), What::Real(_, other)) => {
            (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)
        }
        _ => false,
    }
}

fn may_replace(files: &Files, from: &What, to: &What) -> Answer<()> {
    match (is_folder(files, from), is_folder(files, to)) {
        (false, true) => Err(Stop::Errno(libc::EISDIR)),
        (true, false) => Err(Stop::Errno(libc::ENOTDIR)),
        (true, true) => Err(Stop::End),
        (false, false) => match to {
            What::Real(_, about) if is_stale(about) => Err(Stop::End),
            _ => Ok(()),
        },
    }
}

fn move_own(files: &mut Files, at: usize, to: &Spot) -> Answer<()> {
    let covers = matches!(to.what, What::Real(..));
    let mut content = files.take(at);
    if let Content::Folder(folder) = &mut content {
        let before = std::mem::replace(&mut folder.above, above(&to.folder)?);
        before.into_iter().for_each(kernel::forget);
    }
    put(files, to.folder.key(), &to.name, content, covers)?;
    Ok(())
}

pub(super) unsafe fn truncate(path: usize, length: usize) -> Answer {
    with(|files| {
        // SAFETY: as the caller says.
        let spot = unsafe { spot(files, libc::AT_FDCWD as usize, path, true) }?;
        if let What::Real(held, _) = &spot.what {
            kernel::may(held.fd(), libc::W_OK)?;
        }
        let at = changeable(files, &spot)?;
        let memory = files.memory(at).ok_or(Stop::End)?;
        kernel::may(memory, libc::W_OK)?;
        kernel::set_length(memory, length)?;
        Ok(0)
    })
}

/// Whether the program owns what it wants to change the rights or times of, as an error if not.
fn may_own(what: &What) -> Answer<()> {
    let (user, _) = kernel::owner();
    match what {
        What::Missing => Err(Stop::Errno(libc::ENOENT)),
        What::Real(_, about) if user != 0 && about.st_uid != user => Err(Stop::End),
        _ => Ok(()),
    }
}

pub(super) unsafe fn chmod(folder: usize, path: usize, mode: usize) -> Answer {
    with(|files| {
        // SAFETY: as the caller says.
        let spot = unsafe { spot(files, folder, path, true) }?;
        may_own(&spot.what)?;
        match &spot.what {
            What::Own(at) if files.folder(*at).is_some() => files.set_mode(*at, mode as u32),
            What::Real(_, about) if is_directory(about) => {
                let rights = mode as u32 & 0o7777;
                if rights & 0o700 != 0o700 {
                    return Err(Stop::End); // much would fail from then on
                }
                alter(files, &shown::altered(files, *about), |now| {
                    now.st_mode = rights
                })?;
            }
            _ => {
                let at = changeable(files, &spot)?;
                kernel::set_rights(files.memory(at).ok_or(Stop::End)?, mode as u32)?;
            }
        }
        Ok(0)
    })
}

pub(super) unsafe fn utime(args: Args) -> Answer {
    let [folder, path, times, flags, ..] = args;
    if path == 0 {
        if kind(folder) != Some(Kind::Private) || flags != 0 {
            return Err(Stop::End);
        }
        // SAFETY: memory of this process alone.
        return unsafe { make(libc::SYS_utimensat, args) };
    }
    with(|files| {
        // SAFETY: as the caller says.
        let spot = unsafe { spot(files, folder, path, follows(flags)) }?;
        may_own(&spot.what)?;
        match &spot.what {
            What::Own(at) if files.folder(*at).is_some() => {
                // SAFETY: as the caller says.
                if let Some(changed) = unsafe { changed_at(times) } {
                    files.set_time(*at, changed);
                }
            }
            What::Real(_, about) if is_directory(about) => {
                // SAFETY: as the caller says.
                if let Some((seconds, nanoseconds)) = unsafe { changed_at(times) } {
                    alter(files, &shown::altered(files, *about), |now| {
                        (now.st_mtime, now.st_mtime_nsec) = (seconds, nanoseconds);
                    })?;
                }
            }
            _ => {
                let at = changeable(files, &spot)?;
                kernel::set_times(files.memory(at).ok_or(Stop::End)?, times)?;
            }
        }
        Ok(0)
    })
}

/// A real folder is seen otherwise from now on.
fn alter(files: &mut Files, about: &libc::stat, how: impl FnOnce(&mut libc::stat)) -> Answer<()> {
    let mut now = *about;
    how(&mut now);
    let content = Content::Altered {
        mode: now.st_mode & 0o7777,
        changed: (now.st_mtime, now.st_mtime_nsec),
    };
    let name = Name::new(b"").ok_or(Stop::End)?;
    put(files, Key::of(about), &name, content, true).map(|_| ())
}

/// When the program says that something was changed, as `utimensat` has it; none if it does not.
unsafe fn changed_at(times: usize) -> Option<(i64, i64)> {
    let now = libc::timespec {
        tv_sec: 0,
        tv_nsec: libc::UTIME_NOW,
    };
    // SAFETY: the kernel would read two of them.
    let time = match times {
        0 => now,
        times => unsafe { (times as *const libc::timespec).add(1).read_unaligned() },
    };
    match time.tv_nsec {
        libc::UTIME_OMIT => None,
        libc::UTIME_NOW => {
            let now = kernel::now();
            Some((now.tv_sec, now.tv_nsec))
        }
        nanoseconds => Some((time.tv_sec, nanoseconds)),
    }
}
