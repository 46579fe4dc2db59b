//! Large allocations, which say that there is no memory instead of ending the process; and what files
//! hold, read and written whole.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::BorrowedFd;
use std::ptr::NonNull;

use rustix::io::Errno;

/// A copy of these bytes.
///
/// # Errors
/// When there is no memory for it.
pub fn copy_of(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut copy = Vec::new();
    append(&mut copy, bytes)?;
    Ok(copy)
}

/// Adds bytes to those that are there.
///
/// # Errors
/// When there is no memory for them.
pub fn append(to: &mut Vec<u8>, bytes: &[u8]) -> io::Result<()> {
    to.try_reserve(bytes.len()).map_err(|_| Errno::NOMEM)?;
    to.extend_from_slice(bytes);
    Ok(())
}

/// What a file holds from `at` on: so many bytes.
///
/// # Errors
/// When there is no memory for them, or the file has fewer.
pub fn read_from(file: BorrowedFd<'_>, at: usize, len: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(len).map_err(|_| Errno::NOMEM)?;
    read_into(file, at, &mut bytes.spare_capacity_mut()[..len])?;
    // SAFETY: so many have been read.
    unsafe { bytes.set_len(len) };
    Ok(bytes)
}

fn read_into(file: BorrowedFd<'_>, at: usize, into: &mut [MaybeUninit<u8>]) -> io::Result<()> {
    let mut done = 0;
    while done < into.len() {
        match rustix::io::pread(file, &mut into[done..], (at + done) as u64) {
            Ok(([], _)) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok((read, _)) => done += read.len(),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Writes all of these bytes to a file.
///
/// # Errors
/// When there is no room for them.
pub fn write_to(file: BorrowedFd<'_>, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(file, bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Memory of this process's own that holds what was read from a file, to be written by its owner. It
/// is the C library's, as that of the program's own arrays is: what is kept for long takes no more
/// room than it has bytes.
#[derive(Debug)]
pub struct Copied(NonNull<u8>);

// SAFETY: it is plain memory; who writes it sees to it that nobody reads meanwhile.
unsafe impl Send for Copied {}
// SAFETY: as above.
unsafe impl Sync for Copied {}

impl Copied {
    /// Reads so many bytes of a file from `at` on.
    ///
    /// # Errors
    /// As [`read_from`].
    pub fn of(file: BorrowedFd<'_>, at: usize, len: usize) -> io::Result<Copied> {
        // SAFETY: any size can be asked for.
        let start = unsafe { libc::malloc(len) };
        let copied = Copied(NonNull::new(start.cast()).ok_or(Errno::NOMEM)?);
        // SAFETY: so much memory is there, and nobody else has it.
        let into = unsafe { std::slice::from_raw_parts_mut(start.cast(), len) };
        read_into(file, at, into)?;
        Ok(copied)
    }

    /// Where it begins.
    pub fn start(&self) -> *mut u8 {
        self.0.as_ptr()
    }
}

impl Drop for Copied {
    fn drop(&mut self) {
        // SAFETY: it was allocated so.
        unsafe { libc::free(self.0.as_ptr().cast()) };
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;

    use rustix::fs::MemfdFlags;

    use super::*;

    /// More than any machine has addresses for.
    const TOO_MUCH: usize = 1 << 62;

    #[test]
    fn what_is_read_is_what_the_file_holds() {
        let file = rustix::fs::memfd_create(c"test", MemfdFlags::CLOEXEC).unwrap();
        rustix::io::write(&file, b"0123456789").unwrap();
        assert_eq!(read_from(file.as_fd(), 3, 4).unwrap(), b"3456");
        let copied = Copied::of(file.as_fd(), 2, 3).unwrap();
        // SAFETY: three bytes were read.
        let bytes = unsafe { std::slice::from_raw_parts(copied.start(), 3) };
        assert_eq!(bytes, b"234");
        assert!(read_from(file.as_fd(), 8, 3).is_err() && Copied::of(file.as_fd(), 8, 3).is_err());
    }

    #[test]
    fn memory_that_is_not_there_is_an_error() {
        let file = rustix::fs::memfd_create(c"test", MemfdFlags::CLOEXEC).unwrap();
        let out_of_memory = Errno::NOMEM.raw_os_error();
        let read = read_from(file.as_fd(), 0, TOO_MUCH).unwrap_err();
        let copied = Copied::of(file.as_fd(), 0, TOO_MUCH).unwrap_err();
        assert_eq!(read.raw_os_error(), Some(out_of_memory));
        assert_eq!(copied.raw_os_error(), Some(out_of_memory));
    }
}
