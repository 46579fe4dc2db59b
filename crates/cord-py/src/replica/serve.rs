//! The usual call in a replica, from its frame to its reply: a function of the module is given values
//! that are unpickled natively (`scalars.rs`, `pickling/`), and prints nothing; what it returns is
//! pickled natively. A request of HTTP is given to what answers them. Whatever else there is goes to Python (`engines/local/answering.py`): before the
//! call is made, or with what came of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use cord_core::endpoint::{Incoming, LOAD};
use cord_wire::buffer::Buffer;
use cord_wire::codec::Codec;
use cord_wire::payload::Payload;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyModule, PyString, PyTuple};

use crate::replica::driven::driven;
use crate::replica::endpoint::{Endpoint, Request};
use crate::replica::leftovers::{Given, Leftovers};
use crate::replica::named::{find_function, first};
use crate::replica::output::Quiet;
use crate::replica::outside::{Lookout, Stopped};
use crate::travel::buffers::{buffers_from_py, buffers_to_py, Outside};
use crate::travel::large::bytes;
use crate::travel::mentions::mentions_main;
use crate::travel::pickling;
use crate::travel::scalars::{self, encode_result};

/// Arguments of so many bytes and more take a while to decode: that is no part of the call.
pub const LONG_TO_DECODE: usize = 64 << 10;

/// Makes usual calls by itself.
#[pyclass(frozen, module = "cord._core")]
pub struct Serving {
    endpoint: Py<Endpoint>,
    /// Whether a call has written something, and what: encoded.
    quiet: Py<Quiet>,
    drain: Py<PyAny>,
    /// Answers a call that was made and is not usual: by its number, its function's name, its value or
    /// what it raised, and its arguments, if some may be in that.
    finish: Py<PyAny>,
    /// What calls leave behind; and what answers one that has left something.
    leftovers: Py<Leftovers>,
    disown: Py<PyAny>,
    /// Which calls are to do nothing outside.
    outside: Py<Lookout>,
    stand: Mutex<Stand>,
    /// Whether it has made any.
    has_made: AtomicBool,
}

/// A call that is made here.
enum Call<'a, 'py> {
    OfScalars(scalars::Call<'a, 'py>),
    OfValues(pickling::Call<'py>),
}

impl<'a, 'py> Call<'a, 'py> {
    fn decode(py: Python<'py>, payload: &'a Payload) -> Option<Self> {
        let is_alone = payload.buffers.is_empty();
        let scalars = is_alone.then(|| scalars::Call::decode(py, &payload.head));
        match scalars.flatten() {
            Some(call) => Some(Call::OfScalars(call)),
            None => pickling::read_call(py, payload).map(Call::OfValues),
        }
    }

    /// The name of the function.
    fn name(&self) -> PyResult<&str> {
        match self {
            Call::OfScalars(call) => Ok(call.name),
            Call::OfValues(call) => call.name.to_str(),
        }
    }

    /// Those arguments that a call may change.
    fn values(&self) -> (Option<&Bound<'py, PyTuple>>, Option<&Bound<'py, PyDict>>) {
        match self {
            Call::OfScalars(_) => (None, None),
            Call::OfValues(call) => (Some(&call.args), Some(&call.kwargs)),
        }
    }

    fn make(self, function: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Call::OfScalars(call) => call.make(function),
            Call::OfValues(call) => call.make(function),
        }
    }
}

/// A call, its name and its function.
type Usual<'a, 'py> = (Call<'a, 'py>, Bound<'py, PyString>, Bound<'py, PyAny>);

/// How things stand in this process.
#[derive(Default)]
struct Stand {
    /// The module; `None` until it is loaded.
    module: Option<Py<PyAny>>,
    /// The world in which this process is.
    world: Option<Py<PyBytes>>,
    /// The name that was looked up last.
    name: Option<Py<PyString>>,
    /// What answers requests of HTTP; `None` until one has come.
    web: Option<Py<PyAny>>,
    /// By the names of functions, whether what calls change of their arguments goes home; `None`: of
    /// none.
    restored: Option<Py<PyAny>>,
}

#[pymethods]
impl Serving {
    #[new]
    fn new(
        endpoint: Py<Endpoint>,
        quiet: Py<Quiet>,
        drain: Py<PyAny>,
        finish: Py<PyAny>,
        leftovers: Py<Leftovers>,
        disown: Py<PyAny>,
        outside: Py<Lookout>,
    ) -> Serving {
        Serving {
            endpoint,
            quiet,
            drain,
            finish,
            leftovers,
            disown,
            outside,
            stand: Mutex::default(),
            has_made: AtomicBool::new(false),
        }
    }

