//! What feeds the replicas: a thin loop around the dispatcher. It never takes Python's lock, and
//! never blocks but in waiting for something to do.

mod again;
mod kept;
mod lead;
mod loads;
mod peer;
mod peer_links;
mod peers;
mod poller;
mod sight;
#[cfg(test)]
mod tests;
mod values;

use std::io;
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::epoll::{self, EventFlags};
use rustix::event::Timespec;

use crate::engine::{Launcher, Link, Report};
use crate::kept::Rates;
use crate::mailbox::{Command, Mailbox};
use crate::trace::{Log, Logged, Record};
use crate::traffic::{AtEnd, Traffic};
use cord_dispatch::audit::Samples;
use cord_dispatch::dispatcher::{
    Action, CallId, Dispatcher, Event, IdMap, Loss, Nanos, ReplicaId, Violation,
};
use cord_dispatch::life::Delivery;
use cord_dispatch::module_spec::ModuleSpec;
use cord_os::complaint::complain;
use cord_os::descriptor::Descriptor;
use cord_os::fds::OpenFds;
use cord_os::spin::Spin;
use cord_wire::loss::{Cause, Fallen, Lost, Untold};
use cord_wire::outcome::Outcome;
use cord_wire::payload::Parcel;
use cord_wire::wire::{Kind, Malformed};
use kept::Kept;
pub use lead::Lead;
use loads::Ordered;
use peer::Peer;
use poller::Poller;

/// Events of the mailbox; replicas have their own number, which fits 32 bits.
const MAILBOX: u64 = 1 << 32;
/// Events of the launcher.
const LAUNCHER: u64 = 2 << 32;
/// How many events are taken at a time.
const EVENTS: usize = 64;
/// What cannot be sent for lack of room in the system is tried again after so long.
const CONGESTED: Duration = Duration::from_millis(1);
/// Where nothing happens, it is looked after so long whether the program has closed what events would
/// come from.
const LOOK: Duration = Duration::from_millis(200);
/// So long it may take until it is reported how a process has ended.
const REPORTED: Duration = Duration::from_secs(1);

/// Descriptors besides one for each replica, that lead somewhere: mailbox, launcher.
pub const OWN_FDS: usize = 3;

/// Everything that is needed to feed the replicas; whoever leads it has it alone.
#[derive(Debug)]
pub struct Reactor<L: Launcher> {
    mailbox: Arc<Mailbox>,
    fds: Arc<OpenFds>,
    traffic: Arc<Traffic>,
    free_places: Vec<usize>,
    poller: Poller,
    launcher: L,
    launcher_wants_out: bool,
    modules: Vec<ModuleSpec>,
    /// By module: why a replica could not load it, as the last one has said.
    load_errors: Vec<Vec<u8>>,
    /// By module: how replicas load it, once they may.
    loads: Vec<Option<Ordered>>,
    /// How many orders to load were given to modules whose replicas share processes.
    orders: u32,
    dispatcher: Dispatcher,
    /// What is to be raised in the midst of calls, until the dispatcher has said where they are.
    exceptions: Vec<(CallId, Vec<u8>)>,
    kept: IdMap<CallId, Kept>,
    /// Calls that wait to be made again.
    samples: Samples,
    /// Kept values that came with the reply.
    values: IdMap<CallId, Parcel>,
    /// Apart from the map, which each is taken out of while it is read.
    peers: IdMap<ReplicaId, Box<Peer<L::Link>>>,
    dirty: Vec<ReplicaId>,
    /// Links of which more is to be read.
    unread: Vec<ReplicaId>,
    /// Links that cannot be waited for.
    unpolled: Vec<ReplicaId>,
    /// The replica that was looked at last, and rings no bell until whoever leads is to sleep.
    watched: Option<ReplicaId>,
    congested: bool,
    /// When something was read since the last turn: there is no need to look at the clock again.
    read_at: Option<Nanos>,
    /// The dispatcher has heard of something since it decided.
    undecided: bool,
    /// The program has closed descriptors without which there is no way to the replicas.
    cut_off: bool,
    /// Where the run is written down.
    log: Option<Arc<Log>>,
    spin: Spin,
    commands: Vec<Command>,
    actions: Vec<Action>,
}

