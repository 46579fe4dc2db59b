//! What is known of files, and what they are called.

use super::{find, follows, format, is_directory, make, Args};
use crate::system::descriptors::{detail, is_stale, kind, Kind};
use crate::system::kernel::{self, Answer, Link, Stop};
use crate::view::private::with;
use crate::view::walk::What;
use crate::view::{shown, standard};

const EMPTY: &std::ffi::CStr = c"";

/// Whether a path is empty, which stands for the descriptor.
unsafe fn is_descriptor(path: usize, flags: usize) -> bool {
    // SAFETY: the kernel would read it, too.
    let is_empty = path != 0 && unsafe { *(path as *const u8) } == 0;
    is_empty && flags as i32 & libc::AT_EMPTY_PATH != 0
}

/// What is known of an open file or folder.
pub fn about_open(fd: usize) -> Answer<libc::stat> {
    with(|files| match kind(fd) {
        Some(Kind::Private) => shown::about_file(files, fd),
        Some(Kind::Own) => {
            let about = kernel::about(fd)?;
            if is_stale(&about) {
                return Err(Stop::End);
            }
            Ok(shown::altered(files, about))
        }
        Some(Kind::Null | Kind::Loop) => kernel::about(fd),
        Some(Kind::Terminal | Kind::Stream) => standard::about(fd),
        Some(Kind::Folder) => {
            let at = files.own_folder(detail(fd).into()).ok_or(Stop::End)?;
            shown::about(files, &What::Own(at))
        }
        _ => Err(Stop::End),
    })
}

unsafe fn about(folder: usize, path: usize, flags: usize) -> Answer<libc::stat> {
    // SAFETY: as the caller says.
    unsafe {
        if is_descriptor(path, flags) {
            return about_open(folder);
        }
        with(|files| shown::about(files, &find(files, folder, path, follows(flags))?))
    }
}

pub(super) unsafe fn stat(folder: usize, path: usize, to: usize, flags: usize) -> Answer {
    // SAFETY: as the caller says.
    unsafe {
        let about = about(folder, path, flags)?;
        (to as *mut libc::stat).write_unaligned(about);
    }
    Ok(0)
}

pub(super) unsafe fn statx(
    folder: usize,
    path: usize,
    flags: usize,
    mask: usize,
    to: usize,
) -> Answer {
    // SAFETY: as the caller says.
    unsafe {
        let real = |fd: usize| {
            let flags = flags | libc::AT_EMPTY_PATH as usize;
            make(
                libc::SYS_statx,
                [fd, EMPTY.as_ptr() as usize, flags, mask, to, 0],
            )
        };
        let about = if is_descriptor(path, flags) {
            let about = about_open(folder)?;
            if matches!(kind(folder), Some(Kind::Own | Kind::Null)) && !is_directory(&about) {
                return real(folder);
            }
            about
        } else {
            let found = with(|files| {
                let what = find(files, folder, path, follows(flags))?;
                let about = shown::about(files, &what)?;
                Ok((what, about))
            });
            match found? {
                (What::Real(held, _), about) if !is_directory(&about) => return real(held.fd()),
                (_, about) => about,
            }
        };
        (to as *mut libc::statx).write_unaligned(shown::in_full(&about));
    }
    Ok(0)
}

pub(super) unsafe fn access(args: Args, flags: usize) -> Answer {
    let [folder, path, rights, ..] = args;
    if flags as i32 & !libc::AT_EACCESS != 0 {
        return Err(Stop::End);
    }
    let ask = |fd: usize| {
        let link = Link::to(fd);
        let here = libc::AT_FDCWD as usize;
        match flags {
            0 => kernel::may(fd, rights as i32),
            // SAFETY: a question.
            _ => unsafe {
                let args = [here, link.address(), rights, flags, 0, 0];
                make(libc::SYS_faccessat2, args).map(|_| ())
            },
        }
    };
    with(|files| {
        // SAFETY: as the caller says.
        match unsafe { find(files, folder, path, true) }? {
            What::Missing => Err(Stop::Errno(libc::ENOENT)),
            What::Real(held, _) => ask(held.fd()),
            What::Own(at) => files.memory(at).map_or(Ok(()), ask),
        }
    })?;
    Ok(0)
}

pub(super) unsafe fn readlink(args: Args) -> Answer {
    let [folder, path, to, size, ..] = args;
    with(|files| {
        // SAFETY: as the caller says.
        unsafe {
            let what = find(files, folder, path, false)?;
            if let What::Real(held, about) = &what {
                if format(about) == libc::S_IFLNK {
                    let link = [held.fd(), EMPTY.as_ptr() as usize, to, size, 0, 0];
                    return make(libc::SYS_readlinkat, link);
                }
            }
            match what {
                What::Missing => Err(Stop::Errno(libc::ENOENT)),
                What::Own(at) => match files.link(at) {
                    Some(link) => Ok(kernel::read(link.memory, to, size)? as isize),
                    None => Err(Stop::Errno(libc::EINVAL)),
                },
                What::Real(..) => Err(Stop::Errno(libc::EINVAL)),
            }
        }
    })
}

/// The file system of what is real.
pub(super) unsafe fn statfs(path: usize, to: usize) -> Answer {
    with(|files| {
        // SAFETY: as the caller says.
        unsafe {
            match find(files, libc::AT_FDCWD as usize, path, true)? {
                What::Missing => Err(Stop::Errno(libc::ENOENT)),
                What::Real(held, _) => make(libc::SYS_fstatfs, [held.fd(), to, 0, 0, 0, 0]),
                What::Own(_) => Err(Stop::End),
            }
        }
    })
}

/// Attributes by name, of which own files have none.
pub(super) unsafe fn attribute(number: i64, args: Args, without: i32) -> Answer {
    let follows = matches!(number, libc::SYS_getxattr | libc::SYS_listxattr);
    with(|files| {
        // SAFETY: as the caller says.
        unsafe {
            if files.is_empty() {
                return make(number, args);
            }
            match find(files, libc::AT_FDCWD as usize, args[0], follows)? {
                What::Missing => Err(Stop::Errno(libc::ENOENT)),
                What::Real(_, about) if format(&about) == libc::S_IFLNK => Err(Stop::End),
                What::Real(held, _) => {
                    let link = Link::to(held.fd());
                    let mut args = args;
                    args[0] = link.address();
                    let number = if follows { number } else { followed(number) };
                    make(number, args)
                }
                What::Own(_) if without == 0 => Ok(0),
                What::Own(_) => Err(Stop::Errno(without)),
            }
        }
    })
}

/// The same question about what a link leads to.
fn followed(number: i64) -> i64 {
    match number {
        libc::SYS_lgetxattr => libc::SYS_getxattr,
        _ => libc::SYS_listxattr,
    }
}
