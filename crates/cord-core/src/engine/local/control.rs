//! The kinds of messages on the socket to the zygote, by their first byte. Python has them from here.

/// To the zygote: a replica is wanted. Module, replica and slot follow, and the link by descriptor.
pub const LAUNCH: u8 = b'L';
/// From it: a replica's process exists. Replica and process id follow.
pub const STARTED: u8 = b'S';
/// From it: a replica's process has ended. Replica and wait status follow.
pub const EXITED: u8 = b'X';
/// From it: a replica is ended for its memory. Replica, how much it has and how much it may have, in
/// KiB, follow.
pub const BEYOND: u8 = b'M';
/// From it: it has taken the place of another one, which was ended, and its replicas with it.
pub const ANEW: u8 = b'R';
/// From it: a replica could not be started. Replica and errno follow.
pub const FAILED: u8 = b'F';
/// From a gateway: the node of a replica is lost. Replica follows, and four bytes of no meaning.
pub const LOST: u8 = b'D';
/// From a gateway: nothing is heard of a replica's node for now, or it is again. Replica follows, and 1 or 0.
pub const AWAY: u8 = b'A';
/// From a gateway: a node has joined late. Four bytes of no meaning, and all cores that there are, follow.
pub const GROWN: u8 = b'G';
/// From a gateway: a replica is on a node. Replica, the node's number, and its name follow.
pub const PLACED: u8 = b'P';
/// To a gateway: end a replica's process. Replica follows.
pub const END: u8 = b'E';
/// To either: something is wanted that is no replica. It follows.
pub const BESIDE: u8 = b'B';
