//! A view of the working folder for one call: what the call writes there, and processes that it starts,
//! nobody else sees.
//!
//! The view is a folder of its own, since programs that are started know no other. Files are copied into
//! it; folders are linked, so that what is in them can be read. What the call has come near of it is told
//! by the kernel, whichever process it was.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{symlink, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::inotify;

use cord_wire::reads::{print_of, Look, Read};

/// So much is copied into a view at most, and comes out of it.
const LARGEST: u64 = 64 << 20;
const MOST: usize = 4096;

/// Why there is no view, or what was done in it cannot go home: as a sentence about a function goes on.
pub type Refused = String;

/// Others change the folder: the call came at the wrong moment, and has done nothing wrong.
pub const CHANGED: &str = "has a working folder that others change";
/// So often a view is tried to be had.
const TRIES: u32 = 3;

/// Something that a call has left in its working folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Left {
    /// A file, with its mode and what is in it.
    File(u32, Vec<u8>),
    /// A folder, with its mode.
    Folder(u32),
    /// A link, and where it leads.
    Link(OsString),
    /// It is gone.
    Nothing,
}

/// What has become of a view.
#[derive(Debug, Default)]
pub struct Ended {
    /// What was left, by paths from the working folder on, folders first.
    pub left: Vec<(PathBuf, Left)>,
    /// What the call has come near, as it was in the working folder when the view was made.
    pub reads: Vec<Read>,
}

/// What a view had under a name at first.
#[derive(Debug)]
struct Given {
    /// How it looks in the working folder, and how in the view.
    read: Read,
    own: u64,
    is_file: bool,
}

/// A view of a folder.
#[derive(Debug)]
pub struct View {
    real: PathBuf,
    folder: PathBuf,
    given: BTreeMap<OsString, Given>,
    listing: Read,
    events: OwnedFd,
}

fn read_of(path: &Path, look: Look) -> Read {
    Read {
        path: path.into(),
        look,
        print: print_of(&look.metadata(path), look),
        is_remembered: false,
    }
}

fn absent() -> u64 {
    print_of(&Err(io::Error::from_raw_os_error(libc::ENOENT)), Look::At)
}

impl View {
    /// A view of this folder, in a new one within another folder.
    ///
    /// # Errors
    /// Where there is too much in it, or it cannot be read.
    pub fn of(real: &Path, within: &Path) -> Result<View, Refused> {
        let mut made = View::once(real, within);
        for _ in 1..TRIES {
            if made.as_ref().is_err_and(|refused| refused == CHANGED) {
                made = View::once(real, within);
            }
        }
        made
    }

    fn once(real: &Path, within: &Path) -> Result<View, Refused> {
        let folder = new_folder(within).map_err(|error| cannot(&error))?;
        let listing = read_of(real, Look::Into);
        let made = View::fill(real, &folder).and_then(|given| {
            let events = listen(&folder).map_err(|error| cannot(&error))?;
            Ok((given, events))
        });
        match made {
            Ok((given, events)) => Ok(View {
                real: real.into(),
                folder,
                given,
                listing,
                events,
            }),
            Err(refused) => {
                let _ = fs::remove_dir_all(&folder);
                Err(refused)
            }
        }
    }

