//! The orders to load modules: the client's, and those of replicas whose calls import a module that
//! the client has not.

use super::peer::Peer;
use super::Reactor;
use crate::engine::Launcher;
use crate::mailbox::Load;
use cord_dispatch::dispatcher::{Event, Nanos};
use cord_wire::relay::NestedLoad;
use cord_wire::wire::Malformed;

/// How replicas of a module load it.
#[derive(Debug)]
pub(super) struct Ordered {
    pub(super) load: Load,
    /// The client has not imported the module itself.
    by_replica: bool,
}

impl<L: Launcher> Reactor<L> {
    /// The client executes a module. If a replica was first, and its order could be followed, the
    /// program's import is no news: the module has its state already.
    pub(super) fn load(&mut self, now: Nanos, module: u32, load: Load) {
        let index = module as usize;
        let known = self.loads[index].as_mut().filter(|known| known.by_replica);
        if let Some(known) = known.filter(|_| !self.dispatcher.has_failed(module)) {
            known.by_replica = false;
            return;
        }
        self.order(now, module, load, false);
    }

    /// A replica executes another module in a call.
    pub(super) fn take_order(
        &mut self,
        now: Nanos,
        from: &Peer<L::Link>,
        body: &[u8],
    ) -> Result<(), Malformed> {
        let NestedLoad {
            module,
            parent,
            order,
        } = NestedLoad::decode(body)?;
        if module as usize >= self.modules.len() || module == from.module {
            return Err(Malformed::new("it loads a module that is not there"));
        }
        let index = module as usize;
        if self.loads[index].is_none() || self.dispatcher.has_failed(module) {
            let world = self.world_of(parent, from);
            self.order(now, module, Load { world, order }, true);
        }
        Ok(())
    }

    /// Tells all replicas of a module, and those to come, to load it.
    fn order(&mut self, now: Nanos, module: u32, mut load: Load, by_replica: bool) {
        if self.modules[module as usize].threads > 1 {
            // those that are threads of one process follow it once
            self.orders += 1;
            load.order.extend_from_slice(&self.orders.to_le_bytes());
        }
        self.tell(now, Event::Loading { module });
        for (replica, peer) in &mut self.peers {
            if peer.module == module {
                peer.load(&load);
                if !std::mem::replace(&mut peer.dirty, true) {
                    self.dirty.push(*replica);
                }
            }
        }
        self.loads[module as usize] = Some(Ordered { load, by_replica });
    }
}
