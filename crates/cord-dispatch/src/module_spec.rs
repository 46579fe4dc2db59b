//! Remote modules, as the session is told of them.

use crate::manner::{GateSpec, Manner, Rate};
use crate::migration::Migration;
use cord_wire::resident::Most;
use cord_wire::transport::Transport;

/// A remote module and how it is served.
#[derive(Debug, Clone)]
pub struct ModuleSpec {
    /// Name as imported; used in messages only.
    pub name: String,
    /// Number of replicas, at least 1.
    pub replicas: u32,
    /// How many of them are threads of one process, at least 1: those of so many places in a row.
    pub threads: u32,
    /// The most that there may be when there are more cores than the plan has counted.
    pub most: u32,
    /// How many of them are made before any call waits for them; all where there are to be fewer.
    pub at_start: u32,
    /// How its calls are handled; at least one.
    pub manners: Vec<Manner>,
    /// The gates that manners speak of.
    pub gates: Vec<GateSpec>,
    /// The rates that gates speak of.
    pub rates: Vec<Rate>,
    /// How replicas pass calls to one another, if they do.
    pub migration: Option<Migration>,
    /// What carries its calls and their replies.
    pub transport: Transport,
    /// How much content of arguments each replica keeps.
    pub resident: Most,
    /// Whether what stateful calls leave in its replica, of which there is one, must not be lost in
    /// silence: none is made in a fresh one then.
    pub keeps_state: bool,
    /// The part of the time in which its replicas have nothing to do that calls made again may take.
    pub again: f64,
    /// After how many calls another replica takes the place of one.
    pub recycle: Option<u32>,
}

impl ModuleSpec {
    /// A module for whose calls nothing special is asked.
    pub fn plain(name: &str, replicas: u32) -> ModuleSpec {
        ModuleSpec {
            name: name.to_owned(),
            replicas,
            threads: 1,
            most: replicas,
            at_start: replicas,
            manners: vec![Manner::default()],
            gates: Vec::new(),
            rates: Vec::new(),
            migration: None,
            transport: Transport::default(),
            resident: Most::default(),
            keeps_state: false,
            again: 0.0,
            recycle: None,
        }
    }
}