    /// Whether it has made any call.
    fn has_made(&self) -> bool {
        self.has_made.load(Ordering::Relaxed)
    }

    /// Says that the module is loaded, perhaps once more.
    fn has_module(&self, module: Bound<'_, PyAny>) {
        self.stand().module = Some(module.unbind());
    }

    /// Says what answers requests of HTTP from now on: given the head and the buffers, it gives a head
    /// and buffers, and raises nothing.
    fn answers_http(&self, web: Bound<'_, PyAny>) {
        self.stand().web = Some(web.unbind());
    }

    /// Says of which functions what calls change of their arguments goes home: Python sees to it.
    fn restores(&self, restored: Bound<'_, PyAny>) {
        self.stand().restored = Some(restored.unbind());
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
            if let Some(web) = self.web(py, &incoming) {
                here = self.answer_http(py, incoming, &web)?;
                continue;
            }
            let Some((call, name, function)) = self.usual(py, &incoming)? else {
                match endpoint.request_if_room(py, incoming)? {
                    Some(request) => return Ok(Some(request)),
                    None => continue,
                }
            };
            if incoming.payload.head.len() >= LONG_TO_DECODE {
                endpoint.core().begin_anew();
            }
            self.has_made.store(true, Ordering::Relaxed);
            let leftovers = self.leftovers.get();
            let (args, kwargs) = call.values();
            let seen = match leftovers.begin(py, &name, &function, args, kwargs) {
                Err(error) if error.is_instance_of::<Stopped>(py) => {
                    self.finish(py, incoming.call, &name, Err(error), None)?;
                    continue;
                }
                seen => seen?,
            };
            if let Some(seen) = seen.as_ref().filter(|seen| seen.is_vain()) {
                if let Some(what) = leftovers.end(py, seen)? {
                    self.disown.bind(py).call1((incoming.call, what))?;
                    continue;
                }
            }
            let made = {
                let code = || driven(&function, call.make(&function));
                let make = || endpoint.interruptible(code);
                let at = self.endpoint.bind(py);
                self.outside
                    .get()
                    .during(at, incoming.call, name.to_str()?, make)
            };
            if let Some(seen) = &seen {
                if let Some(what) = leftovers.end(py, seen)? {
                    self.disown.bind(py).call1((incoming.call, what))?;
                    continue;
                }
            }
            let viewed = self.outside.get().has_view();
            let given = match (&made, &seen) {
                (Ok(value), Some(seen)) => seen.shared_with(value),
                (_, seen) => seen.as_ref().and_then(|seen| seen.given(py)),
            };
            let encoded = match &made {
                Ok(_) if given.is_some() => None,
                Ok(value) if !endpoint.is_local() && !leftovers.is_homeward() && !viewed => {
                    self.encode(&mut head, value)
                }
                _ => None,
            };
            let Some(buffers) = encoded else {
                self.finish(py, incoming.call, &name, made, given)?;
                continue;
            };
            drop(made);
            let output = self.output(py)?;
            let output = output.as_ref().map_or(&b""[..], |output| output.as_bytes());
            let output = endpoint.behind_what_was_read(output);
            // what the main script defines goes with the arguments only
            let may_be_passed = incoming.keeps && !mentions_main(&head);
            let core = endpoint.core();
            here = core.reply_and_next(incoming, (&head, buffers), &output, may_be_passed);
        }
    }
}

