//! What a copy finds in a folder: what is there for everybody, without what the copy has removed, and
//! then what it has made.

use crate::system::descriptors::{cursor, detail, kind, set_cursor, Kind};
use crate::system::kernel::{self, Answer, Held, Stop};
use crate::view::files::{Files, Key};
use crate::view::private::with;
use crate::view::shown;

/// Where the parts of an entry are: its number, the offset behind it, its length, its kind, its name.
const OFFSET: usize = 8;
const LENGTH: usize = 16;
const KIND: usize = 18;
const NAME: usize = 19;
const ALIGNED: usize = 8;
/// Cursors of an own folder begin with these two.
const DOTS: [&[u8]; 2] = [b".", b".."];

/// Reads entries, as `getdents64`.
///
/// # Safety
/// As the system call.
pub unsafe fn list(fd: usize, buffer: usize, size: usize) -> Answer {
    let read = || {
        // SAFETY: as the caller says.
        unsafe { kernel::call(libc::SYS_getdents64, [fd, buffer, size, 0, 0, 0]) }
    };
    // SAFETY: the caller's own memory, which the kernel would write to.
    let room = || unsafe { std::slice::from_raw_parts_mut(buffer as *mut u8, size) };
    let length = with(|files| match kind(fd) {
        Some(Kind::Folder) => emit(files, Key::own(detail(fd).into()), fd, room()),
        Some(Kind::Own) if files.is_empty() => read(),
        Some(Kind::Own) => {
            let folder = Key::of(&kernel::about(fd)?);
            if !files.is_changed(folder) {
                return read();
            }
            while cursor(fd) == 0 {
                let length = read()?;
                if length == 0 {
                    set_cursor(fd, DOTS.len() as u16);
                    break;
                }
                let kept = without_known(files, folder, &mut room()[..length]);
                if kept > 0 {
                    return Ok(kept);
                }
            }
            emit(files, folder, fd, room())
        }
        _ => Err(Stop::End),
    })?;
    Ok(length as isize)
}

/// Moves where a folder is read, as `lseek`; nothing where the kernel may do that.
pub fn rewind(fd: usize, to: usize, whence: usize) -> Answer<()> {
    let to_start = to == 0 && whence == libc::SEEK_SET as usize;
    match cursor(fd) {
        _ if to_start => {
            set_cursor(fd, 0);
            Ok(())
        }
        0 if kind(fd) == Some(Kind::Own) => Ok(()),
        _ => Err(Stop::End),
    }
}

/// Whether the copy finds nothing in a real folder.
pub fn is_bare(files: &Files, folder: &Held, key: Key) -> Answer<bool> {
    if files.next_in(key, 0).is_some() {
        return Ok(false);
    }
    let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC;
    // SAFETY: a folder, for reading.
    let opened = unsafe { kernel::open_real(folder.fd(), flags) }.map_err(|_| Stop::End)?;
    let mut room = [0u8; 4096];
    loop {
        let (at, size) = (room.as_mut_ptr() as usize, room.len());
        // SAFETY: there is so much room.
        let length =
            unsafe { kernel::call(libc::SYS_getdents64, [opened.fd(), at, size, 0, 0, 0]) }?;
        if length == 0 {
            return Ok(true);
        }
        let left = without_known(files, key, &mut room[..length]);
        if entries(&room[..left]).any(|name| !DOTS.contains(&name)) {
            return Ok(false);
        }
    }
}

/// The length of the entry that begins here; none if there is no whole one.
fn length_of(entries: &[u8]) -> Option<usize> {
    let bytes = entries.get(LENGTH..KIND)?.try_into().ok()?;
    let length = usize::from(u16::from_ne_bytes(bytes));
    (length > NAME && length <= entries.len()).then_some(length)
}

/// The name of an entry.
fn name_of(entry: &[u8]) -> &[u8] {
    let name = &entry[NAME..];
    &name[..name
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(name.len())]
}

/// The names of all entries.
fn entries(mut left: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (entry, rest) = left.split_at(length_of(left)?);
        left = rest;
        Some(name_of(entry))
    })
}

