//! What is served at a time: routes, limits, the session that calls go to. A reload makes a new one; the
//! old one ends with its last request.

use std::sync::{mpsc, Arc};
use std::time::Duration;

use bytes::Bytes;
use cord_core::session::Session;
use cord_wire::effects::Effects;
use cord_wire::payload::World;
use cord_wire::priority::Priority;
use http::Method;
use serde::Deserialize;
use tokio_rustls::TlsAcceptor;

use crate::access::Access;
use crate::calling::Settled;
use crate::events::{Event, Notify};
use crate::guard::Guard;
use crate::kept::{Kept, Which};
use crate::meter::{Counts, Metrics};
use crate::place::Pool;
use crate::route::{query_value, Routes};
use crate::tls;

/// What the plan says, and what replicas have told of their functions. Times are in seconds, sizes in bytes.
#[derive(Debug, Clone, Deserialize)]
pub struct Plan {
    /// The routes.
    pub routes: Vec<RoutePlan>,
    /// Each remote module's pool.
    pub pools: Vec<PoolPlan>,
    /// Requests that may wait in each pool, beside those that are served.
    pub queue: usize,
    /// The longest body that a request may have.
    pub body: usize,
    /// Connections at once.
    pub connections: usize,
    /// How long the head of a request, or the next piece of its body, may take.
    pub patience: f64,
    /// How long a connection may be idle.
    pub idle: f64,
    /// Names by which clients may ask for this server; none for any.
    pub hosts: Option<Vec<String>>,
    /// Other origins whose pages may call.
    pub origins: Vec<String>,
    /// Files with the certificate and its key, in PEM.
    pub tls: Option<(String, String)>,
    /// Where each request is written down: a file, or "stderr".
    pub log: Option<String>,
    /// Whether those lines are JSON.
    #[serde(default)]
    pub log_json: bool,
    /// Whether what the server says of itself is not for those who ask it for routes.
    #[serde(default)]
    pub is_discreet: bool,
    /// What is raised in a call whose time is over, as replicas read it.
    #[serde(skip)]
    pub late: Vec<u8>,
    /// What is raised in a call whose client has hung up.
    #[serde(skip)]
    pub gone: Vec<u8>,
}

/// A remote module's replicas.
#[derive(Debug, Clone, Deserialize)]
pub struct PoolPlan {
    /// The module.
    pub name: String,
    /// How many calls it serves at once.
    pub capacity: usize,
    /// How many bytes of bodies each replica keeps.
    pub resident_bytes: usize,
}

/// One route.
#[derive(Debug, Clone, Deserialize)]
pub struct RoutePlan {
    /// Its method.
    pub method: String,
    /// Its path, with parameters in braces.
    pub path: String,
    /// Index of the remote module, in pools and session.
    pub module: u32,
    /// Index of its function's manner.
    pub manner: u32,
    /// `"pure"`, `"independent"` or `"stateful"`.
    pub effects: String,
    /// What replicas are told of it with each request.
    pub spec: String,
    /// Headers whose values its function is given.
    pub headers: Vec<String>,
    /// Seconds until a request is given up.
    pub deadline: Option<f64>,
    /// What makes one request go before another.
    pub priority: Option<PriorityPlan>,
    /// Whether its function reads the body as it comes.
    pub reads_stream: bool,
    /// Whether its function may answer bit by bit.
    pub writes_stream: bool,
    /// Whether its function wants a body.
    pub has_body: bool,
    /// The longest body, if not as for all.
    pub body: Option<usize>,
    /// Which of its bodies replicas keep.
    pub resident: Option<Which>,
}

/// What makes one request go before another: larger numbers first.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PriorityPlan {
    /// The value of a header.
    Header(String),
    /// The value of a parameter of the query.
    Query(String),
    /// The value of the path's parameter at this place.
    Path(usize),
    /// Always the same.
    Always(f64),
}

/// Texts that are served as they are.
#[derive(Debug, Clone)]
pub struct Pages {
    /// OpenAPI's description.
    pub openapi: Bytes,
    /// The page to try it.
    pub docs: Bytes,
}

/// One route, ready to use.
pub(crate) struct Route {
    pub plan: RoutePlan,
    pub effects: Effects,
    pub deadline: Option<Duration>,
    pub body: usize,
    pub counts: Arc<Counts>,
}

