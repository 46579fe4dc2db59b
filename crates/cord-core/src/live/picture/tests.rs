//! What is told of a run, from plain data.

use super::*;

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

fn walk(line: u32, done: Option<usize>, total: Option<usize>, time: f64) -> Loop {
    Loop {
        place: format!("main.py:{line}"),
        is_while: false,
        done,
        total,
        time: seconds(time),
        turn: Duration::ZERO,
    }
}

fn module(name: &str, busy: usize, used: f64) -> Module {
    Module {
        name: name.to_owned(),
        busy,
        there: 4,
        used,
    }
}

fn replica(number: u32, does: Does, behind: usize) -> Replica {
    Replica {
        module: "work".to_owned(),
        number: (number, None),
        does,
        behind,
    }
}

fn at_a_call(is_main: bool, time: f64) -> Standing {
    Standing {
        is_main,
        function: "work.f".to_owned(),
        place: is_main.then(|| "main.py:3".to_owned()),
        time: seconds(time),
    }
}

fn picture() -> Picture {
    Picture {
        program: "main.py".to_owned(),
        elapsed: seconds(754.0),
        loops: vec![walk(2, Some(1234), Some(10_000), 60.0)],
        done: 12_345,
        running: 3,
        waiting: 20,
        rate: 98.4,
        modules: vec![module("work", 3, 0.756)],
        ..Picture::default()
    }
}

#[test]
fn a_run_is_told_in_two_lines() {
    assert_eq!(
        picture().status(),
        [
            "[##..................] main.py:2 1,234 of 10,000, 12 %, 7:07 left",
            "calls 12,345 done, 98/s, 3 running, 20 waiting; work 3 of 4 busy, 76 %"
        ]
    );
}

#[test]
fn where_no_picture_can_be_drawn_one_line_tells_it() {
    assert_eq!(
        picture().line(),
        "cord: 12:34 main.py:2 1,234 of 10,000, 12 %, 7:07 left; calls 12,345 done, 98/s, 3 running, \
         20 waiting; work 3 of 4 busy, 76 %"
    );
}

#[test]
fn of_nested_loops_the_outermost_and_the_innermost_are_told() {
    let mut nested = picture();
    nested.loops.push(walk(3, Some(7), Some(8), 1.0));
    nested.loops.push(walk(4, Some(1), Some(3), 2.0));
    let [first, _] = nested.status();
    assert_eq!(
        first,
        "[##..................] main.py:2 1,234 of 10,000, 12 %, 7:07 left; main.py:4 1 of 3, 33 %"
    );
}

#[test]
fn of_a_loop_without_a_length_its_turns_are_told() {
    let told = |one: Loop| {
        let loops = vec![one];
        let [first, _] = Picture { loops, ..picture() }.status();
        first
    };
    assert_eq!(told(walk(2, Some(41), None, 9.0)), "main.py:2 turn 42");
    assert_eq!(told(walk(2, None, None, 9.0)), "main.py:2");
    assert_eq!(told(walk(2, Some(0), Some(0), 9.0)), "main.py:2 turn 1");
    let by_while = |done| Loop {
        is_while: true,
        ..walk(2, done, None, 9.0)
    };
    assert_eq!(told(by_while(Some(12))), "main.py:2 while, call 13");
    assert_eq!(told(by_while(None)), "main.py:2 while");
}

#[test]
fn how_long_it_will_take_is_told_once_that_is_known() {
    let left = |done, total, time| walk(1, Some(done), Some(total), time).told();
    assert!(!left(0, 10, 9.0).contains("left"), "nothing is done");
    assert!(!left(5, 10, 0.5).contains("left"), "it has just begun");
    assert!(left(5, 10, 3.0).ends_with("50 %, 0:03 left"));
    assert!(
        left(9, 10, 3.0).ends_with("90 %, 0:01 left"),
        "a part of a second"
    );
    assert!(left(1, 101, 72.0).ends_with("0 %, 2:00:00 left"));
    let under_way = |turn: f64, time: f64| {
        let turn = seconds(turn);
        let one = walk(1, Some(2), Some(4), time);
        Loop { turn, ..one }.told()
    };
    assert!(under_way(2.0, 12.0).ends_with("50 %, 0:08 left"));
    assert!(
        under_way(9.0, 19.0).ends_with("50 %, 0:05 left"),
        "no longer for a long turn"
    );
}