impl<L: Launcher> Reactor<L> {
    /// A reactor that is ready to run.
    pub fn new(
        modules: Vec<ModuleSpec>,
        launcher: L,
        mailbox: Arc<Mailbox>,
        fds: Arc<OpenFds>,
    ) -> io::Result<Reactor<L>> {
        let poller = Poller::new(Arc::clone(&mailbox))?;
        let source = launcher.source();
        if let Some(source) = source {
            poller.add(source, LAUNCHER)?;
        }
        let [reader, writer] = mailbox.wake().ends();
        let own = [Some(reader), Some(writer), source].into_iter().flatten();
        for (place, own) in own.enumerate() {
            fds.note(place, own);
        }
        let replicas: usize = modules.iter().map(|module| module.most as usize).sum();
        let mut dispatcher = Dispatcher::new(&modules);
        dispatcher.seed(u64::from(std::process::id()) ^ launcher.now());
        let traffic = Arc::new(Traffic::new(modules.len()));
        Ok(Reactor {
            mailbox,
            fds,
            traffic,
            free_places: (OWN_FDS..OWN_FDS + replicas).collect(),
            poller,
            launcher,
            launcher_wants_out: false,
            load_errors: vec![Vec::new(); modules.len()],
            loads: modules.iter().map(|_| None).collect(),
            orders: 0,
            dispatcher,
            modules,
            exceptions: Vec::new(),
            kept: IdMap::default(),
            samples: Samples::default(),
            values: IdMap::default(),
            peers: IdMap::default(),
            dirty: Vec::new(),
            unread: Vec::new(),
            unpolled: Vec::new(),
            watched: None,
            congested: false,
            read_at: None,
            undecided: false,
            cut_off: false,
            log: None,
            spin: Spin::default(),
            commands: Vec::new(),
            actions: Vec::new(),
        })
    }

    /// Has all that happens from now on written down.
    pub fn write_down(&mut self, log: Arc<Log>) {
        log.set_clock(self.launcher.now());
        self.dispatcher.observe(Box::new(Logged(Arc::clone(&log))));
        self.log = Some(log);
    }

    /// Asks for all replicas. Whoever starts the reactor does that, so that their links are there before
    /// the program can have used its descriptors up.
    pub fn launch_all(&mut self) {
        self.decide(self.launcher.now());
        self.flush();
    }

    /// What has come of calls, for others to look at.
    pub fn traffic(&self) -> Arc<Traffic> {
        Arc::clone(&self.traffic)
    }

    /// Does what there is to do; false once the mailbox is closed, or there is no way to the replicas.
    pub fn turn(&mut self) -> bool {
        if self.cut_off {
            self.mailbox.cut_off();
            return false;
        }
        let mut commands = std::mem::take(&mut self.commands);
        if !self.mailbox.collect(&mut commands) {
            return false;
        }
        let read_at = self.read_at.take();
        let now = read_at.unwrap_or_else(|| self.launcher.now());
        for command in commands.drain(..) {
            self.obey(now, command);
        }
        self.commands = commands;
        self.decide(now);
        self.flush();
        for (module, heed) in self.dispatcher.heeds().enumerate() {
            self.mailbox.set_heed(module, heed);
            self.traffic.note_staff(module, heed.staff);
            for manner in &self.modules[module].manners {
                manner.budget.set_idle(heed.idle);
            }
        }
        true
    }

    /// Has the dispatcher decide, and does what it wants, until nothing comes of that.
    fn decide(&mut self, mut now: Nanos) {
        let mut actions = std::mem::take(&mut self.actions);
        loop {
            self.undecided = false;
            self.dispatcher.decide(now, &mut actions);
            for action in actions.drain(..) {
                self.perform(action);
            }
            if !self.undecided {
                break;
            }
            now = self.launcher.now();
        }
        self.actions = actions;
        self.exceptions.clear(); // nobody has those calls any more
    }

    /// Tells the dispatcher of something that no replica has said.
    fn tell(&mut self, at: Nanos, event: Event) {
        if let Err(Violation(call)) = self.dispatcher.handle(at, event) {
            complain(&format!("internal error: call {call} is not there"));
        }
    }

    /// Tells the dispatcher of what a replica has said.
    fn hear_of(&mut self, at: Nanos, event: Event) -> Result<Delivery, Malformed> {
        let foreign = |call| Malformed(format!("it speaks of call {call}, which is not there"));
        let told = self.dispatcher.handle(at, event);
        told.map_err(|violation| foreign(violation.0))
    }

