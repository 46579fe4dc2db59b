//! The client's session and its tickets.

use std::collections::{BTreeMap, HashMap};
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use cord_copies::{end, why, Copies};
use cord_core::call::Call;
use cord_core::kept::{Keep, Kept, Tally};
use cord_dispatch::audit::Auditor;
use cord_dispatch::module_spec::ModuleSpec;
use cord_sync::budget::Budget;
use cord_wire::codec::Codec;
use cord_wire::effects::Effects;
use cord_wire::loss::Fallen;
use cord_wire::payload::{is_same_world, Payload, World};
use cord_wire::priority::Priority;
use cord_wire::segment::SHARED_FROM;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::client::committed::{Committed, Untaken};
use crate::client::definitions::Mentioned;
use crate::client::service::Module;
use crate::client::ticket::Ticket;
use crate::client::world::ClientWorld;
use crate::copies;
use crate::replica::endpoint::owned;
use crate::takes::outcome;
use crate::takes::standing::look_away;
use crate::trace::{self, Trace};
use crate::travel::buffers::{buffers_from_py, Outside};

/// The replicas of a run. `control_fd`, a `SOCK_SEQPACKET` socket, is taken over.
#[pyclass(frozen, module = "cord._core")]
pub struct Session {
    core: Arc<cord_core::session::Session>,
    copies: OnceLock<Copies>,
    /// What Python does in forked children.
    hooks: OnceLock<Py<PyList>>,
    modules: u32,
    /// Replicas are on other machines.
    pub is_far: bool,
    world: ClientWorld,
    mentioned: Mentioned,
    committed: Committed,
    /// Set where there are no replicas any more, or none of this process.
    local: AtomicBool,
    /// Replicas may keep something that this process has not: they were given a call with effects.
    has_state: AtomicBool,
    /// By module, who makes calls that depend on one another.
    makers: Vec<AtomicU8>,
    /// Whether this is a forked child of the program.
    is_forked: AtomicBool,
}

/// Who makes the calls of a module that depend on one another: nobody yet, its replicas, or the program.
const NOBODY: u8 = 0;
const REPLICAS: u8 = 1;
const PROGRAM: u8 = 2;

/// A replica that is gone: index of its module, process id and wait status.
type PlainFallen = (u32, u32, Option<i32>);

/// A tally, as Python sees it.
type PlainTally = (u64, f64, u64, u64, (u64, u64), (u64, u64, u32), u64);

/// What has become of a function's calls, as Python sees it.
type PlainKept = (
    u64,
    f64,
    u64,
    u64,
    HashMap<String, u64>,
    HashMap<String, u64>,
);

/// How a call is issued: see [`Call`].
#[derive(Default)]
pub struct How {
    pub manner: u32,
    pub priority: Priority,
    pub beside: bool,
    pub ahead: bool,
    pub chain: u32,
    pub needs: Vec<u64>,
    /// Nobody is woken for it: who issues it waits for it at once, or wakes the dispatcher.
    pub quiet: bool,
    /// The world was looked at for it just now, or whoever takes it looks at the world it was issued in.
    pub is_world_seen: bool,
    /// Who hears of it if the call is made again and gives something else.
    pub auditor: Option<Arc<dyn Auditor>>,
    /// What the call is known by in later runs, made in this world.
    pub keep: Option<(Box<Keep>, World)>,
}

impl Session {
    /// Whether remote functions run locally.
    pub fn is_local(&self) -> bool {
        self.local.load(Ordering::Relaxed)
    }

    pub fn core(&self) -> &cord_core::session::Session {
        &self.core
    }

    /// The same, for who outlives this.
    pub fn shared_core(&self) -> Arc<cord_core::session::Session> {
        Arc::clone(&self.core)
    }

    /// Whether replicas may keep something that this process has not.
    pub fn has_state(&self) -> bool {
        self.has_state.load(Ordering::Relaxed)
    }

    /// Whether this is a forked child, and replicas of a module keep what it has not.
    pub fn has_left_behind(&self, module: u32) -> bool {
        let maker = self.makers.get(module as usize);
        self.is_forked.load(Ordering::Relaxed)
            && maker.is_some_and(|maker| maker.load(Ordering::Relaxed) == REPLICAS)
    }

    /// Whether the program makes the calls of a module that depend on one another.
    pub fn is_the_programs(&self, module: u32) -> bool {
        let maker = self.makers.get(module as usize);
        maker.is_some_and(|maker| maker.load(Ordering::Relaxed) == PROGRAM)
    }

    /// Whether none of them has been made by replicas.
    pub fn is_nobodys(&self, module: u32) -> bool {
        let maker = self.makers.get(module as usize);
        maker.is_some_and(|maker| maker.load(Ordering::Relaxed) == NOBODY)
    }

