//! The effects of a copy are cut off: which system calls it makes (`filter`), what becomes of the others
//! (`trap`, `answers`), of its waits (`waits`, `looks`), its threads (`turns`, `registers`), of pipes of its own (`loops`), of signals (`signals`) and of memory that others share (`mappings`), and its limits (`limits`).

pub mod answers;
pub mod filter;
pub mod limits;
mod looks;
pub mod loops;
pub mod mappings;
pub mod registers;
pub mod signals;
pub mod trap;
pub mod turns;
pub mod waits;
