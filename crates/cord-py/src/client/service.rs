//! How a remote module is served, and how its functions are called, as Python says it.

use std::sync::Arc;
use std::time::Duration;

use cord_dispatch::manner::{Batch, Care, GateSpec, Hedge, Rate};
use cord_dispatch::migration::{Load, Rule, Share, Trigger};
use cord_dispatch::module_spec::ModuleSpec;
use cord_sync::budget::Budget;
use cord_wire::priority::Priority;
use cord_wire::resident::Most;
use cord_wire::transport::Transport;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// How calls of one kind are sent to replicas: see `cord_dispatch::manner::Manner`.
#[pyclass(frozen, module = "cord._core")]
pub struct Manner(cord_dispatch::manner::Manner);

#[pymethods]
impl Manner {
    #[new]
    #[pyo3(signature = (*, watermark=None, batch_calls=None, batch_bytes=None, shares=None, lookahead=None, is_tended=false, deadline=None, retries=None, hedge_part=None, hedge_after=None, gate=None))]
    #[expect(clippy::too_many_arguments, reason = "what the plan says of calls")]
    fn new(
        watermark: Option<usize>,
        batch_calls: Option<usize>,
        batch_bytes: Option<usize>,
        shares: Option<Vec<u32>>,
        lookahead: Option<(usize, usize)>,
        is_tended: bool,
        deadline: Option<f64>,
        retries: Option<u32>,
        hedge_part: Option<f64>,
        hedge_after: Option<f64>,
        gate: Option<usize>,
    ) -> Self {
        let batch = match (batch_calls, batch_bytes) {
            (Some(calls), _) => Batch::Calls(calls.max(1)),
            (None, Some(bytes)) => Batch::Bytes(bytes),
            (None, None) => Batch::Auto,
        };
        let budget =
            lookahead.map_or_else(Budget::default, |(calls, bytes)| Budget::new(calls, bytes));
        let hedge = hedge_part.map(Hedge::Quantile);
        let care = Care {
            deadline: deadline.map(seconds),
            retries,
            hedge: hedge.or(hedge_after.map(|time| Hedge::After(seconds(time)))),
            gate,
        };
        Self(cord_dispatch::manner::Manner {
            watermark: watermark.map(|most| most.max(1)),
            batch,
            shares,
            budget: Arc::new(budget),
            care: is_tended.then(|| Arc::new(care)),
        })
    }
}

/// A time of the plan's, which is never out of range.
fn seconds(time: f64) -> Duration {
    Duration::try_from_secs_f64(time).unwrap_or(Duration::MAX)
}

/// How replicas pass queued calls to one another: see `cord_dispatch::migration::Migration`.
#[pyclass(frozen, module = "cord._core")]
pub struct Migration(cord_dispatch::migration::Migration);

/// From so many calls on, and up to so many.
type Bounds = (usize, Option<usize>);

/// Who sends, who receives, whether the sender begins, at which load, how much of what waits.
type Link = (u32, u32, bool, Bounds, (usize, usize));

fn load((least, most): Bounds) -> Load {
    Load {
        least,
        most: most.unwrap_or(usize::MAX),
    }
}

fn share((parts, of): (usize, usize)) -> Share {
    Share {
        parts,
        of: of.max(1),
    }
}

#[pymethods]
impl Migration {
    #[new]
    fn new(links: Vec<Link>) -> Self {
        let rule = |(from, to, sender_begins, bounds, part)| Rule {
            from,
            to,
            trigger: if sender_begins {
                Trigger::Overload(load(bounds))
            } else {
                Trigger::Underload(load(bounds))
            },
            share: share(part),
        };
        Self(cord_dispatch::migration::Migration::Links(
            links.into_iter().map(rule).collect(),
        ))
    }

    /// All are linked to all.
    #[staticmethod]
    #[pyo3(signature = (overload, underload, share))]
    fn full(overload: Option<Bounds>, underload: Option<Bounds>, share: (usize, usize)) -> Self {
        Self(cord_dispatch::migration::Migration::Full {
            overload: overload.map(load),
            underload: underload.map(load),
            share: self::share(share),
        })
    }
}

/// A transport by its name in the plan.
///
/// # Errors
/// `ValueError` if there is none of that name.
pub fn transport_of(name: &str) -> PyResult<Transport> {
    match name {
        "auto" => Ok(Transport::Auto),
        "shm" => Ok(Transport::Shm),
        "unix" => Ok(Transport::Unix),
        "tcp" => Ok(Transport::Tcp),
        _ => Err(PyValueError::new_err(format!(
            "no transport is called {name}"
        ))),
    }
}