    fn fill(real: &Path, folder: &Path) -> Result<BTreeMap<OsString, Given>, Refused> {
        let mut given = BTreeMap::new();
        let mut size = 0;
        for entry in fs::read_dir(real).map_err(|error| cannot(&error))? {
            let name = entry.map_err(|error| cannot(&error))?.file_name();
            let (from, to) = (real.join(&name), folder.join(&name));
            let read = read_of(&from, Look::At);
            let Ok(seen) = fs::metadata(&from).or_else(|_| fs::symlink_metadata(&from)) else {
                continue; // it is gone by now
            };
            size += seen.len() * u64::from(seen.is_file());
            if size > LARGEST || given.len() == MOST {
                return Err("has too much in its working folder for a view of its own".into());
            }
            put(&from, &to, &seen).map_err(|error| cannot(&error))?;
            if read_of(&from, Look::At) != read {
                return Err(CHANGED.into());
            }
            let own = print_of(&Look::At.metadata(&to), Look::At);
            let is_file = seen.is_file();
            given.insert(name, Given { read, own, is_file });
        }
        Ok(given)
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its name, which nobody is to hear of.
    pub fn name(&self) -> &OsStr {
        self.folder.file_name().unwrap_or_default()
    }

    /// What it is a view of.
    pub fn real(&self) -> &Path {
        &self.real
    }

    /// The call has ended, and has asked for these paths by itself: what it has left, and come near. The
    /// view is gone then.
    ///
    /// # Errors
    /// Where that cannot go home.
    pub fn end(self, asked: &[Read]) -> Result<Ended, Refused> {
        let (mut near, lists) = self.heard();
        near.extend(asked.iter().filter_map(|read| self.looks_at(read)));
        let left = self.left();
        let _ = fs::remove_dir_all(&self.folder);
        let left = left?;
        near.extend(left.iter().filter_map(|(path, _)| first(path)));
        let mut reads: Vec<Read> = near.iter().map(|name| self.read(name)).collect();
        reads.extend(asked.iter().filter_map(|read| self.below(read)));
        let lists = lists || asked.iter().any(|read| self.lists(read));
        reads.extend(lists.then(|| self.listing.clone()));
        Ok(Ended { left, reads })
    }

    /// The call is not to have been.
    pub fn forget(self) {
        let _ = fs::remove_dir_all(&self.folder);
    }

    fn lists(&self, read: &Read) -> bool {
        read.look == Look::Into && read.path == self.folder
    }

    /// What was asked for in a folder that is linked, as it lies in the working folder.
    fn below(&self, read: &Read) -> Option<Read> {
        let path = read.path.strip_prefix(&self.folder).ok()?;
        let name = first(path).filter(|name| path != Path::new(name))?;
        let is_linked = self.given.get(&name).is_some_and(|given| !given.is_file);
        is_linked.then(|| Read {
            path: self.real.join(path),
            ..read.clone()
        })
    }

    /// The name in the view that was asked for as it was given, not as the call has made it.
    fn looks_at(&self, read: &Read) -> Option<OsString> {
        let name = first(read.path.strip_prefix(&self.folder).ok()?)?;
        let given = self.given.get(&name).map_or(absent(), |given| given.own);
        let is_deep = read.path != self.folder.join(&name);
        (is_deep || read.look != Look::At || read.print == given).then_some(name)
    }

    fn read(&self, name: &OsStr) -> Read {
        match self.given.get(name) {
            Some(given) => given.read.clone(),
            None => Read {
                path: self.real.join(name),
                look: Look::At,
                print: absent(),
                is_remembered: false,
            },
        }
    }

    /// The names that anything has happened to, and whether the folder was listed.
    fn heard(&self) -> (BTreeSet<OsString>, bool) {
        let mut space = [MaybeUninit::uninit(); 8192];
        let mut reader = inotify::Reader::new(&self.events, &mut space);
        let (mut near, mut lists) = (BTreeSet::new(), false);
        while let Ok(event) = reader.next() {
            let flags = event.events();
            if flags.contains(inotify::ReadFlags::QUEUE_OVERFLOW) {
                return (self.given.keys().cloned().collect(), true);
            }
            match event.file_name() {
                Some(name) => drop(near.insert(OsStr::from_bytes(name.to_bytes()).to_owned())),
                None => lists |= flags.contains(inotify::ReadFlags::ACCESS),
            }
        }
        (near, lists)
    }

    fn left(&self) -> Result<Vec<(PathBuf, Left)>, Refused> {
        let mut left = Vec::new();
        let mut size = 0;
        let mut there = BTreeSet::new();
        for entry in fs::read_dir(&self.folder).map_err(|error| cannot(&error))? {
            let name = entry.map_err(|error| cannot(&error))?.file_name();
            let path = self.folder.join(&name);
            let given = self.given.get(&name);
            let now = print_of(&Look::At.metadata(&path), Look::At);
            let is_link = path.is_symlink();
            there.insert(name.clone());
            match given {
                Some(given) if given.own == now && is_link != given.is_file => continue,
                Some(given) if !given.is_file || !path.is_file() || is_link => {
                    return Err(format!(
                        "replaces {} in its folder",
                        Path::new(&name).display()
                    ));
                }
                _ => take(&self.folder, Path::new(&name), &mut left, &mut size)?,
            }
        }
        let gone = self.given.keys().filter(|name| !there.contains(*name));
        left.extend(gone.map(|name| (name.into(), Left::Nothing)));
        let marker = self.name().as_bytes();
        let says = |content: &[u8]| content.windows(marker.len()).any(|part| part == marker);
        let shows = left.iter().any(|(_, left)| match left {
            Left::File(_, content) => says(content),
            Left::Link(target) => says(target.as_bytes()),
            _ => false,
        });
        match shows {
            true => Err("writes where its folder is".into()),
            false => Ok(left),
        }
    }
}

fn cannot(error: &io::Error) -> Refused {
    format!("can have no view of its working folder ({error})")
}

/// The name in the folder that a path from there on begins with.
fn first(path: &Path) -> Option<OsString> {
    path.iter().next().map(OsStr::to_owned)
}

fn new_folder(within: &Path) -> io::Result<PathBuf> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    // SAFETY: asks about this process.
    let session = unsafe { libc::getsid(0) }; // whose leader removes what is left in the end
    let name = format!("cord-view-{session}-{}-{number}", std::process::id());
    let folder = fs::canonicalize(within)?.join(name);
    fs::create_dir(&folder)?;
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700))?;
    Ok(folder)
}