    /// Waits for events, or until the dispatcher's timer, for `longest` at most. Whether any came.
    pub fn rest(&mut self, longest: Option<Duration>) -> bool {
        self.look_away();
        let mut space = [const { MaybeUninit::uninit() }; EVENTS];
        let longest = Some(longest.map_or(LOOK, |longest| longest.min(LOOK)));
        let events = self.sleep(longest, &mut space);
        for event in events {
            self.handle(*event);
        }
        let has_come = !events.is_empty();
        if !has_come {
            self.launcher.look();
        }
        if self.launcher.source().is_none() {
            self.hear_launcher();
        }
        self.unread.extend_from_slice(&self.unpolled);
        for replica in std::mem::take(&mut self.unread) {
            self.read(replica);
        }
        has_come
    }

    /// Whether nothing is to be done before the program asks for something.
    pub fn is_at_rest(&self) -> bool {
        self.kept.is_empty()
            && self.dirty.is_empty()
            && self.unread.is_empty()
            && !self.launcher_wants_out
            && self.dispatcher.is_at_rest()
    }

    /// Looks for a moment whether the replica that has this call says something, and hears it.
    pub fn look_out(&mut self, call: CallId) -> bool {
        let Some(replica) = self.dispatcher.replica_with(call) else {
            return false;
        };
        let Some(peer) = self.peers.get(&replica) else {
            return false;
        };
        if !peer.link.can_be_watched() {
            return false;
        }
        peer.link.is_awake();
        let came = self.spin.until(|| peer.link.has_some());
        if self.watched != Some(replica) {
            self.look_away();
            self.watched = Some(replica);
        }
        if came {
            self.read(replica);
        }
        came
    }

    /// Whoever leads is to sleep: the replica that was looked at rings its bell again.
    fn look_away(&mut self) {
        let Some(replica) = self.watched.take() else {
            return;
        };
        if self.peers.get(&replica).is_some_and(|p| !p.link.sleeps()) {
            self.unread.push(replica);
        }
    }

    fn obey(&mut self, now: Nanos, command: Command) {
        match command {
            Command::Issue(held) => {
                self.tell(now, Event::Issued(held.issue()));
                self.kept.insert(held.id(), Kept::Held(held));
            }
            Command::Demand(call) => self.tell(now, Event::Demanded(call)),
            Command::Drop(call) => self.tell(now, Event::Dropped(call)),
            Command::Interrupt(call, exception) => self.interrupt(now, call, exception),
            Command::GiveUp(call) => self.tell(now, Event::GivenUp(call)),
            Command::LetGo(call) => self.tell(now, Event::LetGo(call)),
            Command::Share(rates) => self.share(now, &rates),
            Command::Look(look) => look.answer(self.sight(now)),
            Command::Load { module, load } => self.load(now, module, load),
        }
    }

    /// Each rate goes by its module and by what it says.
    fn share(&mut self, now: Nanos, rates: &Arc<Rates>) {
        for (number, module) in self.modules.iter().enumerate() {
            for (at, rate) in self.dispatcher.rates(number).iter_mut().enumerate() {
                let name = format!("{} {at} {:?}", module.name, module.rates[at]);
                rate.share(Arc::new(rates.due(&name, now)));
            }
        }
    }

