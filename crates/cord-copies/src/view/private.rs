//! Files of a copy's own: memory with what a file holds, which the copy changes in the file's place.

use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use crate::system::descriptors::{self, is_stale, set_kind, Kind};
use crate::system::kernel::{self, Answer, Held, Stop, PROC};
use crate::view::files::{Content, Files, Key, Name, Original, MOST_BYTES};
use crate::view::named;
use crate::view::walk::{Place, Spot, What};

/// The copy's table. There is one thread, and the handler is not interrupted.
static FILES: AtomicPtr<Files> = AtomicPtr::new(std::ptr::null_mut());
static UMASK: AtomicU32 = AtomicU32::new(0o22);

/// Of a fresh copy: everything is as it is. What stands in the table is never given back.
pub fn begin() -> &'static mut Files {
    let files = Box::leak(Box::new(Files::new()));
    FILES.store(files, Ordering::Relaxed);
    // SAFETY: of this process alone, which has one thread.
    unsafe {
        let mask = libc::umask(0o22);
        libc::umask(mask);
        set_umask(mask as usize);
    }
    files
}

/// Within the handler: the table.
pub fn with<T>(f: impl FnOnce(&mut Files) -> Answer<T>) -> Answer<T> {
    // SAFETY: set by `begin` to memory that lasts as long as the process; nobody else holds it now, for
    // the handler is not interrupted and `f` is not called within `f`.
    let files = unsafe { FILES.load(Ordering::Relaxed).as_mut() };
    f(files.ok_or(Stop::End)?)
}

/// Whether what a call is given names a file that nobody else finds as the copy does.
pub fn is_named_in(sent: &[u8]) -> bool {
    with(|files| Ok(named::is_any_in(files, sent))).unwrap_or(true)
}

pub fn set_umask(mask: usize) {
    UMASK.store(mask as u32 & 0o777, Ordering::Relaxed);
}

/// The rights that something new gets.
pub fn rights(mode: usize) -> u32 {
    mode as u32 & 0o7777 & !UMASK.load(Ordering::Relaxed)
}

/// So many bytes are about to be written.
pub fn spend(files: &mut Files, bytes: usize) -> Answer<()> {
    if files.spend(bytes) {
        return Ok(());
    }
    let held = measure(files).saturating_add(bytes);
    files.count(held);
    // a little room, so that it is not measured again at once
    if held > MOST_BYTES / 4 * 3 {
        return Err(Stop::Full);
    }
    Ok(())
}

/// What all files of the copy's own hold, those without a name included.
fn measure(files: &Files) -> usize {
    let size = |about: libc::stat| usize::try_from(about.st_blocks).unwrap_or(0) * 512;
    let named = files.memories().filter_map(|fd| kernel::about(fd).ok());
    let open = descriptors::all_of(Kind::Private).filter_map(|fd| kernel::about(fd).ok());
    let nameless = open.filter(|about| files.in_memory(about.st_ino).is_none());
    named.map(size).sum::<usize>() + nameless.map(size).sum::<usize>()
}

/// Whether what a descriptor leads to is as the program would find it: a regular file or a folder.
pub fn may_be_read(fd: usize, about: &libc::stat) -> bool {
    let is_file = matches!(about.st_mode & libc::S_IFMT, libc::S_IFREG | libc::S_IFDIR);
    is_file && !is_stale(about) && kernel::file_system(fd).is_ok_and(|system| system != PROC)
}

/// Memory with what a regular file holds, if that is to be kept. One that has several names is left
/// alone: a change would be seen under all of them.
pub fn copy_of(files: &mut Files, from: &Held, about: &libc::stat, keeps: bool) -> Answer<Held> {
    let is_file = about.st_mode & libc::S_IFMT == libc::S_IFREG;
    if !is_file || about.st_nlink > 1 || !may_be_read(from.fd(), about) {
        return Err(Stop::End);
    }
    let memory = kernel::memory()?;
    if keeps {
        let size = usize::try_from(about.st_size).unwrap_or(usize::MAX);
        spend(files, size)?;
        // SAFETY: a regular file, for reading.
        let source = unsafe { kernel::open_real(from.fd(), libc::O_CLOEXEC) };
        kernel::fill(memory.fd(), source.map_err(|_| Stop::End)?.fd(), MOST_BYTES)?;
        let times = [
            (about.st_atime, about.st_atime_nsec),
            (about.st_mtime, about.st_mtime_nsec),
        ];
        let times = times.map(|(tv_sec, tv_nsec)| libc::timespec { tv_sec, tv_nsec });
        kernel::set_times(memory.fd(), times.as_ptr() as usize)?;
    }
    Ok(memory)
}

