//! Calls with a view of their own of the working folder: into it before the call, out of it after.

use std::env;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::PoisonError;

use cord_core::scratch::{Left, Refused, View, CHANGED};
use cord_wire::reads::Read;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use super::{Lookout, Stopped, Under, PID};
use crate::travel::disowned::Reason;

/// The operation that tells what a call has left in its view; `cord.runtime.io.output` repeats it.
const LEFT: &str = "S";

fn refused(why: Refused) -> PyErr {
    let reason = match why == CHANGED {
        true => Reason::came_too_early(&why),
        false => Reason::new("scratch", &why),
    };
    Stopped::new_err((reason.kind, reason.text))
}

impl Lookout {
    /// Lets this process work in a view of its working folder.
    ///
    /// # Errors
    /// `Stopped` where there can be none.
    pub(super) fn enter_view(&self, under: &Under) -> PyResult<View> {
        let real = env::current_dir()?;
        let view = View::of(&real, &env::temp_dir()).map_err(refused)?;
        env::set_current_dir(view.folder())?;
        under.seen().own.push(view.folder().to_owned());
        Ok(view)
    }

    /// The call has ended: back to the working folder. Where the view was, and what the
    /// call has come near of the working folder; what it has left
    /// in the view is told with its reply, unless the reply does not count.
    ///
    /// # Errors
    /// `Stopped` where that cannot be.
    pub(super) fn leave_view(
        &self,
        py: Python<'_>,
        view: View,
        under: &Under,
        is_in_vain: bool,
    ) -> PyResult<(PathBuf, Vec<Read>)> {
        if PID.load(Ordering::Relaxed) != std::process::id() {
            return Ok(Default::default()); // a child that the call has forked
        }
        env::set_current_dir(view.real())?;
        if is_in_vain {
            view.forget();
            return Ok(Default::default());
        }
        let folder = view.folder().to_owned();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some(view.name().as_bytes().to_vec());
        drop(last);
        let ended = view.end(&under.asked()).map_err(refused)?;
        if let Some(record) = self.record.as_ref().filter(|_| !ended.left.is_empty()) {
            let left = PyList::empty(py);
            for (path, one) in &ended.left {
                let path = PyBytes::new(py, path.as_os_str().as_bytes());
                left.append((path, told(py, one)))?;
            }
            record.call1(py, (LEFT, 0, left))?;
        }
        Ok((folder, ended.reads))
    }
}

/// What was left, as Python sees it: of what kind, with which mode, and what is in it.
fn told<'py>(py: Python<'py>, left: &Left) -> (&'static str, u32, Bound<'py, PyBytes>) {
    match left {
        Left::File(mode, content) => ("file", *mode, PyBytes::new(py, content)),
        Left::Folder(mode) => ("folder", *mode, PyBytes::new(py, b"")),
        Left::Link(target) => ("link", 0, PyBytes::new(py, target.as_bytes())),
        Left::Nothing => ("nothing", 0, PyBytes::new(py, b"")),
    }
}
