//! What a call reads of files: noted when it does, so that who takes its reply can see whether the program
//! would read the same.
//!
//! Audit events tell of files that are opened and folders that are listed; functions in C that look at paths
//! tell the rest (`looking.rs`). Of programs that a call starts it is known which files their arguments
//! name. Libraries in C that open files by themselves are not seen.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use super::paths::{given_path, located, of_descriptor, real};
use super::{under, Under};
use cord_wire::reads::{all_of, print_of, Look, Read, Told, NEVER};

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
    /// Which of all a look is, and whether something was there.
    known: HashMap<(PathBuf, Look), (usize, bool)>,
    /// What arguments of programs name: they may as well write it.
    by_others: HashSet<PathBuf>,
    /// The call has asked for what the kernel or a device tells.
    pub asks_system: bool,
    /// What is read while something runs of which the value will be remembered: each has a number.
    collecting: Vec<(usize, Vec<Read>)>,
}

impl Reads {
    /// Notes how a path looks now, unless it is known how it looked when the call read it first.
    pub fn note(&mut self, path: PathBuf, look: Look) {
        let is_file = !NO_FILES.iter().any(|folder| path.starts_with(folder));
        if !is_file && !path.starts_with("/dev/null") {
            self.note_more("it asks what the system tells of processes and devices");
        }
        self.asks_system |= !is_file;
        if is_file {
            self.put(path, look, |path| settled(path, look));
        }
    }

    /// Adds what was not yet known; gives its number.
    fn put(&mut self, path: PathBuf, look: Look, seen: impl FnOnce(&Path) -> (u64, bool)) -> usize {
        let number = match self.known.get(&(path.clone(), look)) {
            Some((number, _)) => *number,
            None => {
                let (print, is_there) = seen(&path);
                let number = self.all.len();
                self.known.insert((path.clone(), look), (number, is_there));
                self.all.push(Read {
                    path,
                    look,
                    print,
                    is_remembered: false,
                });
                number
            }
        };
        for (_, all) in &mut self.collecting {
            all.push(self.all[number].clone());
        }
        number
    }

    /// From here on what is read is collected, too; until [`Reads::collected`] with this number.
    pub fn collect(&mut self) -> usize {
        let number = self.collecting.last().map_or(0, |(number, _)| number + 1);
        self.collecting.push((number, Vec::new()));
        number
    }

    pub fn collected(&mut self, number: usize) -> Vec<Read> {
        let at = self.collecting.iter().position(|(one, _)| *one == number);
        at.map_or_else(Vec::new, |at| self.collecting.remove(at).1)
    }

