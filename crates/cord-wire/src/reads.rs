//! What a call has read of files, as it travels with its reply: who takes the reply ahead looks whether
//! all of it is still so.

use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::variables;

/// What an output begins with that has such a part in front; nothing that is marshalled does.
const MARK: u8 = 0;
/// So many bytes the mark and the length have.
const HEAD: usize = 5;
/// Stands with how something was looked at, if that is remembered.
const REMEMBERED: u8 = 0x80;

/// What is looked at of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Look {
    /// What it leads to; of a folder only that it is there.
    At = 0,
    /// The same, of a link itself.
    AtLink = 1,
    /// What is in the folder that it leads to, or when that has changed.
    Into = 2,
    /// As [`Look::At`], and its times count, whatever is in it.
    Times = 3,
    /// No path: something else that the call has asked for, in words. What comes of it holds for this run.
    Never = 4,
    /// No path but the name of a variable of the environment; without one, all that pass ([`variables`]).
    Variable = 5,
}

/// Something that a call has read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    pub path: PathBuf,
    pub look: Look,
    /// What was seen, mixed to one number.
    pub print: u64,
    /// An earlier call has read it, and what came of that is remembered: for who takes the call, it is as it was.
    pub is_remembered: bool,
}

/// The same, as it has come.
pub struct Told<'a> {
    pub path: &'a Path,
    pub look: Look,
    pub print: u64,
    pub is_remembered: bool,
}

impl Look {
    pub fn of(number: u8) -> Option<Look> {
        use Look::{At, AtLink, Into, Never, Times, Variable};
        [At, AtLink, Into, Times, Never, Variable]
            .into_iter()
            .find(|look| *look as u8 == number)
    }