/// The entries without those that the copy knows better, at the front of where they were.
fn without_known(files: &Files, folder: Key, entries: &mut [u8]) -> usize {
    let (mut from, mut to) = (0, 0);
    while let Some(length) = length_of(&entries[from..]) {
        let name = name_of(&entries[from..from + length]);
        if files.find(folder, name).is_none() {
            entries.copy_within(from..from + length, to);
            to += length;
        }
        from += length;
    }
    to
}

/// Adds what the copy has made, from the cursor on.
fn emit(files: &Files, folder: Key, fd: usize, room: &mut [u8]) -> Answer<usize> {
    let mut used = 0;
    loop {
        let at = usize::from(cursor(fd));
        let (next, name, (number, kind)) = match DOTS.get(at) {
            Some(name) => (at + 1, *name, (folder.number, libc::DT_DIR)),
            None => match files.next_in(folder, at - DOTS.len()) {
                Some((found, node)) => {
                    let next = found + DOTS.len() + 1;
                    (next, node.name.get(), shown::entry(files, found))
                }
                None => return Ok(used),
            },
        };
        let Some(length) = write(&mut room[used..], name, number, kind, next) else {
            let none = Err(Stop::Errno(libc::EINVAL));
            return if used > 0 { Ok(used) } else { none };
        };
        used += length;
        set_cursor(fd, next as u16);
    }
}

/// One entry; none if there is no room.
fn write(room: &mut [u8], name: &[u8], number: u64, kind: u8, offset: usize) -> Option<usize> {
    let length = (NAME + name.len() + 1).next_multiple_of(ALIGNED);
    let entry = room.get_mut(..length)?;
    entry.fill(0);
    entry[..OFFSET].copy_from_slice(&number.to_ne_bytes());
    entry[OFFSET..LENGTH].copy_from_slice(&(offset as u64).to_ne_bytes());
    entry[LENGTH..KIND].copy_from_slice(&(length as u16).to_ne_bytes());
    entry[KIND] = kind;
    entry[NAME..NAME + name.len()].copy_from_slice(name);
    Some(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::files::{Content, Name};

    const FOLDER: Key = Key {
        device: 1,
        number: 2,
    };

    fn names(all: &[u8]) -> Vec<String> {
        let text = |name: &[u8]| String::from_utf8(name.to_vec()).unwrap();
        entries(all).map(text).collect()
    }

    fn files(named: &[&str]) -> Files {
        let mut files = Files::new();
        for name in named {
            let content = Content::File {
                memory: 0,
                number: 5,
                device: 1,
                original: None,
            };
            let name = Name::new(name.as_bytes()).unwrap();
            files.put(FOLDER, &name, content, false).unwrap();
        }
        files
    }

    #[test]
    fn what_the_copy_knows_is_left_out() {
        let mut room = [0; 256];
        let mut used = 0;
        for name in ["a", "bb", "ccccccccc", "d"] {
            used += write(&mut room[used..], name.as_bytes(), 7, libc::DT_REG, 1).unwrap();
        }
        let kept = without_known(&files(&["bb", "d"]), FOLDER, &mut room[..used]);
        assert_eq!(names(&room[..kept]), ["a", "ccccccccc"]);
    }

    #[test]
    fn what_the_copy_made_comes_in_as_many_parts_as_there_must_be() {
        const FD: usize = 9000;
        let files = files(&["a", "bb", "c"]);
        set_cursor(FD, 0);
        let mut found = Vec::new();
        loop {
            let mut room = [0; 56];
            let used = emit(&files, FOLDER, FD, &mut room).unwrap();
            if used == 0 {
                break;
            }
            found.extend(names(&room[..used]));
        }
        assert_eq!(found, [".", "..", "a", "bb", "c"]);
        assert_eq!(rewind(FD, 0, 0), Ok(()));
        assert_eq!(cursor(FD), 0);
        let none = emit(&files, FOLDER, FD, &mut [0; 8]);
        assert_eq!(none, Err(Stop::Errno(libc::EINVAL)));
    }
}
