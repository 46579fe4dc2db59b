//! A store's outcomes in a file, to be carried to another store: it is a log, as any is.

use std::io;
use std::path::Path;

use super::index::Index;
use super::record::Record;
use super::{log, look_at, trim, usable, writer};

/// Writes outcomes of these functions to a file, which is made; those of all without any names. How many.
///
/// # Errors
/// The store cannot be read, or is somebody else's; the file is there already, or cannot be written.
pub fn export(folder: &Path, functions: &[String], file: &Path) -> io::Result<usize> {
    look_at(folder)?;
    log::create(file, log::MAGIC)?;
    let mut count = 0;
    for (key, entry) in Index::read(folder)?.entries() {
        let path = folder.join(&*entry.log);
        let Some(body) = log::read(&path, entry.offset, entry.length) else {
            continue;
        };
        let Some(record) = Record::decode(&body, &key) else {
            continue;
        };
        if functions.is_empty() || functions.contains(&record.function) {
            log::append(file, &log::framed(&body, entry.made, key), false)?;
            count += 1;
        }
    }
    log::sync(file)?;
    Ok(count)
}

/// Adds what such a file holds and the store does not. How many outcomes.
///
/// # Errors
/// The file is none of these, or others than its owner may write to it; the store cannot be written.
pub fn import(folder: &Path, file: &Path) -> io::Result<usize> {
    usable(folder)?;
    let _lock = trim::lock(folder)?;
    let there = Index::read(folder)?;
    if !log::is_one(file)? {
        return Err(io::Error::other("it was not written by cord kept export"));
    }
    let mut found = Vec::new();
    log::heads(file, 0, |offset, head| found.push((offset, head)))?;
    let name = writer::new_name(&there);
    let mut count = 0;
    for (offset, head) in found {
        let body = log::read(file, offset, head.length);
        let body = body.filter(|body| Record::decode(body, &head.key).is_some());
        if let (Some(body), None) = (body, there.place(&head.key)) {
            let framed = log::framed(&body, head.made, head.key);
            log::append(&folder.join(&name), &framed, false)?;
            count += 1;
        }
    }
    if count > 0 {
        log::sync(&folder.join(&name))?;
    }
    Ok(count)
}
