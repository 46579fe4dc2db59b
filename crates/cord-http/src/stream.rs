//! Streams between requests and the replicas that serve them: a socket beside the link, for bodies that
//! go bit by bit, either way. Its buffers are the back-pressure.
//!
//! A replica connects, and says the request's number (eight bytes, little endian), then the head of its
//! response as a frame. Then each side sends frames: a length (four bytes, little endian) and so many
//! bytes; an empty one ends the body. A connection that ends without it was broken off.

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener as StdListener};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{ready, Context, Poll};
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt, ReadBuf};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;

/// Longest head of a response.
const MOST_HEAD: u32 = 1 << 20;
/// So much is read at once.
const PIECE: usize = 64 << 10;
/// A replica that has connected says who it is within this time.
const INTRODUCTION: Duration = Duration::from_secs(10);

/// Where replicas connect to, and what they are expected for.
#[derive(Debug)]
pub struct Streams {
    address: String,
    next: AtomicU64,
    awaited: Mutex<HashMap<u64, mpsc::UnboundedSender<UnixStream>>>,
}

/// A stream that is expected until this is dropped: one more each time that its call is made again.
#[derive(Debug)]
pub struct Awaited {
    number: u64,
    streams: Arc<Streams>,
    comes: mpsc::UnboundedReceiver<UnixStream>,
}

impl Streams {
    /// A socket that only this user's processes on this machine come to; it is gone with this process.
    ///
    /// # Errors
    /// When the system has no room for one.
    pub fn bind() -> io::Result<(Arc<Streams>, StdListener)> {
        let mut secret = [0_u8; 16];
        ring_random(&mut secret)?;
        let secret: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
        let address = format!("cord-http-{}-{secret}", std::process::id());
        let socket = StdListener::bind_addr(&SocketAddr::from_abstract_name(&address)?)?;
        socket.set_nonblocking(true)?;
        let streams = Streams {
            address,
            next: AtomicU64::new(1),
            awaited: Mutex::default(),
        };
        Ok((Arc::new(streams), socket))
    }

    /// Where replicas connect to: a name in the abstract namespace.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Brings those who connect to the requests that expect them.
    pub async fn run(self: Arc<Streams>, listener: StdListener) {
        let Ok(listener) = UnixListener::from_std(listener) else {
            return;
        };
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    let streams = Arc::clone(&self);
                    tokio::spawn(async move { streams.introduce(stream).await });
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    async fn introduce(&self, mut stream: UnixStream) {
        let own = rustix::process::geteuid().as_raw();
        if !stream.peer_cred().is_ok_and(|peer| peer.uid() == own) {
            return;
        }
        let number = tokio::time::timeout(INTRODUCTION, stream.read_u64_le()).await;
        if let Ok(Ok(number)) = number {
            let awaited = self.awaited().get(&number).cloned();
            if let Some(awaited) = awaited {
                let _ = awaited.send(stream);
            }
        }
    }

    fn awaited(
        &self,
    ) -> std::sync::MutexGuard<'_, HashMap<u64, mpsc::UnboundedSender<UnixStream>>> {
        self.awaited.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request expects a stream.
    pub fn expect(self: &Arc<Streams>) -> Awaited {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, comes) = mpsc::unbounded_channel();
        self.awaited().insert(number, sender);
        Awaited {
            number,
            streams: Arc::clone(self),
            comes,
        }
    }
}

impl Awaited {
    /// The number that the replica is to say.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Waits until a replica has connected.
    pub async fn stream(&mut self) -> Option<UnixStream> {
        self.comes.recv().await
    }
}

impl Drop for Awaited {
    fn drop(&mut self) {
        self.streams.awaited().remove(&self.number);
    }
}

fn ring_random(into: &mut [u8]) -> io::Result<()> {
    let random = rustix::rand::getrandom(into, rustix::rand::GetRandomFlags::empty());
    random.map(|_| ()).map_err(io::Error::from)
}

/// The head of a response, which comes before its body.
///
/// # Errors
/// When the replica breaks off, or what it says is no head.
pub async fn head(from: &mut OwnedReadHalf) -> io::Result<Bytes> {
    let len = from.read_u32_le().await?;
    if len > MOST_HEAD {
        return Err(ErrorKind::InvalidData.into());
    }
    let mut head = vec![0; len as usize];
    from.read_exact(&mut head).await?;
    Ok(head.into())
}

