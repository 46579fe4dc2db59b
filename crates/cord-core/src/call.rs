//! A call to be issued.

use std::sync::Arc;

use crate::kept::Keep;
use cord_dispatch::audit::Auditor;
use cord_wire::effects::Effects;
use cord_wire::payload::{Payload, World};
use cord_wire::priority::Priority;

/// A call to be issued.
#[derive(Debug)]
pub struct Call {
    /// Index into the modules that the session was started with.
    pub module: u32,
    /// What it does besides giving a value.
    pub effects: Effects,
    /// Index of its manner among those of the module.
    pub manner: u32,
    /// Which of the calls that wait goes first.
    pub priority: Priority,
    /// Whether it only gets a replica ready: none is made for it.
    pub beside: bool,
    /// Whether it is issued before the program asks for it: its reply counts in the manner's budget.
    pub ahead: bool,
    /// If its value is kept for other calls, for as long as there is a ticket of it: the length of the
    /// chain of such calls that ends with this one. Else 0.
    pub chain: u32,
    /// Calls, by their tickets' numbers, whose kept values it is given beside its arguments.
    pub needs: Vec<u64>,
    /// Its encoded arguments.
    pub payload: Payload,
    /// The world in which the program makes it.
    pub world: World,
    /// Who hears of it if the call is made again and gives something else; none where it is not to be.
    pub auditor: Option<Arc<dyn Auditor>>,
    /// What it is known by in later runs, if its outcome is kept for these.
    pub keep: Option<Box<Keep>>,
}

impl Call {
    /// A call of the first module in its first manner, made where the program stands.
    pub fn plain(effects: Effects, payload: Payload) -> Call {
        Call {
            module: 0,
            effects,
            manner: 0,
            priority: Priority::default(),
            beside: false,
            ahead: false,
            chain: 0,
            needs: Vec::new(),
            payload,
            world: World::default(),
            auditor: None,
            keep: None,
        }
    }
}
