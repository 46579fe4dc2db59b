//! The usual call in a replica, from its frame to its reply: a function of the module is given
//! scalars, prints nothing and returns a scalar or a tuple of some. Whatever else there is goes to Python
//! (`engines/local/replica.py`): before the call is made, or with what came of it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cord_core::Incoming;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyModule, PyString};

use crate::endpoint::{Endpoint, Request};
use crate::mentions::mentions_main;
use crate::output::Quiet;
use crate::scalars::{encode_value, Call};

/// Makes usual calls by itself.
#[pyclass(frozen, module = "cord._core")]
pub struct Serving {
    endpoint: Py<Endpoint>,
    /// Whether a call has written something, and what: encoded.
    quiet: Py<Quiet>,
    drain: Py<PyAny>,
    /// Answers a call that was made and is not usual: by its number, its function's name, and its
    /// value or what it raised.
    finish: Py<PyAny>,
    stand: Mutex<Stand>,
}

/// How things stand in this process.
#[derive(Default)]
struct Stand {
    /// The module; `None` until it is loaded.
    module: Option<Py<PyAny>>,
    /// The world in which this process is.
    world: Option<Py<PyBytes>>,
    /// The name that was looked up last.
    name: Option<Py<PyString>>,
}

#[pymethods]
impl Serving {
    #[new]
    fn new(
        endpoint: Py<Endpoint>,
        quiet: Py<Quiet>,
        drain: Py<PyAny>,
        finish: Py<PyAny>,
    ) -> Serving {
        Serving {
            endpoint,
            quiet,
            drain,
            finish,
            stand: Mutex::default(),
        }
    }

    /// Says that the module is loaded, perhaps once more.
    fn has_module(&self, module: Bound<'_, PyAny>) {
        self.stand().module = Some(module.unbind());
    }

    /// Says that this process is in this world now.
    fn is_in_world(&self, world: Bound<'_, PyBytes>) {
        self.stand().world = Some(world.unbind());
    }

    /// Makes calls until one comes that is not usual, or an order; `None` once the client is gone.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Request<'py>>> {
        let endpoint = self.endpoint.get();
        let mut head = Vec::with_capacity(32);
        let mut here = None;
        loop {
            let next = match here.take() {
                Some(incoming) => Some(incoming),
                None => endpoint.wait_for_next(py)?,
            };
            let Some(incoming) = next else {
                return Ok(None);
            };
            let Some((call, function)) = self.usual(py, &incoming)? else {
                return endpoint.request(py, incoming).map(Some);
            };
            let name = call.name;
            let made = call.make(&function);
            let value = match made {
                Ok(value) if !endpoint.is_local() && encode_value(&mut head, &value).is_some() => {
                    value
                }
                other => {
                    self.finish(py, incoming.call, name, other)?;
                    continue;
                }
            };
            drop(value);
            let output = if self.quiet.get().holds(py)? {
                None
            } else {
                Some(self.drain.bind(py).call0()?.cast_into::<PyBytes>()?)
            };
            let output = output.as_ref().map_or(&b""[..], |output| output.as_bytes());
            // what the main script defines goes with the arguments only
            let may_be_passed = incoming.keeps && !mentions_main(&head);
            let core = endpoint.core();
            here = core.reply_and_next(incoming, &head, output, may_be_passed);
        }
    }
}

impl Serving {
    fn stand(&self) -> MutexGuard<'_, Stand> {
        self.stand.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A call and its function, if it can be made here and now, and nothing in it runs before it.
    fn usual<'a, 'py>(
        &self,
        py: Python<'py>,
        incoming: &'a Incoming,
    ) -> PyResult<Option<(Call<'a, 'py>, Bound<'py, PyAny>)>> {
        let payload = &incoming.payload;
        let is_alone = payload.buffers.is_empty() && incoming.values.is_empty();
        if incoming.call == LOAD || !is_alone || !self.quiet.get().has_no_journal(py) {
            return Ok(None);
        }
        let Some(call) = Call::decode(py, &payload.head) else {
            return Ok(None);
        };
        let world = self.endpoint.get().world(py, &incoming.world);
        let mut stand = self.stand();
        if !stand.world.as_ref().is_some_and(|here| world.is(here)) {
            return Ok(None);
        }
        let module = stand.module.as_ref().map(|module| module.bind(py).clone());
        // others may look names up in their own way
        let Some(module) = module.and_then(|one| one.cast_into_exact::<PyModule>().ok()) else {
            return Ok(None);
        };
        let name = match &stand.name {
            Some(known) if known.bind(py).to_str()? == call.name => known.bind(py).clone(),
            _ => {
                let name = PyString::intern(py, call.name);
                stand.name = Some(name.clone().unbind());
                name
            }
        };
        drop(stand);
        let function = module.dict().get_item(name)?;
        Ok(function.map(|function| (call, function)))
    }

    /// What came of a call is for Python.
    fn finish(
        &self,
        py: Python<'_>,
        call: u64,
        name: &str,
        made: PyResult<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (value, raised) = match made {
            Ok(value) => (value, None),
            Err(error) => (
                py.None().into_bound(py),
                Some(error.into_value(py).into_bound(py)),
            ),
        };
        self.finish.bind(py).call1((call, name, value, raised))?;
        Ok(())
    }
}

/// The number of no call: the order to load the module.
const LOAD: u64 = 0;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Serving>()
}
