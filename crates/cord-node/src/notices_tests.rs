//! What is made of the lines that a launcher writes.

use std::time::Duration;

use super::epoll::Epoll;
use super::notices::Notices;

#[test]
fn lines_are_read_as_they_are_completed() {
    let (pipe, launcher) = rustix::pipe::pipe().unwrap();
    let epoll = Epoll::new().unwrap();
    let mut notices = Notices::new(pipe);
    let mut hear = |text: &str| {
        rustix::io::write(&launcher, text.as_bytes()).unwrap();
        notices.read(&epoll)
    };
    let one = |place: &str, why: &str| (place.to_owned(), why.to_owned());
    assert_eq!(hear("0 the actor"), []);
    assert_eq!(
        hear(" died\ntcp://a:1 it left\n1"),
        [one("0", "the actor died"), one("tcp://a:1", "it left")]
    );
    assert_eq!(hear(" gone\n"), [one("1", "gone")]);
}

#[test]
fn a_launcher_that_has_ended_is_not_waited_for() {
    let (pipe, launcher) = rustix::pipe::pipe().unwrap();
    let epoll = Epoll::new().unwrap();
    let mut notices = Notices::new(pipe);
    notices.watch(&epoll, 7).unwrap();
    drop(launcher);
    let mut can = Vec::new();
    epoll.wait(Duration::ZERO, &mut can).unwrap();
    assert_eq!((can.len(), can[0].number), (1, 7));
    assert_eq!(notices.read(&epoll), []);
    can.clear();
    epoll.wait(Duration::ZERO, &mut can).unwrap();
    assert!(can.is_empty());
}
