//! Which files and folders a copy of the program sees otherwise than they are: those that it has
//! written, made, renamed or removed. Decisions only: nothing here asks the kernel for anything.
//!
//! A place is known by the folder that it is in (its device and number, which all ways to it share) and
//! by its name there. The handler of trapped calls goes by this: no memory is allocated but at birth.

/// So many places are told apart.
const MOST: usize = 1024;
/// So many bytes the files of one copy may hold.
pub const MOST_BYTES: usize = 64 << 20;
/// The longest name of a file.
pub const LONGEST_NAME: usize = 255;
/// In place of a device: a folder that only the copy has.
const OWN: u64 = u64::MAX;

/// What a file or folder is known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    pub device: u64,
    pub number: u64,
}

impl Key {
    pub fn of(about: &libc::stat) -> Key {
        let (device, number) = (about.st_dev, about.st_ino);
        Key { device, number }
    }

    /// A folder that only the copy has.
    pub fn own(number: u64) -> Key {
        Key {
            device: OWN,
            number,
        }
    }

    pub fn is_own(self) -> bool {
        self.device == OWN
    }
}

/// The name of a file in its folder.
#[derive(Clone, Copy)]
pub struct Name {
    bytes: [u8; LONGEST_NAME + 1],
    length: u8,
}

impl std::fmt::Debug for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        String::from_utf8_lossy(self.get()).fmt(f)
    }
}

impl Name {
    /// None if it is too long.
    pub fn new(name: &[u8]) -> Option<Name> {
        let mut bytes = [0; LONGEST_NAME + 1];
        bytes.get_mut(..name.len())?.copy_from_slice(name);
        let length = u8::try_from(name.len()).ok()?;
        Some(Name { bytes, length })
    }

    pub fn get(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }

    /// With the zero at its end.
    pub fn with_zero(&self) -> &[u8] {
        &self.bytes[..=usize::from(self.length)]
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }
}

/// What a file in memory was made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Original {
    pub key: Key,
    pub user: u32,
    pub group: u32,
}

/// What the copy finds at a place.
#[derive(Debug, Clone, Copy)]
pub enum Content {
    /// Nothing, whatever is there.
    Gone,
    /// A file in memory: its hidden descriptor, and its number as the kernel counts memory.
    File {
        memory: usize,
        number: u64,
        device: u64,
        original: Option<Original>,
    },
    /// A folder that only the copy has.
    Folder(Folder),
    /// A symbolic link.
    Link(Link),
    /// Without a name, of a real folder: its rights, and when the program says that it was changed.
    Altered { mode: u32, changed: (i64, i64) },
}

/// A symbolic link that only the copy has.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    /// Hidden descriptor of the memory that says where it leads.
    pub memory: usize,
    /// The number of that memory.
    pub number: u64,
    pub length: usize,
    pub device: u64,
    pub made: (i64, i64),
}

/// A folder that only the copy has.
#[derive(Debug, Clone, Copy)]
pub struct Folder {
    pub number: u64,
    /// Hidden descriptor of the folder that it is in, unless that is the copy's own, too.
    pub above: Option<usize>,
    pub device: u64,
    pub mode: u32,
    /// When it was made, or the program says that it was changed.
    pub changed: (i64, i64),
}

impl Folder {
    pub fn key(&self) -> Key {
        Key::own(self.number)
    }
}

/// A place, and what is there.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    pub folder: Key,
    pub name: Name,
    pub content: Content,
    /// There is something else that this hides.
    covers: bool,
}

/// All that is otherwise.
#[derive(Debug)]
pub struct Files {
    nodes: Vec<Option<Node>>,
    /// For each node a number that most others do not have.
    marks: Vec<u64>,
    /// Where to look for a place that can be used again.
    oldest: usize,
    folders: u64,
    bytes: usize,
}

fn mark(folder: Key, name: &[u8]) -> u64 {
    const PRIME: u64 = 0x0100_0000_01b3;
    let start = folder.number.wrapping_mul(PRIME) ^ folder.device;
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(PRIME);
    name.iter().fold(start, step)
}

impl Files {
    /// The only place where memory is allocated.
    pub fn new() -> Files {
        Files {
            nodes: Vec::with_capacity(MOST),
            marks: Vec::with_capacity(MOST),
            oldest: 0,
            folders: 0,
            bytes: 0,
        }
    }

