//! A connection's bytes, with limits to how long a client may take: for the head of a request, between
//! requests, and to read what it is sent. What hyper says without a body becomes problem details.

use std::future::Future;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::Arc;
use std::task::{ready, Context, Poll};
use std::time::Duration;

use http::StatusCode;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::time::{Instant, Sleep};

use crate::problem::bare;

/// What goes on in a connection.
#[derive(Debug, Default)]
pub struct Activity {
    /// Requests whose head has come.
    begun: AtomicU64,
    /// Requests that are not answered to their end.
    under_way: AtomicUsize,
    /// When the last of them was answered, in milliseconds since `base`.
    ended: AtomicU64,
    /// Whether many share the connection.
    is_http2: AtomicBool,
    base: Base,
}

#[derive(Debug)]
struct Base(Instant);

impl Default for Base {
    fn default() -> Base {
        Base(Instant::now())
    }
}

/// A request under way, until this is dropped.
#[derive(Debug)]
pub struct Active(Arc<Activity>);

impl Activity {
    /// The client speaks HTTP/2: nothing of HTTP/1 is said to it.
    fn is_http2(&self) -> bool {
        self.is_http2.load(Ordering::Relaxed)
    }

    /// The head of a request has come.
    pub fn begin(self: &Arc<Activity>, is_http2: bool) -> Active {
        self.begun.fetch_add(1, Ordering::Relaxed);
        self.under_way.fetch_add(1, Ordering::Relaxed);
        if is_http2 {
            self.is_http2.store(true, Ordering::Relaxed);
        }
        Active(Arc::clone(self))
    }

    /// Whether nothing is under way.
    pub fn is_idle(&self) -> bool {
        self.under_way.load(Ordering::Acquire) == 0
    }

    /// When the last request was answered, or the connection began.
    fn idle_since(&self) -> Instant {
        self.base.0 + Duration::from_millis(self.ended.load(Ordering::Relaxed))
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        let now = u64::try_from(self.0.base.0.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.0.ended.store(now, Ordering::Relaxed);
        self.0.under_way.fetch_sub(1, Ordering::Release);
    }
}

/// How long a client may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// For the head of a request, and to read some of an answer.
    pub patience: Duration,
    /// Between requests.
    pub idle: Duration,
}

/// What connections are made of.
pub trait Linger: AsyncRead + AsyncWrite + Unpin + Send + 'static {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send + 'static> Linger for T {}

/// How a connection of HTTP/2 begins. No method of HTTP/1 does.
const PREFACE: &[u8] = b"PRI * HTTP/2.0";
/// What a client still sends is read for so long when a connection is ended here.
const LINGER: Duration = Duration::from_secs(1);

/// A connection that is ended gently: if it were closed while something comes, the kernel would tell
/// the client of a reset, and what it was told before would be lost.
pub struct Lingering<T: Linger>(Option<T>, bool);

impl<T: Linger> Lingering<T> {
    /// Of a connection that is open.
    pub fn new(inner: T) -> Lingering<T> {
        Lingering(Some(inner), false)
    }

    /// The connection itself.
    pub fn pin(&mut self) -> Pin<&mut T> {
        Pin::new(self.0.as_mut().expect("until it is dropped"))
    }

    /// Nothing more will come.
    fn let_go(&mut self) {
        self.1 = true;
    }
}

impl<T: Linger> Drop for Lingering<T> {
    fn drop(&mut self) {
        let (Some(mut inner), false) = (self.0.take(), self.1) else {
            return;
        };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        runtime.spawn(tokio::time::timeout(LINGER, async move {
            let _ = inner.shutdown().await;
            let mut rest = vec![0; 16 << 10];
            while inner.read(&mut rest).await.is_ok_and(|count| count > 0) {}
        }));
    }
}

/// A connection that is not waited for without end.
pub struct Patient<T: Linger> {
    inner: Lingering<T>,
    limits: Limits,
    activity: Arc<Activity>,
    /// Of which request this end has last known.
    begun: u64,
    /// When the first bytes came of a head that is not whole.
    partial: Option<Instant>,
    reading: Option<Pin<Box<Sleep>>>,
    writing: Option<Pin<Box<Sleep>>>,
    /// What is said instead of what hyper says.
    instead: Vec<u8>,
    is_over: bool,
    /// It was said why the connection ends: whatever hyper says to half a request is not.
    has_said_all: bool,
}

impl<T: Linger> Patient<T> {
    /// A fresh connection.
    pub fn new(inner: T, limits: Limits, activity: Arc<Activity>) -> Patient<T> {
        Patient {
            inner: Lingering::new(inner),
            limits,
            activity,
            begun: 0,
            partial: None,
            reading: None,
            writing: None,
            instead: Vec::new(),
            is_over: false,
            has_said_all: false,
        }
    }

    /// So much has come.
    fn listen(&mut self, bytes: &[u8]) {
        if bytes.is_empty() || self.silent_until().is_none() {
            return;
        }
        let is_first = self.begun == 0 && self.partial.is_none() && bytes.len() >= 3;
        if is_first && bytes.starts_with(&PREFACE[..bytes.len().min(PREFACE.len())]) {
            self.activity.is_http2.store(true, Ordering::Relaxed);
        }
        self.partial.get_or_insert_with(Instant::now);
    }