#[test]
fn a_loop_over_what_has_shrunk_is_no_more_than_done() {
    let one = walk(1, Some(12), Some(10), 3.0);
    assert_eq!(one.told(), "main.py:1 12 of 10, 100 %");
    assert_eq!(one.bar().unwrap(), format!("[{}] ", "#".repeat(BAR)));
}

#[test]
fn a_run_without_loops_is_told_by_its_name() {
    let bare = Picture {
        program: "main.py".to_owned(),
        ..Picture::default()
    };
    assert_eq!(
        bare.status(),
        ["main.py", "calls 0 done, 0.0/s, 0 running, 0 waiting"]
    );
}

#[test]
fn the_most_used_modules_are_told_first() {
    let names = ["a", "b", "c", "d"];
    let used = [0.1, 0.2, 0.9, 0.2];
    let modules = names.iter().zip(used);
    let modules = modules.map(|(name, used)| module(name, 0, used)).collect();
    let fallen = vec![("a".to_owned(), 1, None)];
    let many = Picture {
        modules,
        fallen,
        ..picture()
    };
    let [_, second] = many.status();
    assert!(
        second.ends_with(
            "; c 0 of 4 busy, 90 %; b 0 of 4 busy, 20 %; d 0 of 4 busy, 20 %; ...; 1 lost"
        ),
        "{second}"
    );
}

#[test]
fn the_state_tells_who_does_what_and_for_how_long() {
    let named = Some(("work.f".to_owned(), Some("main.py:3".to_owned())));
    let state = Picture {
        at: vec![at_a_call(true, 3.21), at_a_call(false, 0.0021)],
        replicas: vec![
            replica(1, Does::Runs(named, seconds(200.0)), 5),
            replica(2, Does::Runs(None, seconds(0.05)), 0),
            replica(3, Does::Idles, 0),
            replica(4, Does::Starts(seconds(1.0)), 0),
            replica(5, Does::Ends, 0),
        ],
        fallen: vec![
            ("work".to_owned(), 11, Some(9)),
            ("work".to_owned(), 12, Some(3 << 8)),
            ("work".to_owned(), 13, None),
        ],
        ..picture()
    };
    let expected = "\
The state of main.py after 12:34:
  The program has been at main.py:3 work.f for 3.21 s
  A thread has been at work.f for 2.10 ms
  Loop: main.py:2 1,234 of 10,000, 12 %, 7:07 left
  Calls 12,345 done, 98/s, 3 running, 20 waiting
  work, replica 1: has run main.py:3 work.f for 3:20, 5 waiting there
  work, replica 2: has run a call for 50.00 ms
  work, replica 3: idle
  work, replica 4: has been starting for 1.00 s
  work, replica 5: ends
  Lost: a replica of work (process 11) was ended by signal 9
  Lost: a replica of work (process 12) ended with exit status 3
  Lost: a replica of work (process 13) was gone";
    assert_eq!(state.state(), expected);
}

#[test]
fn a_program_at_no_call_is_told_by_its_last_one() {
    let second = |state: String| state.lines().nth(1).unwrap().to_owned();
    let mut state = picture();
    assert_eq!(
        second(state.state()),
        "  The program has made no remote call yet"
    );
    state.last = Some(at_a_call(true, 12.0));
    assert_eq!(
        second(state.state()),
        "  The program has been in its own code for 12.00 s, since main.py:3 work.f"
    );
    state.own = Some(("main.py:9".to_owned(), seconds(0.01)));
    let [first, _] = state.status();
    assert!(first.ends_with("7:07 left; at main.py:9, no call for 0:12"));
    assert!(second(state.state()).ends_with("since main.py:3 work.f, and is at main.py:9"));
    state.own = Some(("main.py:9".to_owned(), seconds(5.0)));
    assert!(second(state.state()).ends_with(", and was at main.py:9 5.00 s ago"));
}

#[test]
fn of_very_many_replicas_only_some_are_told() {
    let replicas = (1..=100).map(|number| replica(number, Does::Idles, 0));
    let state = Picture {
        replicas: replicas.collect(),
        ..picture()
    };
    let state = state.state();
    assert!(state.contains("replica 64: idle\n  and 36 more replicas"));
}

#[test]
fn counts_have_commas() {
    let told = [0, 7, 999, 1000, 12_345, 1_234_567].map(count);
    assert_eq!(told, ["0", "7", "999", "1,000", "12,345", "1,234,567"]);
}

#[test]
fn a_thread_of_a_replica_has_a_number_of_its_own() {
    let thread = Replica {
        number: (2, Some(5)),
        ..replica(1, Does::Idles, 0)
    };
    assert!(thread.told().starts_with("work, replica 2.5: "));
}
