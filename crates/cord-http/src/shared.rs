//! What all connections of a server see.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::{watch, Notify as Bell};

use crate::calling::Settled;
use crate::meter::{Counts, Metrics};
use crate::site::Site;
use crate::stream::Streams;

/// What all connections see.
pub(crate) struct Shared {
    pub site: RwLock<Option<Arc<Site>>>,
    pub metrics: Arc<Metrics>,
    /// What is counted of requests for no route.
    pub others: Arc<Counts>,
    pub streams: Arc<Streams>,
    pub settled: Arc<Settled>,
    pub draining: watch::Sender<bool>,
    /// The same, for those that look with each request.
    pub is_draining: AtomicBool,
    pub served: Bell,
    pub left: Bell,
}

impl Shared {
    /// What is served now; nothing once all connections have ended.
    pub fn site(&self) -> Option<Arc<Site>> {
        let site = self.site.read().unwrap_or_else(PoisonError::into_inner);
        site.clone()
    }

    pub fn draining(&self) -> watch::Receiver<bool> {
        self.draining.subscribe()
    }

    pub fn is_draining(&self) -> bool {
        self.is_draining.load(Ordering::Relaxed)
    }

    pub fn replace(&self, site: Option<Arc<Site>>) {
        let mut held = self.site.write().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut *held, site);
        drop(held);
        drop(before); // it may be its last
    }
}
