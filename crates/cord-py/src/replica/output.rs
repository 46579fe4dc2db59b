//! Whether a call has written anything: looked at after each call, so it must cost next to nothing.

use std::io;
use std::os::fd::{AsRawFd, RawFd};
use std::sync::atomic::{AtomicI64, Ordering};

use cord_os::descriptor::Descriptor;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::process::{flush_c_streams, holds_back};
use crate::replica::endpoint::owned;

/// A file in memory that stands behind one of the descriptors 1 and 2.
#[pyclass(subclass, frozen, module = "cord._core")]
pub struct OutputFile {
    /// A descriptor of the file, which is taken over.
    file: Descriptor,
    /// Up to where it has been read.
    seen: AtomicI64,
}

#[pymethods]
impl OutputFile {
    #[new]
    fn new(fd: RawFd) -> PyResult<OutputFile> {
        Ok(OutputFile {
            file: owned(fd)?.into(),
            seen: AtomicI64::new(0),
        })
    }

    /// The number of a descriptor of the file, to be used at once.
    #[getter]
    fn fd(&self) -> PyResult<RawFd> {
        Ok(self.file.get().map_err(io::Error::from)?.as_raw_fd())
    }

    #[getter]
    fn seen(&self) -> i64 {
        self.seen.load(Ordering::Relaxed)
    }

    #[setter]
    fn set_seen(&self, offset: i64) {
        self.seen.store(offset, Ordering::Relaxed);
    }

    /// Where it ends. (Each call asks twice: whether the descriptor is still what it was is left to who
    /// reads the file.)
    fn end(&self) -> io::Result<i64> {
        // SAFETY: lseek touches no memory; a bad descriptor is an error, not undefined behaviour.
        let end = unsafe { libc::lseek(self.file.number(), 0, libc::SEEK_END) };
        if end < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(end)
    }
}

impl OutputFile {
    fn is_seen(&self) -> bool {
        self.end().is_ok_and(|end| end == self.seen())
    }
}

/// Where two output files end, before and after C code's own buffers are written out to them:
/// `(out, err, flushed_out, flushed_err)` in bytes.
#[pyfunction]
fn output_ends(out: &OutputFile, err: &OutputFile) -> PyResult<(i64, i64, i64, i64)> {
    let before = if holds_back() {
        Some((out.end()?, err.end()?))
    } else {
        None
    };
    flush_c_streams();
    let (after_out, after_err) = (out.end()?, err.end()?);
    let (before_out, before_err) = before.unwrap_or((after_out, after_err));
    Ok((before_out, before_err, after_out, after_err))
}

/// Tells whether anything was written that is not read: by Python code into the journal, or past it
/// into the files.
#[pyclass(frozen, module = "cord._core")]
pub struct Quiet {
    /// The module `sys` as it is, and what stands there if nobody has put a stream of his own.
    sys: Py<PyDict>,
    streams: (Py<PyAny>, Py<PyAny>),
    journal: Py<PyList>,
    files: (Py<OutputFile>, Py<OutputFile>),
}

#[pymethods]
impl Quiet {
    #[new]
    fn new(
        py: Python<'_>,
        streams: (Py<PyAny>, Py<PyAny>),
        files: (Py<OutputFile>, Py<OutputFile>),
        journal: Py<PyList>,
    ) -> PyResult<Quiet> {
        Ok(Quiet {
            sys: py.import("sys")?.dict().unbind(),
            streams,
            journal,
            files,
        })
    }

    /// Whether nothing was written. Writes out what C code holds back in files of its own.
    pub fn holds(&self, py: Python<'_>) -> PyResult<bool> {
        if holds_back() || !self.has_no_journal(py) || !self.streams_are_ours(py)? {
            return Ok(false);
        }
        flush_c_streams();
        Ok(self.files.0.get().is_seen() && self.files.1.get().is_seen())
    }
}

impl Quiet {
    /// Whether Python code has written nothing.
    pub fn has_no_journal(&self, py: Python<'_>) -> bool {
        self.journal.bind(py).is_empty()
    }

    fn streams_are_ours(&self, py: Python<'_>) -> PyResult<bool> {
        let sys = self.sys.bind(py);
        let out = sys.get_item(intern!(py, "stdout"))?;
        let err = sys.get_item(intern!(py, "stderr"))?;
        let (our_out, our_err) = &self.streams;
        Ok(out.is_some_and(|out| out.is(our_out)) && err.is_some_and(|err| err.is(our_err)))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<OutputFile>()?;
    module.add_class::<Quiet>()?;
    module.add_function(wrap_pyfunction!(output_ends, module)?)
}
