//! What the server answers by itself: how it is, what it has counted, and how its routes are called.

use bytes::Bytes;
use http::header::{HeaderValue, CACHE_CONTROL, CONTENT_TYPE};
use http::{Method, Response, StatusCode};

use crate::answer::Body;
use crate::meter::Metrics;
use crate::problem::problem;
use crate::site::Site;

/// The answer to a request for one of Cord's own paths; `None` for all others.
pub fn own(
    site: &Site,
    metrics: &Metrics,
    is_draining: bool,
    (method, path): (&Method, &str),
) -> Option<Response<Body>> {
    let (kind, text): (&'static str, Bytes) = match path {
        "/healthz" => ("text/plain; charset=utf-8", Bytes::from_static(b"ok\n")),
        "/readyz" if is_draining => {
            let detail = "The server is about to end.";
            return Some(problem(StatusCode::SERVICE_UNAVAILABLE, detail));
        }
        "/readyz" if site.session.traffic().staff().any(|staff| staff.is_none()) => {
            let detail = "No replica is there for some of the routes.";
            return Some(problem(StatusCode::SERVICE_UNAVAILABLE, detail));
        }
        "/readyz" => ("text/plain; charset=utf-8", Bytes::from_static(b"ready\n")),
        "/metrics" => {
            let text = metrics.text(&site.pools, site.session.traffic().staff());
            ("text/plain; version=0.0.4; charset=utf-8", text.into())
        }
        "/openapi.json" => ("application/json", site.pages.openapi.clone()),
        "/docs" => ("text/html; charset=utf-8", site.pages.docs.clone()),
        _ => return None,
    };
    if ![Method::GET, Method::HEAD].contains(method) {
        return Some(crate::handle::other_methods(method, "GET, HEAD, OPTIONS"));
    }
    let mut response = Response::new(Body::full(text));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if path == "/docs" {
        // all that the page needs is in it
        let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      connect-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'";
        headers.insert("content-security-policy", HeaderValue::from_static(policy));
    }
    Some(response)
}
