//! One connection, from its first byte to its last.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use http::header::{HeaderValue, CONNECTION};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response, Version};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::answer::Body;
use crate::handle::handle;
use crate::meter::Meter;
use crate::patient::{Activity, Limits, Linger, Lingering, Patient};
use crate::problem::{bare, problem};
use crate::shared::Shared;

/// Bytes of a request's head.
const MOST_HEAD: usize = 32 << 10;
/// Lines of it.
const MOST_HEADERS: usize = 100;
/// Requests at once in one connection of HTTP/2.
const MOST_STREAMS: u32 = 256;
/// So much of a body may be on its way in one stream, and in all streams of a connection.
const WINDOWS: (u32, u32) = (256 << 10, 1 << 20);
/// When the server is about to end, what a client has sent by then is heard for so long.
const HEARING: Duration = Duration::from_millis(100);

/// Serves a connection until it ends.
pub async fn serve(shared: Arc<Shared>, stream: TcpStream, peer: SocketAddr, is_admin: bool) {
    let Some(site) = shared.site() else {
        return;
    };
    let limits = Limits {
        patience: site.patience(),
        idle: site.idle(),
    };
    let acceptor = site.tls.clone().filter(|_| !is_admin);
    drop(site);
    let _ = stream.set_nodelay(true);
    match acceptor {
        // each in memory of its own: a plain connection needs less than one with TLS
        None => Box::pin(converse(&shared, stream, limits, peer, is_admin)).await,
        Some(acceptor) => {
            let shaking = tokio::time::timeout(limits.patience, acceptor.accept(stream));
            if let Ok(Ok(stream)) = Box::pin(shaking).await {
                Box::pin(converse(&shared, stream, limits, peer, is_admin)).await;
            }
        }
    }
}

/// Says that there is no room for one more.
pub async fn turn_away(stream: TcpStream, is_tls: bool) {
    let mut stream = Lingering::new(stream);
    if !is_tls {
        let status = http::StatusCode::SERVICE_UNAVAILABLE;
        let text = bare(
            status,
            "There are too many connections.",
            "retry-after: 1\r\n",
        );
        let _ = stream.pin().write_all(&text).await;
    }
}

async fn converse<T>(
    shared: &Arc<Shared>,
    stream: T,
    limits: Limits,
    peer: SocketAddr,
    is_admin: bool,
) where
    T: Linger,
{
    let activity = Arc::new(Activity::default());
    let io = TokioIo::new(Patient::new(stream, limits, Arc::clone(&activity)));
    let service = service_fn(|request: Request<Incoming>| {
        let is_http2 = request.version() == Version::HTTP_2;
        let active = activity.begin(is_http2);
        let shared = Arc::clone(shared);
        // hyper keeps room for this as long as the connection: it is only a pointer
        Box::pin(async move {
            let answered = metered(&shared, request, (peer, is_admin), active);
            Ok::<_, Infallible>(answered.await)
        })
    });
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(None)
        .max_buf_size(MOST_HEAD)
        .max_headers(MOST_HEADERS); // no pipeline_flush: what is sent last would be lost with it
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(MOST_STREAMS)
        .initial_stream_window_size(WINDOWS.0)
        .initial_connection_window_size(WINDOWS.1)
        .max_header_list_size(MOST_HEAD as u32);
    let mut draining = shared.draining();
    let mut connection = pin!(builder.serve_connection(io, service));
    // A request may be in the kernel, and nothing here know of it yet: hyper would close the connection.
    let ending = async {
        let _ = draining.wait_for(|draining| *draining).await;
        tokio::time::sleep(HEARING).await;
    };
    tokio::select! {
        biased;
        _ = connection.as_mut() => return,
        () = ending => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

async fn metered(
    shared: &Shared,
    request: Request<Incoming>,
    (peer, is_admin): (SocketAddr, bool),
    active: crate::patient::Active,
) -> Response<Body> {
    let mut meter = Meter::begin(&shared.metrics, Arc::clone(&shared.others), active);
    let Some(site) = shared.site() else {
        let detail = "The server is about to end.";
        return problem(http::StatusCode::SERVICE_UNAVAILABLE, detail);
    };
    if let Some(access) = &site.access {
        let target = request.uri().path_and_query();
        let target = target.map_or("*", http::uri::PathAndQuery::as_str);
        meter.write_down(access, &peer.ip().to_string(), request.method(), target);
    }
    let is_http2 = request.version() == Version::HTTP_2;
    let mut response = handle(shared, &site, request, &mut meter, is_admin).await;
    meter.status(response.status());
    if shared.is_draining() && !is_http2 {
        let close = HeaderValue::from_static("close"); // the client need not find out
        response.headers_mut().insert(CONNECTION, close);
    }
    response.map(|body| match body.metered(meter) {
        body if is_http2 => body.held(site.patience()),
        body => body,
    })
}