    /// Lets the program make them from now on; not if replicas have made some.
    pub fn take_over(&self, module: u32) -> bool {
        self.makers.get(module as usize).is_some_and(|maker| {
            let (to, order) = (PROGRAM, Ordering::Relaxed);
            maker.compare_exchange(NOBODY, to, order, order).is_ok() || self.is_the_programs(module)
        })
    }

    /// Whether the program has closed descriptors that lead to the replicas.
    pub fn is_cut_off(&self) -> bool {
        self.core.is_cut_off()
    }

    /// The same, after looking at all descriptors: before the first call that must not be made twice.
    pub fn is_found_cut_off(&self) -> bool {
        self.core.look();
        self.core.is_cut_off()
    }

    /// The program has closed a descriptor: nothing more goes to the replicas.
    pub fn cut_off(&self) {
        self.core.cut_off();
    }

    /// Waits until a call is settled; signals reach the program meanwhile.
    pub fn wait(&self, py: Python<'_>, ticket: &cord_core::ticket::Ticket) -> PyResult<()> {
        if copies::is_copy() {
            end(why::SESSION);
        }
        while !ticket.is_settled() {
            self.wait_for_a_moment(py, ticket);
            if copies::is_copy() {
                return Ok(()); // who asks looks whether it is one
            }
            py.check_signals()?;
        }
        Ok(())
    }

    /// Wakes the dispatcher for what was issued quietly.
    pub fn rouse(&self) {
        self.core.rouse();
    }

    /// Issues a call of a module.
    pub fn issue_call(
        &self,
        py: Python<'_>,
        module: u32,
        effects: Effects,
        how: How,
        payload: Payload,
    ) -> PyResult<cord_core::ticket::Ticket> {
        if copies::is_copy() {
            end(why::SESSION);
        }
        let world = match how.is_world_seen {
            true => self.world.just_seen(py, effects)?,
            false => self.world.now(py, effects)?,
        };
        if !effects.is_pure() && !self.has_state() {
            self.has_state.store(true, Ordering::Relaxed);
        }
        if effects == Effects::Stateful {
            if let Some(maker) = self.makers.get(module as usize) {
                maker.store(REPLICAS, Ordering::Relaxed);
            }
        }
        let How {
            manner,
            priority,
            beside,
            ahead,
            chain,
            needs,
            quiet,
            is_world_seen: _,
            auditor,
            keep,
        } = how;
        let is_here = |then: &World| is_same_world(then, &world);
        let keep = keep.and_then(|(keep, then)| is_here(&then).then_some(keep));
        let call = Call {
            module,
            effects,
            manner,
            priority,
            beside,
            ahead,
            chain,
            needs,
            payload,
            world,
            auditor,
            keep,
        };
        Ok(match quiet {
            true => self.core.issue_quietly(call),
            false => self.core.issue(call),
        })
    }

    /// What may be out ahead of the program of the calls of a module in one manner.
    pub fn budget(&self, module: u32, manner: u32) -> &Arc<Budget> {
        self.core.budget(module, manner)
    }

    fn check(&self, module: u32) -> PyResult<()> {
        if module < self.modules {
            return Ok(());
        }
        Err(PyValueError::new_err(format!(
            "no module {module} in this session"
        )))
    }

    /// Copies of the program, if the plan wants them.
    pub fn copies(&self) -> Option<&Copies> {
        self.copies.get()
    }

    /// What Python does in forked children.
    pub fn hooks(&self) -> Option<&Py<PyList>> {
        self.hooks.get()
    }

    /// The world as it is now, for a call with these effects.
    pub fn world_now(&self, py: Python<'_>, effects: Effects) -> PyResult<World> {
        self.world.now(py, effects)
    }

    /// The world that was looked at just now.
    pub fn world_just_seen(&self, py: Python<'_>, effects: Effects) -> PyResult<World> {
        self.world.just_seen(py, effects)
    }

    /// This thread reads what came of a call.
    #[inline]
    pub fn reads_outcome(&self, ticket: &cord_core::ticket::Ticket) {
        self.world.reads_outcome(ticket.world());
    }

    /// The world as it is now, or why it cannot travel.
    pub fn world_or_not(
        &self,
        py: Python<'_>,
        effects: Effects,
    ) -> PyResult<Result<Arc<World>, String>> {
        self.world.now_or_not(py, effects)
    }

    /// In a copy of the process: tells nobody anything any more.
    pub fn forget(&self) {
        look_away();
        self.core.forget();
    }

    /// Calls with effects that were issued ahead.
    pub fn committed(&self) -> &Committed {
        &self.committed
    }

    /// What impure calls have mentioned of the main script.
    pub fn mentioned(&self) -> &Mentioned {
        &self.mentioned
    }
}