    /// Whether everything is as it is.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn find(&self, folder: Key, name: &[u8]) -> Option<usize> {
        let wanted = mark(folder, name);
        let mut marked = self.marks.iter().enumerate();
        let found = marked.find(|(at, mark)| {
            **mark == wanted
                && self
                    .node(*at)
                    .is_some_and(|node| node.folder == folder && node.name.get() == name)
        });
        found.map(|(at, _)| at)
    }

    pub fn node(&self, at: usize) -> Option<&Node> {
        self.nodes.get(at)?.as_ref()
    }

    pub fn content(&self, at: usize) -> Content {
        self.node(at).map_or(Content::Gone, |node| node.content)
    }

    pub fn folder(&self, at: usize) -> Option<Folder> {
        match self.content(at) {
            Content::Folder(folder) => Some(folder),
            _ => None,
        }
    }

    pub fn link(&self, at: usize) -> Option<Link> {
        match self.content(at) {
            Content::Link(link) => Some(link),
            _ => None,
        }
    }

    /// The hidden descriptor of a file in memory.
    pub fn memory(&self, at: usize) -> Option<usize> {
        match self.content(at) {
            Content::File { memory, .. } => Some(memory),
            _ => None,
        }
    }

    /// All places that are known, by number.
    pub fn all(&self) -> impl Iterator<Item = (usize, &Node)> {
        let all = self.nodes.iter().enumerate();
        all.filter_map(|(at, node)| Some((at, node.as_ref()?)))
    }

    /// The file that was made from this one, under whatever name.
    pub fn made_from(&self, key: Key) -> Option<usize> {
        let is_it = |node: &Node| matches!(node.content, Content::File { original: Some(original), .. } if original.key == key);
        self.all().find(|(_, node)| is_it(node)).map(|(at, _)| at)
    }

    /// The file that lies in this memory.
    pub fn in_memory(&self, wanted: u64) -> Option<usize> {
        let is_it =
            |node: &Node| matches!(node.content, Content::File { number, .. } if number == wanted);
        self.all().find(|(_, node)| is_it(node)).map(|(at, _)| at)
    }

    /// Where an own folder is.
    pub fn own_folder(&self, wanted: u64) -> Option<usize> {
        let is_it = |node: &Node| matches!(node.content, Content::Folder(folder) if folder.number == wanted);
        self.all().find(|(_, node)| is_it(node)).map(|(at, _)| at)
    }

    /// The hidden descriptors of all files.
    pub fn memories(&self) -> impl Iterator<Item = usize> + '_ {
        self.all().filter_map(|(at, _)| self.memory(at))
    }

    /// Whether a folder is seen otherwise than it is.
    pub fn is_changed(&self, folder: Key) -> bool {
        self.all().any(|(_, node)| node.folder == folder)
    }

    /// The next file or folder in a folder, from a place in the table on.
    pub fn next_in(&self, folder: Key, from: usize) -> Option<(usize, &Node)> {
        let is_there = |node: &Node| {
            let is_named = !matches!(node.content, Content::Gone | Content::Altered { .. });
            node.folder == folder && is_named
        };
        self.all().find(|(at, node)| *at >= from && is_there(node))
    }

    /// A number for a new folder of the copy's own.
    pub fn new_folder(&mut self) -> u64 {
        self.folders += 1;
        self.folders
    }

    /// Says what is at a place from now on, and gives what was there. `covers`: something else is there
    /// for others.
    ///
    /// # Errors
    /// When there is no room.
    pub fn put(
        &mut self,
        folder: Key,
        name: &Name,
        content: Content,
        covers: bool,
    ) -> Result<(usize, Option<Content>), ()> {
        if let Some(at) = self.find(folder, name.get()) {
            if let Some(node) = &mut self.nodes[at] {
                node.covers |= covers;
                return Ok((at, Some(std::mem::replace(&mut node.content, content))));
            }
        }
        let at = self.room().ok_or(())?;
        self.marks[at] = mark(folder, name.get());
        self.nodes[at] = Some(Node {
            folder,
            name: *name,
            content,
            covers,
        });
        Ok((at, None))
    }

    fn room(&mut self) -> Option<usize> {
        if self.nodes.len() < MOST.min(self.nodes.capacity())
            && self.marks.len() < self.marks.capacity()
        {
            self.nodes.push(None);
            self.marks.push(0);
            return Some(self.nodes.len() - 1);
        }
        let count = self.nodes.len();
        let at = (self.oldest..self.oldest + count)
            .map(|at| at % count)
            .find(|at| self.is_spare(*at))?;
        self.oldest = (at + 1) % count;
        self.nodes[at] = None;
        Some(at)
    }

    /// Whether nothing is lost without a place: what is gone there was the copy's own.
    fn is_spare(&self, at: usize) -> bool {
        self.node(at)
            .is_none_or(|node| matches!(node.content, Content::Gone) && !node.covers)
    }

    /// Nothing is at a place any more; gives what was.
    pub fn take(&mut self, at: usize) -> Content {
        match self.nodes.get_mut(at) {
            Some(Some(node)) => std::mem::replace(&mut node.content, Content::Gone),
            _ => Content::Gone,
        }
    }

    /// The rights of an own folder.
    pub fn set_mode(&mut self, at: usize, mode: u32) {
        if let Some(folder) = self.folder_at(at) {
            folder.mode = mode & 0o7777;
        }
    }

    /// When an own folder was changed.
    pub fn set_time(&mut self, at: usize, changed: (i64, i64)) {
        if let Some(folder) = self.folder_at(at) {
            folder.changed = changed;
        }
    }

    fn folder_at(&mut self, at: usize) -> Option<&mut Folder> {
        match &mut self.nodes.get_mut(at)?.as_mut()?.content {
            Content::Folder(folder) => Some(folder),
            _ => None,
        }
    }

    /// Whether a folder is, or is in, an own folder.
    pub fn is_within(&self, mut folder: Key, outer: Key) -> bool {
        while folder.is_own() && folder != outer {
            let node = self.own_folder(folder.number).and_then(|at| self.node(at));
            match node {
                Some(node) => folder = node.folder,
                None => return false,
            }
        }
        folder == outer
    }

    /// So many bytes are about to be written; false if that may be too much.
    pub fn spend(&mut self, bytes: usize) -> bool {
        self.bytes = self.bytes.saturating_add(bytes);
        self.bytes <= MOST_BYTES
    }

    /// So many there are in truth.
    pub fn count(&mut self, bytes: usize) {
        self.bytes = bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDER: Key = Key {
        device: 1,
        number: 2,
    };

    fn name(text: &str) -> Name {
        Name::new(text.as_bytes()).unwrap()
    }

    fn file(memory: usize) -> Content {
        Content::File {
            memory,
            number: memory as u64 + 100,
            device: 1,
            original: None,
        }
    }

    fn folder(files: &mut Files, inside: Key, named: &str) -> Key {
        let made = Folder {
            number: files.new_folder(),
            above: None,
            device: 1,
            mode: 0o755,
            changed: (0, 0),
        };
        let placed = files.put(inside, &name(named), Content::Folder(made), false);
        assert!(placed.is_ok());
        made.key()
    }

    #[test]
    fn a_place_is_a_folder_and_a_name() {
        let mut files = Files::new();
        assert!(files.is_empty());
        let (at, before) = files.put(FOLDER, &name("a"), file(5), false).unwrap();
        assert!(before.is_none());
        assert_eq!(files.find(FOLDER, b"a"), Some(at));
        assert_eq!(files.find(FOLDER, b"b"), None);
        assert_eq!(files.find(Key::own(2), b"a"), None);
        assert_eq!(files.in_memory(105), Some(at));
        assert_eq!(files.memory(at), Some(5));
    }

    #[test]
    fn what_was_at_a_place_is_given_back() {
        let mut files = Files::new();
        let (at, _) = files.put(FOLDER, &name("a"), file(5), false).unwrap();
        let (again, before) = files.put(FOLDER, &name("a"), file(6), false).unwrap();
        assert_eq!(again, at);
        assert!(matches!(before, Some(Content::File { memory: 5, .. })));
        assert!(matches!(files.take(at), Content::File { memory: 6, .. }));
        assert!(matches!(files.content(at), Content::Gone));
        assert_eq!(
            files.find(FOLDER, b"a"),
            Some(at),
            "it hides what comes there later"
        );
    }

    #[test]
    fn a_file_is_known_by_what_it_was_made_from() {
        let mut files = Files::new();
        let key = Key {
            device: 7,
            number: 8,
        };
        let original = Original {
            key,
            user: 0,
            group: 0,
        };
        let content = Content::File {
            memory: 5,
            number: 9,
            device: 7,
            original: Some(original),
        };
        let (at, _) = files.put(FOLDER, &name("a"), content, true).unwrap();
        assert_eq!(files.made_from(key), Some(at));
        files.take(at);
        assert_eq!(files.made_from(key), None);
    }

    #[test]
    fn what_is_gone_is_not_listed() {
        let mut files = Files::new();
        for text in ["a", "b", "c"] {
            files.put(FOLDER, &name(text), file(5), false).unwrap();
        }
        files.take(1);
        assert!(files.is_changed(FOLDER));
        let (first, node) = files.next_in(FOLDER, 0).unwrap();
        assert_eq!(node.name.get(), b"a");
        let (second, node) = files.next_in(FOLDER, first + 1).unwrap();
        assert_eq!(node.name.get(), b"c");
        assert!(files.next_in(FOLDER, second + 1).is_none());
    }

    #[test]
    fn places_of_what_only_the_copy_had_are_used_again() {
        let mut files = Files::new();
        for number in 0..MOST {
            let covers = number % 2 == 0;
            let name = name(&number.to_string());
            files.put(FOLDER, &name, Content::Gone, covers).unwrap();
        }
        for number in 0..MOST / 2 {
            let name = name(&format!("later{number}"));
            files.put(FOLDER, &name, file(number), false).unwrap();
        }
        assert!(files
            .put(FOLDER, &name("one more"), file(1), false)
            .is_err());
        assert!(files.find(FOLDER, b"0").is_some(), "it hides something");
        assert!(files.find(FOLDER, b"1").is_none());
    }

    #[test]
    fn folders_are_within_others() {
        let mut files = Files::new();
        let outer = folder(&mut files, FOLDER, "outer");
        let inner = folder(&mut files, outer, "inner");
        assert!(files.is_within(inner, outer));
        assert!(files.is_within(outer, outer));
        assert!(!files.is_within(outer, inner));
        assert!(!files.is_within(FOLDER, outer));
    }

    #[test]
    fn bytes_are_bounded() {
        let mut files = Files::new();
        assert!(files.spend(MOST_BYTES));
        assert!(!files.spend(1));
        files.count(10);
        assert!(files.spend(MOST_BYTES - 10));
    }
}
