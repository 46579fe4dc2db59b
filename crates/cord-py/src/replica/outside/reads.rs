//! What a call reads of files: noted when it does, so that who takes its reply can see whether the program
//! would read the same.
//!
//! Audit events tell of files that are opened and folders that are listed. The interpreter has no events
//! for looking at a path (`os.stat` and the like): there each such function's own code is preceded by
//! a note. Of programs that a call starts it is known which files their arguments name. Libraries in C that
//! open files by themselves are not seen.

use std::collections::HashSet;
use std::ffi::{CStr, OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Once;
use std::time::Duration;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use super::paths::{given_path, located, real};
use super::{heeding, under, Under};
use crate::c_functions::{definition_of, replace};
use cord_core::reads::{all_of, print_of, Look, Read, Told};

/// What the kernel and devices tell is no file's content.
const NO_FILES: [&str; 3] = ["/proc", "/sys", "/dev"];
/// So often, each a millisecond, a file that has just been changed is waited for: a further change within
/// the same tick of the kernel's clock would not show.
const TICKS: u32 = 10;

/// What stands between words of a command.
const APART: &[u8] = b" \t\n=<>|;&'\"(),";
const MOST_NAMED: usize = 256;

/// What a call has read so far.
#[derive(Default)]
pub struct Reads {
    all: Vec<Read>,
    known: HashSet<(PathBuf, Look)>,
    /// What arguments of programs name: they may as well write it.
    by_others: HashSet<PathBuf>,
}

impl Reads {
    /// Notes how a path looks now, unless it is known how it looked when the call read it first.
    pub fn note(&mut self, path: PathBuf, look: Look) {
        let is_file = !NO_FILES.iter().any(|folder| path.starts_with(folder));
        if is_file && self.known.insert((path.clone(), look)) {
            let print = settled(&path, look);
            self.all.push(Read { path, look, print });
        }
    }

    /// Notes a database, and the files beside it in which what was written last may be.
    pub fn note_database(&mut self, file: &Path) {
        let ends = ["", "-wal", "-journal"];
        let paths = ends.map(|end| [file.as_os_str(), OsStr::new(end)].into_iter().collect());
        for path in paths.map(|path: OsString| PathBuf::from(path)) {
            self.note(path, Look::At);
        }
    }

    /// Notes what a call has read that this one has made.
    pub fn add(&mut self, reads: Vec<Read>) {
        for read in reads {
            if self.known.insert((read.path.clone(), read.look)) {
                self.all.push(read);
            }
        }
    }

    /// All of it.
    pub fn all(&self) -> Vec<Read> {
        self.all.clone()
    }

    /// What counts of it: not what the call itself has written or made. `may_make`: other code than the
    /// interpreter's may have made files for it, too.
    pub fn counting(self, own: &[PathBuf], may_make: bool) -> Vec<Read> {
        let absent = print_of(
            &Err(std::io::Error::from_raw_os_error(libc::ENOENT)),
            Look::At,
        );
        let mut all = self.all;
        all.retain(|read| {
            let is_there = || read.look.metadata(&read.path).is_ok();
            let made = may_make && read.print == absent && is_there();
            let by_others = may_make && self.by_others.contains(&read.path);
            let made_anew =
                by_others && print_of(&read.look.metadata(&read.path), read.look) != read.print;
            !made && !made_anew && (own.is_empty() || !is_of(own, &real(&read.path)))
        });
        all
    }
}

/// Whether a path is one of these, or in one of them, or the folder that one is in.
fn is_of(own: &[PathBuf], path: &Path) -> bool {
    let mut own = own.iter();
    own.any(|own| path.starts_with(own) || own.parent() == Some(path))
}

/// How a path looks, once all further changes show.
fn settled(path: &Path, look: Look) -> u64 {
    for _ in 0..TICKS {
        let seen = look.metadata(path);
        if !seen.as_ref().is_ok_and(is_just_changed) {
            return print_of(&seen, look);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    print_of(&look.metadata(path), look)
}

fn is_just_changed(seen: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    // SAFETY: the kernel fills it in.
    let now = unsafe {
        let mut now = std::mem::zeroed::<libc::timespec>();
        libc::clock_gettime(libc::CLOCK_REALTIME_COARSE, &raw mut now);
        now
    };
    (seen.ctime(), seen.ctime_nsec()) >= (now.tv_sec, now.tv_nsec)
}

/// A path is about to be read that an argument of an audit event names; none: the working folder.
pub fn heard(under: &Under, args: &Bound<'_, PyTuple>, look: Look) -> PyResult<()> {
    let given = args.get_item(0)?;
    let path = match given.is_none() {
        true => std::env::current_dir().ok(),
        false if given.extract::<i32>().is_ok() => None,
        false => located(&given, None),
    };
    if let Some(path) = path.filter(|_| !imports(args.py())) {
        under.seen().reads.note(path, look);
    }
    Ok(())
}

/// A program is about to be started, in a folder if one is given: what its arguments name it may read.
pub fn started<'py>(
    under: &Under,
    named: impl Iterator<Item = Bound<'py, PyAny>>,
    folder: Option<Bound<'py, PyAny>>,
) {
    let folder = folder.filter(|folder| !folder.is_none());
    let folder = folder.and_then(|folder| located(&folder, None));
    let folder = folder.or_else(|| std::env::current_dir().ok());
    let texts = named.flat_map(|one| match one.extract::<Vec<Bound<'py, PyAny>>>() {
        Ok(all) if !one.is_instance_of::<PyBytes>() => all,
        _ => vec![one],
    });
    let mut paths = Vec::new();
    for text in texts.filter_map(|text| given_path(&text)) {
        // a line of a shell's, or an option with a value
        let words = text
            .as_os_str()
            .as_bytes()
            .split(|byte| APART.contains(byte));
        paths.extend(words.map(|word| PathBuf::from(OsStr::from_bytes(word))));
        paths.push(text);
    }
    let mut seen = under.seen();
    for path in paths.into_iter().take(MOST_NAMED) {
        let path = folder
            .as_ref()
            .map(|folder| folder.join(&path))
            .unwrap_or(path);
        if path.is_file() {
            seen.reads.by_others.insert(path.clone());
            seen.reads.note(path, Look::At);
        }
    }
}

/// Whether the import system asks, for which code has a way of its own.
fn imports(py: Python<'_>) -> bool {
    let file = running(py).and_then(|code| code.getattr("co_filename").ok());
    let file = file.and_then(|file| file.extract::<String>().ok());
    file.is_some_and(|file| file.starts_with("<frozen importlib"))
}

/// The code that runs.
fn running(py: Python<'_>) -> Option<Bound<'_, PyAny>> {
    // SAFETY: the lock is held; a borrowed reference, or null where no Python code runs.
    let frame = unsafe {
        let frame = ffi::PyEval_GetFrame().cast::<ffi::PyObject>();
        Bound::from_borrowed_ptr_or_opt(py, frame)
    };
    frame?.getattr("f_code").ok()
}

/// Whether the code that asks what is known of a path looks at times or sizes.
fn looks_into(py: Python<'_>) -> bool {
    let names = running(py).and_then(|code| code.getattr("co_names").ok());
    let names = names.and_then(|names| names.extract::<Vec<String>>().ok());
    let plain = ["st_mode", "st_ino", "st_dev", "st_uid", "st_gid"];
    let says = |name: &String| name.starts_with("st_") && !plain.contains(&name.as_str());
    names.is_some_and(|names| names.iter().any(says))
}

/// Notes that the call at hand asks what is known of a path.
fn asked(py: Python<'_>, path: &Bound<'_, PyAny>, folder: Option<i32>, itself: bool) {
    // SAFETY: the lock is held.
    let Some(under) = (unsafe { under() }) else {
        return;
    };
    if path.extract::<i32>().is_ok() || imports(py) {
        return;
    }
    if let Some(path) = located(path, folder) {
        let look = match itself {
            true => Look::AtLink,
            false if path.is_dir() && looks_into(py) => Look::Into,
            false => Look::At,
        };
        under.seen().reads.note(path, look);
    }
}

// ---- functions without events ----------------------------------------------------------------------

/// The functions of `posix` that ask of a path, and whether of a link itself.
const ASKING: [(&str, bool); 4] = [
    ("stat", false),
    ("lstat", true),
    ("access", false),
    ("readlink", true),
];
/// Their own code.
static PLAIN: [AtomicUsize; 4] = [const { AtomicUsize::new(0) }; 4];
/// That of `os.DirEntry.stat`.
static PLAIN_ENTRY: AtomicUsize = AtomicUsize::new(0);

type Fast = unsafe extern "C" fn(
    *mut ffi::PyObject,
    *const *mut ffi::PyObject,
    ffi::Py_ssize_t,
    *mut ffi::PyObject,
) -> *mut ffi::PyObject;
type OfClass = unsafe extern "C" fn(
    *mut ffi::PyObject,
    *mut ffi::PyTypeObject,
    *const *mut ffi::PyObject,
    usize,
    *mut ffi::PyObject,
) -> *mut ffi::PyObject;

/// Has each of these functions note what it is asked, from now on, in this process.
pub fn listen(py: Python<'_>) -> PyResult<()> {
    static LISTENING: Once = Once::new();
    let posix = py.import("posix")?;
    let entry = posix.getattr("DirEntry")?.getattr("stat")?;
    LISTENING.call_once(|| {
        let ours: [Fast; 4] = [ask::<0>, ask::<1>, ask::<2>, ask::<3>];
        for (((name, _), plain), ours) in ASKING.iter().zip(&PLAIN).zip(ours) {
            if let Ok(function) = posix.getattr(*name) {
                // SAFETY: a builtin function has a table's row, which lives as long as the interpreter.
                unsafe { precede(definition_of(&function), ours as usize, false, plain) };
            }
        }
        // SAFETY: so has a method.
        unsafe {
            precede(
                definition_of(&entry),
                ask_entry as *const () as usize,
                true,
                &PLAIN_ENTRY,
            )
        };
    });
    Ok(())
}

/// Puts our code in front of a function's own; not if its signature is another one than expected.
unsafe fn precede(row: *mut ffi::PyMethodDef, ours: usize, of_class: bool, plain: &AtomicUsize) {
    let expected = match of_class {
        true => ffi::METH_METHOD | ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        false => ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
    };
    if row.is_null() || unsafe { (*row).ml_flags } != expected {
        return;
    }
    // SAFETY: both have one signature.
    plain.store(unsafe { replace(row, ours) }, Ordering::Relaxed);
}

unsafe extern "C" fn ask<const AT: usize>(
    module: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    heeding(|py| {
        let given = |name: &CStr, at: Option<usize>| {
            // SAFETY: so many values are there, and one for each name.
            unsafe { argument(py, (args, count as usize, names), name, at) }
        };
        let follows = given(c"follow_symlinks", None);
        let itself =
            ASKING[AT].1 || follows.is_some_and(|follows| !follows.is_truthy().unwrap_or(true));
        let folder = given(c"dir_fd", None).and_then(|folder| folder.extract().ok());
        if let Some(path) = given(c"path", Some(0)) {
            asked(py, &path, folder, itself);
        }
    });
    // SAFETY: it was taken from a row of this signature.
    unsafe {
        let plain = PLAIN[AT].load(Ordering::Relaxed);
        std::mem::transmute::<usize, Fast>(plain)(module, args, count, names)
    }
}

unsafe extern "C" fn ask_entry(
    entry: *mut ffi::PyObject,
    class: *mut ffi::PyTypeObject,
    args: *const *mut ffi::PyObject,
    count: usize,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    heeding(|py| {
        // SAFETY: it lives as long as the call.
        let entry = unsafe { Bound::from_borrowed_ptr(py, entry) };
        if let Ok(path) = entry.getattr("path") {
            asked(py, &path, None, false);
        }
    });
    // SAFETY: it was taken from a row of this signature.
    unsafe {
        let plain = PLAIN_ENTRY.load(Ordering::Relaxed);
        std::mem::transmute::<usize, OfClass>(plain)(entry, class, args, count, names)
    }
}

/// An argument, by its place or its name.
unsafe fn argument<'py>(
    py: Python<'py>,
    (args, count, names): (*const *mut ffi::PyObject, usize, *mut ffi::PyObject),
    name: &CStr,
    at: Option<usize>,
) -> Option<Bound<'py, PyAny>> {
    if let Some(at) = at.filter(|at| *at < count) {
        return Some(unsafe { Bound::from_borrowed_ptr(py, *args.add(at)) });
    }
    let names = unsafe { Bound::from_borrowed_ptr_or_opt(py, names) }?;
    let names = names.cast_into::<PyTuple>().ok()?;
    let is_it = |one: &Bound<'_, PyAny>| {
        let one = one
            .cast::<PyString>()
            .ok()
            .and_then(|one| one.to_str().ok());
        one.is_some_and(|one| one.as_bytes() == name.to_bytes())
    };
    let at = names.iter().position(|one| is_it(&one))?;
    Some(unsafe { Bound::from_borrowed_ptr(py, *args.add(count + at)) })
}

/// Notes what a call has read that the call at hand has made, if one is looked at.
pub fn add_reads(_: Python<'_>, told: &[u8]) {
    // SAFETY: the lock is held.
    if let Some(under) = unsafe { under() } {
        let owned = |read: Told<'_>| Read {
            path: read.path.into(),
            look: read.look,
            print: read.print,
        };
        under.seen().reads.add(all_of(told).map(owned).collect());
    }
}
