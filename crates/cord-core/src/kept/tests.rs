use std::os::unix::fs::PermissionsExt;

use super::*;
use cord_wire::codec::Codec;
use cord_wire::payload::{Parcel, World};

fn keep(number: u8) -> Keep {
    Keep {
        key: [number; 16],
        lines: 7,
        errors: false,
        ttl: 9,
        is_by_bytes: true,
        function: "work.f".into(),
    }
}

fn reply(byte: u8) -> Outcome {
    Outcome::Reply {
        kind: KIND_VALUE,
        payload: Payload {
            codec: Codec(0),
            head: vec![byte; 9],
            buffers: vec![vec![byte; 3].into()],
        },
        output: Vec::new(),
    }
}

fn put(kept: &Arc<Kept>, number: u8, service: u64) {
    let flight = Flight::of(kept, keep(number).into());
    let (parcel, world) = (Parcel::from(Payload::default()), World::default());
    flight.end(&Ended {
        service,
        ..ended(&parcel, &world, &reply(number))
    });
}

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("kept-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    path
}

fn head_of(found: Option<(Outcome, u64)>) -> Option<(Vec<u8>, u64)> {
    match found? {
        (Outcome::Reply { payload, .. }, service) => Some((payload.head, service)),
        _ => None,
    }
}

#[test]
fn what_one_run_has_kept_the_next_one_finds() {
    let path = folder("runs");
    let first = Kept::open(&path, 1 << 30);
    assert!(first.find(&keep(1)).is_none());
    (1..9).for_each(|number| put(&first, number, 50));
    first.close();
    let second = Kept::open(&path, 1 << 30);
    assert_eq!(head_of(second.find(&keep(3))), Some((vec![3; 9], 50)));
    assert!(second.find(&keep(9)).is_none());
    second.close();
    let tally = &second.tallies()[0].1;
    assert_eq!((tally.hits, tally.misses, tally.saved), (1, 1, 50));
    assert_eq!(all(&path).unwrap().len(), 8);
    assert_eq!(clear(&path, Some("work.g")).unwrap(), 0);
    assert_eq!(clear(&path, None).unwrap(), 8);
    fs::remove_dir_all(&path).unwrap();
}

#[test]
fn a_log_without_an_index_is_read_up_to_where_it_is_whole() {
    let path = folder("torn");
    let first = Kept::open(&path, 1 << 30);
    (1..4).for_each(|number| put(&first, number, 1));
    first.close();
    for one in fs::read_dir(&path).unwrap() {
        let name = one.unwrap().path();
        if name.extension().is_some_and(|end| end == index::INDEX) {
            fs::remove_file(name).unwrap();
        } else if name.extension().is_some_and(|end| end == index::LOG) {
            let bytes = fs::read(&name).unwrap();
            fs::write(&name, &bytes[..bytes.len() - 1]).unwrap();
        }
    }
    assert_eq!(all(&path).unwrap().len(), 2);
    fs::remove_dir_all(&path).unwrap();
}

#[test]
fn a_copy_says_of_a_call_what_the_program_would() {
    let said = keep(5);
    let heard = Keep::of_flat(&said.flat(), "work.f".into()).unwrap();
    assert_eq!((heard.key, heard.lines), (said.key, said.lines));
    assert_eq!(
        (heard.errors, heard.is_by_bytes, heard.ttl),
        (false, true, 9)
    );
    assert!(Keep::of_flat(&[0; KEEP], "work.f".into()).is_none());
}

#[test]
fn keys_tell_parts_apart() {
    let payload = |head: &[u8]| Payload::of_head(head.to_vec());
    let keys = [
        key_of(&[b"a", b"b"], None),
        key_of(&[b"ab", b""], None),
        key_of(&[b"a", b"b"], Some(&payload(b""))),
        key_of(&[b"a"], Some(&payload(b"b"))),
    ];
    for (at, key) in keys.iter().enumerate() {
        assert!(key.is_some());
        assert_eq!(keys.iter().position(|other| other == key), Some(at));
    }
}

/// A record with this head, as one run has left it.
fn left(path: &Path, made: u32, head: &[u8]) {
    fs::create_dir_all(path).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o700)).unwrap();
    let record = Record {
        function: "work.f".into(),
        service: 1,
        lines: 0,
        kind: KIND_VALUE,
        codec: 0,
        reads: Vec::new(),
        output: Vec::new(),
        head: head.to_vec(),
        buffers: Vec::new(),
    };
    let key = keep(1).key;
    let framed = log::framed(&record.encode_for(&key), made, key);
    log::append(&path.join("1.log"), &framed, false).unwrap();
}

#[test]
fn what_is_older_than_it_may_be_or_from_the_future_is_not_there() {
    let path = folder("old");
    for (made, is_there) in [
        (now(), true),
        (now() - 99, false),
        (now() + 99, false),
        (0, false),
    ] {
        left(&path, made, b"value");
        let kept = Kept::open(&path, 1 << 30);
        assert_eq!(kept.find(&keep(1)).is_some(), is_there);
        assert!(kept.find(&Keep { ttl: 0, ..keep(1) }).is_some());
        kept.close();
        fs::remove_dir_all(&path).unwrap();
    }
}

