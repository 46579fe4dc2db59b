//! Whether a copy is worth making (`policy`), may be made at all (`refusal`), and what copies cost the
//! program (`faults`, as `probe` measures; `huge`).

pub mod faults;
pub mod huge;
pub mod policy;
pub mod probe;
pub mod refusal;
