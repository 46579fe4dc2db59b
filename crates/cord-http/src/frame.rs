//! A request as replicas read it, and a response as they write it.
//!
//! A request is one MessagePack array: specification of the route (bytes), path parameters (strings),
//! query (string), headers that were asked for (string or nil), content type (string or nil), where
//! to stream to (nil, or address and number), body (bytes; nil where it comes beside or as a stream).
//!
//! A response is one MessagePack array: status, content type (string or nil), more headers (nil, or an
//! array of names and values in turn); then the body, unless it is beside. One without any byte says
//! that the answer has gone over the stream.

use std::fmt;

use bytes::{Buf, Bytes};
use http::header::{HeaderName, HeaderValue, CONTENT_TYPE};
use http::{HeaderMap, StatusCode};
use rmp::{decode, encode};

/// What a request says, but for its body where that is beside it.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Request<'a> {
    /// What the route is, for the replica.
    pub spec: &'a [u8],
    /// Values of the path's parameters, decoded.
    pub path: Vec<String>,
    /// The query, as it came.
    pub query: &'a str,
    /// Values of the headers that the route asks for.
    pub headers: Vec<Option<String>>,
    /// The content type, if there is one.
    pub content_type: Option<&'a str>,
    /// Where a stream may be opened, and its number.
    pub stream: Option<(&'a str, u64)>,
    /// The body, if it is to travel here.
    pub body: Option<&'a [u8]>,
}

impl Request<'_> {
    /// The frame.
    pub fn encode(&self) -> Vec<u8> {
        let body = self.body.map_or(0, <[u8]>::len);
        let mut into = Vec::with_capacity(self.spec.len() + self.query.len() + body + 96);
        put(self, &mut into).expect("a vector takes all");
        into
    }
}

fn put(request: &Request<'_>, into: &mut Vec<u8>) -> std::io::Result<()> {
    encode::write_array_len(into, 7)?;
    encode::write_bin(into, request.spec)?;
    encode::write_array_len(into, count(request.path.len()))?;
    for value in &request.path {
        encode::write_str(into, value)?;
    }
    encode::write_str(into, request.query)?;
    encode::write_array_len(into, count(request.headers.len()))?;
    for value in &request.headers {
        put_text(value.as_deref(), into)?;
    }
    put_text(request.content_type, into)?;
    match request.stream {
        Some((address, number)) => {
            encode::write_array_len(into, 2)?;
            encode::write_str(into, address)?;
            encode::write_uint(into, number)?;
        }
        None => encode::write_nil(into)?,
    }
    match request.body {
        Some(body) => encode::write_bin(into, body)?,
        None => encode::write_nil(into)?,
    }
    Ok(())
}

fn put_text(text: Option<&str>, into: &mut Vec<u8>) -> std::io::Result<()> {
    match text {
        Some(text) => encode::write_str(into, text)?,
        None => encode::write_nil(into)?,
    }
    Ok(())
}

fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// What a replica has answered.
#[derive(Debug)]
pub struct Response {
    /// The status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// What came behind: the body, unless it is beside.
    pub body: Bytes,
}

/// A frame that is none.
#[derive(Debug, PartialEq, Eq)]
pub struct Malformed(&'static str);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a response that cannot be read: {}", self.0)
    }
}

impl Response {
    /// Reads a frame.
    ///
    /// # Errors
    /// When it is none, or has a header that HTTP does not allow.
    pub fn decode(mut frame: Bytes) -> Result<Response, Malformed> {
        let mut from = &frame[..];
        let fields = decode::read_array_len(&mut from).map_err(|_| Malformed("no array"))?;
        if fields != 3 {
            return Err(Malformed("not three fields"));
        }
        let status: u16 = decode::read_int(&mut from).map_err(|_| Malformed("no status"))?;
        let status = StatusCode::from_u16(status).map_err(|_| Malformed("no such status"))?;
        if status.is_informational() {
            return Err(Malformed("a status that ends no request"));
        }
        let mut headers = HeaderMap::new();
        if let Some(kind) = text(&mut from)? {
            headers.insert(CONTENT_TYPE, value(kind)?);
        }
        for _ in 0..pairs(&mut from)? {
            let name = text(&mut from)?.ok_or(Malformed("a header without a name"))?;
            let name = HeaderName::from_bytes(name.as_bytes());
            let name = name.map_err(|_| Malformed("a header's name"))?;
            let content = text(&mut from)?.ok_or(Malformed("a header without a value"))?;
            if is_ours(&name) {
                continue; // how the body is delimited is not the function's to say
            }
            headers.append(name, value(content)?);
        }
        let read = frame.len() - from.len();
        frame.advance(read);
        Ok(Response {
            status,
            headers,
            body: frame,
        })
    }
}

