use std::sync::Arc;

use cord_core::trace::{Log, Record};

use crate::{Outcome, Run};

/// What is read of these records.
fn run_of(records: Vec<(u64, Record)>) -> Run {
    let file = tempfile();
    let log = Arc::new(Log::begin(file.try_clone().unwrap().into(), "{}").unwrap());
    for (at, record) in records {
        log.write(at, record);
    }
    log.end("{\"seconds\": 1}").unwrap();
    Run::read(&content(file)).unwrap()
}

fn tempfile() -> std::fs::File {
    let path = std::env::temp_dir().join(format!("cord-{:?}", std::thread::current().id()));
    let mut options = std::fs::OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(true);
    let file = options.open(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    file
}

fn content(mut file: std::fs::File) -> Vec<u8> {
    use std::io::{Read, Seek, SeekFrom};
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0)).unwrap();
    file.read_to_end(&mut bytes).unwrap();
    bytes
}

fn issued(call: u64) -> Record {
    Record::Issued {
        call,
        module: 0,
        manner: 0,
        effects: 0,
        keeps: false,
        beside: false,
        priority: None,
        bytes: 10,
        needs: Vec::new(),
    }
}

fn sent(call: u64) -> Record {
    Record::Sent {
        replica: 1,
        calls: vec![call],
    }
}

fn replied(call: u64) -> Record {
    Record::Replied {
        replica: 1,
        call,
        service: 40,
        bytes: 3,
    }
}

fn ran(call: u64, began: i64, ended: i64) -> Record {
    Record::Ran {
        replica: 1,
        call,
        began,
        ended,
        used: 30,
    }
}

fn took(call: u64, spent: u64) -> Record {
    Record::Took {
        thread: 0,
        place: 2,
        call,
        spent,
    }
}

#[test]
fn a_call_is_put_together_from_its_records() {
    let run = run_of(vec![
        (5, issued(1)),
        (6, Record::Placed { call: 1, place: 2 }),
        (10, sent(1)),
        (12, Record::Demanded(1)),
        (60, replied(1)),
        (60, ran(1, 15, 58)),
        (70, took(1, 60)),
        (80, issued(2)),
        (90, Record::Dropped(2)),
        (95, Record::Lost(3)),
    ]);
    let call = run.call(1).unwrap();
    assert_eq!(
        (call.issued, call.sent, call.ended),
        (5, Some(10), Some(60))
    );
    assert_eq!((call.ran, call.service), (Some((15, 58)), 40));
    assert_eq!((call.used, call.placed), (30, Some(6)));
    assert_eq!((call.place, call.take, call.tries), (2, Some(0), 1));
    assert_eq!(call.demanded, Some(12));
    assert_eq!(call.outcome, Outcome::Answered);
    assert_eq!(run.call(2).unwrap().outcome, Outcome::Dropped);
    assert_eq!(run.call(3).unwrap().outcome, Outcome::Lost);
    assert_eq!((run.takes[0].began, run.last, run.frames), (10, 95, 1));
    assert!(run.end.is_some() && run.call(4).is_none());
}

#[test]
fn times_of_another_machine_are_by_the_clients_clock() {
    let ahead = 1_000_000;
    let run = run_of(vec![
        (0, issued(1)),
        (0, issued(2)),
        (100, sent(1)),
        (200, replied(1)),
        (200, ran(1, ahead + 130, ahead + 180)),
        (300, sent(2)),
        (400, replied(2)),
        (400, ran(2, ahead + 310, ahead + 360)),
    ]);
    // between -ahead - 10 and -ahead + 20
    assert_eq!(run.replica(1).unwrap().offset, 5 - ahead);
    assert_eq!(run.call(2).unwrap().ran, Some((315, 365)));
}

#[test]
fn a_take_within_another_one_is_told_apart() {
    let run = run_of(vec![
        (20, took(0, 5)),
        (30, took(0, 5)),
        (40, took(0, 30)),
        (60, took(0, 20)),
    ]);
    let depths: Vec<u32> = run.takes.iter().map(|take| take.depth).collect();
    assert_eq!(depths, [1, 1, 0, 0]);
}

#[test]
fn replicas_of_one_node_are_of_one_clock_and_nodes_of_one_name_are_told_apart() {
    let lives = |replica, node| Record::Lives {
        replica,
        node,
        name: "harvey".to_owned(),
    };
    let (here, there) = (5_000_000_i64, 0);
    let ran = |replica, call, began, ended| Record::Ran {
        replica,
        call,
        began,
        ended,
        used: 0,
    };
    let mut records = vec![(0, lives(1, 0)), (0, lives(2, 0)), (0, lives(3, 1))];
    for (replica, from) in [(1, here), (2, here), (3, there)] {
        let call = u64::from(replica);
        let (sent, answered) = (100, if replica == 2 { 5000 } else { 300 });
        let calls = vec![call];
        records.push((sent - 50, issued(call)));
        records.push((sent, Record::Sent { replica, calls }));
        records.push((answered, ran(replica, call, from + 120, from + 280)));
        let service = 160;
        let bytes = 0;
        records.push((
            answered,
            Record::Replied {
                replica,
                call,
                service,
                bytes,
            },
        ));
    }
    let run = run_of(records);
    assert_eq!(run.replica(1).unwrap().offset, -here);
    assert_eq!(run.replica(2).unwrap().offset, -here); // by what is known of its neighbour
    assert_eq!(run.replica(3).unwrap().offset, 0);
    let names: Vec<_> = run.node_names().into_values().collect();
    assert_eq!(names, ["harvey (1)", "harvey (2)"]);
}
