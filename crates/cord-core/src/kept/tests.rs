use super::*;
use crate::payload::Codec;

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
    (1..9).for_each(|number| first.put(&keep(number), &reply(number), 50));
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
    (1..4).for_each(|number| first.put(&keep(number), &reply(number), 1));
    first.close();
    for one in fs::read_dir(&path).unwrap() {
        let name = one.unwrap().path();
        if name.extension().is_some_and(|end| end == index::INDEX) {
            fs::remove_file(name).unwrap();
        } else {
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
