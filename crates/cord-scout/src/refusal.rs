//! Why a call of the program's was not ahead: what ended its scout, or kept scouts from it.

use std::fmt;
use std::sync::Arc;

use super::calls::Calls;
use super::interpreter::Kind;
use super::strands::Strands;

/// What the reason is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    // what a guard ends a scout with
    /// An operation with what is no builtin value.
    Unplain,
    /// Nothing is known of a function.
    Function,
    /// Nothing is known of a method.
    Method,
    /// Reading an attribute runs code.
    Attribute,
    /// Encoding a value runs code.
    Encoding,
    /// A function has no source that scouts know.
    Source,
    /// What a function returns depends on what its scout leaves out.
    Result,
    /// What scouts called in a function was not what the program called there.
    Misled,
    /// Something would be changed that can have no copy.
    Change,
    /// An attribute was set on the way, which scouts leave to the program.
    Set,
    /// An iterator cannot be read twice.
    Iterator,
    /// What a loop of the program's runs over cannot be walked twice.
    Resumed,
    /// A container is used up, into which the program may have put more.
    Filled,
    /// A result would be large.
    Large,
    /// A value is not there, nor will be.
    Missing,
    /// Calls are nested too deep, or containers.
    Deep,
    /// A loop goes round for long without a call.
    Long,
    /// The plan leaves such a call to the program.
    Plan,
    // how a scout ends otherwise
    /// An exception of the scout's own.
    Raised,
    /// The result of a call that raised an exception.
    CallRaised,
    /// The program raises an exception.
    Unwinding,
    /// It was no earlier than the program.
    Useless,
    /// Calls elsewhere are better made by the program itself.
    Inlined,
    /// A copy of the program runs ahead.
    Copied,
    /// The text does not show the call, and no copy of the program runs ahead.
    Unseen,
    /// None could be made from the program's frames.
    Unborn,
    /// It has come to its end, or was given up.
    Ended,
    // what keeps scouts from a call
    /// None was there before.
    First,
    /// The scout made a call with other arguments.
    Differed,
    /// It leaves such calls to the program, as the text says.
    Passed,
    /// It waits for the value of another call.
    Waits,
    /// It has enough calls out.
    Full,
    /// It had no time.
    Behind,
    /// Those before foresaw nothing, so that there are fewer.
    InVain,
    // what keeps a call from replicas
    /// Its arguments cannot travel.
    Unsendable,
    /// What it sees of the program cannot travel.
    Apart,
    /// What an earlier one returned could not travel.
    Unreturnable,
    /// What came of an earlier one could not be used, for what it did besides.
    Disowned,
    /// It has effects on what is the program's.
    Own,
}

/// Why one call was not ahead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What the reason is.
    pub why: Why,
    /// What it is about: a type, a function, a parameter.
    pub of: String,
    /// What differs from time to time.
    pub example: String,
    /// Where the scout stood in the program's text.
    pub at: Option<At>,
}

/// A part of the program's text, in lines and bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The file.
    pub file: String,
    /// Where it begins, and ends; the columns are 0 where they are not known.
    pub lines: (u32, u32),
    /// From this column of the first line to that of the last one.
    pub columns: (u32, u32),
}

/// A refusal, if somebody wants to know.
pub type Told = Option<Arc<Refusal>>;

impl Refusal {
    /// A reason that needs no more words.
    pub fn plain(why: Why) -> Self {
        Self {
            why,
            of: String::new(),
            example: String::new(),
            at: None,
        }
    }

