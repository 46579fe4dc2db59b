//! Which audit events tell of something that is done outside the process.

use std::ffi::CStr;
use std::fs;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use super::database;
use super::paths::{named, real, Named};
use super::{reads, Under};
use crate::travel::disowned::Reason;
use cord_wire::reads::Look;

/// How an event's arguments tell what is done.
enum Row {
    /// A file is opened: its name, mode and flags.
    Opens,
    /// A folder is listed.
    Lists,
    /// A library in C is loaded; by a name without a folder it is the system's.
    Loads,
    /// Something is read of which nobody can tell whether it is so still, in words.
    Reads(&'static str),
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
    /// Another program is started: its name and arguments, and in which folder.
    Starts(&'static [usize], Option<usize>),
    /// The process forks.
    Forks,
    /// Something is sent to others, or asked of them.
    Sends,
    /// Something is done that nothing excuses, in words.
    Does(&'static str),
}

/// One row for each event.
const ROWS: [(&[u8], Row); 37] = [
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
    (b"os.getxattr", Row::Reads("it reads attributes of a file")),
    (b"os.listxattr", Row::Reads("it reads attributes of a file")),
    (b"ctypes.dlopen", Row::Loads),
    (b"syslog.syslog", Row::Does("writes to the system's log")),
    (b"sqlite3.connect", Row::Database),
    (b"subprocess.Popen", Row::Starts(&[0, 1], Some(2))),
    (b"os.posix_spawn", Row::Starts(&[0, 1], None)),
    (b"os.system", Row::Starts(&[0], None)),
    (b"os.exec", Row::Starts(&[0, 1], None)),
    (b"os.fork", Row::Forks),
    (b"os.forkpty", Row::Forks),
    (b"socket.getaddrinfo", Row::Sends),
    (b"socket.connect", Row::Sends),
    (b"socket.bind", Row::Sends),
    (b"socket.sendto", Row::Sends),
    (b"socket.sendmsg", Row::Sends),
    (b"tempfile.mkstemp", Row::Temporary),
    (b"tempfile.mkdtemp", Row::Temporary),
];

const PROCESSES: &str = "it starts other processes, and what these read is not known";
const NETWORK: &str = "it uses the network, and the plan does not call it repeatable";

/// Whether an event is one of those, as far as its first letters tell.
pub fn may_be(event: &[u8]) -> bool {
    let first = |start: &[u8]| event.starts_with(start);
    first(b"open")
        || first(b"os.")
        || first(b"subprocess.")
        || first(b"tempfile.")
        || first(b"syslog.")
        || first(b"socket.")
        || first(b"ctypes.dlopen")
}

/// What becomes of what a call is about to do.
pub enum Heard {
    /// It is done.
    Nothing,
    /// The call is stopped for it.
    Stops(Reason),
    /// It fails, as it would have, with this error: who knows whether it still would.
    Fails(PyErr),
}

/// What a call is about to do outside.
pub fn look(under: &Under, event: &[u8], args: &Bound<'_, PyTuple>) -> PyResult<Heard> {
    let Some((_, row)) = ROWS.iter().find(|(name, _)| *name == event) else {
        return Ok(Heard::Nothing);
    };
    let is_own = |file: &Named| is_own(under, file) || under.is_load && file.is_of_libraries();
    let done = |does: &str, file: Option<Named>| match file.filter(|file| !is_own(file)) {
        None => Heard::Nothing,
        Some(file) if under.stops => {
            Heard::Stops(Reason::new("file", &format!("{does} {}", file.given)))
        }
        Some(file) => {
            let mut seen = under.seen();
            seen.reads.note_more(&format!("it {does} {}", file.given));
            seen.own.push(file.path);
            Heard::Nothing
        }
    };
    let fails = |file: Named, errno: i32, names: usize| {
        under.seen().reads.note(file.path, Look::AtLink);
        match under.stops {
            true => Heard::Fails(error(args, errno, names)),
            false => Heard::Nothing,
        }
    };
    let heard = match row {
        Row::Opens if !is_to_write(args) => {
            reads::heard(under, args, Look::At)?;
            Heard::Nothing
        }
        Row::Opens | Row::Database if under.is_load && !empties(args) => Heard::Nothing,
        Row::Opens => match opened(args)? {
            Some(file) if file.is_there() && is_to_be_new(args) => fails(file, libc::EEXIST, 1),
            file => match done("opens", file) {
                Heard::Stops(Reason { kind, text }) => {
                    Heard::Stops(Reason::new(&kind, &format!("{text} for writing")))
                }
                heard => heard,
            },
        },
        Row::Lists => {
            reads::heard(under, args, Look::Into)?;
            Heard::Nothing
        }
        Row::Loads => {
            if args
                .get_item(0)?
                .extract::<String>()
                .is_ok_and(|name| name.contains('/'))
            {
                reads::heard(under, args, Look::At)?;
            }
            Heard::Nothing
        }
        Row::Reads(what) => {
            under.seen().reads.note_more(what);
            Heard::Nothing
        }
        Row::Changes(at, folder, does) => match named(args, *at, *folder) {
            Some(file) if !file.is_there() => fails(file, libc::ENOENT, 1),
            file => done(does, file),
        },
        Row::Makes(at, folder, does) => match named(args, *at, *folder) {
            Some(file) if file.is_there() => fails(file, libc::EEXIST, at + 1),
            file => done(does, file),
        },
        Row::Renames => match named(args, 0, Some(2)) {
            Some(from) if !from.is_there() => fails(from, libc::ENOENT, 2),
            from => match done("renames", from) {
                Heard::Nothing => done("replaces", named(args, 1, Some(3))),
                heard => heard,
            },
        },
        Row::Moves | Row::Signals | Row::Does(_) if !under.stops => Heard::Nothing,
        Row::Moves => {
            if let Ok(folder) = std::env::current_dir() {
                under.seen().folder.get_or_insert(folder);
            }
            Heard::Nothing
        }
        Row::Signals => signalled(args)?.map_or(Heard::Nothing, Heard::Stops),
        Row::Temporary => {
            let own = |file: &Named| under.is_load || file.is_temporary() || is_own(file);
            if let Some(file) = named(args, 0, None).filter(own) {
                under.seen().own.push(file.path);
            }
            Heard::Nothing
        }
        Row::Database => done("makes the database", database::made(args)),
        Row::Sends if under.is_unsaid => Heard::Stops(Reason::new("network", "uses the network")),
        Row::Sends => {
            if under.stops {
                under.seen().reads.note_more(NETWORK);
            }
            Heard::Nothing
        }
        Row::Forks => {
            under.seen().reads.note_more(PROCESSES);
            Heard::Nothing
        }
        Row::Starts(..) if under.is_unsaid => {
            Heard::Stops(Reason::new("process", "starts another program"))
        }
        Row::Starts(named, folder) => {
            let folder = folder.and_then(|at| args.get_item(at).ok());
            let named = named.iter().flat_map(|at| args.get_item(*at));
            reads::started(under, named, folder);
            under.seen().reads.note_more(PROCESSES);
            Heard::Nothing
        }
        Row::Does(text) => Heard::Stops(Reason::new("system", text)),
    };
    Ok(match heard {
        Heard::Stops(_) if is_libraries(args.py()) => Heard::Nothing,
        heard => heard,
    })
}

/// The error of something that fails, with the names of so many files that the event tells first.
fn error(args: &Bound<'_, PyTuple>, errno: i32, names: usize) -> PyErr {
    let py = args.py();
    let said = PyString::from_bytes(
        py,
        unsafe { CStr::from_ptr(libc::strerror(errno)) }.to_bytes(),
    );
    let name = |at: usize| args.get_item(at).ok().filter(|_| at < names);
    let said = said.map(Bound::unbind).ok();
    PyOSError::new_err((
        errno,
        said,
        name(0).map(Bound::unbind),
        (),
        name(1).map(Bound::unbind),
    ))
}

/// How a file is about to be opened: its mode, if it is told, and its flags.
fn how_opened(args: &Bound<'_, PyTuple>) -> (String, i32) {
    let told = |at: usize| args.get_item(at).ok();
    let mode = told(1).and_then(|mode| mode.extract().ok());
    let flags = told(2).and_then(|flags| flags.extract().ok());
    (mode.unwrap_or_default(), flags.unwrap_or(0))
}

/// Whether a file that is about to be opened must not be there.
fn is_to_be_new(args: &Bound<'_, PyTuple>) -> bool {
    how_opened(args).1 & libc::O_EXCL != 0
}

/// Whether a file is about to be opened for writing.
fn is_to_write(args: &Bound<'_, PyTuple>) -> bool {
    let (mode, flags) = how_opened(args);
    let writing = libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC | libc::O_APPEND;
    mode.contains(['w', 'a', 'x', '+']) || flags & writing != 0
}

/// Whether what is in a file goes when it is opened.
fn empties(args: &Bound<'_, PyTuple>) -> bool {
    let (mode, flags) = how_opened(args);
    mode.contains(['w', 'x']) || flags & (libc::O_TRUNC | libc::O_EXCL) != 0
}

/// The file that is about to be opened for writing, if it has a name.
fn opened(args: &Bound<'_, PyTuple>) -> PyResult<Option<Named>> {
    if args.get_item(0)?.extract::<i32>().is_ok() {
        return Ok(None);
    }
    // what opens a folder so is a file without a name, or fails
    Ok(named(args, 0, None).filter(|file| !file.is_folder()))
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
    let told = reads::frame(py).and_then(|frame| {
        let code = frame.getattr("f_code").ok()?;
        let file: String = code.getattr("co_filename").ok()?.extract().ok()?;
        let name: String = code.getattr("co_name").ok()?.extract().ok()?;
        Some((file, name))
    });
    told.is_some_and(|(file, name)| {
        file.starts_with("<frozen importlib") || name == "_get_default_tempdir"
    })
}
