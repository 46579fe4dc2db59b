//! The front end: a listening socket, and threads of its own that take no interpreter's lock.

use std::io::{self, Read};
use std::net::{SocketAddr, TcpListener as StdListener, ToSocketAddrs};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{mpsc, Arc, Mutex, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::Duration;

use cord_core::session::Session;
use cord_os::threads::spawn_quiet;
use cord_wire::payload::World;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{watch, Notify as Bell};

use crate::connection;
use crate::events::{Event, Notify};
use crate::meter::Metrics;
use crate::shared::Shared;
use crate::site::{Pages, Plan, Site};
use crate::stream::Streams;

/// Connections that the kernel keeps until they are accepted.
const BACKLOG: i32 = 4096;
/// Where there are no descriptors left, the next connection is looked for after this time.
const NO_ROOM: Duration = Duration::from_millis(50);

/// A server.
pub struct Front {
    shared: Arc<Shared>,
    address: SocketAddr,
    admin: Option<SocketAddr>,
    numbers: AtomicU64,
    events: Mutex<mpsc::Receiver<Event>>,
    sender: mpsc::Sender<Event>,
    heard: UnixStream,
    notify: Arc<Notify>,
    stop: Arc<Bell>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Front {
    /// Listens, and elsewhere for those who ask how the server is. Connections wait until there is
    /// something to serve.
    ///
    /// # Errors
    /// When the address cannot be had, or the system has no room.
    pub fn bind(address: &str, admin: Option<&str>) -> io::Result<Front> {
        let listener = listen(address)?;
        let address = listener.local_addr()?;
        let aside = admin.map(listen).transpose()?;
        let admin = aside.as_ref().map(StdListener::local_addr).transpose()?;
        let (streams, socket) = Streams::bind()?;
        let metrics = Arc::new(Metrics::default());
        let shared = Arc::new(Shared {
            site: RwLock::new(None),
            others: metrics.counts("", ""),
            metrics,
            streams: Arc::clone(&streams),
            settled: Arc::default(),
            draining: watch::Sender::new(false),
            is_draining: AtomicBool::new(false),
            served: Bell::new(),
            left: Bell::new(),
        });
        let (sender, events) = mpsc::channel();
        let (rung, heard) = UnixStream::pair()?;
        rung.set_nonblocking(true)?;
        heard.set_nonblocking(true)?;
        let stop = Arc::new(Bell::new());
        let thread = {
            let (shared, stop) = (Arc::clone(&shared), Arc::clone(&stop));
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            let run = move || {
                let until = async {
                    tokio::spawn(streams.run(socket));
                    tokio::spawn(Arc::clone(&shared.settled).run());
                    if let Some(aside) = aside {
                        tokio::spawn(accept_aside(Arc::clone(&shared), aside));
                    }
                    tokio::spawn(accept(shared, listener));
                    stop.notified().await;
                };
                runtime.block_on(until);
                runtime.shutdown_background();
            };
            spawn_quiet("cord-http", run)?
        };
        Ok(Front {
            shared,
            address,
            admin,
            numbers: AtomicU64::new(0),
            events: Mutex::new(events),
            sender,
            heard,
            notify: Arc::new(Notify(rung)),
            stop,
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it is asked how it is, if that is elsewhere.
    pub fn admin(&self) -> Option<SocketAddr> {
        self.admin
    }

    /// Serves this from now on; requests that are under way end as they began. Gives the site's number,
    /// by which [`Event::Retired`] says that nobody needs its session any more.
    ///
    /// # Errors
    /// What is wrong with the plan.
    pub fn serve(
        &self,
        plan: Plan,
        pages: Pages,
        session: Arc<Session>,
        world: World,
    ) -> Result<u64, String> {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let told = (self.sender.clone(), Arc::clone(&self.notify));
        let metrics = &self.shared.metrics;
        let settled = Arc::clone(&self.shared.settled);
        let site = Site::new(
            (number, plan, pages),
            (session, world),
            metrics,
            told,
            settled,
        )?;
        if number > 0 {
            metrics.reloads.fetch_add(1, Ordering::Relaxed);
        }
        self.shared.replace(Some(Arc::new(site)));
        self.shared.served.notify_one();
        Ok(number)
    }

    /// Accepts nothing more, answers what was accepted, then lets go of what it serves.
    pub fn drain(&self) {
        self.shared.is_draining.store(true, Ordering::Relaxed);
        self.shared.draining.send_replace(true);
    }

    /// The next event, if there is one.
    pub fn next(&self) -> Option<Event> {
        let mut rung = [0; 64];
        while matches!((&self.heard).read(&mut rung), Ok(count) if count > 0) {}
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        events.try_recv().ok()
    }

    /// It is readable when there are events.
    pub fn descriptor(&self) -> RawFd {
        self.heard.as_raw_fd()
    }

    /// Ends at once, whatever is under way.
    pub fn close(&self) {
        self.stop.notify_one();
        let thread = self
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
        self.shared.replace(None);
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        self.close();
    }
}

fn listen(address: &str) -> io::Result<StdListener> {
    let mut failed = None;
    for one in address.to_socket_addrs()? {
        match StdListener::bind(one) {
            Ok(listener) => {
                rustix::net::listen(&listener, BACKLOG)?;
                listener.set_nonblocking(true)?;
                return Ok(listener);
            }
            Err(why) => failed = Some(why),
        }
    }
    Err(failed.unwrap_or_else(|| io::ErrorKind::AddrNotAvailable.into()))
}

async fn accept(shared: Arc<Shared>, listener: StdListener) {
    let Ok(listener) = TcpListener::from_std(listener) else {
        return;
    };
    let mut draining = shared.draining();
    tokio::select! {
        () = shared.served.notified() => {}
        _ = draining.wait_for(|draining| *draining) => {}
    }
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = draining.wait_for(|draining| *draining) => break,
        };
        welcome(&shared, accepted, false).await;
    }
    // Those that the kernel has taken are served, too. It is asked itself: the runtime may not know yet.
    if let Ok(listener) = listener.into_std() {
        while let Some(accepted) = taken(&listener) {
            welcome(&shared, accepted, false).await;
        }
    }
    while shared.metrics.connections.load(Ordering::Acquire) > 0 {
        shared.left.notified().await;
    }
    shared.replace(None);
}

async fn accept_aside(shared: Arc<Shared>, listener: StdListener) {
    let Ok(listener) = TcpListener::from_std(listener) else {
        return;
    };
    let mut draining = shared.draining();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = draining.wait_for(|draining| *draining) => return,
        };
        welcome(&shared, accepted, true).await;
    }
}

/// The next of the connections that the kernel has taken; `None` if there is no more.
fn taken(listener: &StdListener) -> Option<io::Result<(TcpStream, SocketAddr)>> {
    loop {
        match listener.accept() {
            Ok((stream, peer)) => {
                let made = stream.set_nonblocking(true);
                let made = made.and_then(|()| TcpStream::from_std(stream));
                return Some(made.map(|stream| (stream, peer)));
            }
            // it was given up before it was accepted
            Err(why) if why.kind() == io::ErrorKind::ConnectionAborted => {}
            Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

async fn welcome(
    shared: &Arc<Shared>,
    accepted: io::Result<(TcpStream, SocketAddr)>,
    is_admin: bool,
) {
    let Ok((stream, peer)) = accepted else {
        tokio::time::sleep(NO_ROOM).await;
        return;
    };
    let Some(site) = shared.site() else {
        return;
    };
    let metrics = &shared.metrics;
    if metrics.connections.load(Ordering::Relaxed) >= site.plan.connections {
        metrics.refused.fetch_add(1, Ordering::Relaxed);
        let is_tls = site.tls.is_some() && !is_admin;
        tokio::spawn(connection::turn_away(stream, is_tls));
        return;
    }
    metrics.accepted.fetch_add(1, Ordering::Relaxed);
    let open = Open::new(shared);
    tokio::spawn(async move {
        connection::serve(Arc::clone(&open.0), stream, peer, is_admin).await;
        drop(open);
    });
}

/// A connection that is open.
struct Open(Arc<Shared>);

impl Open {
    fn new(shared: &Arc<Shared>) -> Open {
        shared.metrics.connections.fetch_add(1, Ordering::AcqRel);
        Open(Arc::clone(shared))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if self.0.metrics.connections.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.left.notify_one();
        }
    }
}
