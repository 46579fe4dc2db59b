//! System calls that name a file, answered in a copy of the program: it finds its own files where it has
//! any, and all others as they are. Nothing here changes what anybody else finds.

use super::descriptors::{detail, kind, set_detail, Kind, NULL_DEVICE};
use super::files::{self, Content, Files, Folder, Key, Name};
use super::kernel::{self, Answer, Held, Link, Stop};
use super::listing;
use super::private::{self, changeable, copy_of, give_up, keep, put, with};
use super::shown;
use super::standard;
use super::walk::{self, walk, Place, Spot, Start, What};

type Args = [usize; 6];

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

const EMPTY: &std::ffi::CStr = c"";

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

unsafe fn open(folder: usize, path: usize, flags: usize, mode: usize) -> Answer {
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

unsafe fn open_to_read(files: &Files, what: What, flags: i32) -> Answer {
    let wants_folder = flags & libc::O_DIRECTORY != 0;
    match what {
        What::Missing => Err(Stop::Errno(libc::ENOENT)),
        What::Own(at) => match files.content(at) {
            Content::Folder(folder) => open_own_folder(&folder, flags),
            _ if wants_folder => Err(Stop::Errno(libc::ENOTDIR)),
            Content::Link(_) => Err(Stop::Errno(libc::ELOOP)),
            _ => open_own(files, at, flags),
        },
        What::Real(_, about) if format(&about) == libc::S_IFLNK => Err(Stop::Errno(libc::ELOOP)),
        What::Real(_, about) if wants_folder && !is_directory(&about) => {
            Err(Stop::Errno(libc::ENOTDIR))
        }
        What::Real(held, about) if is_null(&about) => open_null(held, flags),
        What::Real(held, about) => {
            if !private::may_be_read(held.fd(), &about) {
                return Err(Stop::End);
            }
            // SAFETY: a regular file or a folder, for reading.
            let opened = unsafe { kernel::open_again(held.fd(), flags & !libc::O_TRUNC) }?;
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
    // SAFETY: memory of this process alone.
    let opened = unsafe { kernel::open_again(memory, flags & FLAGS) }?;
    opened.land(closes(flags), Kind::Private)
}

fn open_own_folder(folder: &Folder, flags: i32) -> Answer {
    let number = u16::try_from(folder.number).map_err(|_| Stop::Full)?;
    let something = kernel::place(None, b"/\0", libc::O_DIRECTORY)?;
    let fd = something.land(closes(flags), Kind::Folder)?;
    set_detail(fd as usize, number);
    Ok(fd)
}

unsafe fn open_nameless(files: &Files, spot: Spot, flags: i32, mode: usize) -> Answer {
    if !is_folder(files, &spot.what) {
        return Err(Stop::Errno(libc::ENOTDIR));
    }
    let inside = match &spot.what {
        What::Real(held, _) => kernel::may(held.fd(), libc::W_OK | libc::X_OK),
        _ => Ok(()),
    };
    inside?;
    let opened = opened_memory(kernel::memory()?, flags, private::rights(mode))?;
    drop(spot);
    opened.land(closes(flags), Kind::Private)
}

fn opened_memory(memory: Held, flags: i32, mode: u32) -> Answer<Held> {
    // SAFETY: memory of this process alone.
    let opened = unsafe { kernel::open_again(memory.fd(), flags & FLAGS) }?;
    kernel::set_rights(memory.fd(), mode)?;
    Ok(opened)
}

unsafe fn open_to_write(files: &mut Files, spot: Spot, flags: i32, mode: usize) -> Answer {
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
        // SAFETY: as the caller says.
        what if only_reads => unsafe { open_to_read(files, what, flags) },
        What::Real(_, about) if format(&about) == libc::S_IFLNK => Err(Stop::Errno(libc::ELOOP)),
        What::Real(held, about) if is_null(&about) => open_null(held, flags),
        What::Real(held, about) => {
            let reads = flags & libc::O_ACCMODE == libc::O_RDWR;
            let rights = libc::W_OK | if reads { libc::R_OK } else { 0 };
            kernel::may(held.fd(), rights)?;
            let memory = copy_of(files, &held, &about, flags & libc::O_TRUNC == 0)?;
            // SAFETY: memory of this process alone.
            let opened = unsafe { kernel::open_again(memory.fd(), flags & FLAGS) }?;
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
    // SAFETY: memory of this process alone.
    let opened = unsafe { kernel::open_again(memory.fd(), flags & FLAGS) }?;
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

/// Whether a path is empty, which stands for the descriptor.
unsafe fn is_descriptor(path: usize, flags: usize) -> bool {
    // SAFETY: the kernel would read it, too.
    let is_empty = path != 0 && unsafe { *(path as *const u8) } == 0;
    is_empty && flags as i32 & libc::AT_EMPTY_PATH != 0
}

fn follows(flags: usize) -> bool {
    flags as i32 & libc::AT_SYMLINK_NOFOLLOW == 0
}

/// What is known of an open file or folder.
pub fn about_open(fd: usize) -> Answer<libc::stat> {
    with(|files| match kind(fd) {
        Some(Kind::Private) => shown::about_file(files, fd),
        Some(Kind::Own) => {
            let about = kernel::about(fd)?;
            if super::descriptors::is_stale(&about) {
                return Err(Stop::End);
            }
            Ok(shown::altered(files, about))
        }
        Some(Kind::Null) => kernel::about(fd),
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

unsafe fn stat(folder: usize, path: usize, to: usize, flags: usize) -> Answer {
    // SAFETY: as the caller says.
    unsafe {
        let about = about(folder, path, flags)?;
        (to as *mut libc::stat).write_unaligned(about);
    }
    Ok(0)
}

unsafe fn statx(folder: usize, path: usize, flags: usize, mask: usize, to: usize) -> Answer {
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

unsafe fn access(args: Args, flags: usize) -> Answer {
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

unsafe fn readlink(args: Args) -> Answer {
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

unsafe fn mkdir(folder: usize, path: usize, mode: usize) -> Answer {
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

unsafe fn symlink(target: usize, folder: usize, path: usize) -> Answer {
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
        let link = files::Link {
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

unsafe fn unlink(folder: usize, path: usize, flags: usize) -> Answer {
    let wants_folder = flags as i32 & libc::AT_REMOVEDIR != 0;
    with(|files| {
        // SAFETY: as the caller says.
        let spot = unsafe { spot(files, folder, path, false) }?;
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
        match &spot.what {
            What::Own(at) => {
                let at = *at;
                if let Some(folder) = files.folder(at) {
                    if files.next_in(folder.key(), 0).is_some() {
                        return Err(Stop::Errno(libc::ENOTEMPTY));
                    }
                }
                let gone = files.take(at);
                give_up(gone);
            }
            What::Real(held, about) => {
                if wants_folder && !listing::is_bare(files, held, Key::of(about))? {
                    return Err(Stop::Errno(libc::ENOTEMPTY));
                }
                if super::descriptors::is_stale(about) {
                    return Err(Stop::End);
                }
                put(files, spot.folder.key(), &spot.name, Content::Gone, true)?;
            }
            What::Missing => return Err(Stop::End),
        }
        Ok(0)
    })
}

unsafe fn rename(from: (usize, usize), to: (usize, usize), flags: usize) -> Answer {
    if flags as u32 & !libc::RENAME_NOREPLACE != 0 {
        return Err(Stop::End);
    }
    with(|files| {
        // SAFETY: as the caller says.
        let (from, to) = unsafe {
            let from = spot(files, from.0, from.1, false)?;
            (from, spot(files, to.0, to.1, false)?)
        };
        if from.name.is_empty() || to.name.is_empty() {
            return Err(Stop::End);
        }
        if matches!(from.what, What::Missing) {
            return Err(Stop::Errno(libc::ENOENT));
        }
        let is_there = !matches!(to.what, What::Missing);
        if flags != 0 && is_there {
            return Err(Stop::Errno(libc::EEXIST));
        }
        let moves_folder = is_folder(files, &from.what);
        if !moves_folder && (from.slash || to.slash) {
            return Err(Stop::Errno(libc::ENOTDIR));
        }
        let own = match &from.what {
            What::Own(at) => files.folder(*at),
            _ => None,
        };
        if moves_folder && own.is_none() {
            return Err(Stop::End); // others may be using what is in it
        }
        if own.is_some_and(|folder| files.is_within(to.folder.key(), folder.key())) {
            return Err(Stop::Errno(libc::EINVAL));
        }
        if is_there {
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
            What::Real(_, about) if super::descriptors::is_stale(about) => Err(Stop::End),
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

unsafe fn truncate(path: usize, length: usize) -> Answer {
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

unsafe fn chmod(folder: usize, path: usize, mode: usize) -> Answer {
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

unsafe fn utime(args: Args) -> Answer {
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

/// The file system of what is real.
unsafe fn statfs(path: usize, to: usize) -> Answer {
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
unsafe fn attribute(number: i64, args: Args, without: i32) -> Answer {
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
