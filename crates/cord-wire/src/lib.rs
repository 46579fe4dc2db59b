//! What travels, and by what: payloads, frames, rings, links, shared memory.

pub mod buffer;
pub mod came;
pub mod codec;
pub mod effects;
pub mod inbox;
pub mod link;
pub mod loss;
pub mod message;
pub mod outbox;
pub mod outcome;
pub mod part;
pub mod parts;
pub mod payload;
pub mod priority;
pub mod reads;
pub mod relay;
pub mod resident;
pub mod ring;
pub mod segment;
pub mod shortage;
pub mod transport;
pub mod variables;
pub mod wire;
