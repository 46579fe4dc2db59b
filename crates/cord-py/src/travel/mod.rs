//! How values travel: codecs, pickles, buffers, and what need not be sent again.

pub mod buffers;
pub mod codec;
pub mod disowned;
pub mod encodable;
pub mod encode;
pub mod forms;
pub mod interrupts_sent;
pub mod keeper;
pub mod large;
pub mod mentions;
pub mod passed;
pub mod pickling;
pub mod resident;
pub mod scalars;
pub mod sent;
pub mod sets;
pub mod unwritten;
pub mod watch;
