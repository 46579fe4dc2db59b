//! Whether a call is given the name of a file that only the copy has: whoever opens it elsewhere would
//! not find what the program will have written by then.

use crate::view::files::{Content, Files};

/// Shorter names are in too much.
const SHORTEST: usize = 3;
/// Names are looked for in so much of what is sent.
const MOST: usize = 1 << 20;

/// Ends of names, as bits: most of what is sent has none of them in it.
struct Ends([u64; 64]);

impl Ends {
    fn place(end: &[u8]) -> (usize, u64) {
        let mixed = end
            .iter()
            .fold(0usize, |mixed, byte| mixed * 37 + usize::from(*byte));
        (mixed / 64 % 64, 1 << (mixed % 64))
    }

    fn add(&mut self, name: &[u8]) {
        let (at, bit) = Ends::place(&name[name.len() - SHORTEST..]);
        self.0[at] |= bit;
    }

    fn may_have(&self, end: &[u8]) -> bool {
        let (at, bit) = Ends::place(end);
        self.0[at] & bit != 0
    }
}

/// Whether the name of one of the copy's own files, or a path through one of its folders, is in what a
/// call is given.
pub fn is_any_in(files: &Files, sent: &[u8]) -> bool {
    let sent = &sent[..sent.len().min(MOST)];
    let mut ends = Ends([0; 64]);
    let mut any = false;
    for (name, _) in names(files) {
        ends.add(name);
        any = true;
    }
    any && (SHORTEST..=sent.len())
        .filter(|end| ends.may_have(&sent[end - SHORTEST..*end]))
        .any(|end| names(files).any(|(name, is_folder)| ends_here(sent, end, name, is_folder)))
}

fn names(files: &Files) -> impl Iterator<Item = (&[u8], bool)> {
    let named = files.all().filter_map(|(_, node)| {
        let is_folder = match node.content {
            Content::File { .. } | Content::Link(_) => false,
            Content::Folder(_) => true,
            Content::Gone | Content::Altered { .. } => return None,
        };
        Some((node.name.get(), is_folder))
    });
    named.filter(|(name, _)| name.len() >= SHORTEST)
}

/// Whether this name ends here, as a part of a path. A word that is no path does not count.
fn ends_here(sent: &[u8], end: usize, name: &[u8], is_folder: bool) -> bool {
    let Some(start) = end.checked_sub(name.len()) else {
        return false;
    };
    let follows_slash = start > 0 && sent[start - 1] == b'/';
    let looks_like_a_file = !is_folder && name.contains(&b'.');
    let leads_on = is_folder && sent.get(end) == Some(&b'/');
    &sent[start..end] == name && (follows_slash || looks_like_a_file || leads_on)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::files::{Folder, Key, Name};

    fn files() -> Files {
        let (mut files, folder) = (Files::new(), Key::own(0));
        let file = Content::File {
            memory: 0,
            number: 1,
            device: 1,
            original: None,
        };
        let made = Folder {
            number: 7,
            above: None,
            device: 1,
            mode: 0o755,
            changed: (0, 0),
        };
        for (name, content) in [
            ("page3.txt", file),
            ("notes", file),
            ("out", Content::Folder(made)),
            ("gone.txt", Content::Gone),
        ] {
            let name = Name::new(name.as_bytes()).unwrap();
            files.put(folder, &name, content, false).unwrap();
        }
        files
    }

    #[test]
    fn names_are_found_as_parts_of_paths() {
        let files = files();
        for sent in [
            "page3.txt",
            "\x09page3.txt\u{94}",
            "a/out/x",
            "out/x",
            "/tmp/notes",
        ] {
            assert!(is_any_in(&files, sent.as_bytes()), "{sent}");
        }
    }

    #[test]
    fn other_texts_have_none() {
        let files = files();
        for sent in [
            "",
            "page4.txt",
            "take notes of it",
            "go out",
            "gone.txt",
            "ou",
        ] {
            assert!(!is_any_in(&files, sent.as_bytes()), "{sent}");
        }
        assert!(!is_any_in(&Files::new(), b"page3.txt"));
    }
}
