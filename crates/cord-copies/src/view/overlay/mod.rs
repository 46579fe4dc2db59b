//! System calls that name a file, answered in a copy of the program: it finds its own files where it has
//! any, and all others as they are. Nothing here changes what anybody else finds.

mod change;
mod go;
mod look;
mod open;

use crate::system::descriptors::{detail, kind, Kind};
use crate::system::kernel::{self, Answer, Stop};
use crate::view::files::Files;
use crate::view::walk::{self, walk, Spot, Start, What};

use change::{chmod, mkdir, rename, symlink, truncate, unlink, utime};
use go::{enter, enter_open};
use look::{access, attribute, readlink, stat, statfs, statx};
use open::open;

pub use look::about_open;

type Args = [usize; 6];

/// The answer to a call that names a file; none if it is not known.
///
/// # Safety
/// As the system call: what the arguments point to is read and written as the kernel would.
pub unsafe fn answer(number: i64, args: Args) -> Option<Answer> {
    let [a, b, c, d, e, _] = args;
    // SAFETY: as the caller says.
    Some(unsafe {
        match number {
            libc::SYS_openat => open(a, b, c, d),
            libc::SYS_newfstatat => stat(a, b, c, d),
            libc::SYS_statx => statx(a, b, c, d, e),
            libc::SYS_faccessat => access(args, 0),
            libc::SYS_faccessat2 => access(args, d),
            libc::SYS_readlinkat => readlink(args),
            libc::SYS_mkdirat => mkdir(a, b, c),
            libc::SYS_symlinkat => symlink(a, b, c),
            libc::SYS_unlinkat => unlink(a, b, c),
            libc::SYS_renameat2 => rename((a, b), (c, d), e),
            libc::SYS_renameat => rename((a, b), (c, d), 0),
            libc::SYS_truncate => truncate(a, b),
            libc::SYS_fchmodat => chmod(a, b, c),
            libc::SYS_utimensat => utime(args),
            libc::SYS_chdir => enter(a),
            libc::SYS_fchdir => enter_open(a),
            libc::SYS_statfs => statfs(a, b),
            libc::SYS_getxattr | libc::SYS_lgetxattr => attribute(number, args, libc::ENODATA),
            libc::SYS_listxattr | libc::SYS_llistxattr => attribute(number, args, 0),
            _ => return None,
        }
    })
}

/// As the kernel answers it.
unsafe fn make(number: i64, args: Args) -> Answer {
    // SAFETY: a question; as the caller says.
    unsafe { kernel::call(number, args) }.map(|result| result as isize)
}

/// From where a path leads on.
fn start(folder: usize, path: &[u8]) -> Answer<Start> {
    if path.first() == Some(&b'/') || folder as i32 == libc::AT_FDCWD {
        return Ok(Start::Real(None));
    }
    match kind(folder) {
        Some(Kind::Own) => Ok(Start::Real(Some(folder))),
        Some(Kind::Folder) => Ok(Start::Own(detail(folder).into())),
        _ => Err(Stop::End),
    }
}

/// Where a path ends.
unsafe fn spot(files: &Files, folder: usize, path: usize, follows: bool) -> Answer<Spot> {
    // SAFETY: as the caller says.
    let path = unsafe { walk::path(path) }?;
    walk(files, start(folder, path)?, path, follows)
}

/// What is at the end of a path.
unsafe fn find(files: &Files, folder: usize, path: usize, follows: bool) -> Answer<What> {
    // SAFETY: as the caller says.
    let named = unsafe { walk::path(path) }?;
    if files.is_empty() {
        let Start::Real(from) = start(folder, named)? else {
            return Err(Stop::End);
        };
        return look(from, path, follows);
    }
    let spot = walk(files, start(folder, named)?, named, follows)?;
    if spot.slash && !is_folder(files, &spot.what) && !matches!(spot.what, What::Missing) {
        return Err(Stop::Errno(libc::ENOTDIR));
    }
    Ok(spot.what)
}

/// What is at the end of a path where nothing is otherwise.
fn look(folder: Option<usize>, path: usize, follows: bool) -> Answer<What> {
    let how = if follows { 0 } else { libc::O_NOFOLLOW };
    // SAFETY: `find` has read it to the zero at its end.
    let path = unsafe { std::ffi::CStr::from_ptr(path as *const libc::c_char) };
    match kernel::place(folder, path.to_bytes_with_nul(), how) {
        Err(Stop::Errno(libc::ENOENT)) => Ok(What::Missing),
        held => {
            let held = held?;
            let about = kernel::about(held.fd())?;
            Ok(What::Real(held, about))
        }
    }
}

fn format(about: &libc::stat) -> libc::mode_t {
    about.st_mode & libc::S_IFMT
}

fn is_directory(about: &libc::stat) -> bool {
    format(about) == libc::S_IFDIR
}

fn is_folder(files: &Files, what: &What) -> bool {
    match what {
        What::Missing => false,
        What::Real(_, about) => is_directory(about),
        What::Own(at) => files.folder(*at).is_some(),
    }
}

/// Whether a symbolic link at the end of a path is followed.
fn follows(flags: usize) -> bool {
    flags as i32 & libc::AT_SYMLINK_NOFOLLOW == 0
}