/// Puts what is at a path into the view. A link to a file becomes a file: else what is written there
/// would be written outside.
fn put(from: &Path, to: &Path, seen: &Metadata) -> io::Result<()> {
    if !seen.is_file() {
        return symlink(from, to);
    }
    fs::copy(from, to)?;
    let times = fs::FileTimes::new().set_accessed(seen.accessed()?);
    let file = fs::File::open(to)?;
    file.set_times(times.set_modified(seen.modified()?))
}

fn listen(folder: &Path) -> io::Result<OwnedFd> {
    use inotify::{CreateFlags, WatchFlags};
    let events = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC)?;
    inotify::add_watch(&events, folder, WatchFlags::ALL_EVENTS)?;
    Ok(events)
}

/// What lies at a path of a folder, and below it.
fn take(
    folder: &Path,
    path: &Path,
    left: &mut Vec<(PathBuf, Left)>,
    size: &mut u64,
) -> Result<(), Refused> {
    let whole = folder.join(path);
    let seen = fs::symlink_metadata(&whole).map_err(|error| cannot(&error))?;
    let (kind, mode) = (seen.file_type(), seen.mode() & 0o7777);
    *size += seen.len();
    if *size > LARGEST || left.len() == MOST {
        return Err("leaves too much in its working folder".into());
    }
    let mut add = |one| left.push((path.into(), one));
    if kind.is_file() {
        add(Left::File(
            mode,
            fs::read(&whole).map_err(|error| cannot(&error))?,
        ));
    } else if kind.is_symlink() {
        let target = fs::read_link(&whole).map_err(|error| cannot(&error))?;
        add(Left::Link(target.into()));
    } else if kind.is_dir() {
        add(Left::Folder(mode));
        for entry in fs::read_dir(&whole).map_err(|error| cannot(&error))? {
            let name = entry.map_err(|error| cannot(&error))?.file_name();
            take(folder, &path.join(name), left, size)?;
        }
    } else {
        return Err(format!("leaves {}, which is no file", path.display()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// A folder with a view of it, and what becomes of both.
    fn after(files: &[(&str, &str)], script: &str) -> (PathBuf, Result<Ended, Refused>) {
        let real = new_folder(&std::env::temp_dir()).unwrap();
        fs::create_dir(real.join("sub")).unwrap();
        for (name, content) in files {
            fs::write(real.join(name), content).unwrap();
        }
        let view = View::of(&real, &std::env::temp_dir()).unwrap();
        let folder = view.folder().to_owned();
        let mut shell = Command::new("sh");
        let done = shell.args(["-ec", script]).current_dir(&folder).status();
        assert!(done.unwrap().success());
        let ended = view.end(&[]);
        assert!(!folder.exists());
        (real, ended)
    }

    fn names(ended: &Ended, real: &Path) -> Vec<String> {
        let name = |read: &Read| match read.path.strip_prefix(real) {
            Ok(path) if path.as_os_str().is_empty() => "/".to_owned(),
            path => path.unwrap().display().to_string(),
        };
        ended.reads.iter().map(name).collect()
    }

    #[test]
    fn what_is_written_is_seen_by_nobody_else_and_comes_out_of_it() {
        let script = "echo new > out; echo more >> log; rm old; mkdir -p deep/er; echo x > deep/er/f; ln -s log link";
        let (real, ended) = after(&[("log", "one\n"), ("old", "1"), ("rest", "2")], script);
        let mut ended = ended.unwrap();
        ended.left.sort_by(|one, other| one.0.cmp(&other.0));
        let shown = ended.left.iter().map(|(path, left)| match left {
            Left::File(_, content) => format!("{} {content:?}", path.display()),
            other => format!("{} {other:?}", path.display()),
        });
        let shown: Vec<_> = shown.collect();
        let text = |content: &str| format!("{:?}", content.as_bytes());
        assert_eq!(shown[0].split(' ').next(), Some("deep"));
        assert_eq!(shown[2], format!("deep/er/f {}", text("x\n")));
        assert_eq!(shown[3], "link Link(\"log\")");
        assert_eq!(shown[4], format!("log {}", text("one\nmore\n")));
        assert_eq!(shown[5], "old Nothing");
        assert_eq!(shown[6], format!("out {}", text("new\n")));
        assert_eq!(fs::read(real.join("log")).unwrap(), b"one\n");
        assert!(real.join("old").exists() && !real.join("out").exists());
        let near = names(&ended, &real);
        assert!(["deep", "link", "log", "old", "out"]
            .iter()
            .all(|one| near.contains(&(*one).into())));
        assert!(!near.contains(&"rest".into()));
        fs::remove_dir_all(real).unwrap();
    }

    #[test]
    fn what_is_read_is_known_and_nothing_else() {
        let (real, ended) = after(&[("in", "1"), ("rest", "2")], "cat in > /dev/null");
        assert_eq!(names(&ended.unwrap(), &real), ["in"]);
        fs::remove_dir_all(real).unwrap();
    }

    #[test]
    fn a_folder_that_is_listed_is_known() {
        let (real, ended) = after(&[("in", "1")], "ls > /dev/null");
        let ended = ended.unwrap();
        assert!(names(&ended, &real).contains(&"/".into()));
        assert!(ended.left.is_empty());
        fs::remove_dir_all(real).unwrap();
    }

    #[test]
    fn what_would_show_the_view_does_not_go_home() {
        let (real, ended) = after(&[], "pwd > where");
        assert_eq!(ended.unwrap_err(), "writes where its folder is");
        let (other, ended) = after(&[], "rm sub; echo x > sub");
        assert_eq!(ended.unwrap_err(), "replaces sub in its folder");
        for folder in [real, other] {
            fs::remove_dir_all(folder).unwrap();
        }
    }
}