/// Sends a request's body on as it comes, `patience` at most for each piece; how much there was.
///
/// # Errors
/// When the client or the replica breaks off, or there is more than `most`.
pub async fn send_on(
    mut body: Incoming,
    mut to: OwnedWriteHalf,
    most: usize,
    patience: Duration,
) -> io::Result<usize> {
    let mut whole = 0_usize;
    loop {
        let next = tokio::time::timeout(patience, body.frame()).await;
        let Some(frame) = next.map_err(|_| ErrorKind::TimedOut)? else {
            to.write_u32_le(0).await?;
            return Ok(whole);
        };
        let Ok(mut data) = frame.map_err(io::Error::other)?.into_data() else {
            continue; // trailers
        };
        whole = whole.saturating_add(data.len());
        if whole > most {
            return Err(ErrorKind::FileTooLarge.into());
        }
        while !data.is_empty() {
            let piece = data.split_to(data.len().min(PIECE));
            to.write_u32_le(u32::try_from(piece.len()).unwrap_or(u32::MAX))
                .await?;
            to.write_all(&piece).await?;
        }
    }
}

/// The body of a response, as a replica sends it.
#[derive(Debug)]
pub struct Chunks {
    from: OwnedReadHalf,
    buffer: BytesMut,
    state: State,
}

#[derive(Debug)]
enum State {
    /// A length comes next.
    Length,
    /// So many bytes of a chunk are to come.
    Inside(usize),
    /// It is over.
    Ended,
}

impl Chunks {
    /// What comes after the head.
    pub fn new(from: OwnedReadHalf) -> Chunks {
        Chunks {
            from,
            buffer: BytesMut::new(),
            state: State::Length,
        }
    }

    /// The next bytes; an error if the replica breaks off.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        loop {
            match step(&mut self.state, &mut self.buffer) {
                Step::Bytes(bytes) => return Poll::Ready(Some(Ok(bytes))),
                Step::Ended => return Poll::Ready(None),
                Step::More => {}
            }
            self.buffer.reserve(PIECE);
            let room = self.buffer.spare_capacity_mut();
            let mut read = ReadBuf::uninit(room);
            let polled = Pin::new(&mut self.from).poll_read(cx, &mut read);
            let count = read.filled().len();
            if let Err(why) = ready!(polled) {
                self.state = State::Ended;
                return Poll::Ready(Some(Err(why)));
            }
            if count == 0 {
                self.state = State::Ended;
                return Poll::Ready(Some(Err(ErrorKind::UnexpectedEof.into())));
            }
            // SAFETY: so many bytes of the spare capacity were filled just now.
            unsafe { self.buffer.set_len(self.buffer.len() + count) };
        }
    }
}

/// What the bytes that are there give.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    Bytes(Bytes),
    More,
    Ended,
}

fn step(state: &mut State, buffer: &mut BytesMut) -> Step {
    loop {
        match state {
            State::Ended => return Step::Ended,
            State::Length => {
                if buffer.len() < 4 {
                    return Step::More;
                }
                *state = match buffer.get_u32_le() {
                    0 => State::Ended,
                    len => State::Inside(len as usize),
                };
            }
            State::Inside(0) => *state = State::Length,
            State::Inside(left) => {
                if buffer.is_empty() {
                    return Step::More;
                }
                let piece = buffer.split_to(buffer.len().min(*left));
                *left -= piece.len();
                return Step::Bytes(piece.freeze());
            }
        }
    }
}

/// All that a stream's bytes give when they come in these pieces: for tests of the framing.
#[doc(hidden)]
pub fn unframed(pieces: &[&[u8]]) -> (Vec<u8>, bool) {
    let (mut state, mut buffer) = (State::Length, BytesMut::new());
    let mut whole = Vec::new();
    for piece in pieces {
        buffer.extend_from_slice(piece);
        loop {
            match step(&mut state, &mut buffer) {
                Step::Bytes(bytes) => whole.extend_from_slice(&bytes),
                Step::Ended => return (whole, true),
                Step::More => break,
            }
        }
    }
    (whole, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_the_same_in_whatever_pieces_it_comes() {
        let whole = b"\x03\0\0\0abc\x01\0\0\0d\0\0\0\0rest";
        for cut in 0..whole.len() {
            let (one, other) = whole.split_at(cut);
            assert_eq!(unframed(&[one, other]), (b"abcd".to_vec(), true), "{cut}");
        }
        assert_eq!(unframed(&[&whole[..9]]), (b"abc".to_vec(), false));
    }
}
