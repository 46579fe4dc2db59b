//! A session: the client's side of a run.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::engine::Engine;
use crate::fds::OpenFds;
use crate::mailbox::{Command, Load, Mailbox};
use crate::payload::{Buffer, Call, ModuleSpec, World};
use crate::threads::spawn_quiet;
use crate::ticket::Ticket;

/// The replicas of a run, and the thread that feeds them.
///
/// Calls may be issued from any thread.
#[derive(Debug)]
pub struct Session {
    mailbox: Arc<Mailbox>,
    fds: Arc<OpenFds>,
    thread: Mutex<Option<JoinHandle<()>>>,
    modules: u32,
    pid: u32,
}

impl Session {
    /// Starts the dispatcher's thread, which asks for all replicas at once.
    ///
    /// `control` is the `SOCK_SEQPACKET` socket to whoever starts replicas.
    ///
    /// # Errors
    /// When the system has no descriptors or threads left.
    pub fn start(modules: Vec<ModuleSpec>, control: OwnedFd) -> io::Result<Session> {
        let mailbox = Arc::new(Mailbox::new(modules.len())?);
        let replicas: usize = modules.iter().map(|module| module.replicas as usize).sum();
        let fds = Arc::new(OpenFds::new(replicas + Engine::OWN_FDS));
        let count = u32::try_from(modules.len()).unwrap_or(u32::MAX);
        let engine = Engine::new(modules, control, Arc::clone(&mailbox), Arc::clone(&fds))?;
        let thread = spawn_quiet("cord-dispatcher", move || engine.run())?;
        Ok(Session {
            mailbox,
            fds,
            thread: Mutex::new(Some(thread)),
            modules: count,
            pid: std::process::id(),
        })
    }

    /// Issues a call; never blocks.
    ///
    /// # Panics
    /// If the module's index is not one of those that the session was started with.
    pub fn issue(&self, call: Call) -> Ticket {
        assert!(
            call.module < self.modules,
            "no module {} in this session",
            call.module
        );
        let id = self.mailbox.number_call();
        let Call {
            module,
            pure_call,
            payload,
            world,
        } = call;
        let head = Buffer::of_head(payload.head);
        let buffers = payload.buffers;
        let (ticket, held) =
            Ticket::new(id, module, pure_call, head, buffers, world, &self.mailbox);
        // A closed mailbox hands the call back, which settles it as closed.
        drop(self.mailbox.post(Command::Issue(held)));
        ticket
    }

    /// Lets every replica of a module, present and future, load it in this world. What they have
    /// to do for it is up to whoever reads `order`. Calls issued after this are run after it.
    ///
    /// # Panics
    /// If the module's index is not one of those that the session was started with.
    pub fn load(&self, module: u32, world: World, order: Vec<u8>) {
        assert!(module < self.modules, "no module {module} in this session");
        let load = Load { world, order };
        drop(self.mailbox.post(Command::Load { module, load }));
    }

    /// Ends all replicas without waiting for running calls, and joins the dispatcher's thread.
    /// Unsettled tickets are settled as closed.
    pub fn close(&self) {
        if self.pid != std::process::id() {
            return self.abandon();
        }
        self.mailbox.close();
        let thread = self
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }

    /// In a forked child: closes the child's copies of the session's descriptors, and makes every
    /// ticket closed. Replicas and parent do not notice.
    pub fn abandon(&self) {
        self.mailbox.abandon();
        self.fds.close_all();
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.close();
        if self.pid != std::process::id() {
            // Joining or detaching would touch a thread that does not exist here.
            if let Ok(thread) = self.thread.get_mut() {
                std::mem::forget(thread.take());
            }
        }
    }
}
