//! Simulated replicas, and a clock that is moved by hand.

use super::feed::Style;
use super::record::Record;
use super::*;
use crate::manner::Manner;

/// A dispatcher with replicas that do what the test says.
pub(super) struct Lab {
    pub(super) dispatcher: Dispatcher,
    pub(super) now: Nanos,
    /// Every action since the last [`Lab::taken`].
    pub(super) seen: Vec<Action>,
    /// What each replica has, in order.
    pub(super) at: IdMap<ReplicaId, Vec<CallId>>,
    pub(super) launched: Vec<ReplicaId>,
    /// Whether all that happens is told to the dispatcher: what is played back leads to the same.
    pub(super) replays: bool,
    modules: Vec<ModuleSpec>,
    record: Record,
}

impl Lab {
    /// Modules with so many replicas each; all launched, none ready.
    pub(super) fn new(replicas: &[u32]) -> Lab {
        let modules: Vec<ModuleSpec> = replicas
            .iter()
            .map(|replicas| ModuleSpec::plain("work", *replicas))
            .collect();
        Lab::of(&modules)
    }

    /// These modules; all replicas launched, none ready.
    pub(super) fn of(modules: &[ModuleSpec]) -> Lab {
        let record = Record::default();
        let mut dispatcher = Dispatcher::new(modules);
        dispatcher.observe(Box::new(record.clone()));
        let mut lab = Lab {
            dispatcher,
            now: 0,
            seen: Vec::new(),
            at: IdMap::default(),
            launched: Vec::new(),
            replays: true,
            modules: modules.to_vec(),
            record,
        };
        lab.decide();
        lab
    }

    /// The same modules, whose replicas are renewed after so many calls.
    pub(super) fn recycle(&mut self, calls: u32) {
        for module in &mut self.modules {
            module.recycle = Some(calls);
        }
        let modules = std::mem::take(&mut self.modules);
        self.replays = false; // nothing has happened yet
        *self = Lab::of(&modules);
    }

    /// One module whose replicas are ready.
    pub(super) fn ready(replicas: u32) -> Lab {
        let mut lab = Lab::new(&[replicas]);
        for replica in lab.launched.clone() {
            lab.make_ready(replica);
        }
        lab.taken();
        lab
    }

    pub(super) fn make_ready(&mut self, replica: ReplicaId) {
        self.is_ready(replica);
        self.decide();
    }

    /// A replica hands back an interrupted call that it has not begun.
    pub(super) fn withdraw(&mut self, replica: ReplicaId, call: CallId) {
        let at = self.at.entry(replica).or_default();
        at.retain(|here| *here != call);
        self.withdrawn(replica, &[call]).unwrap();
        self.decide();
    }

    pub(super) fn issue(&mut self, calls: impl IntoIterator<Item = CallId>) {
        for call in calls {
            self.issued(Issue::plain(call, 0, true));
        }
        self.decide();
    }

    pub(super) fn decide(&mut self) {
        let mut actions = Vec::new();
        self.dispatcher.decide(self.now, &mut actions);
        for action in actions {
            match &action {
                Action::Launch { replica, .. } => self.launched.push(*replica),
                Action::Send { replica, calls } => {
                    let most = self.most(*replica);
                    let at = self.at.entry(*replica).or_default();
                    at.extend(calls);
                    assert!(
                        at.len() <= most,
                        "{} calls at a watermark of {most}",
                        at.len()
                    );
                }
                Action::Hasten { replica, call } => {
                    let at = self.at.entry(*replica).or_default();
                    if at.first() != Some(call) && at.contains(call) {
                        at.retain(|other| other != call);
                        at.insert(1, *call);
                    }
                }
                _ => {}
            }
            self.seen.push(action);
        }
    }

    /// The most calls that a replica may have: two frames, unless the plan says how many.
    fn most(&self, id: ReplicaId) -> usize {
        let replica = &self.dispatcher.replicas[&id];
        let styles = &self.dispatcher.modules[replica.module as usize].styles;
        let most = |style: &Style| style.most(replica);
        styles.iter().map(most).max().unwrap_or(0)
    }

    pub(super) fn pass(&mut self, time: Nanos) {
        self.now += time;
        self.decide();
    }

    /// The replica answers its first call.
    pub(super) fn reply(&mut self, replica: ReplicaId, service: Nanos) -> (CallId, Delivery) {
        let call = self.at.get_mut(&replica).unwrap().remove(0);
        let delivery = self.replied(replica, call, service, 0).unwrap();
        self.decide();
        (call, delivery)
    }

    /// The replica answers its first call with an exception that is to be tried again.
    pub(super) fn fail_call(&mut self, replica: ReplicaId, service: Nanos) -> (CallId, Delivery) {
        let call = self.at.get_mut(&replica).unwrap().remove(0);
        let failed = Event::Failed {
            replica,
            call,
            service,
            bytes: 0,
            after: std::time::Duration::ZERO,
        };
        let delivery = self.hear(failed).unwrap();
        self.decide();
        (call, delivery)
    }

    /// The replica answers a recall of `calls`, of which it has begun only its first.
    pub(super) fn answer_recall(&mut self, replica: ReplicaId, calls: &[CallId]) {
        let at = self.at.get_mut(&replica).unwrap();
        let returned: Vec<CallId> = at[1..]
            .iter()
            .copied()
            .filter(|call| calls.contains(call))
            .collect();
        at.retain(|call| !returned.contains(call));
        self.returned(replica, &returned).unwrap();
        self.decide();
    }

    pub(super) fn die(&mut self, replica: ReplicaId) {
        self.at.remove(&replica);
        self.link_closed(replica);
        self.exited(replica);
        self.decide();
    }

    /// The replica says that it cannot load its module.
    pub(super) fn fail(&mut self, replica: ReplicaId) {
        self.load_failed(replica);
        self.decide();
    }

    pub(super) fn has(&self, replica: ReplicaId) -> &[CallId] {
        self.at.get(&replica).map_or(&[], |calls| calls)
    }

    pub(super) fn taken(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.seen)
    }

    pub(super) fn kills(&self) -> Vec<ReplicaId> {
        let ended = |action: &Action| match action {
            Action::End { replica } => Some(*replica),
            _ => None,
        };
        self.seen.iter().filter_map(ended).collect()
    }
}

impl Drop for Lab {
    /// What has happened, told to another dispatcher, has it want the same done.
    fn drop(&mut self) {
        if self.replays && !std::thread::panicking() {
            self.record.replay(&self.modules);
        }
    }
}

/// One module whose calls are handled in these manners.
pub(super) fn module(replicas: u32, manners: Vec<Manner>) -> ModuleSpec {
    ModuleSpec {
        manners,
        ..ModuleSpec::plain("work", replicas)
    }
}

/// A lab of one module whose replicas are ready.
pub(super) fn ready_with(replicas: u32, manner: Manner) -> Lab {
    let mut lab = Lab::of(&[module(replicas, vec![manner])]);
    for replica in lab.launched.clone() {
        lab.make_ready(replica);
    }
    lab.taken();
    lab
}

/// The calls that were sent, in order: to whom, and which.
pub(super) fn sent(actions: &[Action]) -> Vec<(ReplicaId, Vec<CallId>)> {
    let sent = |action: &Action| match action {
        Action::Send { replica, calls } => Some((*replica, calls.clone())),
        _ => None,
    };
    actions.iter().filter_map(sent).collect()
}
