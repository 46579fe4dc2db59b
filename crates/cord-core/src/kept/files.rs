//! What a call has read of files, as it counts in later runs: not by what it looked like to the kernel alone, but by
//! what was in it.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::locked;
use super::record::{chunk, get, put};
use cord_wire::reads::{all_of, is_of_here, place, print_of, split, Look, Read, NEVER};
use cord_wire::variables;

/// What is in a file, a folder or a link, mixed.
type Content = [u8; 16];

/// Something that a call has read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub path: PathBuf,
    pub look: Look,
    /// Where files are so that it looks like this.
    place: u64,
    print: u64,
    content: Content,
}

impl Seen {
    pub fn write(&self, to: &mut Vec<u8>) {
        to.push(self.look as u8);
        to.extend(self.place.to_le_bytes());
        to.extend(self.print.to_le_bytes());
        to.extend(self.content);
        put(to, self.path.as_os_str().as_bytes());
    }

    pub fn read(rest: &mut &[u8]) -> Option<Seen> {
        let [look] = *chunk(rest)?;
        let look = Look::of(look)?;
        let place = u64::from_le_bytes(*chunk(rest)?);
        let print = u64::from_le_bytes(*chunk(rest)?);
        let content = *chunk(rest)?;
        let path = OsStr::from_bytes(get(rest)?).into();
        Some(Seen {
            path,
            look,
            place,
            print,
            content,
        })
    }
}

/// What is in files that calls have read, by what they looked like then: each is read once.
#[derive(Debug, Default)]
pub struct Contents(Mutex<HashMap<(PathBuf, u8, u64), Content>>);

impl Contents {
    /// What the call with this output has read, if all of it is so still.
    ///
    /// # Errors
    /// Why later runs cannot tell whether it is.
    pub fn of_output(&self, output: &[u8]) -> Result<Vec<Seen>, String> {
        let (told, _) = split(output);
        if told.is_empty() {
            return Ok(Vec::new());
        }
        if !is_of_here(told) {
            return Err("what it has read is of another machine".into());
        }
        let seen = all_of(told).map(|read| {
            let name = shown(read.path, read.look);
            if read.look == Look::Never {
                return Err(name);
            }
            let changes = || format!("{name} has changed meanwhile");
            if read.print == NEVER {
                return Err(changes());
            }
            let (print, content) = self
                .now(read.path, read.look)
                .ok_or_else(|| format!("{name} is no plain file"))?;
            (print == read.print)
                .then(|| Seen {
                    path: read.path.into(),
                    look: read.look,
                    place: place(),
                    print,
                    content,
                })
                .ok_or_else(changes)
        });
        seen.collect()
    }

    /// What was read, as it looks now.
    ///
    /// # Errors
    /// What is not as it was, in words.
    pub fn still(&self, seen: &[Seen]) -> Result<Vec<Read>, String> {
        let reads = seen.iter().map(|seen| {
            let now = seen.look.print(&seen.path);
            let print = match seen.place == place() && seen.print == now {
                true => now,
                false => {
                    let now = self.now(&seen.path, seen.look);
                    let now = now.filter(|(_, content)| *content == seen.content);
                    now.ok_or_else(|| format!("{} has changed", shown(&seen.path, seen.look)))?
                        .0
                }
            };
            Ok(Read {
                path: seen.path.clone(),
                look: seen.look,
                print,
                is_remembered: false,
            })
        });
        reads.collect()
    }

    /// How something looks now, and what is in it; none if nobody can tell.
    fn now(&self, path: &Path, look: Look) -> Option<(u64, Content)> {
        if look == Look::Variable {
            let content = blake3::hash(&variables::now(path.as_os_str()));
            return Some((look.print(path), *content.as_bytes().first_chunk()?));
        }
        let about = look.metadata(path);
        let print = print_of(&about, look);
        let key = (path.to_owned(), look as u8, print);
        if let Some(content) = locked(&self.0).get(&key) {
            return Some((print, *content));
        }
        let content = content(path, look, about)?;
        if print_of(&look.metadata(path), look) != print {
            return None;
        }
        locked(&self.0).insert(key, content);
        Some((print, content))
    }
}

/// What was read, in words.
pub fn shown(path: &Path, look: Look) -> String {
    match look {
        Look::Variable if path.as_os_str().is_empty() => "the environment".into(),
        Look::Variable => format!("variable {}", path.display()),
        _ => path.display().to_string(),
    }
}

fn content(path: &Path, look: Look, about: io::Result<Metadata>) -> Option<Content> {
    let mut hasher = blake3::Hasher::new();
    let about = match about {
        Ok(about) => about,
        Err(error) => {
            hasher
                .update(b"none")
                .update(&error.raw_os_error()?.to_le_bytes());
            return hasher.finalize().as_bytes().first_chunk().copied();
        }
    };
    hasher.update(&about.mode().to_le_bytes());
    if about.is_symlink() {
        hasher.update(fs::read_link(path).ok()?.as_os_str().as_bytes());
    } else if about.is_dir() {
        if look == Look::Into {
            let names: io::Result<Vec<_>> = fs::read_dir(path).ok()?.collect();
            let mut names: Vec<_> = names.ok()?.into_iter().map(|one| one.file_name()).collect();
            names.sort();
            for name in names {
                hasher.update(name.as_bytes()).update(&[0]);
            }
        }
    } else if about.is_file() {
        hasher.update_reader(File::open(path).ok()?).ok()?;
    } else {
        return None;
    }
    if matches!(look, Look::Times | Look::Into) {
        hasher.update(&about.mtime().to_le_bytes());
        hasher.update(&about.mtime_nsec().to_le_bytes());
    }
    hasher.finalize().as_bytes().first_chunk().copied()
}
