//! Why the reply of a call must not be used, as it travels: of what kind, and in words.

use std::path::Path;

/// Of what kind the reason is where a file that a call has read has changed since.
const CHANGED: &str = "read";
/// Of what kind it is where a call has given something else when it was made again.
const DIFFERENT: &str = "different";
/// Of what kind it is where a call has loaded a module whose context variables were not sent; the text names it.
pub const UNSENT: &str = "unsent";
/// Of what kind it is where a call has raised what may come of what only the program's process has.
const ALONE: &str = "alone";
/// Of a reason that is a result which cannot be sent.
const RESULT: &str = "result";
/// Between the two.
const END: u8 = 0;

/// Why a reply must not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// Of what kind it is: an argument, state, a file.
    pub kind: String,
    /// What the call did, as a sentence about its function goes on: "opens out.txt for writing".
    pub text: String,
}

impl Reason {
    pub fn new(kind: &str, text: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            text: text.to_owned(),
        }
    }

    /// What the call has read at this path is not so any more.
    pub fn changed(path: &Path) -> Self {
        let text = format!("reads {}, which has changed", path.display());
        Self::new(CHANGED, &text)
    }

    /// The call came at a moment at which it could not be made, for this reason.
    pub fn came_too_early(text: &str) -> Self {
        Self::new(CHANGED, text)
    }

    /// What the call gave cannot be sent, in these words.
    pub fn result(text: &str) -> Self {
        Self::new(RESULT, text)
    }

    /// A call has given something else when it was made again: both in short.
    pub fn different(text: &str) -> Self {
        Self::new(DIFFERENT, text)
    }

    /// Whether the function does what the plan says it does not; else it came too early only.
    pub fn is_against_a_word(&self) -> bool {
        ![CHANGED, UNSENT, RESULT, ALONE].contains(&&*self.kind)
    }

    /// Whether it says nothing of the function's other calls.
    pub fn is_of_one_call(&self) -> bool {
        self.kind == ALONE
    }

    /// The module, if the call has loaded one whose context variables were not sent.
    pub fn unsent(&self) -> Option<&str> {
        (self.kind == UNSENT).then_some(&self.text)
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.kind.len() + 1 + self.text.len());
        bytes.extend(self.kind.bytes());
        bytes.push(END);
        bytes.extend(self.text.bytes());
        bytes
    }

    pub fn decode(bytes: &[u8]) -> Self {
        let end = bytes.iter().position(|byte| *byte == END);
        let (kind, text) = bytes.split_at(end.unwrap_or(0));
        Self {
            kind: String::from_utf8_lossy(kind).into_owned(),
            text: String::from_utf8_lossy(text.strip_prefix(&[END]).unwrap_or(text)).into_owned(),
        }
    }
}