    pub fn metadata(self, path: &Path) -> io::Result<Metadata> {
        match self {
            Look::AtLink => fs::symlink_metadata(path),
            Look::At | Look::Into | Look::Times => fs::metadata(path),
            Look::Never | Look::Variable => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    /// Whether what is looked at has a path.
    pub fn is_at_path(self) -> bool {
        !matches!(self, Look::Never | Look::Variable)
    }

    /// What is seen now, mixed to one number.
    pub fn print(self, path: &Path) -> u64 {
        match self {
            Look::Variable => mixed_bytes(variables::now(path.as_os_str()).into_iter()),
            look => print_of(&look.metadata(path), look),
        }
    }
}

/// What is seen of a path, mixed to one number: another one as soon as anything has changed.
pub fn print_of(seen: &io::Result<Metadata>, look: Look) -> u64 {
    let seen = match seen {
        Ok(seen) => seen,
        Err(error) => return mixed(&[error.raw_os_error().unwrap_or(0) as u64]),
    };
    let what = [
        seen.dev(),
        seen.ino(),
        u64::from(seen.mode()),
        u64::from(seen.uid()),
        u64::from(seen.gid()),
    ];
    if seen.is_dir() && look != Look::Into {
        return mixed(&what); // others make files in it all the time
    }
    let times = [
        seen.mtime(),
        seen.mtime_nsec(),
        seen.ctime(),
        seen.ctime_nsec(),
    ];
    let [modified, part, changed, rest] = times.map(|time| time as u64);
    mixed(&[mixed(&what), seen.size(), modified, part, changed, rest])
}

/// What no path ever looks like.
pub const NEVER: u64 = 0;

fn mixed(numbers: &[u64]) -> u64 {
    mixed_bytes(numbers.iter().flat_map(|number| number.to_le_bytes()))
}

fn mixed_bytes(bytes: impl Iterator<Item = u8>) -> u64 {
    let mixed = bytes.fold(0xcbf2_9ce4_8422_2325, |mixed, byte| {
        (mixed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    mixed.max(NEVER + 1)
}

/// Where the files are that this process sees: on which machine, and from which of its roots.
pub fn place() -> u64 {
    static PLACE: OnceLock<u64> = OnceLock::new();
    *PLACE.get_or_init(|| {
        let machine = fs::read("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let links = ["/proc/self/ns/mnt", "/proc/self/root"];
        let links = links.map(|link| fs::read_link(link).unwrap_or_default());
        let bytes = links.iter().flat_map(|link| link.as_os_str().as_bytes());
        let numbers = machine.iter().chain(bytes).map(|byte| u64::from(*byte));
        mixed(&numbers.collect::<Vec<_>>())
    })
}

/// What was read, as it is put in front of an output.
pub fn encode(reads: &[Read]) -> Vec<u8> {
    let mut bytes = vec![MARK, 0, 0, 0, 0];
    bytes.extend(place().to_le_bytes());
    for read in reads {
        let path = read.path.as_os_str().as_bytes();
        let mark = if read.is_remembered { REMEMBERED } else { 0 };
        bytes.push(read.look as u8 | mark);
        bytes.extend(read.print.to_le_bytes());
        bytes.extend((path.len() as u32).to_le_bytes());
        bytes.extend(path);
    }
    let length = (bytes.len() - HEAD) as u32;
    bytes[1..HEAD].copy_from_slice(&length.to_le_bytes());
    bytes
}

/// An output in two parts: what is in front of it, and itself.
pub fn split(output: &[u8]) -> (&[u8], &[u8]) {
    match output {
        [MARK, a, b, c, d, ..] => {
            let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
            output.split_at((HEAD + length).min(output.len()))
        }
        _ => (&[], output),
    }
}

/// Whether a part in front of an output is of files that this process sees.
pub fn is_of_here(told: &[u8]) -> bool {
    let mut rest = told.get(HEAD..).unwrap_or_default();
    taken(&mut rest).is_some_and(|there| u64::from_le_bytes(*there) == place())
}

/// What a part in front of an output tells; nothing if the files are not those that this process sees.
pub fn all_of(told: &[u8]) -> impl Iterator<Item = Told<'_>> {
    let mut rest = told.get(HEAD..).unwrap_or_default();
    let here = taken(&mut rest).is_some_and(|there| u64::from_le_bytes(*there) == place());
    std::iter::from_fn(move || Told::next(&mut rest)).take_while(move |_| here)
}

impl<'a> Told<'a> {
    fn next(rest: &mut &'a [u8]) -> Option<Self> {
        let [look] = *taken(rest)?;
        let is_remembered = look & REMEMBERED != 0;
        let look = Look::of(look & !REMEMBERED)?;
        let print = u64::from_le_bytes(*taken(rest)?);
        let length = u32::from_le_bytes(*taken(rest)?) as usize;
        let (path, after) = rest.split_at_checked(length)?;
        *rest = after;
        let path = Path::new(OsStr::from_bytes(path));
        Some(Told {
            path,
            look,
            print,
            is_remembered,
        })
    }

    fn is_so_still(&self) -> bool {
        self.look == Look::Never || self.is_remembered || self.look.print(self.path) == self.print
    }
}

fn taken<'a, const N: usize>(rest: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (first, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    Some(first)
}

/// Something that the call with this output has read and that is not so any more.
pub fn changed(output: &[u8]) -> Option<&Path> {
    let (told, _) = split(output);
    all_of(told)
        .find(|read| !read.is_so_still())
        .map(|read| read.path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &Path, look: Look) -> Read {
        let print = print_of(&look.metadata(path), look);
        Read {
            path: path.into(),
            look,
            print,
            is_remembered: false,
        }
    }

    #[test]
    fn what_was_read_comes_back() {
        let reads = [
            read(Path::new("/"), Look::Into),
            read(Path::new("/none"), Look::AtLink),
        ];
        let output = [encode(&reads), b"[written".into()].concat();
        let (told, written) = split(&output);
        let told: Vec<_> = all_of(told).collect();
        assert_eq!(written, b"[written");
        assert_eq!(told.len(), 2);
        for (told, read) in told.iter().zip(&reads) {
            assert_eq!((told.path, told.look), (&*read.path, read.look));
            assert_eq!(told.print, read.print);
        }
        assert_eq!(split(b"[\0\0\0\0"), (&b""[..], &b"[\0\0\0\0"[..]));
        assert_eq!(all_of(&output[..20]).count(), 0);
    }

    #[test]
    fn a_change_shows() {
        let folder = std::env::temp_dir().join(format!("reads-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("file");
        let reads = |look| encode(&[read(&file, look)]);
        let (absent, within) = (reads(Look::At), encode(&[read(&folder, Look::Into)]));
        let at = encode(&[read(&folder, Look::At)]);
        assert_eq!(changed(&absent), None);
        fs::write(&file, "one").unwrap();
        assert!(changed(&absent).is_some());
        assert!(changed(&within).is_some());
        assert_eq!(changed(&at), None);
        let there = reads(Look::At);
        assert_eq!(changed(&there), None);
        fs::write(&file, "three").unwrap();
        assert!(changed(&there).is_some());
        fs::remove_dir_all(&folder).unwrap();
    }
}
