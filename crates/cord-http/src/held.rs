//! Answers of HTTP/2, where a client that takes nothing of one holds up no byte of the connection: so
//! nobody would see it there, and the call behind a stream would wait without end.

use std::io::{Error, ErrorKind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame};
use tokio::time::Instant;

use crate::answer::Body;

/// The body of one answer.
pub struct Held(Arc<Mutex<Holding>>);

struct Holding {
    /// Nothing once it was let go.
    body: Option<Body>,
    /// Since when it is the client's turn; `None` while it waits for us.
    since: Option<Instant>,
}

impl Held {
    /// Lets go of a body of which nothing is taken for so long.
    pub fn new(body: Body, patience: Duration) -> Held {
        let holding = Arc::new(Mutex::new(Holding {
            body: Some(body),
            since: Some(Instant::now()),
        }));
        tokio::spawn(watch(Arc::downgrade(&holding), patience));
        Held(holding)
    }

    /// How long it is, where that is known.
    pub fn len(&self) -> Option<usize> {
        lock(&self.0).body.as_ref().and_then(Body::len)
    }

    /// Whether nothing more comes.
    pub fn is_end_stream(&self) -> bool {
        let holding = lock(&self.0);
        holding.body.as_ref().is_some_and(Body::is_end_stream)
    }

    /// The next piece.
    pub fn poll_frame(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let mut holding = lock(&self.0);
        let Some(body) = &mut holding.body else {
            return Poll::Ready(Some(Err(ErrorKind::TimedOut.into())));
        };
        let polled = Pin::new(body).poll_frame(cx);
        holding.since = polled.is_ready().then(Instant::now);
        polled
    }
}

fn lock(holding: &Mutex<Holding>) -> MutexGuard<'_, Holding> {
    holding.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn watch(holding: Weak<Mutex<Holding>>, patience: Duration) {
    let mut look = Instant::now() + patience;
    loop {
        tokio::time::sleep_until(look).await;
        let Some(holding) = holding.upgrade() else {
            return;
        };
        let mut holding = lock(&holding);
        let now = Instant::now();
        look = holding.since.unwrap_or(now) + patience;
        if look <= now {
            let body = holding.body.take();
            drop(holding);
            drop(body); // ends the call behind it
            return;
        }
    }
}