#[pymethods]
impl Session {
    /// Lets the program make the calls of a module that depend on one another; not if replicas have made
    /// some.
    #[pyo3(name = "take_over")]
    fn take_over_for_python(&self, module: u32) -> bool {
        self.take_over(module)
    }

    #[new]
    #[pyo3(signature = (modules, control_fd, is_far=false, trace=None))]
    fn new(
        py: Python<'_>,
        modules: Vec<PyRef<'_, Module>>,
        control_fd: RawFd,
        is_far: bool,
        trace: Option<PyRef<'_, Trace>>,
    ) -> PyResult<Session> {
        let specs: Vec<ModuleSpec> = modules.iter().map(|module| module.0.clone()).collect();
        let modules = u32::try_from(specs.len()).unwrap_or(u32::MAX);
        Ok(Session {
            core: Arc::new(cord_core::session::Session::start(
                specs,
                owned(control_fd)?,
                is_far,
                trace.map(|trace| trace.begin()),
            )?),
            copies: OnceLock::new(),
            hooks: OnceLock::new(),
            modules,
            is_far,
            world: ClientWorld::new(py)?,
            mentioned: Mentioned::default(),
            committed: Committed::default(),
            local: AtomicBool::new(false),
            has_state: AtomicBool::new(false),
            makers: (0..modules).map(|_| AtomicU8::new(NOBODY)).collect(),
            is_forked: AtomicBool::new(false),
        })
    }

    /// Issues a call; never waits. `beside`: no replica is made for it.
    #[pyo3(signature = (module, pure_call, head, buffers, *, codec=0, beside=false, manner=0))]
    #[expect(clippy::too_many_arguments, reason = "the parts of a call")]
    fn issue(
        &self,
        py: Python<'_>,
        module: u32,
        pure_call: bool,
        head: &[u8],
        buffers: &Bound<'_, PyList>,
        codec: u8,
        beside: bool,
        manner: u32,
    ) -> PyResult<Ticket> {
        self.check(module)?;
        let payload = Payload {
            codec: Codec(codec),
            head: head.to_vec(),
            buffers: buffers_from_py(py, buffers, Outside::Copied(SHARED_FROM))?,
        };
        let how = How {
            beside,
            manner,
            ..How::default()
        };
        self.issue_call(py, module, Effects::of(pure_call), how, payload)
            .map(Ticket)
    }

    /// Bytes of results that have come to the client, and of those that have stayed at replicas.
    #[getter]
    fn traffic(&self) -> (u64, u64) {
        let traffic = self.core.traffic();
        (traffic.came(), traffic.stayed())
    }

    /// For each module, how many replicas there have been calls for at once; known once it has ended.
    #[getter]
    fn calls_at_once(&self) -> Vec<u32> {
        self.core.traffic().calls()
    }

    /// For each module, for how many seconds each of its replicas was busy; and the replicas that have
    /// died by themselves: module, process id and wait status. Known once it has ended.
    #[getter]
    fn at_end(&self) -> (Vec<Vec<f64>>, Vec<PlainFallen>) {
        let end = self.core.traffic().at_end();
        let seconds = |nanos: Vec<u64>| {
            let each = nanos.into_iter().map(Duration::from_nanos);
            each.map(|time| time.as_secs_f64()).collect()
        };
        let plain = |(module, lost): (u32, Fallen)| (module, lost.pid, lost.status);
        (
            end.busy.into_iter().map(seconds).collect(),
            end.fallen.into_iter().map(plain).collect(),
        )
    }

    /// For each module, what has become of calls that the plan takes care of: how many have waited for
    /// their turn by a rate, and for how many seconds together; how many were tried again, have taken
    /// longer than they may, were made twice, and answered by the second; in how many groups calls were
    /// served, how many, and how many of these groups have not got a result for each; and how many were
    /// made again. Known once it has ended.
    #[getter]
    fn tended(&self) -> Vec<PlainTally> {
        let traffic = self.core.traffic();
        let tallies = traffic.at_end().tallies.into_iter();
        let plain = |(one, miscounted): (cord_dispatch::dispatcher::Tally, u32)| {
            let wait = Duration::from_nanos(one.wait).as_secs_f64();
            let (copies, groups) = ((one.copies, one.won), (one.groups, one.grouped, miscounted));
            (
                one.waited,
                wait,
                one.retried,
                one.expired,
                copies,
                groups,
                one.again,
            )
        };
        tallies.zip(traffic.miscounted()).map(plain).collect()
    }

    /// Keeps outcomes in a folder from now on, and takes what earlier runs have kept there; `most` bytes stay. The
    /// modules have these names.
    fn keep(&self, folder: std::path::PathBuf, most: u64, modules: Vec<String>) {
        let kept = Kept::open(&folder, most);
        kept.recorder().name_modules(modules);
        self.core.keep(kept);
    }

