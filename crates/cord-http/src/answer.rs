//! Bodies of responses: whole ones, and streams of a replica's.

use std::pin::Pin;
use std::task::{ready, Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use cord_wire::buffer::Buffer;
use hyper::body::{Body as HttpBody, Frame, SizeHint};

use crate::ending::Ending;
use crate::held::Held;
use crate::meter::Meter;
use crate::stream::Chunks;

/// What a body is made of.
enum Inner {
    Full(Option<Bytes>),
    /// The call ends when nobody reads on.
    Stream(Box<Chunks>, Box<Ending>),
    /// A stream that has broken off, and how: told once what came before it is on its way.
    Broken(Option<std::io::Error>),
    /// One of several answers in a connection, whose client may leave it alone.
    Held(Held),
}

/// The body of a response.
pub struct Body {
    inner: Inner,
    meter: Option<Box<Meter>>,
}

/// Memory of a reply, sent as it is.
struct Owned(Buffer);

impl AsRef<[u8]> for Owned {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes().unwrap_or(&[])
    }
}

impl Body {
    /// Bytes that are all there.
    pub fn full(bytes: Bytes) -> Body {
        Body {
            inner: Inner::Full(Some(bytes)),
            meter: None,
        }
    }

    /// What a reply has beside it, wherever that lies.
    ///
    /// # Errors
    /// When there is no memory to see it in.
    pub fn buffer(buffer: Buffer) -> std::io::Result<Bytes> {
        buffer.bytes()?;
        Ok(Bytes::from_owner(Owned(buffer)))
    }

    /// What a replica sends bit by bit; whatever ends the body ends the call.
    pub fn stream(chunks: Chunks, ending: Ending) -> Body {
        Body {
            inner: Inner::Stream(Box::new(chunks), Box::new(ending)),
            meter: None,
        }
    }

    /// How long it is, where that is known.
    pub fn len(&self) -> Option<usize> {
        match &self.inner {
            Inner::Full(bytes) => Some(bytes.as_ref().map_or(0, Bytes::len)),
            Inner::Held(held) => held.len(),
            Inner::Stream(..) | Inner::Broken(_) => None,
        }
    }

    /// Lets go of it, and of the call behind it, where the client takes nothing of it for so long.
    pub fn held(self, patience: Duration) -> Body {
        Body {
            inner: Inner::Held(Held::new(self, patience)),
            meter: None,
        }
    }

    /// Counts it from now on.
    pub fn metered(mut self, meter: Meter) -> Body {
        self.meter = Some(Box::new(meter));
        self
    }
}

impl HttpBody for Body {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        let next = match &mut self.inner {
            Inner::Full(bytes) => bytes.take().filter(|bytes| !bytes.is_empty()).map(Ok),
            Inner::Stream(chunks, ending) => {
                let next = ready!(chunks.poll_next(cx));
                if !matches!(next, Some(Ok(_))) {
                    ending.let_end();
                }
                if let Some(Err(why)) = next {
                    self.inner = Inner::Broken(Some(why));
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
                next
            }
            Inner::Broken(why) => why.take().map(Err),
            Inner::Held(held) => return held.poll_frame(cx),
        };
        if let (Some(Ok(bytes)), Some(meter)) = (&next, &mut self.meter) {
            meter.count(bytes.len());
        }
        Poll::Ready(next.map(|bytes| bytes.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        match &self.inner {
            Inner::Full(bytes) => bytes.as_ref().is_none_or(Bytes::is_empty),
            Inner::Held(held) => held.is_end_stream(),
            Inner::Stream(..) | Inner::Broken(_) => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        self.len()
            .map_or_else(SizeHint::default, |len| SizeHint::with_exact(len as u64))
    }
}
