//! `cord run --live`: what a run tells while it runs.

use std::os::fd::RawFd;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use cord_core::live::{self, Board};
use cord_os::threads::spawn_quiet;
use pyo3::prelude::*;

use crate::client::session::Session;
use crate::takes::standing::look_on;
use crate::trace::frames::Looked;

/// Tells of a run while it runs.
#[pyclass(frozen, module = "cord._core")]
struct Live {
    told: live::Live,
    looker: Mutex<Option<Looker>>,
    process: u32,
}

/// A thread that sees where the program is in its own code, whenever it is asked for that.
struct Looker {
    board: Arc<Board>,
    thread: JoinHandle<()>,
}

impl Looker {
    /// Looks at the thread that calls this, at lines of files in this folder.
    fn begin(board: Arc<Board>, folder: String) -> std::io::Result<Looker> {
        let looked = Looked::here();
        let asked = Arc::clone(&board);
        let folders = [folder];
        let thread = spawn_quiet("cord-looker", move || {
            while asked.is_asked() {
                let found = Python::attach(|_| looked.place(&folders));
                let [folder] = &folders;
                asked.answer(found.map(|(file, line)| {
                    let file = file.strip_prefix(folder.as_str()).unwrap_or(&file);
                    format!("{file}:{line}").into()
                }));
            }
        })?;
        Ok(Looker { board, thread })
    }

    /// The interpreter's lock must not be held.
    fn end(self) {
        self.board.stop_asking();
        let _ = self.thread.join();
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            // its thread does not exist in a child
            std::mem::forget(self.looker.get_mut().map(Option::take));
        }
    }
}

#[pymethods]
impl Live {
    /// Begins to tell of a session's run of `program`, whose files are in `folder`; `terminal` is what
    /// `TERM` says.
    #[new]
    #[pyo3(signature = (session, program, folder, terminal=None))]
    fn new(
        session: &Bound<'_, Session>,
        program: String,
        folder: String,
        terminal: Option<&str>,
    ) -> PyResult<Live> {
        let core = session.get().core();
        let board = look_on();
        Ok(Live {
            told: live::Live::start(core, Arc::clone(&board), program, terminal)?,
            looker: Mutex::new(Some(Looker::begin(board, folder)?)),
            process: std::process::id(),
        })
    }

    /// Tells nothing more: the terminal is as it was.
    fn close(&self, py: Python<'_>) {
        if self.process != std::process::id() {
            return;
        }
        py.detach(|| {
            let mut looker = self.looker.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(looker) = looker.take() {
                looker.end();
            }
            self.told.close();
        });
    }
}

/// Before the process is forked that outlives this one: it will know what is to be done to the terminal.
#[pyfunction]
fn share_terminal() -> PyResult<()> {
    Ok(live::share()?)
}

/// Where the client has left its lines on a terminal, takes them away: this descriptor leads there.
#[pyfunction]
fn restore_terminal(fd: RawFd) {
    live::undo(fd);
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Live>()?;
    module.add_function(wrap_pyfunction!(share_terminal, module)?)?;
    module.add_function(wrap_pyfunction!(restore_terminal, module)?)
}