/// From now on this memory is what the copy finds at a place, which so far led to `original`.
pub fn keep(
    files: &mut Files,
    (folder, name): (&Place, &Name),
    memory: Held,
    mode: u32,
    original: Option<&libc::stat>,
) -> Answer<usize> {
    if name.is_empty() {
        return Err(Stop::End);
    }
    kernel::set_rights(memory.fd(), mode)?;
    let number = kernel::about(memory.fd())?.st_ino;
    let memory = memory.hide()?;
    let content = Content::File {
        memory,
        number,
        device: original.map_or(folder.device(), |about| about.st_dev),
        original: original.map(|about| Original {
            key: Key::of(about),
            user: about.st_uid,
            group: about.st_gid,
        }),
    };
    let at = put(files, folder.key(), name, content, original.is_some())?;
    if let Some(about) = original {
        turn_readers(about, memory)?;
    }
    Ok(at)
}

/// Says what is at a place from now on; what was there is given up.
pub fn put(
    files: &mut Files,
    folder: Key,
    name: &Name,
    content: Content,
    covers: bool,
) -> Answer<usize> {
    let Ok((at, before)) = files.put(folder, name, content, covers) else {
        give_up(content);
        return Err(Stop::Full);
    };
    if let Some(before) = before {
        give_up(before);
    }
    Ok(at)
}

/// Nobody will ask for this by its name any more.
pub fn give_up(content: Content) {
    match content {
        Content::File { memory, .. } => kernel::forget(memory),
        Content::Link(link) => kernel::forget(link.memory),
        Content::Folder(folder) => folder.above.into_iter().for_each(kernel::forget),
        Content::Gone | Content::Altered { .. } => {}
    }
}

/// Who reads the file through a descriptor that is open already sees what the copy writes, too.
fn turn_readers(original: &libc::stat, memory: usize) -> Answer<()> {
    let key = Key::of(original);
    for fd in descriptors::all_of(Kind::Own) {
        if !kernel::about(fd).is_ok_and(|about| Key::of(&about) == key) {
            continue;
        }
        if descriptors::detail(fd) != 0 {
            return Err(Stop::End); // the program writes through it
        }
        // SAFETY: memory of this process alone.
        let again = unsafe { kernel::open_again(memory, libc::O_RDONLY | libc::O_CLOEXEC) };
        kernel::put_in_place(fd, &again.map_err(|_| Stop::End)?, kernel::offset(fd))?;
        set_kind(fd, Kind::Private);
    }
    Ok(())
}

/// The file at the end of a path as one of the copy's own, to be changed.
pub fn changeable(files: &mut Files, spot: &Spot) -> Answer<usize> {
    match &spot.what {
        What::Missing => Err(Stop::Errno(libc::ENOENT)),
        What::Own(at) if files.folder(*at).is_some() => Err(Stop::Errno(libc::EISDIR)),
        What::Own(_) if spot.slash => Err(Stop::Errno(libc::ENOTDIR)),
        What::Own(at) => Ok(*at),
        What::Real(_, about) if about.st_mode & libc::S_IFMT == libc::S_IFDIR => {
            Err(Stop::Errno(libc::EISDIR))
        }
        What::Real(..) if spot.slash => Err(Stop::Errno(libc::ENOTDIR)),
        What::Real(held, about) => {
            let memory = copy_of(files, held, about, true)?;
            keep(
                files,
                (&spot.folder, &spot.name),
                memory,
                about.st_mode,
                Some(about),
            )
        }
    }
}