    fn perform(&mut self, action: Action) {
        match action {
            Action::Launch {
                module,
                replica,
                slot,
            } => self.launch(module, replica, slot),
            Action::Send { replica, calls } => self.send(replica, &calls, 0),
            Action::Enter {
                replica,
                wait,
                call,
            } => {
                let number = self.kept.get(&wait).map_or(0, Kept::number);
                self.send(replica, &[call], number);
            }
            Action::Recall { replica, calls } => {
                if let Some(peer) = self.peers.get_mut(&replica) {
                    peer.link.outbox().ids(Kind::Recall, &calls);
                    self.soil(replica);
                }
            }
            Action::Hasten { replica, call } => {
                if let Some(peer) = self.peers.get_mut(&replica) {
                    peer.link.outbox().ids(Kind::First, &[call]);
                    self.soil(replica);
                }
            }
            Action::Move { from, to, calls } => self.pass_on(from, to, &calls),
            Action::Interrupt { replica, call } => self.raise(replica, call),
            Action::End { replica } => self.launcher.end(replica),
            Action::Close { replica } => self.close(replica),
            Action::Retire { replica } => {
                self.launcher.retire(replica);
                self.close(replica);
            }
            Action::Lose { call, loss } => {
                if matches!(loss.cause, Cause::Launcher) {
                    self.launcher.miss();
                }
                let fallen = vec![self.launcher.fallen(loss.replica)];
                self.settle(call, lost(loss, fallen));
            }
            Action::Poison { call, replicas } => {
                let fallen: Vec<Fallen> = replicas
                    .iter()
                    .map(|replica| self.launcher.fallen(*replica))
                    .collect();
                let loss = Loss {
                    tries: u32::try_from(fallen.len()).unwrap_or(u32::MAX),
                    may_have_run: true,
                    cause: Cause::Call,
                    ..Loss::default()
                };
                self.settle(call, lost(loss, fallen));
            }
            Action::Expire { call, deadline } => {
                let deadline = Duration::from_nanos(deadline);
                self.settle(call, Outcome::Expired { deadline });
            }
            Action::Deny { call, loss } => {
                let fallen = self.launcher.fallen(loss.replica);
                self.settle(call, Outcome::StateLost { fallen });
            }
            Action::Fault { call, illegal } => complain(&format!(
                "internal error: call {call} was to {}, but is {:?}; it is lost",
                illegal.change, illegal.state
            )),
            Action::NoRoom { call, shortage } => {
                self.settle(call, Outcome::no_room(shortage, Vec::new()));
            }
            Action::Refuse { call, module } => {
                let head = self.load_errors[module as usize].clone();
                self.settle(call, Outcome::Unavailable { head });
            }
            Action::Forget { call } => self.settle(call, Outcome::Closed),
            Action::Admit { .. } => {}
            Action::Layer {
                call,
                number,
                count,
            } => {
                if let Some(Kept::Held(held)) = self.kept.get(&call) {
                    held.tell_of_layer(number, count);
                }
            }
            Action::Release { call, replicas } => self.release(call, &replicas),
        }
    }

    fn settle(&mut self, call: CallId, mut outcome: Outcome) {
        match self.kept.remove(&call) {
            Some(Kept::Held(mut held)) => {
                if let Outcome::Lost(lost) = &mut outcome {
                    lost.call = held.take_words();
                }
                held.settle(outcome);
            }
            Some(Kept::Nested(nested)) => self.answer(&nested, &outcome),
            Some(Kept::Again(sample)) => sample.compare(outcome),
            None => {}
        }
    }