/// What is served.
pub struct Site {
    pub(crate) number: u64,
    pub(crate) plan: Plan,
    pub(crate) routes: Vec<Route>,
    pub(crate) paths: Routes,
    pub(crate) pools: Vec<Arc<Pool>>,
    pub(crate) kept: Vec<Kept>,
    pub(crate) guard: Guard,
    pub(crate) pages: Pages,
    pub(crate) session: Arc<Session>,
    pub(crate) world: World,
    pub(crate) access: Option<Access>,
    pub(crate) tls: Option<TlsAcceptor>,
    pub(crate) settled: Arc<Settled>,
    events: mpsc::Sender<Event>,
    notify: Arc<Notify>,
}

impl Site {
    /// What a plan makes of a session.
    pub(crate) fn new(
        (number, plan, pages): (u64, Plan, Pages),
        (session, world): (Arc<Session>, World),
        metrics: &Metrics,
        (events, notify): (mpsc::Sender<Event>, Arc<Notify>),
        settled: Arc<Settled>,
    ) -> Result<Site, String> {
        let named: Result<Vec<(Method, &str)>, String> = plan
            .routes
            .iter()
            .map(|route| {
                let method = Method::from_bytes(route.method.as_bytes());
                let method = method.map_err(|_| format!("{} is no method", route.method))?;
                Ok((method, &route.path[..]))
            })
            .collect();
        let paths = Routes::new(named?.into_iter())?;
        let routes = plan.routes.iter().map(|route| Route {
            effects: effects_of(&route.effects),
            deadline: route.deadline.map(seconds),
            body: route.body.unwrap_or(plan.body),
            counts: metrics.counts(&route.method, &route.path),
            plan: route.clone(),
        });
        let pools = plan.pools.iter().map(|pool| {
            let most = pool.capacity.saturating_add(plan.queue);
            Arc::new(Pool::new(pool.name.clone(), pool.capacity, most))
        });
        let kept = plan.pools.iter().map(|pool| Kept::new(pool.resident_bytes));
        let access = plan.log.as_deref();
        let access = access.map(|path| Access::open(path, plan.log_json));
        let acceptor = plan
            .tls
            .as_ref()
            .map(|(cert, key)| tls::acceptor(cert, key));
        Ok(Site {
            number,
            routes: routes.collect(),
            paths,
            pools: pools.collect(),
            kept: kept.collect(),
            guard: Guard::new(plan.hosts.as_deref(), &plan.origins),
            pages,
            session,
            world,
            access: access.transpose()?,
            tls: acceptor.transpose()?,
            settled,
            events,
            notify,
            plan,
        })
    }

    /// What a call has printed is for whoever reads events.
    pub(crate) fn printed(&self, output: Vec<u8>) {
        if !output.is_empty() {
            let _ = self.events.send(Event::Output(output));
            self.notify.ring();
        }
    }

    pub(crate) fn patience(&self) -> Duration {
        seconds(self.plan.patience)
    }

    pub(crate) fn idle(&self) -> Duration {
        seconds(self.plan.idle)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.events.send(Event::Retired(self.number));
        self.notify.ring();
    }
}

impl RoutePlan {
    /// Which of the calls that wait goes first.
    pub(crate) fn priority(
        &self,
        headers: &http::HeaderMap,
        query: &str,
        path: &[String],
    ) -> Priority {
        let said = match &self.priority {
            None => return Priority::default(),
            Some(PriorityPlan::Always(value)) => return Priority::new(*value),
            Some(PriorityPlan::Header(name)) => {
                let value = headers.get(name).and_then(|value| value.to_str().ok());
                value.map(str::to_owned)
            }
            Some(PriorityPlan::Query(name)) => query_value(query, name),
            Some(PriorityPlan::Path(at)) => path.get(*at).cloned(),
        };
        let number = said.and_then(|text| text.trim().parse().ok());
        Priority::new(number.unwrap_or(0.0))
    }
}

fn effects_of(name: &str) -> Effects {
    match name {
        "pure" => Effects::Pure,
        "independent" => Effects::Independent,
        _ => Effects::Stateful,
    }
}

fn seconds(of: f64) -> Duration {
    Duration::try_from_secs_f64(of).unwrap_or(Duration::from_secs(86_400))
}
