//! What the dispatcher hears and does, as records.

use std::sync::Arc;

use super::{Log, Record};
use cord_dispatch::dispatcher::{is_copy, original, Action, Death, Event, Issue, Nanos, Tap};
use cord_wire::effects::Effects;
use cord_wire::priority::Priority;

/// A dispatcher's tap that logs.
#[derive(Debug)]
pub struct Logged(pub Arc<Log>);

impl Tap for Logged {
    fn heard(&mut self, at: Nanos, event: &Event) {
        if let Some(record) = of_event(event) {
            self.0.write(at, record);
        }
    }

    fn decided(&mut self, at: Nanos, actions: &[Action]) {
        for action in actions {
            if let Some(record) = of_action(action) {
                self.0.write(at, record);
            }
        }
    }
}

fn of_effects(effects: Effects) -> u8 {
    effects.to_bits() as u8
}

fn of_issue(issue: &Issue) -> Record {
    let usual = issue.priority == Priority::default();
    Record::Issued {
        call: issue.call,
        module: issue.module,
        manner: issue.manner,
        effects: of_effects(issue.effects),
        keeps: issue.keeps,
        beside: issue.beside,
        priority: (!usual).then(|| issue.priority.to_bits()),
        bytes: issue.bytes as u64,
        needs: issue.needs.clone(),
    }
}

fn of_event(event: &Event) -> Option<Record> {
    Some(match event {
        Event::Issued(issue) => of_issue(issue),
        Event::Nested {
            call,
            module,
            effects,
            from,
            parent,
            ..
        } => Record::Nested {
            call: *call,
            module: *module,
            effects: of_effects(*effects),
            from: *from,
            parent: original(*parent),
        },
        Event::Demanded(call) => Record::Demanded(*call),
        Event::Dropped(call) => Record::Dropped(*call),
        Event::Replied {
            replica,
            call,
            service,
            bytes,
        } => Record::Replied {
            replica: *replica,
            call: original(*call),
            service: *service,
            bytes: *bytes as u64,
        },
        Event::Failed {
            replica,
            call,
            service,
            ..
        } => Record::Failed {
            replica: *replica,
            call: original(*call),
            service: *service,
        },
        Event::Kept {
            replica,
            call,
            service,
            bytes,
            at_home,
        } => Record::Kept {
            replica: *replica,
            call: *call,
            service: *service,
            bytes: *bytes as u64,
            at_home: *at_home,
        },
        Event::Ready { replica } => Record::Ready(*replica),
        Event::LoadFailed { replica } => Record::LoadFailed(*replica),
        Event::Died { replica, death } => Record::Died(
            *replica,
            match death {
                Death::Exited => 0,
                Death::Killed => 1,
                Death::Disconnected => 2,
                Death::Silent => 3,
            },
        ),
        Event::Returned { replica, calls }
        | Event::Withdrawn { replica, calls }
        | Event::Unread { replica, calls }
        | Event::Unmet { replica, calls }
            if !calls.is_empty() =>
        {
            Record::Returned {
                replica: *replica,
                calls: calls.clone(),
            }
        }
        Event::Moved { replica, calls } => Record::Moved {
            replica: *replica,
            calls: calls.clone(),
        },
        _ => return None,
    })
}

fn of_action(action: &Action) -> Option<Record> {
    Some(match action {
        Action::Launch {
            module,
            replica,
            slot,
        } => Record::Launched {
            module: *module,
            replica: *replica,
            slot: *slot,
        },
        Action::Send { replica, calls } if calls.iter().any(|call| is_copy(*call)) => {
            Record::Hedged {
                replica: *replica,
                call: original(calls[0]), // a copy goes alone
            }
        }
        Action::Layer { .. } => return None,
        Action::Admit { call, waited } => Record::Admitted {
            call: *call,
            waited: *waited,
        },
        Action::Expire { call, .. } => Record::Expired(*call),
        Action::Send { replica, calls } => Record::Sent {
            replica: *replica,
            calls: calls.clone(),
        },
        Action::Enter {
            replica,
            wait,
            call,
        } => Record::Entered {
            replica: *replica,
            call: *call,
            wait: *wait,
        },
        Action::Recall { replica, calls } => Record::Recalled {
            replica: *replica,
            calls: calls.clone(),
        },
        Action::Move { from, to, calls } => Record::Moving {
            from: *from,
            to: *to,
            calls: calls.clone(),
        },
        Action::End { replica } | Action::Retire { replica } => Record::Ended(*replica),
        Action::Lose { call, .. }
        | Action::Poison { call, .. }
        | Action::Deny { call, .. }
        | Action::NoRoom { call, .. }
        | Action::Refuse { call, .. }
        | Action::Fault { call, .. } => Record::Lost(*call),
        Action::Hasten { .. }
        | Action::Interrupt { .. }
        | Action::Close { .. }
        | Action::Forget { .. }
        | Action::Release { .. } => return None,
    })
}