    /// Scouts go on as far as they can from now on, whatever becomes of what they issue.
    #[staticmethod]
    fn see_far() {
        cord_core::far::see_far();
    }

    /// Worlds of calls that were written down, of which nobody has said what is in them.
    fn worlds_untold<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        let kept = self.core.kept().map(|kept| kept.recorder().lacking());
        let worlds = kept.unwrap_or_default().into_iter();
        worlds.map(|world| PyBytes::new(py, &world)).collect()
    }

    /// What is in such a world.
    fn tell_world(&self, world: &[u8], told: &[u8]) {
        if let Some(kept) = self.core.kept() {
            kept.recorder().put_world(world, told);
        }
    }

    /// What has become of calls whose outcomes are kept, by their functions: how many were there, how many seconds they
    /// had taken, how many were not, how many were kept, what was not, and what was there in vain, by the reason.
    #[getter]
    fn kept(&self) -> BTreeMap<String, PlainKept> {
        let tallies = self.core.kept().map(|kept| kept.tallies());
        let plain = |(name, one): (Arc<str>, Tally)| {
            let saved = Duration::from_nanos(one.saved).as_secs_f64();
            let told = (one.hits, saved, one.misses, one.kept, one.unkept, one.stale);
            (name.to_string(), told)
        };
        tallies.unwrap_or_default().into_iter().map(plain).collect()
    }

    /// Why nothing more is kept, in words.
    #[getter]
    fn kept_trouble(&self) -> Option<String> {
        self.core.kept()?.trouble()
    }

    /// The world as it is now.
    fn world<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.world.now(py, Effects::Stateful)?))
    }

    /// Lets all replicas of a module load it in this world: anew, or once more.
    fn load(&self, module: u32, world: &[u8], again: bool) -> PyResult<()> {
        self.check(module)?;
        self.core.load(module, world.into(), vec![u8::from(again)]);
        Ok(())
    }

    /// Waits until all calls with effects that were issued ahead have ended. Gives the functions and
    /// the exceptions of those that the program has not taken.
    fn settle<'py>(&self, py: Python<'py>) -> PyResult<Vec<Untaken<'py>>> {
        self.committed.settle(py)
    }

    /// Ends all replicas at once; calls without an outcome end as closed. Gives the modules of which
    /// something was lost with a replica, untold: each with process id and wait status.
    fn close(&self, py: Python<'_>) -> Vec<(u32, outcome::PlainFallen)> {
        copies::want(false);
        let untold = py.detach(|| {
            if let Some(copies) = self.copies.get() {
                copies.close();
            }
            self.core.close()
        });
        let plain = |(module, lost): (u32, Fallen)| (module, outcome::plain_fallen(lost));
        untold.into_iter().map(plain).collect()
    }

    /// Lets calls run locally from now on: in a forked child, and after the session of a program
    /// that goes on.
    fn run_locally(&self) {
        self.local.store(true, Ordering::Relaxed);
        copies::want(false);
    }

    /// Lets copies of the program run ahead. `hooks` is the list of what Python does in forked
    /// children, which copies do not do; `eager`: at every call; `replicas`: so many serve calls,
    /// and copies may guess values.
    #[pyo3(signature = (hooks, eager=false, replicas=None))]
    fn copy_ahead(&self, hooks: Py<PyList>, eager: bool, replicas: Option<u32>) {
        let _ = self.hooks.set(hooks);
        let _ = self.copies.set(Copies::new(&self.core, eager, replicas));
        copies::want(true);
    }

    /// Tells copies what questions about values were answered in the last run.
    fn know(&self, answers: Vec<(u64, u32)>, notes: BTreeMap<Vec<u8>, Vec<u8>>) {
        if let Some(copies) = self.copies.get() {
            copies.know(answers);
            copies.know_notes(notes.iter().map(|(key, note)| (&**key, &**note)));
        }
    }

    /// What copies have noted for one another, in the last run too.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for (key, note) in self
            .copies
            .get()
            .map(Copies::notes)
            .unwrap_or_default()
            .all()
        {
            found.set_item(PyBytes::new(py, key), PyBytes::new(py, note))?;
        }
        Ok(found)
    }

    /// What such questions were answered in this run.
    #[getter]
    fn answers(&self) -> BTreeMap<u64, u32> {
        let account = self.copies.get().map(Copies::account);
        account.map(|account| account.answers).unwrap_or_default()
    }

    /// What copies have done, by name.
    #[getter]
    fn copies_told<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let account = self.copies.get().map(Copies::account);
        account
            .map(|account| copies::told(py, &account))
            .transpose()
    }

    /// In a forked child: forgets the session, touching nobody.
    fn abandon(&self) {
        trace::leave();
        look_away();
        self.is_forked.store(true, Ordering::Relaxed);
        self.core.abandon();
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Session>()
}
