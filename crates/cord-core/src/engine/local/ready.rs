//! Links that are made before the program's first line, for replicas that start while it runs.
//!
//! The kernel gives the lowest number that is free, and descriptors are moved out of the program's way
//! only then. What another thread of the program opens at that moment would get another number than in
//! plain Python. So the links are there before.

use std::io;
use std::sync::Arc;

use cord_dispatch::module_spec::ModuleSpec;
use cord_os::descriptor::{share_of, Descriptor};
use cord_os::fds::OpenFds;
use cord_wire::link::Link;
use cord_wire::transport::Transport;

/// One in so many of the descriptors that there may be is spent on links that nobody uses yet.
const SHARE: usize = 8;

/// A link and its other end.
#[derive(Debug)]
struct Ends {
    transport: Transport,
    ours: Link,
    theirs: Descriptor,
    place: usize,
}

/// Links that are at hand.
#[derive(Debug)]
pub struct Ready {
    links: Vec<Ends>,
    fds: Arc<OpenFds>,
}

impl Ready {
    /// One for each replica that these modules may have, as far as there are descriptors to spare.
    pub fn new(modules: &[ModuleSpec]) -> Ready {
        let wanted = modules
            .iter()
            .flat_map(|module| std::iter::repeat_n(module.transport, module.replicas as usize));
        let most = share_of(SHARE) / 2;
        let transports: Vec<Transport> = wanted.take(most).collect();
        let mut ready = Ready {
            links: Vec::with_capacity(transports.len()),
            fds: Arc::new(OpenFds::new(2 * transports.len())),
        };
        for transport in transports {
            let Ok((ours, theirs)) = ends(transport) else {
                break;
            };
            ready.put(transport, ours, theirs);
        }
        ready
    }

    fn put(&mut self, transport: Transport, ours: Link, theirs: Descriptor) {
        let place = 2 * self.links.len();
        self.fds.note(place, ours.socket());
        self.fds.note(place + 1, &theirs);
        self.links.push(Ends {
            transport,
            ours,
            theirs,
            place,
        });
    }

    /// What is open for them, so that a forked child can close its copies.
    pub fn fds(&self) -> Arc<OpenFds> {
        Arc::clone(&self.fds)
    }

    /// A link that is carried so, and its other end: one that is at hand, or else a new one.
    ///
    /// # Errors
    /// When there are no descriptors left.
    pub fn take(&mut self, transport: Transport) -> io::Result<(Link, Descriptor)> {
        while let Some(at) = self
            .links
            .iter()
            .position(|ends| ends.transport == transport)
        {
            let ends = self.links.remove(at);
            self.fds.forget(ends.place);
            self.fds.forget(ends.place + 1);
            // the program may have closed them, as what closes all there are does
            if ends.ours.socket().is_ours() && ends.theirs.is_ours() {
                return Ok((ends.ours, ends.theirs));
            }
        }
        ends(transport)
    }
}

fn ends(transport: Transport) -> io::Result<(Link, Descriptor)> {
    let (ours, theirs) = transport.pair()?;
    Ok((Link::offer(ours, transport)?, Descriptor::new(theirs)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ready(transport: Transport, replicas: u32) -> Ready {
        Ready::new(&[ModuleSpec {
            transport,
            ..ModuleSpec::plain("work", replicas)
        }])
    }

    #[test]
    fn as_many_are_at_hand_as_there_may_be_replicas_and_more_are_made_when_they_are_asked_for() {
        let mut ready = ready(Transport::Auto, 2);
        assert_eq!(ready.links.len(), 2);
        for left in [1, 0, 0] {
            let (link, theirs) = ready.take(Transport::Auto).unwrap();
            assert!(link.has_rings() && link.socket().is_ours() && theirs.is_ours());
            assert_eq!(ready.links.len(), left);
        }
    }

    #[test]
    fn one_that_is_carried_otherwise_is_left_there() {
        let mut ready = ready(Transport::Unix, 1);
        let (link, _) = ready.take(Transport::Auto).unwrap();
        assert!(link.has_rings());
        assert_eq!(ready.links.len(), 1);
        let (link, _) = ready.take(Transport::Unix).unwrap();
        assert!(!link.has_rings());
    }

    #[test]
    fn one_whose_descriptors_the_program_has_closed_is_not_used() {
        let mut ready = ready(Transport::Auto, 1);
        ready.links[0].theirs.close_copy();
        let (_, theirs) = ready.take(Transport::Auto).unwrap();
        assert!(theirs.is_ours());
        assert!(ready.links.is_empty());
    }

    #[test]
    fn a_forked_child_closes_both_ends() {
        let ready = ready(Transport::Auto, 1);
        ready.fds().close_all();
        assert!(!ready.links[0].theirs.is_ours() && !ready.links[0].ours.socket().is_ours());
    }
}