/// A remote module and how it is served.
#[pyclass(frozen, module = "cord._core")]
pub struct Module(pub ModuleSpec);

#[pymethods]
impl Module {
    #[new]
    #[pyo3(signature = (name, replicas, manners=Vec::new(), migration=None, resident_bytes=None, transport="auto", keeps_state=false, at_start=None, most=None, threads=1, gates=Vec::new(), rates=Vec::new(), again=0.0, recycle=None))]
    #[expect(clippy::too_many_arguments, reason = "what the plan says of a module")]
    fn new(
        name: &str,
        replicas: u32,
        manners: Vec<PyRef<'_, Manner>>,
        migration: Option<PyRef<'_, Migration>>,
        resident_bytes: Option<usize>,
        transport: &str,
        keeps_state: bool,
        at_start: Option<u32>,
        most: Option<u32>,
        threads: u32,
        gates: Vec<(Option<usize>, usize, bool)>,
        rates: Vec<(f64, f64)>,
        again: f64,
        recycle: Option<u32>,
    ) -> PyResult<Self> {
        if keeps_state && replicas > 1 {
            return Err(PyValueError::new_err("a state is kept by one replica"));
        }
        let mut spec = ModuleSpec::plain(name, replicas);
        spec.migration = migration.map(|migration| migration.0.clone());
        spec.transport = transport_of(transport)?;
        spec.keeps_state = keeps_state;
        spec.again = again;
        spec.recycle = recycle;
        spec.most = most.unwrap_or(replicas).max(replicas);
        spec.at_start = at_start.unwrap_or(u32::MAX);
        spec.threads = threads.max(1);
        let gate = |(rate, group, layered)| GateSpec {
            rate,
            group,
            layered,
        };
        spec.gates = gates.into_iter().map(gate).collect();
        let rate = |(calls, time)| Rate {
            calls,
            per: seconds(time),
        };
        spec.rates = rates.into_iter().map(rate).collect();
        if let Some(bytes) = resident_bytes {
            spec.resident = Most::of_bytes(bytes);
        }
        if !manners.is_empty() {
            spec.manners = manners.iter().map(|manner| manner.0.clone()).collect();
        }
        Ok(Self(spec))
    }
}

/// How one function is called: by all, or by one module of the program.
#[pyclass(frozen, module = "cord._core")]
pub struct Use {
    /// Whether scouts issue calls.
    pub ahead: bool,
    /// Calls have effects: scouts issue only those that the program is certain to make.
    pub independent: bool,
    /// Index of the manner in the module.
    pub manner: u32,
    /// Whether its value may go from replica to replica, where it is only passed on.
    pub forward: bool,
    /// Whether calls may be given values that the client does not see.
    pub given: bool,
    /// Whether calls that take less time than shipping them are made in the client.
    pub inline: bool,
    /// What carries them.
    pub transport: Transport,
    /// Python: the priority of a call with these arguments.
    priority: Option<Py<PyAny>>,
    /// The function of the project's whose results stand in for values in copies, as `module.function`.
    pub guess: Option<String>,
}

#[pymethods]
impl Use {
    #[new]
    #[pyo3(signature = (*, ahead=false, independent=false, manner=0, forward=false, given=false, inline=false, transport="auto", priority=None, guess=None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "what the plan says of a function"
    )]
    fn new(
        ahead: bool,
        independent: bool,
        manner: u32,
        forward: bool,
        given: bool,
        inline: bool,
        transport: &str,
        priority: Option<Py<PyAny>>,
        guess: Option<String>,
    ) -> PyResult<Self> {
        Ok(Self {
            ahead,
            independent,
            manner,
            forward,
            given,
            inline,
            transport: transport_of(transport)?,
            priority,
            guess,
        })
    }
}

impl Use {
    /// The priority of a call with these arguments.
    pub fn priority(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Priority> {
        let Some(priority) = &self.priority else {
            return Ok(Priority::default());
        };
        let value: f64 = priority.bind(py).call(args, kwargs)?.extract()?;
        Ok(Priority::new(value))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Manner>()?;
    module.add_class::<Migration>()?;
    module.add_class::<Module>()?;
    module.add_class::<Use>()
}
