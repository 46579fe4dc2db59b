//! One request, from its head to its answer.

#![expect(
    clippy::result_large_err,
    reason = "a refusal is a whole response, and is made once"
)]

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use cord_core::call::Call;
use cord_wire::buffer::Buffer;
use cord_wire::codec::Codec;
use cord_wire::outcome::{Outcome, KIND_VALUE};
use cord_wire::payload::Payload;
use cord_wire::segment::SHARED_FROM;
use http::header::{
    HeaderValue, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, ALLOW, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH,
    CONTENT_TYPE, ORIGIN, RETRY_AFTER, TRANSFER_ENCODING, VARY,
};
use http::{Method, Request, Response, StatusCode, Version};
use http_body_util::BodyExt;
use hyper::body::{Body as _, Incoming};
use tokio::time::Instant;

use crate::answer::Body;
use crate::ending::Ending;
use crate::frame;
use crate::guard::Verdict;
use crate::meter::Meter;
use crate::own::own;
use crate::problem::{problem, problem_with};
use crate::route::Found;
use crate::shared::Shared;
use crate::sign::{first, Sign};
use crate::site::{Route, Site};
use crate::stream::{head, send_on, Awaited, Chunks};

/// The longest target of a request.
const MOST_TARGET: usize = 8 << 10;
/// Bodies of up to so many bytes travel within the frame.
const BESIDE_FROM: usize = 16 << 10;
/// A request without a deadline of its own may take so long to send its body.
const BODY_TIME: Duration = Duration::from_secs(300);

