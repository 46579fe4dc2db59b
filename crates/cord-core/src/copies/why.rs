//! Why there is no copy, and why copies end: numbers that travel through shared memory, and words.

/// A signal, such as that of an invalid access.
pub const SIGNAL: u32 = 1;
/// A system call with an effect, or whose answer is not the program's.
pub const EFFECT: u32 = 2;
/// Nobody looked after it.
pub const ALONE: u32 = 3;
/// A call that must not be issued early.
pub const IMPURE: u32 = 4;
/// Arguments that cannot be encoded, or are too large.
pub const ARGUMENTS: u32 = 5;
/// Environment, working directory or `sys.path` were changed.
pub const WORLD: u32 = 6;
/// A value that is needed did not come.
pub const VALUE: u32 = 7;
/// No room for more.
pub const FULL: u32 = 8;
/// What only the program does, such as to end.
pub const FINISHED: u32 = 9;
/// Memory of a device is mapped, or too much is shared.
pub const MAPPINGS: u32 = 10;
/// Descriptors cannot be cut off.
pub const DESCRIPTORS: u32 = 11;
/// The kernel does not offer its filter.
pub const FILTER: u32 = 12;
/// The session is used by code that does not go by takes.
pub const SESSION: u32 = 13;
/// It writes more files, or more into them, than it may have of its own.
pub const FILES: u32 = 14;
/// It waits for a thread that it has not.
pub const WAIT: u32 = 15;
/// A call is given the name of a file that only the copy has.
pub const NAMED: u32 = 16;

/// What a number says.
pub fn words(why: u32, detail: u32) -> String {
    match why {
        SIGNAL => format!("signal {detail}"),
        EFFECT => format!("system call {detail}"),
        ALONE => "the program did not look after it".into(),
        IMPURE => "a call that is not pure and async".into(),
        ARGUMENTS => "arguments that cannot be sent".into(),
        WORLD => "the environment was changed".into(),
        VALUE => "a value that did not come".into(),
        FULL => "no room for more calls".into(),
        FINISHED => "what only the program does".into(),
        MAPPINGS => "shared memory that cannot be copied".into(),
        DESCRIPTORS => "descriptors that cannot be cut off".into(),
        FILTER => "the kernel does not allow filters".into(),
        WAIT => "a wait for another thread".into(),
        SESSION => "a use of the session that is no call".into(),
        FILES => "too many files, or too much in them".into(),
        NAMED => "a call with a file that only the copy has".into(),
        _ => "it was ended".into(),
    }
}
