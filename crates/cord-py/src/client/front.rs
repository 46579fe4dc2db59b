//! The front end of HTTP, as Python starts, feeds and ends it.

use bytes::Bytes;
use cord_http::{Event, Front, Pages, Plan};
use cord_wire::effects::Effects;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::client::session::Session;
use crate::travel::forms;

/// Bodies that replicas keep are to them what `bytes` are that a program sends.
const _: () = assert!(cord_http::kept::BYTES == forms::BYTES);

/// A server of HTTP, whose requests become calls of a session.
#[pyclass(frozen, module = "cord._core")]
pub struct HttpFront(Front);

#[pymethods]
impl HttpFront {
    #[new]
    #[pyo3(signature = (address, admin=None))]
    fn new(address: &str, admin: Option<&str>) -> PyResult<HttpFront> {
        let front = Front::bind(address, admin).map_err(|why| match why.raw_os_error() {
            Some(number) => PyOSError::new_err((number, why.to_string())),
            None => why.into(),
        });
        Ok(HttpFront(front?))
    }

    /// Host and port at which it listens.
    #[getter]
    fn address(&self) -> (String, u16) {
        let address = self.0.address();
        (address.ip().to_string(), address.port())
    }

    /// Host and port at which it is asked how it is, if that is elsewhere.
    #[getter]
    fn admin(&self) -> Option<(String, u16)> {
        let address = self.0.admin()?;
        Some((address.ip().to_string(), address.port()))
    }

    /// Serves the session's functions from now on, as the plan says, in JSON; `pages` are OpenAPI's and
    /// the one to try it, `raised` what is raised in calls whose time is over, and whose
    /// client is gone. The number by which `next_event` calls it.
    fn serve(
        &self,
        py: Python<'_>,
        session: PyRef<'_, Session>,
        plan: &str,
        pages: (Vec<u8>, Vec<u8>),
        raised: (Vec<u8>, Vec<u8>),
    ) -> PyResult<u64> {
        let mut plan: Plan =
            serde_json::from_str(plan).map_err(|why| PyValueError::new_err(why.to_string()))?;
        (plan.late, plan.gone) = raised;
        let pages = Pages {
            openapi: Bytes::from(pages.0),
            docs: Bytes::from(pages.1),
        };
        let world = session.world_now(py, Effects::Stateful)?;
        let core = session.shared_core();
        py.detach(|| self.0.serve(plan, pages, core, world))
            .map_err(PyValueError::new_err)
    }

    /// Accepts nothing more; what was accepted is answered.
    fn drain(&self) {
        self.0.drain();
    }

    /// What calls have printed, as bytes; the number of what is not served any more; or `None`.
    fn next_event<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.0.next() {
            None => Ok(None),
            Some(Event::Output(output)) => Ok(Some(PyBytes::new(py, &output).into_any())),
            Some(Event::Retired(number)) => Ok(Some(number.into_pyobject(py)?.into_any())),
        }
    }

    /// A descriptor that is readable when there may be an event.
    fn fileno(&self) -> i32 {
        self.0.descriptor()
    }

    /// Ends at once.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.0.close());
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<HttpFront>()
}
