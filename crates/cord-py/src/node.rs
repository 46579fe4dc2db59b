//! Gateways and agents, for the processes that are one.

use std::net::{IpAddr, SocketAddr};
use std::os::fd::RawFd;
use std::sync::Mutex;
use std::time::Duration;

use cord_node::{Ended, Gateway, Key, Serving, Settings};
use cord_wire::transport::Transport;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::client::service::transport_of;
use crate::replica::endpoint::owned;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(new_key, module)?)?;
    module.add_function(wrap_pyfunction!(new_key_pair, module)?)?;
    module.add_function(wrap_pyfunction!(run_gateway, module)?)?;
    module.add_class::<Agent>()
}

/// A key for one run, which both ends of its wires are to hold.
#[pyfunction]
fn new_key(py: Python<'_>) -> PyResult<Bound<'_, PyBytes>> {
    Ok(PyBytes::new(py, Key::generate()?.bytes()))
}

/// Two keys, for the two ends of wires; each expects the other.
#[pyfunction]
fn new_key_pair(py: Python<'_>) -> PyResult<(Bound<'_, PyBytes>, Bound<'_, PyBytes>)> {
    let (one, other) = Key::pair()?;
    Ok((
        PyBytes::new(py, one.bytes()),
        PyBytes::new(py, other.bytes()),
    ))
}

/// Be the gateway of a run, until it is over. All descriptors are taken over.
#[pyfunction]
#[pyo3(signature = (control, stops, status, welcome, code, transports, resident, patience, pipes, listener=None, key=None, beside=None, notices=None, anew=None, threads=Vec::new(), absent=Vec::new()))]
#[allow(clippy::too_many_arguments)]
fn run_gateway(
    py: Python<'_>,
    control: RawFd,
    stops: Vec<RawFd>,
    status: RawFd,
    welcome: Vec<u8>,
    code: Vec<u8>,
    transports: Vec<String>,
    resident: usize,
    patience: f64,
    pipes: Vec<(String, RawFd, RawFd)>,
    listener: Option<RawFd>,
    key: Option<Vec<u8>>,
    beside: Option<RawFd>,
    notices: Option<RawFd>,
    anew: Option<RawFd>,
    threads: Vec<u32>,
    absent: Vec<(String, IpAddr, u16)>,
) -> PyResult<()> {
    let pipe = |(name, reader, writer): &(String, RawFd, RawFd)| {
        let reader = owned(*reader)?;
        let writer = match *writer {
            -1 => reader.try_clone()?, // it is a socket
            writer => owned(writer)?,
        };
        Ok((name.clone(), reader, writer))
    };
    let settings = Settings {
        control: owned(control)?,
        stops: stops
            .iter()
            .map(|stop| owned(*stop))
            .collect::<Result<_, _>>()?,
        beside: beside.map(owned).transpose()?,
        notices: notices.map(owned).transpose()?,
        anew: anew.map(owned).transpose()?,
        status: owned(status)?,
        listener: listener.map(owned).transpose()?,
        key: key.map(|key| Key::read(&key)).transpose()?,
        pipes: pipes.iter().map(pipe).collect::<PyResult<_>>()?,
        absent: absent
            .into_iter()
            .map(|(name, host, port)| (name, SocketAddr::new(host, port)))
            .collect(),
        welcome,
        code,
        transports: all(&transports)?,
        threads,
        resident,
        patience: Duration::from_secs_f64(patience),
    };
    let mut gateway = Gateway::new(settings)?;
    Ok(py.detach(|| gateway.run())?)
}

fn all(transports: &[String]) -> PyResult<Vec<Transport>> {
    transports.iter().map(|name| transport_of(name)).collect()
}

/// What serves a node. Used by one thread.
#[pyclass(frozen, module = "cord._core")]
struct Agent(Mutex<cord_node::Agent>);

#[pymethods]
impl Agent {
    /// One that connects to a gateway's address.
    #[staticmethod]
    fn connect(py: Python<'_>, address: &str, key: Vec<u8>) -> PyResult<Agent> {
        let key = Key::read(&key)?;
        let agent = py.detach(|| cord_node::Agent::connect(address, key))?;
        Ok(Agent(Mutex::new(agent)))
    }

    /// One whose gateway has connected to it by a socket; the door brings those by which it does so
    /// again. Both are taken over.
    #[staticmethod]
    fn accepted(socket: RawFd, key: Vec<u8>, door: RawFd) -> PyResult<Agent> {
        let agent = cord_node::Agent::accepted(owned(socket)?, Key::read(&key)?, owned(door)?)?;
        Ok(Agent(Mutex::new(agent)))
    }

    /// One whose gateway is behind these descriptors, which are taken over.
    #[staticmethod]
    fn behind(reader: RawFd, writer: RawFd) -> PyResult<Agent> {
        let agent = cord_node::Agent::behind(owned(reader)?, owned(writer)?)?;
        Ok(Agent(Mutex::new(agent)))
    }

    /// Wait until the gateway says what is to be served.
    fn welcome<'py>(&self, py: Python<'py>, seconds: f64) -> PyResult<Bound<'py, PyBytes>> {
        let longest = Duration::from_secs_f64(seconds);
        let welcome = self.alone(py, |agent| agent.welcome(longest))?;
        Ok(PyBytes::new(py, &welcome))
    }

    /// Have the gateway send the program's code.
    fn fetch_code<'py>(
        &self,
        py: Python<'py>,
        size: usize,
        seconds: f64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let longest = Duration::from_secs_f64(seconds);
        let code = self.alone(py, |agent| agent.fetch_code(size, longest))?;
        Ok(PyBytes::new(py, &code))
    }

    /// Tell the gateway that this node cannot serve, or not any longer, and why.
    fn refuse(&self, py: Python<'_>, why: &str) -> PyResult<()> {
        self.alone(py, |agent| agent.refuse(why))
    }

    /// Serve until the run is over (`None`), or something else ends it: what.
    #[pyo3(signature = (zygote, stop, facts, transports, resident, patience, lasting=None, there=Vec::new()))]
    #[allow(clippy::too_many_arguments)]
    fn serve(
        &self,
        py: Python<'_>,
        zygote: RawFd,
        stop: RawFd,
        facts: &str,
        transports: Vec<String>,
        resident: usize,
        patience: f64,
        lasting: Option<RawFd>,
        there: Vec<Option<u32>>,
    ) -> PyResult<Option<String>> {
        let (zygote, stop) = (owned(zygote)?, owned(stop)?);
        let serving = Serving {
            transports: all(&transports)?,
            resident,
            patience: Duration::from_secs_f64(patience),
            lasting: lasting.map(owned).transpose()?,
            there,
        };
        let ended = self.alone(py, |agent| agent.serve(zygote, stop, facts, serving))?;
        Ok(match ended {
            Ended::Finished => None,
            Ended::Stopped => Some("it was told to stop".to_owned()),
            Ended::Lost(why) => Some(why),
        })
    }
}

impl Agent {
    fn alone<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut cord_node::Agent) -> std::io::Result<T> + Send,
    ) -> PyResult<T> {
        let done = py.detach(|| match self.0.try_lock() {
            Ok(mut agent) => act(&mut agent).map(Some),
            Err(_) => Ok(None),
        })?;
        done.ok_or_else(|| PyRuntimeError::new_err("another thread uses this agent"))
    }
}
