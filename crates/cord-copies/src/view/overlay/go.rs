//! The working folder, which is the copy's own. A folder that only the copy has is none to the kernel: who
//! goes there ends.

use super::{find, is_directory, make};
use crate::system::descriptors::{kind, Kind};
use crate::system::kernel::{self, Answer, Stop, PROC};
use crate::view::private::with;
use crate::view::walk::What;

pub(super) unsafe fn enter(path: usize) -> Answer {
    with(|files| {
        // SAFETY: as the caller says.
        match unsafe { find(files, libc::AT_FDCWD as usize, path, true) }? {
            What::Missing => Err(Stop::Errno(libc::ENOENT)),
            What::Real(held, about) if is_directory(&about) => go(held.fd()),
            What::Real(..) => Err(Stop::Errno(libc::ENOTDIR)),
            What::Own(_) => Err(Stop::End),
        }
    })
}

pub(super) unsafe fn enter_open(fd: usize) -> Answer {
    match kind(fd) {
        Some(Kind::Own) => go(fd),
        _ => Err(Stop::End),
    }
}

/// A folder that shows the process that looks is another one to the copy.
fn go(fd: usize) -> Answer {
    if kernel::file_system(fd)? == PROC {
        return Err(Stop::End);
    }
    // SAFETY: it changes nothing but where paths of this process begin.
    unsafe { make(libc::SYS_fchdir, [fd, 0, 0, 0, 0, 0]) }
}
