//! What a copy's handler of system calls has at hand: a place to make some from (`stub`), the kernel's
//! answers (`kernel`), and what each descriptor leads to (`descriptors`).

pub mod descriptors;
pub mod kernel;
pub mod stub;
