//! A trace with one record of each kind, for tests.

use std::io::{Read, Seek, SeekFrom};

use super::*;

/// A file that is nowhere, and what is written to it.
pub fn file() -> (std::fs::File, std::os::fd::OwnedFd) {
    let made = rustix::fs::memfd_create("log", rustix::fs::MemfdFlags::CLOEXEC).unwrap();
    let file = std::fs::File::from(made);
    let again = file.try_clone().unwrap().into();
    (file, again)
}

pub fn content(file: &mut std::fs::File) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0)).unwrap();
    file.read_to_end(&mut bytes).unwrap();
    bytes
}

pub fn all() -> Vec<Record> {
    let issued = Record::Issued {
        call: 7,
        module: 1,
        manner: 2,
        effects: 2,
        keeps: true,
        beside: true,
        priority: Some(u64::MAX),
        bytes: 1 << 40,
        needs: vec![6, 3, u64::MAX],
    };
    let calls = vec![9, 8, 1 << 50];
    vec![
        issued,
        Record::Nested {
            call: 8,
            module: 0,
            effects: 1,
            from: 3,
            parent: 7,
        },
        Record::Placed {
            call: 7,
            place: 300,
        },
        Record::Demanded(7),
        Record::Dropped(u64::MAX),
        Record::Took {
            thread: 1,
            place: 5,
            call: 7,
            spent: 127,
        },
        Record::Sent {
            replica: 1,
            calls: calls.clone(),
        },
        Record::Entered {
            replica: 1,
            call: 8,
            wait: 7,
        },
        Record::Replied {
            replica: 1,
            call: 7,
            service: 128,
            bytes: 0,
        },
        Record::Kept {
            replica: 1,
            call: 7,
            service: 1,
            bytes: 2,
            at_home: true,
        },
        Record::Ran {
            replica: 1,
            call: 7,
            began: -5,
            ended: i64::MAX,
            used: 9,
        },
        Record::Launched {
            module: 1,
            replica: 2,
            slot: 3,
        },
        Record::Ready(2),
        Record::LoadFailed(2),
        Record::Died(2, 3),
        Record::Ended(2),
        Record::Recalled {
            replica: 1,
            calls: Vec::new(),
        },
        Record::Returned {
            replica: 1,
            calls: vec![1],
        },
        Record::Moving {
            from: 1,
            to: 2,
            calls: calls.clone(),
        },
        Record::Moved { replica: 1, calls },
        Record::Lost(4),
        Record::Failed {
            replica: 1,
            call: 4,
            service: 5,
        },
        Record::Admitted { call: 4, waited: 5 },
        Record::Expired(4),
        Record::Hedged {
            replica: 2,
            call: 4,
        },
        Record::Scouted { place: 2 },
        Record::Copied { cost: 3 },
        Record::Supplied {
            replica: 1,
            call: 7,
            bytes: 3,
        },
        Record::Lives {
            replica: 1,
            node: 2,
            name: "härvey".to_owned(),
        },
    ]
}

/// A log with one of each.
pub fn sample() -> Vec<u8> {
    let (mut seen, file) = file();
    let log = Log::begin(file, "{}").unwrap();
    for (at, what) in (1..).zip(all()) {
        log.write(at, what);
    }
    log.end("{}").unwrap();
    content(&mut seen)
}
