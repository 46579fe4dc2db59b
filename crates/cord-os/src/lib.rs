//! What Cord asks of Linux: descriptors, memory, threads, pages that were written.

pub mod complaint;
pub mod copied;
pub mod descriptor;
pub mod fds;
pub mod memory;
pub mod self_pipe;
pub mod spare;
pub mod spin;
pub mod threads;
pub mod written;