/// The answer to a request.
pub async fn handle(
    shared: &Shared,
    site: &Arc<Site>,
    request: Request<Incoming>,
    meter: &mut Meter,
    is_admin: bool,
) -> Response<Body> {
    let version = request.version();
    let is_chunked = request.headers().contains_key(TRANSFER_ENCODING);
    let authority = request.uri().authority();
    let is_http11 = version == Version::HTTP_11;
    let verdict = match is_admin {
        true if request.headers().contains_key(ORIGIN) => Verdict::OtherOrigin,
        true => Verdict::Welcome, // by whatever name
        false => site.guard.judge(authority, request.headers(), is_http11),
    };
    let mut response = match &verdict {
        Verdict::NoHost => problem(StatusCode::BAD_REQUEST, "A request has one Host header."),
        Verdict::OtherHost => problem(
            StatusCode::MISDIRECTED_REQUEST,
            "This server is not called by that name.",
        ),
        Verdict::OtherOrigin => problem(
            StatusCode::FORBIDDEN,
            "Pages of that origin may not call this server.",
        ),
        Verdict::Welcome | Verdict::WelcomeFrom(_) => {
            let mut response = match is_admin {
                true => own_only(shared, site, &request),
                false => answer(shared, site, request, meter).await,
            };
            if let Verdict::WelcomeFrom(origin) = &verdict {
                allow_origin(&mut response, origin);
            }
            response
        }
    };
    // What has both lengths ends its connection, and which of them has come is not told: RFC 9112, 6.3.
    if is_chunked && version < Version::HTTP_2 {
        response
            .headers_mut()
            .insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// The answer at the address where the server tells of itself.
fn own_only(shared: &Shared, site: &Site, request: &Request<Incoming>) -> Response<Body> {
    let about = (request.method(), request.uri().path());
    own(site, &shared.metrics, shared.is_draining(), about)
        .unwrap_or_else(|| problem(StatusCode::NOT_FOUND, "Routes are served elsewhere."))
}

async fn answer(
    shared: &Shared,
    site: &Arc<Site>,
    request: Request<Incoming>,
    meter: &mut Meter,
) -> Response<Body> {
    if let Some(refused) = refused(&request) {
        return refused;
    }
    let (method, path) = (request.method(), request.uri().path());
    let found = site.paths.find(method, path);
    match found {
        Found::Route(number, values) => {
            let route = &site.routes[number];
            meter.is_for(Arc::clone(&route.counts));
            let answered = serve(shared, site, route, values, request);
            answered.await.unwrap_or_else(|refused| refused)
        }
        Found::OtherMethods(allowed) if method == Method::OPTIONS => {
            options(request.headers(), &allowed)
        }
        Found::OtherMethods(allowed) => other_methods(method, &allowed),
        Found::Undecodable => problem(
            StatusCode::BAD_REQUEST,
            "A parameter of the path is not UTF-8.",
        ),
        Found::Nothing if method == Method::OPTIONS && path == "*" => {
            options(request.headers(), "GET, HEAD, OPTIONS")
        }
        Found::Nothing => Some((method, path))
            .filter(|(_, path)| !site.plan.is_discreet || ["/healthz", "/readyz"].contains(path))
            .and_then(|about| own(site, &shared.metrics, shared.is_draining(), about))
            .unwrap_or_else(|| problem(StatusCode::NOT_FOUND, "There is no route for this path.")),
    }
}

/// What is wrong with a request whatever it is for.
fn refused(request: &Request<Incoming>) -> Option<Response<Body>> {
    let headers = request.headers();
    let target = request.uri();
    let length = target.path().len() + target.query().map_or(0, str::len);
    if length > MOST_TARGET {
        let detail = format!("A path and query have up to {MOST_TARGET} bytes.");
        return Some(problem(StatusCode::URI_TOO_LONG, &detail));
    }
    if headers.contains_key(TRANSFER_ENCODING) && headers.contains_key(CONTENT_LENGTH) {
        let detail = "A request has Content-Length or Transfer-Encoding, not both.";
        return Some(problem(StatusCode::BAD_REQUEST, detail));
    }
    let mut codings = headers.get_all(TRANSFER_ENCODING).iter();
    if codings.any(|coding| !is(coding, "chunked")) {
        let detail = "The only Transfer-Encoding is chunked.";
        return Some(problem(StatusCode::NOT_IMPLEMENTED, detail));
    }
    let mut codings = headers.get_all(CONTENT_ENCODING).iter();
    if codings.any(|coding| !is(coding, "identity")) {
        let detail = "Bodies are sent as they are, without a Content-Encoding.";
        return Some(problem(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
    }
    None
}

fn is(value: &HeaderValue, what: &str) -> bool {
    value.as_bytes().eq_ignore_ascii_case(what.as_bytes())
}

/// The methods that there are, to a browser that asks before it calls, too.
fn options(asked: &http::HeaderMap, allowed: &str) -> Response<Body> {
    let mut response = Response::new(Body::full(Bytes::new()));
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    let Ok(allowed) = HeaderValue::from_str(allowed) else {
        return response;
    };
    if asked.contains_key(ACCESS_CONTROL_REQUEST_METHOD) {
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, allowed.clone());
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
        if let Some(wanted) = asked.get(ACCESS_CONTROL_REQUEST_HEADERS) {
            headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, wanted.clone());
        }
    }
    headers.insert(ALLOW, allowed);
    response
}

fn allow_origin(response: &mut Response<Body>, origin: &str) {
    let Ok(origin) = HeaderValue::from_str(origin) else {
        return;
    };
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.append(VARY, HeaderValue::from_static("Origin"));
}

/// That there is this path, but not for this method.
pub fn other_methods(method: &Method, allowed: &str) -> Response<Body> {
    if method == Method::OPTIONS {
        return options(&http::HeaderMap::new(), allowed);
    }
    let detail = format!("This path does not know {method}.");
    problem_with(StatusCode::METHOD_NOT_ALLOWED, &detail, (ALLOW, allowed))
}

/// One that was served, or why it was not.
type Served = Result<Response<Body>, Response<Body>>;

async fn serve(
    shared: &Shared,
    site: &Arc<Site>,
    route: &Route,
    values: Vec<String>,
    request: Request<Incoming>,
) -> Served {
    let plan = &route.plan;
    let pool = &site.pools[plan.module as usize];
    if pool.is_full() {
        return Err(full(site, route));
    }
    let until = route.deadline.map(|deadline| Instant::now() + deadline);
    let (parts, incoming) = request.into_parts();
    if incoming.size_hint().lower() > route.body as u64 {
        return Err(too_large(route.body));
    }
    let (body, stream) = if plan.reads_stream {
        (None, Some(incoming))
    } else if plan.has_body {
        let read = read_body(incoming, route.body, site.patience(), until);
        (Some(read.await?), None)
    } else {
        (None, None)
    };
    let awaited = (plan.reads_stream || plan.writes_stream).then(|| shared.streams.expect());
    let address = awaited
        .as_ref()
        .map(|one| (shared.streams.address(), one.number()));
    let content_type = parts
        .headers
        .get(CONTENT_TYPE)
        .map(|value| value.to_str().unwrap_or(""));
    let query = parts.uri.query().unwrap_or("");
    let priority = plan.priority(&parts.headers, query, &values);
    let is_beside = body.as_ref().is_some_and(|body| body.len() > BESIDE_FROM);
    let asked = plan.headers.iter().map(|name| {
        let value = parts.headers.get(name)?;
        Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
    });
    let head = frame::Request {
        spec: plan.spec.as_bytes(),
        path: values,
        query,
        headers: asked.collect(),
        content_type,
        stream: address,
        body: body.as_deref().filter(|_| !is_beside),
    };
    let payload = Payload {
        codec: Codec::HTTP,
        head: head.encode(),
        buffers: match &body {
            Some(body) if is_beside => {
                let beside = match plan.resident {
                    Some(which) => site.kept[plan.module as usize].buffer(body, which),
                    None => Buffer::copy_from(body, SHARED_FROM),
                };
                vec![beside.map_err(|_| no_room())?]
            }
            _ => Vec::new(),
        },
    };
    drop(body);
    let place = pool.enter().ok_or_else(|| full(site, route))?;
    let ticket = site.session.issue(Call {
        module: plan.module,
        manner: plan.manner,
        priority,
        world: Arc::clone(&site.world),
        ..Call::plain(route.effects, payload)
    });
    let ending = Ending::new(ticket, place, Arc::clone(site));
    let mut coming = Coming {
        awaited,
        body: stream.map(|body| (body, route.body, site.patience())),
        sending: None,
        is_lost: false,
    };
    let first = first_sign(site, ending.ticket(), &mut coming);
    let sign = match until {
        Some(until) => tokio::time::timeout_at(until, first).await.ok(),
        None => Some(first.await),
    };
    match sign {
        Some(Sign::Over(outcome)) => {
            drop(ending);
            let refused = coming.refused(route.body).await;
            refused.map_or(Ok(()), Err)?;
            let made = reply(site, outcome);
            if coming.is_lost && made.is_err() {
                return Err(lost());
            }
            made
        }
        Some(Sign::Head((head, chunks))) => streamed(head, chunks, ending),
        None => {
            ending.end_late();
            Err(problem(
                StatusCode::GATEWAY_TIMEOUT,
                "The request was not served within its deadline.",
            ))
        }
    }
}

/// What goes over a stream, if there is one.
struct Coming {
    awaited: Option<Awaited>,
    body: Option<(Incoming, usize, Duration)>,
    sending: Option<tokio::task::JoinHandle<std::io::Result<usize>>>,
    /// The replica that had some of the body has ended.
    is_lost: bool,
}

impl Coming {
    /// Opens the stream when the replica comes; the head of its response, which may never come. Where
    /// a replica has ended before, its call may be made again in another one, which comes, too; but a
    /// body is sent on once.
    async fn head(&mut self) -> Option<(Bytes, Chunks)> {
        loop {
            let stream = self.awaited.as_mut()?.stream().await?;
            let (mut from, to) = stream.into_split();
            if let Some((body, most, patience)) = self.body.take() {
                let sending = send_on(body, to, most, patience);
                self.sending = Some(tokio::spawn(sending));
            }
            if let Ok(head) = head(&mut from).await {
                return Some((head, Chunks::new(from)));
            }
            if self.sending.is_some() {
                self.is_lost = true;
                self.awaited = None;
            }
        }
    }

    /// What is wrong with a body that could not be sent on to its end.
    async fn refused(&mut self, most: usize) -> Option<Response<Body>> {
        let sending = self
            .sending
            .take()
            .filter(|sending| sending.is_finished())?;
        match sending.await.ok()?.err()?.kind() {
            std::io::ErrorKind::TimedOut => Some(slow()),
            std::io::ErrorKind::FileTooLarge => Some(too_large(most)),
            _ => None,
        }
    }
}

/// The head of a call's stream, or how it has ended.
async fn first_sign(
    site: &Site,
    ticket: &cord_core::ticket::Ticket,
    coming: &mut Coming,
) -> Sign<(Bytes, Chunks), Option<Outcome>> {
    let ended = async {
        site.settled.wait(ticket).await;
        ticket.take()
    };
    let streams = |outcome: &mut Option<Outcome>| match outcome {
        Some(Outcome::Reply {
            kind: KIND_VALUE,
            payload,
            output,
        }) if payload.head.is_empty() => {
            site.printed(std::mem::take(output));
            true
        }
        _ => false,
    };
    first(coming.head(), ended, streams).await
}

/// The answer of a call that has ended.
fn reply(site: &Site, outcome: Option<Outcome>) -> Served {
    match outcome {
        Some(Outcome::Reply {
            kind: KIND_VALUE,
            payload,
            output,
        }) => {
            site.printed(output);
            let whole = frame::Response::decode(payload.head.into());
            let whole = whole.map_err(|_| broken())?;
            let body = match payload.buffers.into_iter().next() {
                Some(buffer) => Body::buffer(buffer).map_err(|_| no_room())?,
                None => whole.body,
            };
            Ok(made(whole.status, whole.headers, Body::full(body)))
        }
        Some(Outcome::Reply { output, .. }) => {
            site.printed(output);
            Err(broken())
        }
        Some(Outcome::Lost(lost)) => {
            let may = if lost.may_have_run {
                "may have run"
            } else {
                "has not run"
            };
            let detail = format!("The process that served the request has ended; it {may}.");
            Err(problem(StatusCode::BAD_GATEWAY, &detail))
        }
        Some(Outcome::StateLost { .. }) => Err(problem(
            StatusCode::BAD_GATEWAY,
            "The process that kept what requests before have left has ended.",
        )),
        Some(Outcome::Expired { deadline }) => Err(problem(
            StatusCode::GATEWAY_TIMEOUT,
            &format!("The function has taken longer than {deadline:?}."),
        )),
        Some(Outcome::Unavailable { .. }) => Err(problem(
            StatusCode::SERVICE_UNAVAILABLE,
            "The function cannot be loaded.",
        )),
        Some(Outcome::Closed) | None => Err(problem(
            StatusCode::SERVICE_UNAVAILABLE,
            "The server is about to end.",
        )),
    }
}

fn streamed(head: Bytes, chunks: Chunks, ending: Ending) -> Served {
    let whole = frame::Response::decode(head).map_err(|_| broken())?;
    Ok(made(
        whole.status,
        whole.headers,
        Body::stream(chunks, ending),
    ))
}

fn made(status: StatusCode, headers: http::HeaderMap, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// All of a body, of `most` bytes at most, each piece of which has come in time.
async fn read_body(
    mut body: Incoming,
    most: usize,
    patience: Duration,
    until: Option<Instant>,
) -> Result<Vec<u8>, Response<Body>> {
    let until = until.unwrap_or_else(|| Instant::now() + BODY_TIME);
    let expected = usize::try_from(body.size_hint().lower()).unwrap_or(0);
    let mut whole = Vec::new();
    whole
        .try_reserve(expected.min(most))
        .map_err(|_| no_room())?;
    loop {
        let by = until.min(Instant::now() + patience);
        let next = tokio::time::timeout_at(by, body.frame()).await;
        let Some(frame) = next.map_err(|_| slow())? else {
            return Ok(whole);
        };
        let frame = frame.map_err(|_| {
            problem(
                StatusCode::BAD_REQUEST,
                "The body cannot be read to its end.",
            )
        })?;
        if let Ok(data) = frame.into_data() {
            if whole.len().saturating_add(data.len()) > most {
                return Err(too_large(most));
            }
            whole.try_reserve(data.len()).map_err(|_| no_room())?;
            whole.extend_from_slice(&data);
        }
    }
}

fn full(site: &Site, route: &Route) -> Response<Body> {
    let after = site.pools[route.plan.module as usize]
        .retry_after()
        .to_string();
    let detail = "All places are taken, and the queue is full.";
    problem_with(
        StatusCode::SERVICE_UNAVAILABLE,
        detail,
        (RETRY_AFTER, &after),
    )
}

fn too_large(most: usize) -> Response<Body> {
    let detail = format!("The body of this request has up to {most} bytes.");
    closing(problem(StatusCode::PAYLOAD_TOO_LARGE, &detail))
}

fn slow() -> Response<Body> {
    let detail = "The body has not come in time.";
    closing(problem(StatusCode::REQUEST_TIMEOUT, detail))
}

/// The rest of the request is not read.
fn closing(mut response: Response<Body>) -> Response<Body> {
    let headers = response.headers_mut();
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

fn no_room() -> Response<Body> {
    problem(
        StatusCode::SERVICE_UNAVAILABLE,
        "There is no memory for this request.",
    )
}

fn lost() -> Response<Body> {
    let detail =
        "The process that served the request has ended, and its body cannot be sent again.";
    problem(StatusCode::BAD_GATEWAY, detail)
}

fn broken() -> Response<Body> {
    problem(
        StatusCode::INTERNAL_SERVER_ERROR,
        "The function has not given an answer that can be sent.",
    )
}
