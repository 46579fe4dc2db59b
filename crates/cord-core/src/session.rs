//! A session: the client's side of a run.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::call::Call;
use crate::engine::local::ready::Ready;
use crate::engine::local::Local;
use crate::kept::Kept;
use crate::mailbox::{Command, Load, Mailbox};
use crate::reactor::{Lead, Reactor, OWN_FDS};
use crate::ticket::Ticket;
use crate::trace::Log;
use crate::traffic::Traffic;
use cord_dispatch::module_spec::ModuleSpec;
use cord_os::descriptor::Descriptor;
use cord_os::fds::OpenFds;
use cord_os::spare;
use cord_os::threads::spawn_quiet;
use cord_sync::budget::Budget;
use cord_wire::loss::Untold;
use cord_wire::payload::World;

/// The replicas of a run, and the thread that feeds them.
///
/// Calls may be issued from any thread.
#[derive(Debug)]
pub struct Session {
    mailbox: Arc<Mailbox>,
    fds: Arc<OpenFds>,
    /// Of links that lead nowhere yet.
    ready_fds: Arc<OpenFds>,
    traffic: Arc<Traffic>,
    thread: Mutex<Option<JoinHandle<Untold>>>,
    /// The thread owns it: in a forked child there is none, and nobody touches the reactor.
    lead: Weak<Lead<Local>>,
    /// By module and manner.
    budgets: Vec<Vec<Arc<Budget>>>,
    /// Outcomes of earlier runs, if the plan wants any.
    kept: OnceLock<Arc<Kept>>,
    /// The plan says how many calls may start in a time.
    has_rates: bool,
    pid: u32,
}

impl Session {
    /// Asks for all replicas, and starts the dispatcher's thread.
    ///
    /// `control` is the `SOCK_SEQPACKET` socket to whoever starts replicas; with `is_far` on other
    /// machines. All that happens is written to the log, if there is one.
    ///
    /// # Errors
    /// When the system has no descriptors or threads left.
    pub fn start(
        modules: Vec<ModuleSpec>,
        control: OwnedFd,
        is_far: bool,
        log: Option<Arc<Log>>,
    ) -> io::Result<Session> {
        let control = Descriptor::new(control); // the first one: who closes many closes it, too
        let mailbox = Arc::new(Mailbox::new(modules.len())?);
        spare::keep();
        let replicas: usize = modules.iter().map(|module| module.most as usize).sum();
        let fds = Arc::new(OpenFds::new(replicas + OWN_FDS));
        let budgets_of = |module: &ModuleSpec| {
            let manners = module.manners.iter();
            manners.map(|manner| Arc::clone(&manner.budget)).collect()
        };
        let budgets = modules.iter().map(budgets_of).collect();
        let has_rates = modules.iter().any(|module| !module.rates.is_empty());
        let ready = Ready::new(&modules);
        let ready_fds = ready.fds();
        let launcher = Local::new(control, ready, is_far);
        let mut reactor = Reactor::new(modules, launcher, Arc::clone(&mailbox), Arc::clone(&fds))?;
        if let Some(log) = log {
            reactor.write_down(log);
        }
        reactor.launch_all();
        let traffic = reactor.traffic();
        let owned = Arc::new(Lead::new(reactor, Arc::clone(&mailbox)));
        let lead = Arc::downgrade(&owned);
        let thread = spawn_quiet("cord-dispatcher", move || owned.run())?;
        Ok(Session {
            mailbox,
            fds,
            ready_fds,
            traffic,
            thread: Mutex::new(Some(thread)),
            lead,
            budgets,
            kept: OnceLock::new(),
            has_rates,
            pid: std::process::id(),
        })
    }

    /// Issues a call; never blocks.
    ///
    /// # Panics
    /// If the module's index is not one of those that the session was started with, or the manner's
    /// not one of the module's.
    pub fn issue(&self, call: Call) -> Ticket {
        let ticket = self.issue_quietly(call);
        if !ticket.is_settled() {
            self.mailbox.heed_issue(ticket.module());
        }
        ticket
    }

    /// Waits until a call is settled, for `timeout` at most; true if it is. The thread that waits may
    /// do the work of the dispatcher's meanwhile.
    pub fn wait(&self, ticket: &Ticket, timeout: Duration) -> bool {
        if ticket.is_settled() {
            return true;
        }
        let left = match self.lead.upgrade() {
            Some(lead) => lead.wait(ticket, timeout, ticket.demand_quietly()),
            None => timeout,
        };
        ticket.wait(left)
    }

