use super::samples::{all, content, file};
use super::*;
use cord_dispatch::dispatcher::{Event, Issue, Tap};
use cord_wire::priority::Priority;

fn records(bytes: &[u8]) -> Vec<Stamped> {
    let chunks = read(bytes).unwrap().map(Result::unwrap);
    chunks
        .flat_map(Chunk::records)
        .map(Result::unwrap)
        .collect()
}

#[test]
fn what_is_written_is_read() {
    let (mut seen, file) = file();
    let log = Log::begin(file, "{\"a\": 1}").unwrap();
    let times = [5, 3, 900, 900, u64::MAX, 0].into_iter().cycle();
    let written: Vec<Stamped> = times
        .zip(all())
        .map(|(at, what)| Stamped { at, what })
        .collect();
    for one in written.clone() {
        log.write(one.at, one.what);
    }
    log.end("{\"b\": 2}").unwrap();
    log.note(Record::Ready(1)); // after the end nothing is
    let bytes = content(&mut seen);
    let chunks: Vec<Chunk<'_>> = read(&bytes).unwrap().map(Result::unwrap).collect();
    assert_eq!(chunks[0], Chunk::Head("{\"a\": 1}"));
    assert_eq!(chunks[2..], [Chunk::End("{\"b\": 2}")]);
    assert_eq!(records(&bytes), written);
}

#[test]
fn many_records_are_read_in_order_over_the_bounds_of_chunks() {
    let (mut seen, file) = file();
    let log = Log::begin(file, "{}").unwrap();
    for call in 0..200_000 {
        log.write(call * 1000, Record::Demanded(call));
    }
    log.end("{}").unwrap();
    let bytes = content(&mut seen);
    assert!(read(&bytes).unwrap().count() > 4);
    let wanted = (0..200_000).map(|call| Stamped {
        at: call * 1000,
        what: Record::Demanded(call),
    });
    assert!(records(&bytes).into_iter().eq(wanted));
}

#[test]
fn of_a_log_that_is_cut_off_all_whole_parts_are_read() {
    let (mut seen, file) = file();
    let log = Log::begin(file, "{}").unwrap();
    log.write(1, Record::Ready(1));
    log.end("{}").unwrap();
    let bytes = content(&mut seen);
    for length in 8..bytes.len() {
        let parts = read(&bytes[..length]).unwrap().map(Result::unwrap).count();
        assert!(parts < 3, "{length}");
    }
}

#[test]
fn what_is_no_log_is_refused() {
    assert!(read(b"").is_err() && read(b"{}").is_err());
    let newer = read(b"cordtrc\x09").unwrap_err();
    assert!(newer.0.contains("version is 9"), "{newer}");
    let unknown = b"cordtrc\x01\x77\0\0\0\0";
    assert!(read(unknown).unwrap().next().unwrap().is_err());
    let cut = Chunk::Records(b"\0\0\0\0\0\0\0\0\x02\x07\x80").records();
    assert_eq!(cut.filter(Result::is_err).count(), 1);
}

#[test]
fn a_dispatcher_that_is_logged_tells_what_it_hears_and_does() {
    let (mut seen, file) = file();
    let log = std::sync::Arc::new(Log::begin(file, "{}").unwrap());
    let mut tap = Logged(std::sync::Arc::clone(&log));
    let issue = Issue {
        priority: Priority::new(3.0),
        ..Issue::plain(4, 0, true)
    };
    tap.heard(10, &Event::Issued(issue));
    tap.heard(11, &Event::LetGo(4)); // of no interest
    tap.decided(
        12,
        &[cord_dispatch::dispatcher::Action::Send {
            replica: 1,
            calls: vec![4],
        }],
    );
    log.end("{}").unwrap();
    let found = records(&content(&mut seen));
    assert_eq!(found.len(), 2);
    assert!(matches!(
        &found[0].what,
        Record::Issued {
            call: 4,
            priority: Some(_),
            ..
        }
    ));
    assert_eq!(found[1].at, 12);
}

#[test]
fn a_replica_tells_times_only_where_that_is_wanted() {
    let mut times = Times::default();
    times.add(1, std::time::Duration::ZERO);
    assert_eq!(times.told(), None);
    times.want();
    times.begin(2);
    std::thread::sleep(std::time::Duration::from_millis(3));
    times.add(2, std::time::Duration::from_millis(3));
    let told = times.told().unwrap();
    assert_eq!((told[0], told[2] - told[1]), (2, 3_000_000));
    assert!(told[3] < 3_000_000, "who sleeps uses no core");
    assert_eq!(times.told(), None);
}