#[test]
fn of_two_outcomes_the_newer_one_holds_also_when_the_clock_was_set_back() {
    let path = folder("clock");
    left(&path, now(), b"old");
    fs::rename(path.join("1.log"), path.join("4000000000-1.log")).unwrap();
    let kept = Kept::open(&path, 1 << 30);
    assert!(kept.find(&keep(1)).is_some());
    put(&kept, 1, 5);
    kept.close();
    let kept = Kept::open(&path, 1 << 30);
    assert_eq!(head_of(kept.find(&keep(1))), Some((vec![1; 9], 5)));
    kept.close();
    fs::remove_dir_all(&path).unwrap();
}

#[test]
fn large_records_are_smaller_in_a_log_and_come_back() {
    let text: Vec<u8> = (0..50_000_u32)
        .flat_map(|one| (one / 64).to_le_bytes())
        .collect();
    let mixed = blake3::Hasher::new().finalize_xof();
    let noise: Vec<u8> = std::iter::successors(Some((mixed, 0_u8)), |(reader, _)| {
        let (mut reader, mut byte) = (reader.clone(), [0]);
        reader.fill(&mut byte);
        Some((reader, byte[0]))
    })
    .map(|(_, byte)| byte)
    .take(20_000)
    .collect();
    for (bytes, most) in [(&text, text.len() / 2), (&noise, noise.len() + 1)] {
        let packed = packed::pack(bytes);
        assert!(packed.len() <= most);
        assert_eq!(packed::unpack(&packed).as_deref(), Some(&**bytes));
        for at in [0, 1, packed.len() / 2] {
            let mut other = packed.clone();
            other[at] ^= 0x55;
            assert_ne!(packed::unpack(&other).as_deref(), Some(&**bytes));
        }
    }
    assert!(packed::unpack(&[]).is_none());
}

#[test]
fn what_is_carried_to_another_store_is_found_there() {
    let (here, there) = (folder("here"), folder("there"));
    left(&here, now(), b"value");
    let file = here.join("file");
    assert_eq!(export(&here, &["work.g".into()], &file).unwrap(), 0);
    fs::remove_file(&file).unwrap();
    assert_eq!(export(&here, &[], &file).unwrap(), 1);
    assert!(export(&here, &[], &file).is_err());
    assert_eq!(import(&there, &file).unwrap(), 1);
    assert_eq!(import(&there, &file).unwrap(), 0);
    assert_eq!(all(&there).unwrap()[0].head, b"value");
    for path in [here, there] {
        fs::remove_dir_all(path).unwrap();
    }
}

fn ended<'a>(parcel: &'a Parcel, world: &'a World, outcome: &'a Outcome) -> Ended<'a> {
    Ended {
        module: 0,
        parcel,
        world,
        outcome,
        service: 3,
    }
}

#[test]
fn calls_are_there_with_all_that_they_have_sent() {
    let path = folder("calls");
    let kept = Kept::open(&path, 1 << 30);
    kept.recorder().name_modules(vec!["work".into()]);
    let world = World::from(&b"raw"[..]);
    kept.recorder().put_world(&world, b"told");
    let mut raised = reply(9);
    if let Outcome::Reply { kind, .. } = &mut raised {
        *kind = KIND_ERROR;
    }
    for (number, outcome) in [(1, &reply(1)), (2, &raised), (3, &reply(3))] {
        let payload = Payload {
            head: vec![number; 5],
            buffers: vec![vec![7; 9000].into(), vec![number; 2].into()],
            codec: Codec(0),
        };
        let flight = Flight::of(&kept, keep(number).into());
        let is_kept = number != 3 && kept.put(flight, outcome, 3);
        let parcel = Parcel::from(payload);
        kept.record(&keep(number), &ended(&parcel, &world, outcome), is_kept);
    }
    kept.close();
    let mut calls = calls::Calls::open(&path).unwrap();
    let told = calls.told();
    assert_eq!(told.len(), 3);
    let raised = told.iter().filter(|one| one.raised);
    assert_eq!(raised.map(|one| one.key).collect::<Vec<_>>(), [[2; 16]]);
    assert!(
        told.iter().all(|one| one.bytes < 300),
        "what is alike is written once"
    );
    for number in 1..4 {
        let call = calls.get(&[number; 16]).unwrap();
        let (codec, head, buffers) = call.arguments;
        assert_eq!((codec, head), (0, vec![number; 5]));
        assert_eq!(buffers, [vec![7; 9000], vec![number; 2]]);
        assert_eq!(call.world.as_deref(), Some(&b"told"[..]));
        let kind = if number == 2 { KIND_ERROR } else { KIND_VALUE };
        assert_eq!(call.came.unwrap().0, kind);
    }
    // with less room the newest stay, and what they share
    let size = told[0].bytes + 9000 + 60;
    calls::rewrite(&path, size, |_| true, |_, _| true).unwrap();
    let mut calls = calls::Calls::open(&path).unwrap();
    assert!((1..3).contains(&calls.told().len()));
    let key = calls.told()[0].key;
    assert_eq!(calls.get(&key).unwrap().arguments.2[0], vec![7; 9000]);
    clear(&path, None).unwrap();
    assert!(calls::Calls::open(&path).unwrap().told().is_empty());
    fs::remove_dir_all(&path).unwrap();
}
