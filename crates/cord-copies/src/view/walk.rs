//! Where a path leads in a copy of the program: as the kernel would find it, step by step, but with what
//! the copy has written, made, renamed or removed.

use crate::system::kernel::{self, Answer, Held, Stop, PROC};
use crate::view::files::{Content, Files, Folder, Key, Name};

/// So many symbolic links are followed.
const MOST_LINKS: usize = 40;
/// The longest path, with the zero at its end.
const LONGEST: usize = libc::PATH_MAX as usize;

/// What is at a place.
#[derive(Debug)]
pub enum What {
    Missing,
    /// As it is for everybody.
    Real(Held, libc::stat),
    /// As the copy has made it: a file or a folder, by its number in the table.
    Own(usize),
}

/// A folder that a path leads through.
#[derive(Debug)]
pub enum Place {
    Real(Held, libc::stat),
    Own(Folder),
}

impl Place {
    pub fn key(&self) -> Key {
        match self {
            Place::Real(_, about) => Key::of(about),
            Place::Own(folder) => folder.key(),
        }
    }

    /// The device that files in it are on.
    pub fn device(&self) -> u64 {
        match self {
            Place::Real(_, about) => about.st_dev,
            Place::Own(folder) => folder.device,
        }
    }

    /// Whether names may be added and taken away, as an error if not.
    pub fn may_change(&self) -> Answer<()> {
        match self {
            Place::Real(held, _) => kernel::may(held.fd(), libc::W_OK | libc::X_OK),
            Place::Own(folder) if folder.mode & 0o300 == 0o300 => Ok(()),
            Place::Own(_) => Err(Stop::End),
        }
    }
}

/// Where a path ends.
#[derive(Debug)]
pub struct Spot {
    /// The folder that it ends in.
    pub folder: Place,
    /// The name there; empty where the path ends with a folder that has none, such as `..`.
    pub name: Name,
    pub what: What,
    /// The path says that this is a folder.
    pub slash: bool,
}

/// From where a path leads on.
#[derive(Debug, Clone, Copy)]
pub enum Start {
    /// The working directory, or an open folder.
    Real(Option<usize>),
    Own(u64),
}

/// What is left of a path: it lies at the end of the room, so that links can be put before it.
struct Rest {
    bytes: [u8; 2 * LONGEST],
    at: usize,
}

/// Where a symbolic link leads.
struct Target {
    text: [u8; LONGEST],
    length: usize,
}

/// The next name of a path.
struct Step {
    name: Name,
    is_last: bool,
    slash: bool,
}

impl Rest {
    fn new() -> Rest {
        Rest {
            bytes: [0; 2 * LONGEST],
            at: 2 * LONGEST,
        }
    }

    fn put_before(&mut self, path: &[u8]) -> Answer<()> {
        let start = self.at.checked_sub(path.len());
        let start = start.ok_or(Stop::Errno(libc::ENAMETOOLONG))?;
        self.bytes[start..self.at].copy_from_slice(path);
        self.at = start;
        Ok(())
    }