    fn sleep<'a>(
        &mut self,
        longest: Option<Duration>,
        space: &'a mut [MaybeUninit<epoll::Event>; EVENTS],
    ) -> &'a [epoll::Event] {
        let timeout = if self.unread.is_empty() && self.mailbox.may_sleep() {
            let timer = self.timeout();
            timer.map_or(longest, |time| {
                Some(longest.map_or(time, |most| time.min(most)))
            })
        } else {
            Some(Duration::ZERO)
        };
        let waits = timeout != Some(Duration::ZERO);
        let timeout = timeout.map(|time| Timespec {
            tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(time.subsec_nanos()),
        });
        let events = self.poller.wait(space, timeout.as_ref());
        self.cut_off |= match events {
            Ok([]) if waits => !self.is_whole(), // nothing would come any more
            Ok(_) => false,
            Err(_) => true,
        };
        self.mailbox.awake();
        events.unwrap_or_default()
    }

    /// Whether nobody has closed what is needed for any replica.
    fn is_whole(&self) -> bool {
        let ends = self.mailbox.wake().ends();
        let source = self.launcher.source();
        ends.into_iter().chain(source).all(Descriptor::is_ours)
    }

    fn timeout(&self) -> Option<Duration> {
        let timer = self
            .dispatcher
            .timer()
            .map(|time| Duration::from_nanos(time.saturating_sub(self.launcher.now())));
        if self.congested {
            return Some(timer.map_or(CONGESTED, |time| time.min(CONGESTED)));
        }
        timer
    }

    fn handle(&mut self, event: epoll::Event) {
        let (data, flags) = (event.data, event.flags);
        match data.u64() {
            MAILBOX => self.mailbox.clear_wake(),
            LAUNCHER => self.hear_launcher(),
            replica => {
                let Ok(replica) = u32::try_from(replica) else {
                    return;
                };
                if flags.contains(EventFlags::OUT) {
                    self.soil(replica);
                }
                if flags.intersects(EventFlags::IN | EventFlags::HUP | EventFlags::ERR) {
                    self.hear_bell(replica);
                    self.read(replica);
                }
            }
        }
    }

    fn hear_launcher(&mut self) {
        while let Some(report) = self.launcher.report() {
            let now = self.launcher.now();
            match report {
                Report::Died(replica, death) => self.tell(now, Event::Died { replica, death }),
                Report::Failed(replica, errno) => {
                    let error = io::Error::from_raw_os_error(errno);
                    self.not_launched(replica, &error);
                }
                Report::Placed(replica, node, name) => {
                    if let Some(log) = &self.log {
                        log.write(
                            now,
                            Record::Lives {
                                replica,
                                node,
                                name,
                            },
                        );
                    }
                }
                Report::Away(replica, is_away) => {
                    self.tell(now, Event::Away { replica, is_away });
                }
                Report::Grown(cores) => self.tell(now, Event::Grown { cores }),
                Report::Gone => {
                    if let Some(source) = self.launcher.source() {
                        let _ = self.poller.delete(source);
                    }
                    return self.tell(now, Event::LauncherGone);
                }
            }
        }
    }

    /// The modules of which something is lost that no call was told of, and with which process. All that
    /// is there is heard first: a bell hides the end of its link. Where a link has closed, its process
    /// has ended: how, is waited for, a moment at most.
    fn untold(&mut self) -> Untold {
        let until = Instant::now() + REPORTED;
        let mut longest = Duration::ZERO;
        loop {
            let has_come = self.rest(Some(longest));
            self.dispatcher.decide(self.launcher.now(), &mut Vec::new());
            let untold = self.dispatcher.untold_losses().into_iter();
            let fallen = |(module, loss): (u32, Loss)| (module, self.launcher.fallen(loss.replica));
            let untold: Untold = untold.map(fallen).collect();
            let is_known = |fallen: &Fallen| fallen.pid == 0 || fallen.status.is_some();
            let is_known = untold.iter().all(|(_, fallen)| is_known(fallen));
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || (is_known && !has_come) {
                return untold;
            }
            longest = if is_known { Duration::ZERO } else { left };
        }
    }

    /// Ends everything at once. Whoever holds the other ends sees their end. Gives the modules of
    /// which something was lost before, that no call was told of.
    pub fn shut_down(&mut self) -> Untold {
        let untold = self.untold();
        self.traffic.note_calls(self.dispatcher.calls_at_once());
        let mut at_end = AtEnd::default();
        at_end
            .busy
            .extend(self.dispatcher.busy().map(<[_]>::to_vec));
        at_end.tallies.extend(self.dispatcher.tallies());
        let fallen = self.dispatcher.fallen().iter();
        let fallen = fallen.map(|(module, id)| (*module, self.launcher.fallen(*id)));
        at_end.fallen.extend(fallen);
        // replicas that were threads of one process have fallen together
        at_end.fallen.dedup_by(|(one, fallen), (other, before)| {
            one == other && fallen.pid == before.pid && fallen.pid != 0
        });
        self.traffic.note_end(at_end);
        self.launcher.shut_down();
        for peer in self.peers.values() {
            peer.link.shut_down();
        }
        untold
    }
}

impl<L: Launcher> Drop for Reactor<L> {
    /// However the thread ends, nobody waits for it: calls held and posted are settled as closed.
    fn drop(&mut self) {
        self.mailbox.close();
        let mut posted = Vec::new();
        self.mailbox.collect(&mut posted);
        for place in 0..OWN_FDS + self.peers.len() + self.free_places.len() {
            self.fds.forget(place);
        }
    }
}

fn lost(loss: Loss, fallen: Vec<Fallen>) -> Outcome {
    Outcome::Lost(Box::new(Lost {
        fallen,
        tries: loss.tries,
        may_have_run: loss.may_have_run,
        cause: loss.cause,
        call: None,
    }))
}