    /// Something was there when the call looked, or nothing: what came or went since it was noted may not
    /// show any more when the program comes to the call.
    pub fn found(&mut self, path: PathBuf, look: Look, is_there: bool) {
        if let Some(&(number, was_there)) = self.known.get(&(path, look)) {
            if was_there != is_there {
                self.all[number].print = NEVER;
            }
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

    /// Notes a variable of the environment, or, without a name, all that pass: settings that count for all calls do not.
    pub fn note_variable(&mut self, name: &OsStr) {
        let look = Look::Variable;
        self.put(name.into(), look, |path| (look.print(path), true));
    }

    /// Notes something that the call has asked for and that is no file: what comes of it is not kept.
    pub fn note_more(&mut self, what: &str) {
        self.put(what.into(), Look::Never, |_| (1, true));
    }

    /// Notes what a call has read that this one has made.
    pub fn add(&mut self, reads: Vec<Read>) {
        for read in reads {
            let (look, print, before) = (read.look, read.print, self.all.len());
            let number = self.put(read.path, look, |path| (print, look.metadata(path).is_ok()));
            if number == before {
                self.all[number].is_remembered = read.is_remembered;
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
            if !read.look.is_at_path() {
                return true;
            }
            let is_there = || read.look.metadata(&read.path).is_ok();
            let came = read.print == absent || read.print == NEVER;
            let made = may_make && came && is_there();
            let by_others = may_make && self.by_others.contains(&read.path);
            let made_anew = by_others && read.look.print(&read.path) != read.print;
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

/// How a path looks, once all further changes show, and whether something is there.
fn settled(path: &Path, look: Look) -> (u64, bool) {
    let mut seen = look.metadata(path);
    for _ in 0..TICKS {
        if !seen.as_ref().is_ok_and(is_just_changed) {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
        seen = look.metadata(path);
    }
    (print_of(&seen, look), seen.is_ok())
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
    let passes = |path: &PathBuf| !imports(args.py()) && !counts_processors(args.py(), path);
    if let Some(path) = path.filter(passes) {
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

/// Whether the import system asks, for which code has a way of its own; not where it reads data for somebody else.
fn imports(py: Python<'_>) -> bool {
    let text = |code: &Bound<'_, PyAny>, name: &str| {
        let text = code.getattr(name).and_then(|text| text.extract::<String>());
        text.unwrap_or_default()
    };
    let is_import = |frame: &Bound<'_, PyAny>, name: Option<&str>| {
        let code = frame.getattr("f_code");
        code.is_ok_and(|code| {
            text(&code, "co_filename").starts_with("<frozen importlib")
                && name.is_none_or(|name| text(&code, "co_name") == name)
        })
    };
    frame(py).is_some_and(|frame| {
        let above = || {
            frame
                .getattr("f_back")
                .is_ok_and(|above| is_import(&above, None))
        };
        is_import(&frame, None) && (!is_import(&frame, Some("get_data")) || above())
    })
}

/// Whether a library asks how many processors there are: results do not depend on that.
fn counts_processors(py: Python<'_>, path: &Path) -> bool {
    const PLACES: [&str; 2] = ["/sys/fs/cgroup", "/sys/devices/system/cpu"];
    let file = running(py).and_then(|code| code.getattr("co_filename").ok());
    let file = file.and_then(|file| file.extract::<String>().ok());
    PLACES.iter().any(|place| path.starts_with(place))
        && file.is_some_and(|file| file.contains("-packages/") || file.starts_with('<'))
}

/// The frame that runs.
pub fn frame(py: Python<'_>) -> Option<Bound<'_, PyAny>> {
    // SAFETY: the lock is held; a borrowed reference, or null where no Python code runs.
    unsafe {
        let frame = ffi::PyEval_GetFrame().cast::<ffi::PyObject>();
        Bound::from_borrowed_ptr_or_opt(py, frame)
    }
}

/// The code that runs.
fn running(py: Python<'_>) -> Option<Bound<'_, PyAny>> {
    frame(py)?.getattr("f_code").ok()
}

/// The names that the code that runs has.
fn names_here(py: Python<'_>) -> Option<Vec<String>> {
    let names = running(py)?.getattr("co_names").ok()?;
    names.extract().ok()
}

/// Whether the code that asks what is known of a path looks at times or sizes.
fn looks_into(py: Python<'_>) -> bool {
    let plain = ["st_mode", "st_ino", "st_dev", "st_uid", "st_gid"];
    let says = |name: &String| name.starts_with("st_") && !plain.contains(&name.as_str());
    names_here(py).is_some_and(|names| names.iter().any(says))
}

/// Whether the code that asks what is known of an open file may look at times.
fn names_times(py: Python<'_>) -> bool {
    let of_times = |name: &String| {
        ["st_mtime", "st_ctime", "st_atime"]
            .iter()
            .any(|one| name.starts_with(one))
    };
    names_here(py).is_none_or(|names| {
        names.iter().any(of_times) || !names.iter().any(|name| name.starts_with("st_"))
    })
}

/// Whether the code that asks what is known of a path is the library's that tells its kind or size only.
fn looks_at_kind(py: Python<'_>) -> bool {
    let Some(code) = running(py) else {
        return false;
    };
    let text = |name: &str| {
        code.getattr(name)
            .and_then(|found| found.extract::<String>())
    };
    let (Ok(file), Ok(name)) = (text("co_filename"), text("co_name")) else {
        return false;
    };
    let is_of_paths = [
        "genericpath.py",
        "posixpath.py",
        "<frozen genericpath>",
        "<frozen posixpath>",
    ]
    .iter()
    .any(|end| file.ends_with(end));
    is_of_paths && !["getmtime", "getatime", "getctime"].contains(&name.as_str())
}

/// Notes that the call at hand asks what is known of a path; what it looks at.
pub fn asked(
    py: Python<'_>,
    path: &Bound<'_, PyAny>,
    folder: Option<i32>,
    itself: bool,
) -> Option<(PathBuf, Look)> {
    // SAFETY: the lock is held.
    let under = unsafe { under() }?;
    let descriptor = path.extract::<i32>().ok();
    if descriptor.is_some() && !names_times(py) || imports(py) {
        return None; // what is in an open file counts already
    }
    let path = match descriptor {
        Some(descriptor) => of_descriptor(descriptor).filter(|path| path.is_file())?,
        None => located(path, folder)?,
    };
    let look = match itself {
        true => Look::AtLink,
        false if path.is_dir() && looks_into(py) => Look::Into,
        false if path.is_file() && !looks_at_kind(py) => Look::Times,
        false => Look::At,
    };
    if counts_processors(py, &path) {
        return None;
    }
    under.seen().reads.note(path.clone(), look);
    Some((path, look))
}

/// Notes what a call has read that the call at hand has made, if one is looked at.
pub fn add_reads(_: Python<'_>, told: &[u8]) {
    // SAFETY: the lock is held.
    if let Some(under) = unsafe { under() } {
        let owned = |read: Told<'_>| Read {
            path: read.path.into(),
            look: read.look,
            print: read.print,
            is_remembered: read.is_remembered,
        };
        under.seen().reads.add(all_of(told).map(owned).collect());
    }
}
