//! Files that audit events name, and those of them that are nobody else's.

use std::ffi::OsStr;
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::{env, fs};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

/// Where what is written is the process's own, or goes nowhere.
const NOWHERE: [&str; 12] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/ptmx",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/fd",
    "/proc/self",
    "/proc/thread-self",
];

/// Folders for temporary files, where nothing else is said.
const TEMPORARY: [&str; 3] = ["/tmp", "/var/tmp", "/usr/tmp"];

/// A file as an event names it, and where that is.
pub struct Named {
    pub given: String,
    pub path: PathBuf,
}

/// The file that an argument of an event names, relative to another one that may be the descriptor of a
/// folder; none where that cannot be told, or the argument is an open file whose name is gone.
pub fn named(args: &Bound<'_, PyTuple>, at: usize, folder: Option<usize>) -> Option<Named> {
    let value = args.get_item(at).ok()?;
    if let Ok(descriptor) = value.extract::<RawFd>() {
        let path = of_descriptor(descriptor).filter(|path| path.symlink_metadata().is_ok())?;
        return Some(Named {
            given: shown(&path),
            path,
        });
    }
    let folder = folder.and_then(|at| args.get_item(at).ok()?.extract::<RawFd>().ok());
    Some(Named {
        given: shown(&given_path(&value)?),
        path: real(&located(&value, folder)?),
    })
}

/// A path as it is given: text, bytes, or an object that has one.
pub fn given_path(value: &Bound<'_, PyAny>) -> Option<PathBuf> {
    match value.cast::<PyBytes>() {
        Ok(bytes) => Some(OsStr::from_bytes(bytes.as_bytes()).into()),
        Err(_) => value.extract().ok(),
    }
}

/// Where a path leads, from the folder with this descriptor or from the working folder.
pub fn located(value: &Bound<'_, PyAny>, folder: Option<RawFd>) -> Option<PathBuf> {
    let given = given_path(value)?;
    if given.is_absolute() {
        return Some(given);
    }
    let base = match folder.filter(|descriptor| *descriptor >= 0) {
        Some(descriptor) => of_descriptor(descriptor)?,
        None => env::current_dir().unwrap_or_default(),
    };
    Some(base.join(given))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Where an open file is.
pub fn of_descriptor(descriptor: RawFd) -> Option<PathBuf> {
    fs::read_link(format!("/proc/self/fd/{descriptor}")).ok()
}

/// Where a file is whose own name may not be there yet, and is no link that is followed.
pub fn real(path: &Path) -> PathBuf {
    let plain = without_steps(path);
    let parent = plain
        .parent()
        .and_then(|parent| fs::canonicalize(parent).ok());
    match (parent, plain.file_name()) {
        (Some(parent), Some(name)) => parent.join(name),
        _ => plain,
    }
}

/// Without `.` and `..`.
fn without_steps(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                // what a link leads to has a parent of its own
                plain = fs::canonicalize(&plain).unwrap_or(plain);
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

impl Named {
    /// Whether there is such a file.
    pub fn is_there(&self) -> bool {
        self.path.symlink_metadata().is_ok()
    }

    /// Whether it is in the folder for temporary files.
    pub fn is_temporary(&self) -> bool {
        let told = ["TMPDIR", "TEMP", "TMP"].map(|name| env::var_os(name).map(PathBuf::from));
        let usual = TEMPORARY.map(|folder| Some(PathBuf::from(folder)));
        let mut all = told.into_iter().chain(usual).flatten();
        all.any(|folder| fs::canonicalize(folder).ok().as_deref() == self.path.parent())
    }

    /// Whether it is in one of the folders in which libraries keep what they find again.
    pub fn is_of_libraries(&self) -> bool {
        let parts = self.path.components();
        parts
            .filter_map(|part| part.as_os_str().to_str())
            .any(|part| part.starts_with('.') || part.ends_with("-packages"))
    }

    /// Whether it is a folder.
    pub fn is_folder(&self) -> bool {
        self.path.is_dir()
    }

    /// Whether what is written there is seen by nobody else.
    pub fn is_nowhere(&self) -> bool {
        let own = PathBuf::from(format!("/proc/{}", std::process::id()));
        NOWHERE.iter().any(|place| self.path.starts_with(place)) || self.path.starts_with(own)
    }
}
