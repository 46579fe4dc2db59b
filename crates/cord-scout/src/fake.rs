//! A fake language, in which a scout's code is a list of what it does.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;

use super::calls::{Calls, Entry};
use super::exits::Exits;
use super::history::History;
use super::interpreter::{Cause, Ended, Exit, Interpreter, Kind};
use super::refusal::{Refusal, Told, Why};
use super::strands::{Level, Strands};

/// One thing that a fake scout does.
#[derive(Clone)]
pub(super) enum Do {
    /// Issues this call.
    Issue(u32),
    Pause,
    /// Waits until it is woken.
    Wait,
    /// Starts a strand.
    Start(Vec<Do>),
    /// A loop begins whose conditions come next.
    Loop,
    /// Starts a strand that decides a condition, by what it returns.
    Condition(Vec<Do>),
    /// Waits as the history of the loop says.
    Hold,
    /// It is behind the loop.
    Leave,
    Return(i64),
    /// Ends before its end.
    Fail(Cause),
}

/// What stands for the value of a strand that is not there yet.
pub(super) const PROMISED: i64 = 1_000;
/// What a strand returns that leaves a loop by `break`.
pub(super) const BREAKS: i64 = -1;

pub(super) struct Fake;

impl Kind for Fake {
    type Call = u32;
    type Value = i64;
    type Generator = RefCell<VecDeque<Do>>;
    type Receiver = ();
    type Error = Cause;

    fn stop(_why: Why) -> Cause {
        Cause::Refusal
    }
}

/// A scout in that language.
pub(super) struct Scout {
    pub(super) strands: Strands<Fake>,
    pub(super) calls: Calls<u32>,
    pub(super) history: History,
    exits: RefCell<Option<Arc<Exits<Fake>>>>,
    /// What came of strands that others had to wait for.
    pub(super) delivered: RefCell<Vec<Option<i64>>>,
}

impl Scout {
    /// One that covers some frames of the program, innermost first.
    pub(super) fn new(window: usize, frames: &[&[Do]]) -> Self {
        let scout = Self {
            strands: Strands::new(window),
            calls: Calls::default(),
            history: History::default(),
            exits: RefCell::default(),
            delivered: RefCell::default(),
        };
        let level = |code: &&[Do]| Level {
            generator: script(code),
            calls: scout.calls.clone(),
            receiver: None,
            first: true,
        };
        scout.strands.begin(frames.iter().map(level).collect());
        scout
    }

    pub(super) fn step(&self) -> Result<(), Cause> {
        assert!(self.strands.enter(None, None));
        let result = self.strands.resume(self);
        self.strands.leave();
        result
    }

    /// The calls that the program may ask for, in its order.
    pub(super) fn issued(&self) -> Vec<u32> {
        let mut all = Vec::new();
        all_of(&self.calls, &mut all);
        all
    }

    fn perform(&self, one: Do) -> Result<Option<Ended<Fake>>, Cause> {
        let strands = &self.strands;
        match one {
            Do::Issue(call) => {
                strands.calls()?.push(Entry::Call(call));
                strands.pace.count_call();
            }
            Do::Pause => return Ok(Some(Ended::Yielded)),
            Do::Wait => {
                strands.wait();
                return Ok(Some(Ended::Yielded));
            }
            Do::Start(code) => drop(strands.start(self, strands.group(script(&code))?, None)?),
            Do::Loop => {
                *self.exits.borrow_mut() = Some(Exits::begin(&self.history, strands, false)?);
            }
            Do::Condition(code) => {
                let mut begun = strands.group(script(&code))?;
                begun.exit = Some(self.exits().open(&begun.calls, false, false));
                strands.start(self, begun, None)?;
            }
            Do::Hold => return Ok(self.exits().holds(strands)?.then_some(Ended::Yielded)),
            Do::Leave => drop(self.exits().close()),
            Do::Return(value) => return Ok(Some(Ended::Returned(value))),
            Do::Fail(cause) => return Err(cause),
        }
        Ok(None)
    }

    pub(super) fn exits(&self) -> Arc<Exits<Fake>> {
        self.exits.borrow().clone().expect("a loop has begun")
    }
}

impl Interpreter<Fake> for Scout {
    fn advance(&self, generator: &RefCell<VecDeque<Do>>) -> Ended<Fake> {
        loop {
            let Some(one) = generator.borrow_mut().pop_front() else {
                return Ended::Returned(0);
            };
            let again = matches!(one, Do::Hold).then(|| one.clone());
            match self.perform(one) {
                Ok(None) => {}
                Ok(Some(ended)) => {
                    if let Some(again) = again {
                        generator.borrow_mut().push_front(again);
                    }
                    return ended;
                }
                Err(cause) => return Ended::Raised(cause, cause),
            }
        }
    }

    fn promise(&self, _count: Option<usize>) -> Result<((), i64), Cause> {
        Ok(((), PROMISED))
    }

    fn fits(&self, _value: &i64, _count: Option<usize>) -> bool {
        true
    }

    fn deliver(&self, (): &(), value: Result<&i64, Told>) -> Vec<u64> {
        self.delivered.borrow_mut().push(value.ok().copied());
        Vec::new()
    }

    fn why(&self, _error: &Cause, cause: Cause) -> Told {
        let why = match cause {
            Cause::Refusal => Why::Method,
            Cause::CallRaised => Why::CallRaised,
            Cause::Unwinding => Why::Unwinding,
            Cause::Exception | Cause::Interrupt => Why::Raised,
        };
        Some(Arc::new(Refusal::plain(why)))
    }

    fn exit(&self, value: &i64) -> Option<Exit<i64>> {
        (*value < 0).then_some(Exit::Left {
            breaks: *value == BREAKS,
            value: *value,
        })
    }
}

fn script(code: &[Do]) -> RefCell<VecDeque<Do>> {
    RefCell::new(code.to_vec().into())
}

fn all_of(calls: &Calls<u32>, all: &mut Vec<u32>) {
    // in the program's order: the first that is there is the one that is found
    while let Some(next) = calls.find_call(&First) {
        all.push(next);
    }
}

struct First;

impl super::Asks<u32> for First {
    fn is(&self, _issued: &u32) -> bool {
        true
    }

    fn is_fulfilled_by(&self, _issued: &u32) -> bool {
        true
    }
}
