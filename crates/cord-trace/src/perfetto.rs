//! A run as Chrome's trace events, which <https://ui.perfetto.dev> and `chrome://tracing` open: what the
//! program was at, what replicas ran, and which call of the one is which of the other.

use std::fmt::Write;

use cord_core::dispatcher::Nanos;

use crate::{Call, Outcome, Run, Take};

/// Process numbers: the program, and one for each module after it.
const PROGRAM: u32 = 1;

/// What is shown, in JSON with its quotes: the program, modules, and places by their number.
#[derive(Debug)]
pub struct Names {
    pub program: String,
    pub modules: Vec<String>,
    pub places: Vec<(u32, String)>,
}

impl Names {
    fn place(&self, place: u32) -> &str {
        let found = self.places.iter().find(|(number, _)| *number == place);
        found.map_or("\"a call\"", |(_, name)| name)
    }

    fn module(&self, module: u32) -> &str {
        let found = self.modules.get(module as usize);
        found.map_or("\"replicas\"", String::as_str)
    }
}

/// The whole run.
pub fn events(run: &Run, names: &Names) -> String {
    let mut text = String::from("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    called(&mut text, "process", (PROGRAM, 0), &names.program);
    for (at, module) in names.modules.iter().enumerate() {
        called(&mut text, "process", (process(at as u32), 0), module);
    }
    for one in &run.replicas {
        let name = format!("\"replica {}\"", one.slot);
        called(&mut text, "thread", (process(one.module), one.id), &name);
    }
    for take in &run.takes {
        add_take(&mut text, run, names, take);
    }
    for call in &run.calls {
        add_call(&mut text, run, names, call);
    }
    for scout in &run.scouts {
        let place = names.place(scout.place);
        let _ = writeln!(
            text,
            "{{\"ph\":\"i\",\"s\":\"t\",\"pid\":{PROGRAM},\"tid\":0,\"ts\":{},\"name\":\"scout born\",\
             \"args\":{{\"at\":{place}}}}},",
            micros(scout.at)
        );
    }
    for copy in &run.copies {
        slice(
            &mut text,
            (PROGRAM, 0),
            (copy.at.saturating_sub(copy.cost), copy.at),
            "\"copy made\"",
            "",
        );
    }
    text.truncate(text.len() - 2); // the last comma, and the line's end
    text.push_str("\n]}\n");
    text
}

fn process(module: u32) -> u32 {
    PROGRAM + 1 + module
}

fn micros(time: Nanos) -> String {
    format!("{}.{:03}", time / 1000, time % 1000)
}

fn called(text: &mut String, what: &str, (pid, tid): (u32, u32), name: &str) {
    let _ = writeln!(
        text,
        "{{\"ph\":\"M\",\"name\":\"{what}_name\",\"pid\":{pid},\"tid\":{tid},\"args\":{{\"name\":{name}}}}},"
    );
}

fn slice(
    text: &mut String,
    (pid, tid): (u32, u32),
    (began, ended): (Nanos, Nanos),
    name: &str,
    args: &str,
) {
    let _ = writeln!(
        text,
        "{{\"ph\":\"X\",\"pid\":{pid},\"tid\":{tid},\"ts\":{},\"dur\":{},\"name\":{name},\"args\":{{{args}}}}},",
        micros(began),
        micros(ended.saturating_sub(began)),
    );
}

/// An arrow from a replica's run of a call to the take that waited for it.
fn arrow(text: &mut String, way: &str, (pid, tid): (u32, u32), at: Nanos, call: u64) {
    let _ = writeln!(
        text,
        "{{\"ph\":{way},\"pid\":{pid},\"tid\":{tid},\"ts\":{},\"id\":{call},\"name\":\"value\",\"cat\":\"call\"}},",
        micros(at)
    );
}

fn add_take(text: &mut String, run: &Run, names: &Names, take: &Take) {
    let row = (PROGRAM, take.thread);
    let args = match take.call {
        0 => "\"sent\":false".to_owned(),
        call => format!("\"call\":{call}"),
    };
    slice(
        text,
        row,
        (take.began, take.ended),
        names.place(take.place),
        &args,
    );
    let Some(call) = run.call(take.call) else {
        return;
    };
    let (Some((_, ended)), Some(replica)) = (call.ran, call.replica) else {
        return;
    };
    if ended > take.began && ended <= take.ended {
        let there = (process(call.module), replica);
        arrow(text, "\"s\"", there, ended.saturating_sub(1), call.id);
        arrow(
            text,
            "\"f\",\"bp\":\"e\"",
            row,
            take.ended.saturating_sub(1),
            call.id,
        );
    }
}

fn add_call(text: &mut String, run: &Run, names: &Names, call: &Call) {
    let (Some(span), Some(replica)) = (call.ran, call.replica) else {
        return;
    };
    let module = run.replica(replica).map_or(call.module, |one| one.module);
    let outcome = match call.outcome {
        Outcome::Dropped => "in vain",
        Outcome::Lost => "lost",
        Outcome::Answered | Outcome::Open => "taken",
    };
    let args = format!(
        "\"call\":{},\"function of\":{},\"issued\":{},\"bytes\":{},\"came\":{},\"tries\":{},\"outcome\":\"{outcome}\"",
        call.id,
        names.module(call.module),
        micros(call.issued),
        call.bytes + call.supplied,
        call.came,
        call.tries,
    );
    slice(
        text,
        (process(module), replica),
        span,
        names.place(call.place),
        &args,
    );
}
