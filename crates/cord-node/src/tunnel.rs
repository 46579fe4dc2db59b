//! A stream of bytes to another process: a socket that TLS secures, or the pipes that something else
//! (ssh) has secured.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustls::{AlertDescription, Connection};

use super::key::Key;

/// At most this much is read at a time.
const CHUNK: usize = 256 * 1024;
/// TLS takes so many bytes before it must have written some.
const TLS_BUFFER: usize = 256 * 1024;

/// One end of it. It never blocks.
#[derive(Debug)]
pub struct Tunnel {
    reader: Pipe,
    writer: Pipe,
    /// What is said before TLS begins, as far as it has not been written.
    knock: Vec<u8>,
    tls: Option<Box<Connection>>,
    /// Where it is read to: made at the first read, as to clear it takes longer than most reads.
    read: Vec<u8>,
}

#[derive(Debug)]
struct Pipe(OwnedFd);

impl Read for Pipe {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::read(&self.0, into)?)
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::io::write(&self.0, bytes)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Tunnel {
    /// Over what is secure already; both may be the same socket.
    ///
    /// # Errors
    /// When they cannot be set not to block.
    pub fn plain(reader: OwnedFd, writer: OwnedFd) -> io::Result<Tunnel> {
        for end in [&reader, &writer] {
            rustix::io::ioctl_fionbio(end, true)?;
        }
        Ok(Tunnel {
            reader: Pipe(reader),
            writer: Pipe(writer),
            knock: Vec::new(),
            tls: None,
            read: Vec::new(),
        })
    }

    /// The side of a connection that has connected.
    ///
    /// # Errors
    /// As above.
    pub fn connected(socket: OwnedFd, key: &Key) -> io::Result<Tunnel> {
        let tls = key.client().map_err(io::Error::other)?;
        Tunnel::secured(socket, tls.into())
    }

    /// The same where it has connected, or is about to, to an agent that stands: it says in the open
    /// for which of its agents it has come.
    ///
    /// # Errors
    /// As above.
    pub fn knocking(socket: OwnedFd, key: &Key, at: &[u8]) -> io::Result<Tunnel> {
        let mut tunnel = Tunnel::connected(socket, key)?;
        tunnel.knock = at.to_vec();
        Ok(tunnel)
    }

    /// The side that has accepted it.
    ///
    /// # Errors
    /// As above.
    pub fn accepted(socket: OwnedFd, key: &Key) -> io::Result<Tunnel> {
        let tls = key.server().map_err(io::Error::other)?;
        Tunnel::secured(socket, tls.into())
    }

    fn secured(socket: OwnedFd, mut tls: Connection) -> io::Result<Tunnel> {
        let _ = rustix::net::sockopt::set_tcp_nodelay(&socket, true);
        tls.set_buffer_limit(Some(TLS_BUFFER));
        let writer = socket.try_clone()?;
        let mut tunnel = Tunnel::plain(socket, writer)?;
        tunnel.tls = Some(Box::new(tls));
        Ok(tunnel)
    }

    /// What can be read when something comes.
    pub fn reader(&self) -> BorrowedFd<'_> {
        self.reader.0.as_fd()
    }

    /// What can be written to when there is room.
    pub fn writer(&self) -> BorrowedFd<'_> {
        self.writer.0.as_fd()
    }

    /// Whether a connection can be made once more.
    pub fn is_secured_here(&self) -> bool {
        self.tls.is_some()
    }

    /// Reads once, to the end of `into`; how much that was, none where nothing is there.
    ///
    /// # Errors
    /// When the other side is gone, or is not who it should be.
    pub fn read(&mut self, into: &mut Vec<u8>) -> io::Result<Option<usize>> {
        let mut bytes = std::mem::take(&mut self.read);
        bytes.resize(CHUNK, 0);
        let read = self.read_into(&mut bytes);
        if let Ok(Some(read)) = read {
            into.extend_from_slice(&bytes[..read]);
        }
        self.read = bytes;
        read
    }

    fn read_into(&mut self, into: &mut [u8]) -> io::Result<Option<usize>> {
        let Some(tls) = &mut self.tls else {
            return some(self.reader.read(into));
        };
        let mut read = 0;
        loop {
            match tls.reader().read(&mut into[read..]) {
                Ok(0) if read < into.len() => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(more) => read += more,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
            if read == into.len() {
                return Ok(Some(read));
            }
            match tls.read_tls(&mut self.reader) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(_) => {}
                Err(error) if is_later(&error) => return Ok((read > 0).then_some(read)),
                Err(error) => return Err(error),
            }
            if let Err(error) = tls.process_new_packets() {
                let _ = tls.write_tls(&mut self.writer); // what is wrong
                return Err(told(error));
            }
        }
    }

    /// Writes what can be written; how much of `bytes` was taken.
    ///
    /// # Errors
    /// When the other side is gone.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(tls) = &mut self.tls else {
            return Ok(some(self.writer.write(bytes))?.unwrap_or(0));
        };
        if tls.is_handshaking() {
            return Ok(0); // nothing is said to one who is not known
        }
        tls.writer().write(bytes)
    }

    /// Sends on what was taken; true if something is left.
    ///
    /// # Errors
    /// When the other side is gone.
    pub fn flush(&mut self) -> io::Result<bool> {
        let Some(tls) = &mut self.tls else {
            return Ok(false);
        };
        while !self.knock.is_empty() {
            match self.writer.write(&self.knock) {
                Ok(count) => drop(self.knock.drain(..count)),
                Err(error) if is_later(&error) => return Ok(true),
                Err(error) => return Err(error),
            }
        }
        while tls.wants_write() {
            match tls.write_tls(&mut self.writer) {
                Ok(_) => {}
                Err(error) if is_later(&error) => return Ok(true),
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }
}

/// What does not go well with TLS, in words where it is the key.
fn told(error: rustls::Error) -> io::Error {
    match error {
        rustls::Error::InvalidCertificate(_)
        | rustls::Error::AlertReceived(AlertDescription::AccessDenied) => {
            io::Error::other("the other side has another key")
        }
        other => io::Error::other(other),
    }
}

fn is_later(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

/// What was read or written; none where it is to be tried later.
fn some(done: io::Result<usize>) -> io::Result<Option<usize>> {
    match done {
        Ok(0) => Err(ErrorKind::UnexpectedEof.into()),
        Ok(count) => Ok(Some(count)),
        Err(error) if is_later(&error) => Ok(None),
        Err(error) => Err(error),
    }
}