impl Serving {
    fn stand(&self) -> MutexGuard<'_, Stand> {
        self.stand.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What answers a request of HTTP, if that is one, and nothing has to be done before.
    fn web<'py>(&self, py: Python<'py>, incoming: &Incoming) -> Option<Bound<'py, PyAny>> {
        let is_one = incoming.payload.codec == Codec::HTTP && incoming.call != LOAD;
        if !is_one || !incoming.values.is_empty() || !self.quiet.get().has_no_journal(py) {
            return None;
        }
        let world = self.endpoint.get().world(py, &incoming.world);
        let stand = self.stand();
        let is_here = stand.world.as_ref().is_some_and(|here| world.is(here));
        let web = stand
            .web
            .as_ref()
            .filter(|_| is_here && stand.module.is_some());
        web.map(|web| web.bind(py).clone())
    }

    /// Answers a request of HTTP; the next call, if one is there.
    fn answer_http(
        &self,
        py: Python<'_>,
        mut incoming: Incoming,
        web: &Bound<'_, PyAny>,
    ) -> PyResult<Option<Incoming>> {
        let endpoint = self.endpoint.get();
        let head = bytes(py, &incoming.payload.head)?;
        let buffers = buffers_to_py(py, std::mem::take(&mut incoming.payload.buffers))?;
        let made = endpoint.interruptible(|| web.call1((head, buffers)));
        let made = match made.and_then(|made| Ok(made.cast_into::<PyTuple>()?)) {
            Ok(made) => made,
            Err(error) => {
                self.finish(py, incoming.call, &PyString::new(py, ""), Err(error), None)?;
                return Ok(None);
            }
        };
        let head = made.get_item(0)?.cast_into::<PyBytes>()?;
        let outside = Outside::Copied(endpoint.shared_from());
        let buffers = buffers_from_py(py, &made.get_item(1)?.cast_into::<PyList>()?, outside)?;
        let output = self.output(py)?;
        let output = output.as_ref().map_or(&b""[..], |output| output.as_bytes());
        let core = endpoint.core();
        Ok(core.reply_and_next(incoming, (head.as_bytes(), buffers), output, false))
    }

    /// What the call has written, encoded; `None` for nothing.
    fn output<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        if self.quiet.get().holds(py)? {
            return Ok(None);
        }
        Ok(Some(self.drain.bind(py).call0()?.cast_into::<PyBytes>()?))
    }

    /// Pickles what a call has returned, if that takes no pickler: the head, and what is beside it.
    fn encode(&self, head: &mut Vec<u8>, value: &Bound<'_, PyAny>) -> Option<Vec<Buffer>> {
        if encode_result(head, value).is_some() {
            return Some(Vec::new());
        }
        let written = pickling::write(value)?;
        *head = written.head;
        let outside = Outside::Copied(self.endpoint.get().shared_from());
        let beside = written.beside.into_iter();
        // where there is no memory for a copy, Python says so
        let copied = beside.map(|view| view.into_buffer(value.py(), outside));
        copied.collect::<PyResult<_>>().ok()
    }

    /// A call, its function and the name of that, if it can be made here and now, and nothing in it
    /// runs before it.
    fn usual<'a, 'py>(
        &self,
        py: Python<'py>,
        incoming: &'a Incoming,
    ) -> PyResult<Option<Usual<'a, 'py>>> {
        let is_plain = incoming.values.is_empty()
            && incoming.group == 0
            && incoming.payload.codec == Codec::PICKLE;
        if incoming.call == LOAD || !is_plain || !self.quiet.get().has_no_journal(py) {
            return Ok(None);
        }
        let world = self.endpoint.get().world(py, &incoming.world);
        let stand = self.stand();
        if !stand.world.as_ref().is_some_and(|here| world.is(here)) {
            return Ok(None);
        }
        let module = stand.module.as_ref().map(|module| module.bind(py).clone());
        // others may look names up in their own way
        let Some(module) = module.and_then(|one| one.cast_into_exact::<PyModule>().ok()) else {
            return Ok(None);
        };
        let known = stand.name.as_ref().map(|name| name.bind(py).clone());
        let restored = stand.restored.as_ref().map(|one| one.bind(py).clone());
        drop(stand);
        let Some(call) = Call::decode(py, &incoming.payload) else {
            return Ok(None);
        };
        if let (Call::OfValues(values), Some(restored)) = (&call, restored) {
            if restored.get_item(&values.name)?.is_truthy()? {
                return Ok(None);
            }
        }
        let name = match known {
            Some(known) if known.to_str()? == call.name()? => known,
            _ => {
                let name = PyString::intern(py, call.name()?);
                self.stand().name = Some(name.clone().unbind());
                name
            }
        };
        let function = match first(&module, name.to_str()?)? {
            Some(found) => Some(found),
            None => match module.dict().get_item(&name)? {
                None if name.to_str()?.contains('.') => find_function(&module, name.to_str()?).ok(),
                found => found,
            },
        };
        Ok(function.map(|function| (call, name, function)))
    }

    /// What came of a call is for Python.
    fn finish(
        &self,
        py: Python<'_>,
        call: u64,
        name: &Bound<'_, PyString>,
        made: PyResult<Bound<'_, PyAny>>,
        given: Option<Given<'_>>,
    ) -> PyResult<()> {
        let (value, raised) = match made {
            Ok(value) => (value, None),
            Err(error) => (
                py.None().into_bound(py),
                Some(error.into_value(py).into_bound(py)),
            ),
        };
        self.finish
            .bind(py)
            .call1((call, name, value, raised, given))?;
        Ok(())
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Serving>()
}
