//! Takes: the program's side of calls, from their sites to what comes of them.

pub mod activation;
pub mod bound;
pub mod interrupt;
pub mod late;
pub mod lates;
pub mod loops;
pub mod outcome;
pub mod reach;
pub mod reasons;
pub mod site;
pub mod standing;
pub mod take;
pub mod values;
pub mod waiting;
