use crate::perfetto::{events, Names};
use crate::{Call, Copied, Replica, Run, Scout, Take};

#[test]
fn calls_takes_and_arrows_are_events() {
    let run = Run {
        calls: vec![Call {
            id: 7,
            place: 3,
            issued: 1_500,
            replica: Some(4),
            tries: 1,
            ran: Some((2_000, 12_345)),
            ..Call::default()
        }],
        takes: vec![Take {
            thread: 0,
            place: 3,
            call: 7,
            began: 1_000,
            ended: 20_000,
            depth: 0,
        }],
        replicas: vec![Replica {
            id: 4,
            slot: 1,
            ..Replica::default()
        }],
        scouts: vec![Scout {
            at: 1_200,
            place: 3,
        }],
        copies: vec![Copied {
            at: 900,
            cost: 1_000,
        }],
        ..Run::default()
    };
    let names = Names {
        program: "\"main.py\"".to_owned(),
        modules: vec!["\"work\"".to_owned()],
        places: vec![(3, "\"main.py:2 work.nap(\\\"x\\\")\"".to_owned())],
    };
    let text = events(&run, &names);
    for expected in [
        r#"{"ph":"M","name":"process_name","pid":2,"tid":0,"args":{"name":"work"}},"#,
        r#"{"ph":"M","name":"thread_name","pid":2,"tid":4,"args":{"name":"replica 1"}},"#,
        r#"{"ph":"X","pid":1,"tid":0,"ts":1.000,"dur":19.000,"name":"main.py:2 work.nap(\"x\")","args":{"call":7}},"#,
        r#"{"ph":"X","pid":2,"tid":4,"ts":2.000,"dur":10.345,"#,
        r#"{"ph":"s","pid":2,"tid":4,"ts":12.344,"id":7,"#,
        r#"{"ph":"f","bp":"e","pid":1,"tid":0,"ts":19.999,"id":7,"#,
        r#""ts":1.200,"name":"scout born""#,
        r#""ts":0.000,"dur":0.900,"name":"copy made""#,
    ] {
        assert!(text.contains(expected), "{expected} is not in {text}");
    }
    assert!(text.ends_with("}\n]}\n"));
}
