//! Problem details: what is wrong with a request, as RFC 9457 has it.

use bytes::Bytes;
use http::header::{HeaderValue, CONTENT_TYPE};
use http::{Response, StatusCode};

use crate::answer::Body;

/// The content type of problems.
pub const PROBLEM: &str = "application/problem+json";

/// The text of a problem.
pub fn text(status: StatusCode, detail: &str) -> String {
    let title = status.canonical_reason().unwrap_or("Error");
    let known = serde_json::json!({
        "type": "about:blank",
        "title": title,
        "status": status.as_u16(),
        "detail": detail,
    });
    known.to_string()
}

/// A response that tells of a problem.
pub fn problem(status: StatusCode, detail: &str) -> Response<Body> {
    let mut response = Response::new(Body::full(Bytes::from(text(status, detail))));
    *response.status_mut() = status;
    let kind = HeaderValue::from_static(PROBLEM);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

/// The same, with one more header.
pub fn problem_with(
    status: StatusCode,
    detail: &str,
    (name, value): (http::HeaderName, &str),
) -> Response<Body> {
    let mut response = problem(status, detail);
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
    response
}

/// A whole HTTP/1 response that closes its connection, for where there is nobody else to write one.
pub fn bare(status: StatusCode, detail: &str, more: &str) -> Vec<u8> {
    let body = text(status, detail);
    let reason = status.canonical_reason().unwrap_or("Error");
    format!(
        "HTTP/1.1 {} {reason}\r\ncontent-type: {PROBLEM}\r\ncontent-length: {}\r\n{more}connection: close\r\n\r\n{body}",
        status.as_u16(),
        body.len(),
    )
    .into_bytes()
}
