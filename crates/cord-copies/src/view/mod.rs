//! The file system as a copy sees it: real files, and in their places those that it has changed.

pub mod files;
pub mod inherited;
pub mod listing;
pub mod named;
pub mod overlay;
pub mod paired;
pub mod private;
pub mod shown;
pub mod standard;
pub mod walk;