    fn left(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    fn is_absolute(&self) -> bool {
        self.left().first() == Some(&b'/')
    }

    /// Passes over slashes; whether there are any.
    fn slashes(&mut self) -> bool {
        let count = self.left().iter().take_while(|byte| **byte == b'/').count();
        self.at += count;
        count > 0
    }

    /// Goes on where a link leads, which the path says is a folder or not.
    fn follow(&mut self, link: &Target, slash: bool) -> Answer<()> {
        if slash || !self.left().is_empty() {
            self.put_before(b"/")?;
        }
        self.put_before(&link.text[..link.length])
    }

    fn step(&mut self) -> Answer<Option<Step>> {
        self.slashes();
        let length = self.left().iter().take_while(|byte| **byte != b'/').count();
        if length == 0 {
            return Ok(None);
        }
        let name = Name::new(&self.left()[..length]).ok_or(Stop::Errno(libc::ENAMETOOLONG))?;
        self.at += length;
        let slash = self.slashes();
        let is_last = self.left().is_empty();
        Ok(Some(Step {
            name,
            is_last,
            slash,
        }))
    }
}

/// A path of the program's own memory, without its end.
///
/// # Safety
/// As the kernel would read it.
pub unsafe fn path<'a>(address: usize) -> Answer<&'a [u8]> {
    if address == 0 {
        return Err(Stop::End);
    }
    // SAFETY: as the caller says; nothing is read behind the zero byte.
    let path = unsafe { std::ffi::CStr::from_ptr(address as *const libc::c_char) }.to_bytes();
    match path.len() {
        0 => Err(Stop::Errno(libc::ENOENT)),
        length if length >= LONGEST => Err(Stop::Errno(libc::ENAMETOOLONG)),
        _ => Ok(path),
    }
}

/// Follows a path to its end; `follows` a symbolic link there, too.
pub fn walk(files: &Files, start: Start, path: &[u8], follows: bool) -> Answer<Spot> {
    let mut rest = Rest::new();
    rest.put_before(path)?;
    let mut at = if rest.is_absolute() {
        root()?
    } else {
        begin(files, start)?
    };
    let mut links = 0;
    while let Some(step) = rest.step()? {
        if let Some(folder) = unnamed(files, &at, step.name.get()) {
            at = folder?;
            if step.is_last {
                break;
            }
            continue;
        }
        let what = look(files, &at, &step.name)?;
        if follows || step.slash || !step.is_last {
            if let Some(link) = link(files, &what)? {
                links += 1;
                if links > MOST_LINKS {
                    return Err(Stop::Errno(libc::ELOOP));
                }
                rest.follow(&link, step.slash)?;
                if rest.is_absolute() {
                    at = root()?;
                }
                continue;
            }
        }
        match what {
            what if step.is_last => {
                return Ok(Spot {
                    folder: at,
                    name: step.name,
                    what,
                    slash: step.slash,
                })
            }
            what => at = enter(files, what)?,
        }
    }
    end_at(files, at)
}

/// A path that ends with a folder without a name.
fn end_at(files: &Files, at: Place) -> Answer<Spot> {
    let what = match &at {
        Place::Real(held, about) => What::Real(
            kernel::place(Some(held.fd()), b".\0", libc::O_DIRECTORY)?,
            *about,
        ),
        Place::Own(folder) => What::Own(files.own_folder(folder.number).ok_or(Stop::End)?),
    };
    Ok(Spot {
        folder: at,
        name: Name::new(b"").ok_or(Stop::End)?,
        what,
        slash: true,
    })
}

/// Where a symbolic link leads; none if it is something else.
fn link(files: &Files, what: &What) -> Answer<Option<Target>> {
    let mut target = Target {
        text: [0; LONGEST],
        length: 0,
    };
    target.length = match what {
        What::Real(held, about) if about.st_mode & libc::S_IFMT == libc::S_IFLNK => {
            if kernel::file_system(held.fd())? == PROC {
                return Err(Stop::End);
            }
            kernel::target(held.fd(), &mut target.text)?
        }
        What::Own(at) => match files.link(*at) {
            // SAFETY: there is so much room.
            Some(link) => unsafe {
                kernel::read(link.memory, target.text.as_mut_ptr() as usize, LONGEST)?
            },
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    Ok(Some(target))
}

fn root() -> Answer<Place> {
    real(kernel::place(None, b"/\0", libc::O_DIRECTORY)?)
}

fn real(held: Held) -> Answer<Place> {
    let about = kernel::about(held.fd())?;
    Ok(Place::Real(held, about))
}

fn begin(files: &Files, start: Start) -> Answer<Place> {
    match start {
        Start::Real(folder) => real(kernel::place(folder, b".\0", libc::O_DIRECTORY)?),
        Start::Own(number) => {
            let at = files.own_folder(number);
            let folder = at.and_then(|at| files.folder(at));
            folder.map(Place::Own).ok_or(Stop::Errno(libc::ENOENT))
        }
    }
}

/// The folder that `.` or `..` stands for.
fn unnamed(files: &Files, at: &Place, name: &[u8]) -> Option<Answer<Place>> {
    let above: &[u8] = match name {
        b"." => b".\0",
        b".." => b"..\0",
        _ => return None,
    };
    Some(match at {
        Place::Real(held, _) => {
            kernel::place(Some(held.fd()), above, libc::O_DIRECTORY).and_then(real)
        }
        Place::Own(folder) if name == b"." => Ok(Place::Own(*folder)),
        Place::Own(folder) => above_own(files, folder),
    })
}

fn above_own(files: &Files, folder: &Folder) -> Answer<Place> {
    if let Some(above) = folder.above {
        return real(kernel::place(Some(above), b".\0", libc::O_DIRECTORY)?);
    }
    let node = files
        .own_folder(folder.number)
        .and_then(|at| files.node(at));
    let outer = node
        .filter(|node| node.folder.is_own())
        .map(|node| node.folder.number);
    begin(files, Start::Own(outer.ok_or(Stop::End)?))
}

/// What has this name in a folder.
fn look(files: &Files, at: &Place, name: &Name) -> Answer<What> {
    if let Some(known) = files.find(at.key(), name.get()) {
        return Ok(match files.content(known) {
            Content::Gone => What::Missing,
            _ => What::Own(known),
        });
    }
    let Place::Real(folder, _) = at else {
        return Ok(What::Missing);
    };
    let held = match kernel::place(Some(folder.fd()), name.with_zero(), libc::O_NOFOLLOW) {
        Err(Stop::Errno(libc::ENOENT)) => return Ok(What::Missing),
        held => held?,
    };
    let about = kernel::about(held.fd())?;
    let is_file = about.st_mode & libc::S_IFMT == libc::S_IFREG;
    let by_another_name = is_file.then(|| files.made_from(Key::of(&about))).flatten();
    Ok(match by_another_name {
        Some(known) => What::Own(known),
        None => What::Real(held, about),
    })
}

/// Goes into a folder on the way.
fn enter(files: &Files, what: What) -> Answer<Place> {
    match what {
        What::Missing => Err(Stop::Errno(libc::ENOENT)),
        What::Own(known) => match files.folder(known) {
            Some(folder) => Ok(Place::Own(folder)),
            None => Err(Stop::Errno(libc::ENOTDIR)),
        },
        What::Real(held, about) if about.st_mode & libc::S_IFMT == libc::S_IFDIR => {
            Ok(Place::Real(held, about))
        }
        What::Real(..) => Err(Stop::Errno(libc::ENOTDIR)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    fn steps(path: &[u8]) -> Vec<(String, bool, bool)> {
        let mut rest = Rest::new();
        rest.put_before(path).unwrap();
        let mut all = Vec::new();
        while let Some(step) = rest.step().unwrap() {
            let name = String::from_utf8_lossy(step.name.get()).into_owned();
            all.push((name, step.is_last, step.slash));
        }
        all
    }

    fn find(files: &Files, path: &Path, follows: bool) -> Answer<Spot> {
        walk(
            files,
            Start::Real(None),
            path.as_os_str().as_bytes(),
            follows,
        )
    }

    fn file() -> Content {
        Content::File {
            memory: 0,
            number: 1,
            device: 1,
            original: None,
        }
    }

    fn put(files: &mut Files, path: &Path, content: Content) {
        let spot = find(files, path, true).unwrap();
        let key = spot.folder.key();
        files.put(key, &spot.name, content, false).unwrap();
    }

    fn own_folder(files: &mut Files, path: &Path) {
        let spot = find(files, path, true).unwrap();
        let above = match &spot.folder {
            Place::Real(held, _) => Some(std::mem::ManuallyDrop::new(
                kernel::place(Some(held.fd()), b".\0", 0).unwrap(),
            )),
            Place::Own(_) => None,
        };
        let folder = Folder {
            number: files.new_folder(),
            above: above.map(|held| held.fd()),
            device: 1,
            mode: 0o755,
            changed: (0, 0),
        };
        put(files, path, Content::Folder(folder));
    }

    #[test]
    fn a_path_is_taken_step_by_step() {
        let step = |name: &str, is_last, slash| (name.to_owned(), is_last, slash);
        assert_eq!(steps(b"/"), []);
        assert_eq!(steps(b"a"), [step("a", true, false)]);
        assert_eq!(
            steps(b"//a///b/"),
            [step("a", false, true), step("b", true, true)]
        );
    }

    #[test]
    fn what_is_real_is_found() {
        let folder = tempfile();
        std::fs::write(folder.join("file"), "x").unwrap();
        std::os::unix::fs::symlink("file", folder.join("link")).unwrap();
        let files = Files::new();
        let spot = find(&files, &folder.join("file"), true).unwrap();
        assert!(matches!(spot.what, What::Real(_, about) if about.st_size == 1));
        let spot = find(&files, &folder.join("link"), true).unwrap();
        assert_eq!(spot.name.get(), b"file");
        let spot = find(&files, &folder.join("link"), false).unwrap();
        assert!(
            matches!(spot.what, What::Real(_, about) if about.st_mode & libc::S_IFMT == libc::S_IFLNK)
        );
        let spot = find(&files, &folder.join("none"), true).unwrap();
        assert!(matches!(spot.what, What::Missing));
        let stop = find(&files, &folder.join("none/there"), true).unwrap_err();
        assert_eq!(stop, Stop::Errno(libc::ENOENT));
        let stop = find(&files, &folder.join("file/there"), true).unwrap_err();
        assert_eq!(stop, Stop::Errno(libc::ENOTDIR));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_the_copy_has_made_comes_first() {
        let folder = tempfile();
        std::fs::write(folder.join("file"), "x").unwrap();
        std::fs::create_dir(folder.join("inner")).unwrap();
        std::os::unix::fs::symlink("../file", folder.join("inner/link")).unwrap();
        let mut files = Files::new();
        put(&mut files, &folder.join("file"), file());
        for path in ["file", "inner/../file", "inner/link", "./inner/./link"] {
            let spot = find(&files, &folder.join(path), true).unwrap();
            assert!(matches!(spot.what, What::Own(0)), "{path}");
        }
        files.take(0);
        let spot = find(&files, &folder.join("inner/link"), true).unwrap();
        assert!(matches!(spot.what, What::Missing));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn own_folders_are_walked_through() {
        let folder = tempfile();
        std::fs::write(folder.join("file"), "x").unwrap();
        let mut files = Files::new();
        own_folder(&mut files, &folder.join("a"));
        own_folder(&mut files, &folder.join("a/b"));
        put(&mut files, &folder.join("a/b/c"), file());
        for path in ["a/b/c", "a/../a/b/../b/c", "a/b/../../a/b/./c"] {
            let spot = find(&files, &folder.join(path), true).unwrap();
            assert!(matches!(spot.what, What::Own(2)), "{path}");
        }
        let spot = find(&files, &folder.join("a/b/../../file"), true).unwrap();
        assert!(matches!(spot.what, What::Real(..)));
        let spot = find(&files, &folder.join("a/"), true).unwrap();
        assert!(matches!(spot.what, What::Own(0)) && spot.slash);
        let spot = find(&files, &folder.join("a/b/.."), true).unwrap();
        assert!(matches!(spot.what, What::Own(0)) && spot.name.is_empty());
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn own_links_are_followed() {
        let folder = tempfile();
        std::fs::create_dir(folder.join("inner")).unwrap();
        std::fs::write(folder.join("inner/file"), "x").unwrap();
        let mut files = Files::new();
        let memory = kernel::memory().unwrap();
        kernel::write(memory.fd(), b"inner").unwrap();
        let link = crate::view::files::Link {
            memory: memory.fd(),
            number: 1,
            length: 5,
            device: 1,
            made: (0, 0),
        };
        put(&mut files, &folder.join("link"), Content::Link(link));
        for path in ["link/file", "link/../link/./file"] {
            let spot = find(&files, &folder.join(path), true).unwrap();
            assert!(matches!(spot.what, What::Real(_, about) if about.st_size == 1));
        }
        let spot = find(&files, &folder.join("link"), true).unwrap();
        assert_eq!(spot.name.get(), b"inner");
        let spot = find(&files, &folder.join("link"), false).unwrap();
        assert!(matches!(spot.what, What::Own(0)));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn links_that_lead_to_themselves_end() {
        let folder = tempfile();
        std::os::unix::fs::symlink("loop", folder.join("loop")).unwrap();
        let stop = find(&Files::new(), &folder.join("loop"), true).unwrap_err();
        assert_eq!(stop, Stop::Errno(libc::ELOOP));
        std::fs::remove_dir_all(folder).unwrap();
    }

    fn tempfile() -> std::path::PathBuf {
        use std::sync::atomic::{AtomicU32, Ordering};
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("cord-walk-{}-{count}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir(&folder).unwrap();
        folder
    }
}
