//! Which audit events tell of something that is done outside the process.

use std::fs;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::database;
use super::paths::{named, real, Named};
use super::{reads, Under};
use crate::travel::disowned::Reason;
use crate::travel::reads::Look;

/// How an event's arguments tell what is done.
enum Row {
    /// A file is opened: its name, mode and flags.
    Opens,
    /// A folder is listed.
    Lists,
    /// A file that is there is changed: its name, and where the folder's descriptor stands. In words.
    Changes(usize, Option<usize>, &'static str),
    /// A file that is not there is made.
    Makes(usize, Option<usize>, &'static str),
    /// One is given another's name.
    Renames,
    /// The working folder changes.
    Moves,
    /// A process is sent a signal.
    Signals,
    /// A temporary file or folder is about to be made.
    Temporary,
    /// A database is opened.
    Database,
    /// Something is done that nothing excuses, in words.
    Does(&'static str),
}

/// One row for each event.
const ROWS: [(&[u8], Row); 23] = [
    (b"open", Row::Opens),
    (b"os.listdir", Row::Lists),
    (b"os.scandir", Row::Lists),
    (b"os.remove", Row::Changes(0, Some(1), "removes")),
    (b"os.rmdir", Row::Changes(0, Some(1), "removes")),
    (b"os.rename", Row::Renames),
    (b"os.link", Row::Makes(1, Some(3), "makes")),
    (b"os.symlink", Row::Makes(1, Some(2), "makes")),
    (b"os.mkdir", Row::Makes(0, Some(2), "makes")),
    (b"os.truncate", Row::Changes(0, None, "truncates")),
    (b"os.chmod", Row::Changes(0, Some(2), "changes the mode of")),
    (
        b"os.chown",
        Row::Changes(0, Some(3), "changes the owner of"),
    ),
    (b"os.chflags", Row::Changes(0, None, "changes the flags of")),
    (
        b"os.utime",
        Row::Changes(0, Some(3), "changes the times of"),
    ),
    (
        b"os.setxattr",
        Row::Changes(0, None, "changes attributes of"),
    ),
    (
        b"os.removexattr",
        Row::Changes(0, None, "changes attributes of"),
    ),
    (b"os.chdir", Row::Moves),
    (b"os.kill", Row::Signals),
    (b"os.killpg", Row::Signals),
    (b"syslog.syslog", Row::Does("writes to the system's log")),
    (b"sqlite3.connect", Row::Database),
    (b"tempfile.mkstemp", Row::Temporary),
    (b"tempfile.mkdtemp", Row::Temporary),
];

/// Whether an event is one of those, as far as its first letters tell.
pub fn may_be(event: &[u8]) -> bool {
    let first = |start: &[u8]| event.starts_with(start);
    first(b"open") || first(b"os.") || first(b"tempfile.") || first(b"syslog.")
}

/// What a call is about to do outside, if it is to be stopped for that.
pub fn look(under: &Under, event: &[u8], args: &Bound<'_, PyTuple>) -> PyResult<Option<Reason>> {
    let Some((_, row)) = ROWS.iter().find(|(name, _)| *name == event) else {
        return Ok(None);
    };
    let about = |file: Option<Named>, does: &str| {
        let file = file.filter(|file| !is_own(under, file))?;
        if !under.stops {
            under.seen().own.push(file.path);
            return None;
        }
        Some(Reason::new("file", &format!("{does} {}", file.given)))
    };
    let reason = match row {
        Row::Opens if !is_to_write(args)? => {
            reads::heard(under, args, Look::At)?;
            None
        }
        Row::Opens => about(opened(under, args)?, "opens")
            .map(|Reason { kind, text }| Reason::new(&kind, &format!("{text} for writing"))),
        Row::Lists => {
            reads::heard(under, args, Look::Into)?;
            None
        }
        Row::Changes(at, folder, does) => {
            let file = named(args, *at, *folder);
            about(
                file.filter(|file| succeeds(under, file, file.is_there())),
                does,
            )
        }
        Row::Makes(at, folder, does) => {
            let file = named(args, *at, *folder);
            about(
                file.filter(|file| succeeds(under, file, !file.is_there())),
                does,
            )
        }
        Row::Renames => {
            let from = named(args, 0, Some(2));
            let from = from.filter(|file| succeeds(under, file, file.is_there()));
            let is_there = from.is_some();
            let to = named(args, 1, Some(3)).filter(|_| is_there);
            about(from, "renames").or_else(|| about(to, "replaces"))
        }
        Row::Moves | Row::Signals | Row::Does(_) if !under.stops => None,
        Row::Moves => {
            if let Ok(folder) = std::env::current_dir() {
                under.seen().folder.get_or_insert(folder);
            }
            None
        }
        Row::Signals => signalled(args)?,
        Row::Temporary => {
            let own = |file: &Named| file.is_temporary() || is_own(under, file);
            if let Some(file) = named(args, 0, None).filter(own) {
                under.seen().own.push(file.path);
            }
            None
        }
        Row::Database => {
            if let Some(file) = database::kept_in(args) {
                under.seen().reads.note_database(file);
            }
            about(database::made(args), "makes the database")
        }
        Row::Does(text) => Some(Reason::new("system", text)),
    };
    Ok(reason.filter(|_| !is_libraries(args.py())))
}

/// Whether what is about to be done can be done; where it cannot, that is all that the call finds out.
fn succeeds(under: &Under, file: &Named, can: bool) -> bool {
    if !can {
        under.seen().reads.note(file.path.clone(), Look::AtLink);
    }
    can
}

/// Whether a file is about to be opened for writing.
fn is_to_write(args: &Bound<'_, PyTuple>) -> PyResult<bool> {
    let mode: Option<String> = args.get_item(1)?.extract().ok();
    let flags: i32 = args.get_item(2)?.extract().unwrap_or(0);
    let writing = libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC | libc::O_APPEND;
    let in_words = mode.is_some_and(|mode| mode.contains(['w', 'a', 'x', '+']));
    Ok(in_words || flags & writing != 0)
}

/// The file that is about to be opened for writing, if it has a name.
fn opened(under: &Under, args: &Bound<'_, PyTuple>) -> PyResult<Option<Named>> {
    let flags: i32 = args.get_item(2)?.extract().unwrap_or(0);
    if args.get_item(0)?.extract::<i32>().is_ok() {
        return Ok(None);
    }
    let fails = |file: &Named| flags & libc::O_EXCL != 0 && file.is_there();
    // what opens a folder so is a file without a name, or fails
    let file = named(args, 0, None).filter(|file| !file.is_folder());
    Ok(file.filter(|file| succeeds(under, file, !fails(file))))
}

/// Whether a file is the call's own, or nobody sees what becomes of it.
pub fn is_own(under: &Under, file: &Named) -> bool {
    file.is_nowhere()
        || under
            .seen()
            .own
            .iter()
            .any(|own| file.path.starts_with(own))
        || {
            let target = fs::read_link(&file.path).map(|link| {
                let folder = file.path.parent().unwrap_or(&file.path);
                real(&folder.join(link))
            });
            let is_own = |path| under.seen().own.contains(&path);
            target.is_ok_and(is_own)
        }
}

/// A signal is about to be sent to a process that the call has not started.
fn signalled(args: &Bound<'_, PyTuple>) -> PyResult<Option<Reason>> {
    let process: i32 = args.get_item(0)?.extract()?;
    let signal: i32 = args.get_item(1)?.extract()?;
    // SAFETY: asks for a number.
    let own = unsafe { libc::getpid() };
    if signal == 0 || process == own || parent_of(process) == Some(own) {
        return Ok(None);
    }
    let text = "sends a signal to another process";
    Ok(Some(Reason::new("process", text)))
}

fn parent_of(process: i32) -> Option<i32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, after) = stat.rsplit_once(')')?;
    after.split_whitespace().nth(1)?.parse().ok()
}

/// Whether the interpreter's own library does it, and nobody sees anything of it later: bytecode of what is
/// imported (the user's is kept aside, `runtime/io/bytecode.py`), and the file by which `tempfile` finds
/// out where it may write.
fn is_libraries(py: Python<'_>) -> bool {
    // SAFETY: the lock is held; a borrowed reference, or null where no Python code runs.
    let frame = unsafe {
        let frame = ffi::PyEval_GetFrame().cast::<ffi::PyObject>();
        Bound::from_borrowed_ptr_or_opt(py, frame)
    };
    let told = frame.and_then(|frame| {
        let code = frame.getattr("f_code").ok()?;
        let file: String = code.getattr("co_filename").ok()?.extract().ok()?;
        let name: String = code.getattr("co_name").ok()?.extract().ok()?;
        Some((file, name))
    });
    told.is_some_and(|(file, name)| {
        file.starts_with("<frozen importlib") || name == "_get_default_tempdir"
    })
}