/// Whether the front end alone says it.
fn is_ours(name: &HeaderName) -> bool {
    use http::header::{CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING, UPGRADE};
    [CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING, UPGRADE].contains(name) || name == "keep-alive"
}

fn value(text: &str) -> Result<HeaderValue, Malformed> {
    HeaderValue::from_bytes(text.as_bytes()).map_err(|_| Malformed("a header's value"))
}

fn pairs(from: &mut &[u8]) -> Result<u32, Malformed> {
    if skip_nil(from) {
        return Ok(0);
    }
    let both = decode::read_array_len(from).map_err(|_| Malformed("no headers"))?;
    match both % 2 {
        0 => Ok(both / 2),
        _ => Err(Malformed("a header without a value")),
    }
}

fn text<'a>(from: &mut &'a [u8]) -> Result<Option<&'a str>, Malformed> {
    if skip_nil(from) {
        return Ok(None);
    }
    let whole: &'a [u8] = from;
    let (text, rest) = decode::read_str_from_slice(whole).map_err(|_| Malformed("no text"))?;
    *from = rest;
    Ok(Some(text))
}

fn skip_nil(from: &mut &[u8]) -> bool {
    let is_nil = from.first() == Some(&0xc0);
    if is_nil {
        *from = &from[1..];
    }
    is_nil
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(status: u16, kind: Option<&str>, pairs: &[(&str, &str)], body: &[u8]) -> Bytes {
        let mut into = Vec::new();
        encode::write_array_len(&mut into, 3).unwrap();
        encode::write_uint(&mut into, status.into()).unwrap();
        put_text(kind, &mut into).unwrap();
        encode::write_array_len(&mut into, count(pairs.len() * 2)).unwrap();
        for (name, value) in pairs {
            put_text(Some(name), &mut into).unwrap();
            put_text(Some(value), &mut into).unwrap();
        }
        into.extend_from_slice(body);
        into.into()
    }

    #[test]
    fn a_response_has_status_headers_and_the_body_behind_them() {
        let pairs = [("x-a", "1"), ("x-a", "2")];
        let whole = Response::decode(frame(201, Some("text/plain"), &pairs, b"hi")).unwrap();
        assert_eq!(whole.status, StatusCode::CREATED);
        assert_eq!(whole.headers[CONTENT_TYPE], "text/plain");
        assert_eq!(whole.headers.get_all("x-a").iter().count(), 2);
        assert_eq!(whole.body, "hi");
    }

    #[test]
    fn a_function_does_not_say_where_its_body_ends() {
        let pairs = [("Content-Length", "999"), ("transfer-encoding", "chunked")];
        let whole = Response::decode(frame(200, None, &pairs, b"hi")).unwrap();
        assert!(whole.headers.is_empty());
    }

    #[test]
    fn no_header_breaks_out_of_its_line() {
        for pair in [("x-a", "1\r\nx-b: 2"), ("x a", "1"), ("", "1")] {
            assert!(Response::decode(frame(200, None, &[pair], b"")).is_err());
        }
        assert!(Response::decode(frame(100, None, &[], b"")).is_err());
        assert!(Response::decode(frame(1000, None, &[], b"")).is_err());
    }

    #[test]
    fn whatever_is_cut_off_is_malformed() {
        let whole = frame(200, Some("text/plain"), &[("x-a", "1")], b"");
        for end in 0..whole.len() {
            assert!(Response::decode(whole.slice(..end)).is_err(), "{end}");
        }
    }
}