    /// Lets the dispatcher know of what was issued quietly.
    pub fn rouse(&self) {
        self.mailbox.rouse();
    }

    /// Issues a call that this thread will [`Session::wait`] for at once, or [`Session::rouse`] the
    /// dispatcher for: nobody is woken for it.
    ///
    /// # Panics
    /// As [`Session::issue`].
    pub fn issue_quietly(&self, mut call: Call) -> Ticket {
        let budget = self.budget(call.module, call.manner);
        let budget = call.ahead.then(|| Arc::clone(budget));
        let id = self.mailbox.number_call();
        let keeps = call.keep.take().zip(self.kept.get());
        let (ticket, mut held) = Ticket::new(id, call, budget, &self.mailbox);
        if let Some((keep, kept)) = keeps {
            if let Some((outcome, service)) = kept.find(&keep) {
                held.get(outcome, service);
                return ticket; // no replica is asked
            }
            match kept.begin(held, keep) {
                Some(first) => held = first,
                None => return ticket,
            }
        }
        // A closed mailbox hands the call back, which settles it as closed.
        drop(self.mailbox.post_quietly(Command::Issue(Box::new(held))));
        ticket
    }

    /// Has outcomes kept from now on, and taken from what earlier runs have kept.
    pub fn keep(&self, kept: Arc<Kept>) {
        if let Some(rates) = self.has_rates.then(|| kept.rates()).flatten() {
            drop(self.mailbox.post(Command::Share(rates)));
        }
        let _ = self.kept.set(kept);
    }

    /// Where outcomes are kept.
    pub fn kept(&self) -> Option<&Arc<Kept>> {
        self.kept.get()
    }

    /// Whether the program has closed descriptors that lead to the replicas: there are none any more.
    pub fn is_cut_off(&self) -> bool {
        self.mailbox.is_cut_off()
    }

    /// Looks whether the program has closed descriptors that lead to the replicas.
    pub fn look(&self) {
        if !self.fds.are_ours() {
            self.mailbox.cut_off();
        }
    }

    /// The program has closed a descriptor of Cord's: nothing more goes to the replicas.
    pub fn cut_off(&self) {
        self.mailbox.cut_off();
    }

    /// Where whoever looks on asks what there is to be seen.
    pub fn mailbox(&self) -> Arc<Mailbox> {
        Arc::clone(&self.mailbox)
    }

    /// What has come of calls so far.
    pub fn traffic(&self) -> &Traffic {
        &self.traffic
    }

    /// What may be out ahead of the program of the calls of a module in one manner.
    ///
    /// # Panics
    /// If there is no such module or manner.
    pub fn budget(&self, module: u32, manner: u32) -> &Arc<Budget> {
        let manners = self.budgets.get(module as usize);
        manners
            .and_then(|manners| manners.get(manner as usize))
            .expect("no such module or manner in this session")
    }

    /// Lets every replica of a module, present and future, load it in this world. What they have
    /// to do for it is up to whoever reads `order`. Calls issued after this are run after it.
    ///
    /// # Panics
    /// If the module's index is not one of those that the session was started with.
    pub fn load(&self, module: u32, world: World, order: Vec<u8>) {
        let known = self.budgets.len();
        assert!(
            (module as usize) < known,
            "no module {module} in this session"
        );
        let load = Load { world, order };
        drop(self.mailbox.post(Command::Load { module, load }));
    }

    /// Ends all replicas without waiting for running calls, and joins the dispatcher's thread.
    /// Unsettled tickets are settled as closed. Gives the modules of which something that calls left
    /// was lost with a replica before, and that no call was told of.
    pub fn close(&self) -> Untold {
        if self.pid != std::process::id() {
            self.abandon();
            return Vec::new();
        }
        self.mailbox.close();
        let thread = self
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let untold = thread.and_then(|thread| thread.join().ok());
        if let Some(kept) = self.kept.get() {
            kept.close();
        }
        untold.unwrap_or_default()
    }

    /// In a copy of the process: every ticket is closed, and nobody is told anything. The descriptors
    /// are not the session's any more.
    pub fn forget(&self) {
        self.mailbox.abandon();
    }

    /// In a forked child: closes the child's copies of the session's descriptors, and makes every
    /// ticket closed. Replicas and parent do not notice.
    pub fn abandon(&self) {
        self.mailbox.abandon();
        self.fds.close_all();
        self.ready_fds.close_all();
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.close();
        if self.pid != std::process::id() {
            // Joining or detaching would touch a thread that does not exist here.
            if let Ok(thread) = self.thread.get_mut() {
                std::mem::forget(thread.take());
            }
        }
    }
}
