//! Frames, links, tickets and the dispatcher of Cord. Payloads are opaque bytes here: this crate
//! knows no Python.
