//! What a dispatcher has heard and done, written down; and how tests tell it things.

use std::sync::{Arc, Mutex};

use super::lab::Lab;
use super::*;
use cord_wire::shortage::Shortage;

#[derive(Debug, Clone)]
enum Entry {
    Heard(Nanos, Event),
    Decided(Nanos, Vec<Action>),
}

/// A tap that remembers all.
#[derive(Debug, Clone, Default)]
pub(super) struct Record(Arc<Mutex<Vec<Entry>>>);

impl Tap for Record {
    fn heard(&mut self, at: Nanos, event: &Event) {
        let entry = Entry::Heard(at, event.clone());
        self.0.lock().unwrap().push(entry);
    }

    fn decided(&mut self, at: Nanos, actions: &[Action]) {
        let entry = Entry::Decided(at, actions.to_vec());
        self.0.lock().unwrap().push(entry);
    }
}

impl Record {
    /// Tells a new dispatcher the same; it has to decide the same.
    pub(super) fn replay(&self, modules: &[ModuleSpec]) {
        let mut dispatcher = Dispatcher::new(modules);
        let mut actions = Vec::new();
        for entry in self.0.lock().unwrap().iter() {
            match entry {
                Entry::Heard(at, event) => drop(dispatcher.handle(*at, event.clone())),
                Entry::Decided(at, expected) => {
                    actions.clear();
                    dispatcher.decide(*at, &mut actions);
                    assert_eq!(actions, *expected, "at {at}");
                }
            }
        }
    }
}

impl Lab {
    /// Tells the dispatcher that something happens now.
    pub(super) fn hear(&mut self, event: Event) -> Result<Delivery, Violation> {
        self.dispatcher.handle(self.now, event)
    }

    fn tell(&mut self, event: Event) {
        self.hear(event).unwrap();
    }

    pub(super) fn issued(&mut self, issue: Issue) {
        self.tell(Event::Issued(issue));
    }

    pub(super) fn nested(
        &mut self,
        call: CallId,
        module: u32,
        effects: Effects,
        from: ReplicaId,
        parent: CallId,
    ) {
        self.tell(Event::Nested {
            call,
            module,
            manner: 0,
            effects,
            from,
            parent,
        });
    }

    pub(super) fn demanded(&mut self, call: CallId) {
        self.tell(Event::Demanded(call));
    }

    pub(super) fn dropped(&mut self, call: CallId) {
        self.tell(Event::Dropped(call));
    }

    /// The replica that is to interrupt the call.
    pub(super) fn interrupted(&mut self, call: CallId) -> Option<ReplicaId> {
        self.tell(Event::Interrupted(call));
        let wanted = self.dispatcher.actions.last()?;
        match wanted {
            Action::Interrupt { replica, call: at } if *at == call => Some(*replica),
            _ => None,
        }
    }

    pub(super) fn given_up(&mut self, call: CallId) {
        self.tell(Event::GivenUp(call));
    }

    pub(super) fn let_go(&mut self, call: CallId) {
        self.tell(Event::LetGo(call));
    }

    pub(super) fn loading(&mut self, module: u32) {
        self.tell(Event::Loading { module });
    }

    pub(super) fn not_launched(&mut self, replica: ReplicaId, shortage: Shortage) {
        self.tell(Event::NotLaunched { replica, shortage });
    }

    pub(super) fn is_ready(&mut self, replica: ReplicaId) {
        self.tell(Event::Ready { replica });
    }

    pub(super) fn load_failed(&mut self, replica: ReplicaId) {
        self.tell(Event::LoadFailed { replica });
    }

    pub(super) fn link_closed(&mut self, replica: ReplicaId) {
        let death = Death::Disconnected;
        self.tell(Event::Died { replica, death });
    }

    pub(super) fn exited(&mut self, replica: ReplicaId) {
        let death = Death::Exited;
        self.tell(Event::Died { replica, death });
    }

    pub(super) fn goes(&mut self, replica: ReplicaId, is_away: bool) {
        self.tell(Event::Away { replica, is_away });
    }

    pub(super) fn grown(&mut self, cores: u32) {
        self.tell(Event::Grown { cores });
    }

    pub(super) fn launcher_gone(&mut self) {
        self.tell(Event::LauncherGone);
    }

    pub(super) fn replied(
        &mut self,
        replica: ReplicaId,
        call: CallId,
        service: Nanos,
        bytes: usize,
    ) -> Result<Delivery, Violation> {
        self.hear(Event::Replied {
            replica,
            call,
            service,
            bytes,
        })
    }

    pub(super) fn kept(
        &mut self,
        replica: ReplicaId,
        call: CallId,
        service: Nanos,
        bytes: usize,
        at_home: bool,
    ) -> Result<Delivery, Violation> {
        self.hear(Event::Kept {
            replica,
            call,
            service,
            bytes,
            at_home,
        })
    }

    pub(super) fn returned(
        &mut self,
        replica: ReplicaId,
        calls: &[CallId],
    ) -> Result<Delivery, Violation> {
        let calls = calls.to_vec();
        self.hear(Event::Returned { replica, calls })
    }

    pub(super) fn withdrawn(
        &mut self,
        replica: ReplicaId,
        calls: &[CallId],
    ) -> Result<Delivery, Violation> {
        let calls = calls.to_vec();
        self.hear(Event::Withdrawn { replica, calls })
    }

    pub(super) fn unread(&mut self, replica: ReplicaId, calls: &[CallId]) {
        let calls = calls.to_vec();
        self.tell(Event::Unread { replica, calls });
    }

    pub(super) fn unmet(
        &mut self,
        replica: ReplicaId,
        calls: &[CallId],
    ) -> Result<Delivery, Violation> {
        let calls = calls.to_vec();
        self.hear(Event::Unmet { replica, calls })
    }

    pub(super) fn moved(
        &mut self,
        replica: ReplicaId,
        calls: &[CallId],
    ) -> Result<Delivery, Violation> {
        let calls = calls.to_vec();
        self.hear(Event::Moved { replica, calls })
    }
}