    /// Whether another one differs from this by its example at most.
    pub fn is_like(&self, other: &Refusal) -> bool {
        (self.why, &self.of, &self.at) == (other.why, &other.of, &other.at)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = &self.of;
        match self.why {
            Why::Unplain => write!(to, "{of} may run code of its own there"),
            Why::Function | Why::Method | Why::Attribute => {
                write!(to, "nothing says that {of} has no effects")
            }
            Why::Encoding => write!(to, "{of}, which would run ahead of the program"),
            Why::Source => write!(to, "no scout goes into {of}"),
            Why::Result => write!(to, "no scout can tell what {of} returns"),
            Why::Misled => write!(to, "scouts called something else in {of} than the program did"),
            Why::Change => write!(to, "a scout can have no copy of {of} to change"),
            Why::Set => write!(to, "the program changes {of} before, and a scout changes no object"),
            Why::Iterator => write!(to, "{of} cannot be read ahead of the program"),
            Why::Resumed => to.write_str("what the loop runs over cannot be read ahead of it"),
            Why::Filled => to.write_str("more may come into what is used up there"),
            Why::Large => to.write_str("it may take too long to compute ahead"),
            Why::Missing => to.write_str("a value is needed that no scout has"),
            Why::Deep => to.write_str("calls or containers are nested too deep"),
            Why::Long => to.write_str("a loop goes round for very long without a remote call"),
            Why::Plan => write!(to, "the plan leaves {of} to the program"),
            Why::Raised => write!(to, "a scout met {of} there"),
            Why::CallRaised => to.write_str("a remote call that is needed raised an exception"),
            Why::Unwinding => to.write_str("the program raises an exception there"),
            Why::Useless => to.write_str("scouts were no earlier here than the program"),
            Why::Inlined => {
                to.write_str("calls beside it are not sent, so that scouts are of no use")
            }
            Why::Copied => {
                to.write_str("a copy of the program was running ahead, and had not made this call")
            }
            Why::Unseen => to.write_str(
                "no scout sees such calls, and no copy of the program was running ahead",
            ),
            Why::Unborn => to.write_str("no scout could be made there"),
            Why::Ended => to.write_str("no scout expected this call"),
            Why::First => to.write_str("no scout was there: one begins behind such a call"),
            Why::Differed if of.is_empty() => to.write_str(
                "a scout had called it, but what goes with this call is not encoded alike",
            ),
            Why::Differed => write!(to, "a scout had called it with another {of}"),
            Why::Passed => to.write_str("a scout from another call leaves this one to the program"),
            Why::Waits => to.write_str("the scout was waiting for the value of another call"),
            Why::Full => to.write_str("as many calls were out as may be"),
            Why::Behind => to.write_str("the scout had not come so far"),
            Why::InVain => to.write_str("scouts that began here foresaw nothing, so few are begun"),
            Why::Unsendable => to.write_str(
                "its arguments cannot be sent to another process, so that the program makes it",
            ),
            Why::Apart if !of.is_empty() => write!(
                to,
                "it may read {of}, which cannot be sent to another process, so that the program makes it"
            ),
            Why::Apart => to.write_str(
                "what it may read of the program cannot be sent to another process, so that the program makes it",
            ),
            Why::Own => to.write_str(
                "it may change what is the program's own, so that the program makes it",
            ),
            Why::Unreturnable => to.write_str(
                "what an earlier call returned could not be sent back, so that the program makes all",
            ),
            Why::Disowned if of.is_empty() => {
                to.write_str("the program makes calls beside it itself, which its scout did not know")
            }
            Why::Disowned => write!(to, "it {of}, so that the program makes it"),
        }
    }
}

impl<K: Kind> Strands<K> {
    /// The scout is about to be ended for this, unless it has ended for something else.
    pub fn note(&self, why: Why) {
        if self.is_alive() {
            self.lock().refusal = Some(plain(why));
        }
    }

    /// Why the program itself makes a call at `site`, of a frame with these calls.
    pub fn why_not(&self, site: u32, calls: &Calls<K::Call>) -> Arc<Refusal> {
        let why = if self.passes(site) {
            Why::Passed
        } else if let Some(refusal) = calls.why_failed() {
            return refusal;
        } else if !self.is_alive() {
            return self.refusal().unwrap_or_else(|| plain(Why::Ended));
        } else if self.is_held_up() {
            let is_full = self.pace.is_full();
            if is_full {
                Why::Full
            } else {
                Why::Behind
            }
        } else if self.is_waiting() {
            Why::Waits
        } else {
            Why::Ended
        };
        plain(why)
    }

    /// The last reason why a strand of it ended before its end.
    pub fn refusal(&self) -> Told {
        self.lock().refusal.clone()
    }
}

fn plain(why: Why) -> Arc<Refusal> {
    Arc::new(Refusal::plain(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(of: &str, line: u32) -> Refusal {
        Refusal {
            of: of.to_owned(),
            at: Some(At {
                file: "main.py".to_owned(),
                lines: (line, line),
                columns: (0, 0),
            }),
            ..Refusal::plain(Why::Method)
        }
    }

    #[test]
    fn a_refusal_is_a_sentence() {
        let said = refusal("Image.size", 3).to_string();
        assert_eq!(said, "nothing says that Image.size has no effects");
    }

    #[test]
    fn examples_do_not_tell_refusals_apart() {
        let one = refusal("Image.size", 3);
        let example = Refusal {
            example: "5, not 3".to_owned(),
            ..one.clone()
        };
        assert!(one.is_like(&example));
        assert!(!one.is_like(&refusal("Image.size", 4)));
        assert!(!one.is_like(&refusal("Image.shape", 3)));
    }
}
