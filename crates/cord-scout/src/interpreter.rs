//! What binds scouts to a language: what they are made of, and how their code is run.

use super::refusal::{Told, Why};

/// What the scouts of a language are made of.
pub trait Kind: Sized {
    /// A call that was issued; dropping it drops the call.
    type Call;
    /// What strands return.
    type Value;
    /// The code of a strand, which can be left and resumed.
    type Generator;
    /// Who gets what a strand returns.
    type Receiver;
    /// What ends a strand before its end.
    type Error;

    /// What ends a strand that cannot go on.
    fn stop(why: Why) -> Self::Error;
}

/// Runs the code of scouts.
pub trait Interpreter<K: Kind> {
    /// Runs a generator until it yields or ends.
    fn advance(&self, generator: &K::Generator) -> Ended<K>;

    /// Somebody who gets so many values, or one, and what stands for these till then.
    ///
    /// # Errors
    /// Where there is no room for that.
    fn promise(&self, count: Option<usize>) -> Result<(K::Receiver, K::Value), K::Error>;

    /// Whether a strand returned as many values as were asked for.
    fn fits(&self, value: &K::Value, count: Option<usize>) -> bool;

    /// Hands a value over, or why there is none; returns the strands that wait for it.
    fn deliver(&self, receiver: &K::Receiver, value: Result<&K::Value, Told>) -> Vec<u64>;

    /// Why a strand ended before its end, if somebody wants to know.
    fn why(&self, error: &K::Error, cause: Cause) -> Told;

    /// How a loop is left, if that is what a strand returned.
    fn exit(&self, value: &K::Value) -> Option<Exit<K::Value>>;
}

/// How running a generator ended.
pub enum Ended<K: Kind> {
    /// At its end.
    Returned(K::Value),
    /// It pauses or waits.
    Yielded,
    /// Before its end.
    Raised(K::Error, Cause),
}

/// Why a strand ended before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Something is left to the program, which may well do it.
    Refusal,
    /// The program asks for a call here that has raised an exception.
    CallRaised,
    /// The program raises an exception here.
    Unwinding,
    /// An exception of the scout's own.
    Exception,
    /// It is the program's: an interrupt.
    Interrupt,
}

impl Cause {
    /// Whether the program raises an exception here, as far as can be told.
    pub(super) fn raises(self) -> bool {
        matches!(self, Cause::CallRaised | Cause::Unwinding)
    }
}

/// How a loop is left.
pub enum Exit<V> {
    /// With the variables of the loop as they are then, or with what is returned.
    Left {
        /// It is a `break`, else a `return`.
        breaks: bool,
        /// These.
        value: V,
    },
    /// By an exception.
    Raised,
}
