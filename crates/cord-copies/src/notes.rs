//! What copies have made that others of the same program would make again: they tell the program's process,
//! and each copy is born with all of it.

use std::collections::HashMap;
use std::sync::Arc;

/// So many bytes are kept: the next run of the program reads all of it when it begins.
const MOST: usize = 2 << 20;

/// What was made, by what it was made of. Nobody here knows what either means.
#[derive(Debug, Clone, Default)]
pub struct Notes {
    all: HashMap<Vec<u8>, Arc<[u8]>>,
    size: usize,
}

impl Notes {
    /// The first note under a key stays; none is taken for which there is no room.
    pub fn add(&mut self, key: &[u8], note: &[u8]) {
        let size = self.size + key.len() + note.len();
        if size <= MOST && !self.all.contains_key(key) {
            self.all.insert(key.to_vec(), note.into());
            self.size = size;
        }
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.all.iter().map(|(key, note)| (&**key, &**note))
    }

    /// What was noted.
    pub fn get(&self, key: &[u8]) -> Option<&[u8]> {
        self.all.get(key).map(|note| &**note)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_note_stays() {
        let mut notes = Notes::default();
        notes.add(b"key", b"note");
        notes.add(b"key", b"other");
        assert_eq!(
            notes.all().collect::<Vec<_>>(),
            [(&b"key"[..], &b"note"[..])]
        );
        assert_eq!(notes.get(b"key"), Some(&b"note"[..]));
        assert_eq!(notes.get(b"else"), None);
    }

    #[test]
    fn there_is_an_end() {
        let mut notes = Notes::default();
        notes.add(b"large", &vec![0; MOST]);
        notes.add(b"small", b"note");
        assert_eq!(notes.get(b"large"), None);
        assert_eq!(notes.get(b"small"), Some(&b"note"[..]));
    }
}
