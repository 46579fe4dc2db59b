//! What is counted, and told as Prometheus reads it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use http::{Method, StatusCode};

use crate::access::{Access, Line};
use crate::patient::Active;
use crate::place::Pool;

/// Upper bounds of the histogram's buckets, in seconds.
const BOUNDS: [f64; 12] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0,
];
/// Statuses that are told apart; others count by their class.
const STATUSES: usize = 600;

/// What is counted of one route.
#[derive(Debug)]
pub struct Counts {
    by_status: Box<[AtomicU64]>,
    buckets: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
    bytes: AtomicU64,
}

impl Default for Counts {
    fn default() -> Counts {
        Counts {
            by_status: (0..STATUSES).map(|_| AtomicU64::new(0)).collect(),
            buckets: std::array::from_fn(|_| AtomicU64::new(0)),
            micros: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
        }
    }
}

impl Counts {
    fn add(&self, status: StatusCode, seconds: f64, bytes: u64) {
        let at = usize::from(status.as_u16()).min(STATUSES - 1);
        self.by_status[at].fetch_add(1, Ordering::Relaxed);
        let bucket = BOUNDS.partition_point(|bound| *bound < seconds);
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        self.micros
            .fetch_add((seconds * 1e6) as u64, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// All that is counted, for as long as the server runs.
#[derive(Debug, Default)]
pub struct Metrics {
    routes: Mutex<BTreeMap<(String, String), Arc<Counts>>>,
    /// Connections that are open.
    pub connections: AtomicUsize,
    /// Connections that there have been.
    pub accepted: AtomicU64,
    /// Connections that were turned away.
    pub refused: AtomicU64,
    /// Requests under way.
    pub under_way: AtomicUsize,
    /// How often what is served was replaced.
    pub reloads: AtomicU64,
}

impl Metrics {
    /// What is counted of a route; what is none's goes by an empty path.
    pub fn counts(&self, method: &str, path: &str) -> Arc<Counts> {
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = routes
            .entry((path.to_owned(), method.to_owned()))
            .or_default();
        Arc::clone(counts)
    }

    /// All of it, as Prometheus reads it.
    pub fn text(&self, pools: &[Arc<Pool>], staff: impl Iterator<Item = Option<u32>>) -> String {
        let mut text = String::with_capacity(4096);
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        head(
            &mut text,
            "cord_http_requests_total",
            "counter",
            "Requests answered.",
        );
        for ((path, method), counts) in routes.iter() {
            for (status, count) in counts.by_status.iter().enumerate() {
                let count = count.load(Ordering::Relaxed);
                if count > 0 {
                    let labels = labels(method, path);
                    let _ = writeln!(
                        text,
                        "cord_http_requests_total{{{labels},status=\"{status}\"}} {count}"
                    );
                }
            }
        }
        let name = "cord_http_request_duration_seconds";
        head(
            &mut text,
            name,
            "histogram",
            "From a request's head to the end of its answer.",
        );
        for ((path, method), counts) in routes.iter() {
            let labels = labels(method, path);
            let mut below = 0;
            for (count, bound) in counts.buckets.iter().zip(BOUNDS) {
                below += count.load(Ordering::Relaxed);
                let _ = writeln!(text, "{name}_bucket{{{labels},le=\"{bound}\"}} {below}");
            }
            below += counts.buckets[BOUNDS.len()].load(Ordering::Relaxed);
            let sum = counts.micros.load(Ordering::Relaxed) as f64 / 1e6;
            let _ = writeln!(text, "{name}_bucket{{{labels},le=\"+Inf\"}} {below}");
            let _ = writeln!(text, "{name}_sum{{{labels}}} {sum}");
            let _ = writeln!(text, "{name}_count{{{labels}}} {below}");
        }
        head(
            &mut text,
            "cord_http_response_bytes_total",
            "counter",
            "Bytes of bodies sent.",
        );
        for ((path, method), counts) in routes.iter() {
            let (labels, bytes) = (labels(method, path), counts.bytes.load(Ordering::Relaxed));
            let _ = writeln!(text, "cord_http_response_bytes_total{{{labels}}} {bytes}");
        }
        drop(routes);
        self.gauges(&mut text);
        head(
            &mut text,
            "cord_pool_size",
            "gauge",
            "Calls that a module's replicas serve at once.",
        );
        for pool in pools {
            let _ = writeln!(
                text,
                "cord_pool_size{{module=\"{}\"}} {}",
                pool.name, pool.capacity
            );
        }
        head(
            &mut text,
            "cord_pool_busy",
            "gauge",
            "Calls that they serve now.",
        );
        for pool in pools {
            let busy = pool.inside().min(pool.capacity);
            let _ = writeln!(text, "cord_pool_busy{{module=\"{}\"}} {busy}", pool.name);
        }
        head(
            &mut text,
            "cord_pool_waiting",
            "gauge",
            "Requests that wait for one.",
        );
        for pool in pools {
            let waiting = pool.inside().saturating_sub(pool.capacity);
            let _ = writeln!(
                text,
                "cord_pool_waiting{{module=\"{}\"}} {waiting}",
                pool.name
            );
        }
        head(
            &mut text,
            "cord_pool_replicas",
            "gauge",
            "Replicas that a module has now.",
        );
        for (pool, staff) in pools.iter().zip(staff) {
            let name = &pool.name;
            let _ = writeln!(
                text,
                "cord_pool_replicas{{module=\"{name}\"}} {}",
                staff.unwrap_or(0)
            );
        }
        text
    }

    fn gauges(&self, text: &mut String) {
        let now = |of: &AtomicUsize| of.load(Ordering::Relaxed) as u64;
        let all = |of: &AtomicU64| of.load(Ordering::Relaxed);
        for (name, kind, help, value) in [
            (
                "cord_http_connections",
                "gauge",
                "Connections that are open.",
                now(&self.connections),
            ),
            (
                "cord_http_requests_in_flight",
                "gauge",
                "Requests under way.",
                now(&self.under_way),
            ),
            (
                "cord_http_connections_total",
                "counter",
                "Connections accepted.",
                all(&self.accepted),
            ),
            (
                "cord_http_connections_refused_total",
                "counter",
                "Connections turned away.",
                all(&self.refused),
            ),
            (
                "cord_http_reloads_total",
                "counter",
                "Reloads of the plan.",
                all(&self.reloads),
            ),
        ] {
            head(text, name, kind, help);
            let _ = writeln!(text, "{name} {value}");
        }
    }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

fn labels(method: &str, path: &str) -> String {
    let path = path
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("method=\"{method}\",route=\"{path}\"")
}

/// Counts one response until its last byte, and writes it down.
pub struct Meter {
    counts: Arc<Counts>,
    metrics: Arc<Metrics>,
    began: Instant,
    status: StatusCode,
    bytes: u64,
    line: Option<(Access, Line)>,
    #[expect(dead_code, reason = "tells the connection when it is dropped")]
    active: Active,
}

impl Meter {
    /// Of a request that has come now.
    pub fn begin(metrics: &Arc<Metrics>, counts: Arc<Counts>, active: Active) -> Meter {
        metrics.under_way.fetch_add(1, Ordering::Relaxed);
        Meter {
            counts,
            metrics: Arc::clone(metrics),
            began: Instant::now(),
            status: StatusCode::from_u16(499).unwrap_or_default(), // the client has hung up
            bytes: 0,
            line: None,
            active,
        }
    }

    /// It turned out to be for this route.
    pub fn is_for(&mut self, counts: Arc<Counts>) {
        self.counts = counts;
    }

    /// It is to be written down.
    pub fn write_down(&mut self, access: &Access, peer: &str, method: &Method, path: &str) {
        let line = Line::new(peer, method, path);
        self.line = Some((access.clone(), line));
    }

    /// It is answered so.
    pub fn status(&mut self, status: StatusCode) {
        self.status = status;
    }

    /// So many bytes more have gone.
    pub fn count(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        let seconds = self.began.elapsed().as_secs_f64();
        self.counts.add(self.status, seconds, self.bytes);
        self.metrics.under_way.fetch_sub(1, Ordering::Relaxed);
        if let Some((access, line)) = self.line.take() {
            access.write(line, self.status, self.bytes, seconds);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_route_and_status_and_in_their_buckets() {
        let metrics = Arc::new(Metrics::default());
        let counts = metrics.counts("GET", "/a\"b");
        counts.add(StatusCode::OK, 0.002, 10);
        counts.add(StatusCode::NOT_FOUND, 100.0, 5);
        let text = metrics.text(
            &[Arc::new(Pool::new("work".to_owned(), 2, 10))],
            std::iter::once(Some(1)),
        );
        for line in [
            "cord_http_requests_total{method=\"GET\",route=\"/a\\\"b\",status=\"200\"} 1",
            "cord_http_request_duration_seconds_bucket{method=\"GET\",route=\"/a\\\"b\",le=\"0.001\"} 0",
            "cord_http_request_duration_seconds_bucket{method=\"GET\",route=\"/a\\\"b\",le=\"0.0025\"} 1",
            "cord_http_request_duration_seconds_bucket{method=\"GET\",route=\"/a\\\"b\",le=\"+Inf\"} 2",
            "cord_http_response_bytes_total{method=\"GET\",route=\"/a\\\"b\"} 15",
            "cord_pool_size{module=\"work\"} 2",
            "cord_pool_replicas{module=\"work\"} 1",
        ] {
            assert!(text.lines().any(|one| one == line), "{line}\nin {text}");
        }
    }

    #[test]
    fn a_request_that_nobody_waited_for_counts_as_hung_up() {
        let metrics = Arc::new(Metrics::default());
        let active = Arc::new(crate::patient::Activity::default()).begin(false);
        drop(Meter::begin(&metrics, metrics.counts("GET", "/a"), active));
        assert!(metrics
            .text(&[], std::iter::empty())
            .contains("status=\"499\"} 1"));
        assert_eq!(metrics.under_way.load(Ordering::Relaxed), 0);
    }
}
