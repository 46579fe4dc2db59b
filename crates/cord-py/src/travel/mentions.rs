//! Which names of the main script a pickle mentions: its classes and functions travel beside it.

const MAIN: &[u8] = b"__main__";

/// What the main script defines and `pickle` refers to by name, each name once; `None` if the pickle
/// holds something that the C pickler does not write.
pub fn names_of_main(pickle: &[u8]) -> Option<Vec<String>> {
    let mut names = Vec::new();
    if !mentions_main(pickle) {
        return Some(names);
    }
    let mut reader = Reader::of(pickle);
    while let Some(global) = reader.next_global()? {
        if global.module == MAIN {
            let name = String::from_utf8(global.name.to_vec()).ok()?;
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Some(names)
}

/// The globals of some modules that a pickle mentions, as far as it can be read.
pub fn globals_of(pickle: &[u8], is_wanted: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut reader = Reader::of(pickle);
    while let Some(Some(global)) = reader.next_global() {
        let (Ok(module), Ok(name)) = (
            std::str::from_utf8(global.module),
            std::str::from_utf8(global.name),
        ) else {
            continue;
        };
        if is_wanted(module) {
            found.push((module.to_owned(), name.to_owned()));
        }
    }
    found
}

/// The modules of all globals that a pickle mentions, each once, in order; none if it cannot be read to its end.
pub fn modules_of(pickle: &[u8]) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    let mut reader = Reader::of(pickle);
    while !reader.rest.is_empty() {
        let Some(global) = reader.next_global()? else {
            return reader.rest.is_empty().then_some(found);
        };
        let module = std::str::from_utf8(global.module).ok()?;
        if !found.contains(&module) {
            found.push(module);
        }
    }
    None
}

/// Whether the name of the main script's module occurs at all: for most pickles the whole answer.
pub fn mentions_main(pickle: &[u8]) -> bool {
    memchr::memmem::find(pickle, MAIN).is_some()
}

/// Whether there may be bound methods in it: pickle looks them up by the names of their functions.
pub fn may_bind_methods(pickle: &[u8]) -> bool {
    memchr::memmem::find(pickle, b"\x8c\x07getattr").is_some()
}

struct Global<'a> {
    module: &'a [u8],
    name: &'a [u8],
}

/// Reads opcodes one after the other; of the stack it knows the two topmost strings.
struct Reader<'a> {
    rest: &'a [u8],
    memo: Vec<Option<&'a [u8]>>,
    before: Option<&'a [u8]>,
    last: Option<&'a [u8]>,
}

impl<'a> Reader<'a> {
    fn of(pickle: &'a [u8]) -> Self {
        Self {
            rest: pickle,
            memo: Vec::new(),
            before: None,
            last: None,
        }
    }

    /// The next global; the inner `None` is the end, the outer one an opcode that is not known.
    fn next_global(&mut self) -> Option<Option<Global<'a>>> {
        loop {
            match self.byte()? {
                b'.' => return Some(None),
                0x93 => {
                    let found = self.before.zip(self.last);
                    self.push(None);
                    if let Some((module, name)) = found {
                        return Some(Some(Global { module, name }));
                    }
                }
                0x94 => self.memo.push(self.last),
                0x8c => self.sized_string(1)?,
                b'X' => self.sized_string(4)?,
                0x8d => self.sized_string(8)?,
                b'h' => self.get(1)?,
                b'j' => self.get(4)?,
                0x95 => drop(self.take(8)?),
                other => {
                    self.skip(other)?;
                    self.push(None);
                }
            }
        }
    }

    /// Passes by the argument of an opcode that pushes no string.
    fn skip(&mut self, opcode: u8) -> Option<()> {
        match opcode {
            _ if b"(012NQRabd}el]ost)u".contains(&opcode) => {}
            0x81 | 0x85..=0x89 | 0x8f..=0x92 | 0x97 | 0x98 => {}
            b'K' | 0x80 | 0x82 => drop(self.take(1)?),
            b'M' | 0x83 => drop(self.take(2)?),
            b'J' | 0x84 => drop(self.take(4)?),
            b'G' => drop(self.take(8)?),
            b'U' | b'C' | 0x8a => drop(self.sized(1)?),
            b'T' | b'B' | 0x8b => drop(self.sized(4)?),
            0x8e | 0x96 => drop(self.sized(8)?),
            _ => return None,
        }
        Some(())
    }

    fn push(&mut self, string: Option<&'a [u8]>) {
        self.before = self.last;
        self.last = string;
    }

    fn sized_string(&mut self, width: usize) -> Option<()> {
        let string = self.sized(width)?;
        self.push(Some(string));
        Some(())
    }

    fn get(&mut self, width: usize) -> Option<()> {
        let index = self.number(width)?;
        let string = *self.memo.get(index)?;
        self.push(string);
        Some(())
    }

    fn sized(&mut self, width: usize) -> Option<&'a [u8]> {
        let length = self.number(width)?;
        self.take(length)
    }

    fn number(&mut self, width: usize) -> Option<usize> {
        let bytes = self.take(width)?;
        let mut whole = [0; 8];
        whole[..width].copy_from_slice(bytes);
        usize::try_from(u64::from_le_bytes(whole)).ok()
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }
}
