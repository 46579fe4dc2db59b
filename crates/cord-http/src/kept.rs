//! Bodies that come again: replicas keep them under their digests, and only the name goes with a request.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use cord_wire::buffer::Buffer;
use cord_wire::resident::{Content, Key, Most, Resident, Store};
use cord_wire::segment::SHARED_FROM;
use serde::Deserialize;

/// What a body that is kept is to replicas: bytes, which all calls share.
pub const BYTES: u32 = 1;

/// Which bodies of a route are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Which {
    /// All that are large.
    All,
    /// Those of them that come a second time.
    Again,
}

/// The bodies that the replicas of one module may have.
#[derive(Debug)]
pub struct Kept {
    contents: Mutex<Store<Arc<Content>>>,
    /// What came once.
    seen: Mutex<Store<()>>,
    most: usize,
}

impl Kept {
    /// Of so many bytes at most.
    pub fn new(most: usize) -> Kept {
        Kept {
            contents: Mutex::new(Store::new(Most::of_bytes(most))),
            seen: Mutex::new(Store::new(Most::of_bytes(most))),
            most,
        }
    }

    /// A body as it travels.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn buffer(&self, body: &[u8], which: Which) -> io::Result<Buffer> {
        if body.len() > self.most {
            return Buffer::copy_from(body, SHARED_FROM);
        }
        let key = Key::of(body);
        if which == Which::Again && self.is_new(key) {
            return Buffer::copy_from(body, SHARED_FROM);
        }
        let mut contents = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        let content = match contents.get(&key) {
            Some(content) => content,
            None => {
                let content = Content::new(Buffer::copy_from(body, SHARED_FROM)?);
                contents.insert(key, body.len(), Arc::clone(&content));
                content
            }
        };
        Ok(Buffer::Resident(Box::new(Resident {
            key,
            form: BYTES,
            len: body.len(),
            content: Some(content),
        })))
    }

    fn is_new(&self, key: Key) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = seen.get(&key).is_none();
        seen.insert(key, 0, ());
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(buffer: &Buffer) -> Option<&Arc<Content>> {
        match buffer {
            Buffer::Resident(resident) => resident.content.as_ref(),
            _ => None,
        }
    }

    #[test]
    fn equal_bodies_are_one_content() {
        let kept = Kept::new(100_000);
        let [one, same, other] =
            [7, 7, 8].map(|byte| kept.buffer(&[byte; 20_000], Which::All).unwrap());
        let [one, same, other] = [&one, &same, &other].map(|buffer| content(buffer).unwrap());
        assert!(Arc::ptr_eq(one, same));
        assert!(!Arc::ptr_eq(one, other));
    }

    #[test]
    fn what_may_never_come_again_travels_as_it_is() {
        let kept = Kept::new(100_000);
        let sent = || kept.buffer(&[7; 20_000], Which::Again).unwrap();
        assert!(content(&sent()).is_none());
        assert!(content(&sent()).is_some());
        let large = kept.buffer(&[7; 200_000], Which::All).unwrap();
        assert!(content(&large).is_none());
    }
}