    /// Until when the client may be silent; `None` while it waits for us.
    fn silent_until(&mut self) -> Option<Instant> {
        let begun = self.activity.begun.load(Ordering::Relaxed);
        if begun != self.begun {
            self.begun = begun;
            self.partial = None;
        }
        if !self.activity.is_idle() {
            return None;
        }
        let is_http2 = self.activity.is_http2();
        let since = self.activity.idle_since();
        Some(match self.partial {
            Some(first) if !is_http2 => first + self.limits.patience,
            _ if begun == 0 => since + self.limits.patience,
            _ => since + self.limits.idle,
        })
    }

    /// Waits until the client has been silent for too long. It is not polled when a request ends, so
    /// while one is under way it looks again in time to be punctual; and it is not set anew with
    /// each request.
    fn poll_silence(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            let until = self.silent_until();
            let now = Instant::now();
            if until.is_some_and(|until| until <= now) {
                return Poll::Ready(());
            }
            let look = until.unwrap_or(now + self.limits.patience.min(self.limits.idle));
            let reading = &mut self.reading;
            let sleep = reading.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(look)));
            if sleep.deadline() > look || sleep.is_elapsed() {
                sleep.as_mut().reset(look);
            }
            ready!(sleep.as_mut().poll(cx));
        }
    }
}

impl<T: Linger> AsyncRead for Patient<T> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.is_over {
            return Poll::Ready(Ok(()));
        }
        let before = buf.filled().len();
        if let Poll::Ready(read) = this.inner.pin().poll_read(cx, buf) {
            this.listen(&buf.filled()[before..]);
            if buf.filled().len() == before {
                this.inner.let_go(); // the client has said all, or is gone
            }
            return Poll::Ready(read);
        }
        ready!(this.poll_silence(cx));
        this.is_over = true;
        if this.partial.is_some() && !this.activity.is_http2() {
            let detail = "The head of the request has not come in time.";
            let text = bare(StatusCode::REQUEST_TIMEOUT, detail, "");
            let _ = this.inner.pin().poll_write(cx, &text); // the rest of it is lost, if any
            let _ = this.inner.pin().poll_flush(cx);
            this.has_said_all = true;
        }
        Poll::Ready(Ok(()))
    }
}

impl<T: Linger> Patient<T> {
    /// Writes, but does not wait longer than the client may take to read some.
    fn patiently(
        &mut self,
        cx: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut T>, &mut Context<'_>) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = write(self.inner.pin(), cx) {
            self.writing = None;
            return Poll::Ready(written);
        }
        let patience = self.limits.patience;
        let sleep = self
            .writing
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
        ready!(sleep.as_mut().poll(cx));
        Poll::Ready(Err(ErrorKind::TimedOut.into()))
    }

    /// Puts problem details in the place of an answer of hyper's own to what is no request.
    fn replaces(&mut self, first: &[u8]) -> bool {
        if !self.activity.is_idle() {
            return false;
        }
        if self.has_said_all {
            return true;
        }
        let Some((status, detail)) = canned(first) else {
            return false;
        };
        self.instead = bare(status, detail, "");
        true
    }

    fn poll_instead(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.instead.is_empty() {
            let text = std::mem::take(&mut self.instead);
            match self.patiently(cx, |inner, cx| inner.poll_write(cx, &text)) {
                Poll::Ready(Ok(written)) => self.instead = text[written..].to_vec(),
                Poll::Ready(Err(why)) => return Poll::Ready(Err(why)),
                Poll::Pending => {
                    self.instead = text;
                    return Poll::Pending;
                }
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// What hyper answers to bytes that are no request: a head without content.
fn canned(bytes: &[u8]) -> Option<(StatusCode, &'static str)> {
    let rest = bytes.strip_prefix(b"HTTP/1.1 ")?;
    let (status, detail) = match rest.get(..3)? {
        b"400" => (StatusCode::BAD_REQUEST, "That is no request of HTTP."),
        b"414" => (
            StatusCode::URI_TOO_LONG,
            "The target of the request is too long.",
        ),
        b"431" => (
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            "The head of the request is too large.",
        ),
        _ => return None,
    };
    let head = std::str::from_utf8(rest).ok()?;
    let is_empty = head.contains("content-length: 0\r\n") && !head.contains("content-type:");
    let closes = head.contains("connection: close\r\n") && head.ends_with("\r\n\r\n");
    (is_empty && closes).then_some((status, detail))
}

impl<T: Linger> AsyncWrite for Patient<T> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if this.replaces(buf) {
            return Poll::Ready(Ok(buf.len()));
        }
        this.patiently(cx, |inner, cx| inner.poll_write(cx, buf))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if let [only] = bufs {
            if this.replaces(only) {
                return Poll::Ready(Ok(only.len()));
            }
        }
        this.patiently(cx, |inner, cx| inner.poll_write_vectored(cx, bufs))
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.0.as_ref().is_some_and(T::is_write_vectored)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        ready!(this.poll_instead(cx))?;
        this.inner.pin().poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        ready!(this.poll_instead(cx))?;
        this.inner.pin().poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_hyper_says_by_itself_is_replaced() {
        let canned_of = |head: &str| canned(head.as_bytes()).map(|(status, _)| status.as_u16());
        let own = "HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
        assert_eq!(canned_of(own), Some(431));
        let kept = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n";
        assert_eq!(canned_of(kept), None);
        let typed = "HTTP/1.1 400 Bad Request\r\ncontent-type: a/b\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        assert_eq!(canned_of(typed), None);
        assert_eq!(canned_of("HTTP/1.1 200 OK\r\n\r\n"), None);
    }
}
