//! Numbers and limits that both languages go by. They are defined in Rust, and Python has them from here.

use cord_copies::SHORTEST;
use cord_core::endpoint::LOAD;
use cord_core::engine::local::control;
use cord_sync::budget::LOOKAHEAD;
use cord_wire::codec::Codec;
use cord_wire::outbox::FRAME_BYTES;
use cord_wire::outcome::{KIND_ERROR, KIND_UNENCODABLE, KIND_VALUE};
use cord_wire::resident::RESIDENT_BYTES;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::copies::MARK;
use crate::replica::endpoint::EXIT_CUT_OFF;
use crate::replica::serve::LONG_TO_DECODE;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for (name, kind) in [
        ("LAUNCH", control::LAUNCH),
        ("STARTED", control::STARTED),
        ("EXITED", control::EXITED),
        ("ANEW", control::ANEW),
        ("BEYOND", control::BEYOND),
        ("FAILED", control::FAILED),
        ("BESIDE", control::BESIDE),
    ] {
        module.add(name, PyBytes::new(module.py(), &[kind]))?;
    }
    for (name, number) in [
        ("VALUE", KIND_VALUE),
        ("ERROR", KIND_ERROR),
        ("UNENCODABLE", KIND_UNENCODABLE),
        ("PICKLE", Codec::PICKLE.0),
        ("HTTP", Codec::HTTP.0),
    ] {
        module.add(name, number)?;
    }
    for (name, limit) in [
        ("FRAME_BYTES", FRAME_BYTES),
        ("RESIDENT_BYTES", RESIDENT_BYTES),
        ("LONG_TO_DECODE", LONG_TO_DECODE),
    ] {
        module.add(name, limit)?;
    }
    module.add("LOAD", LOAD)?;
    module.add("LOOKAHEAD", LOOKAHEAD)?;
    module.add("EXIT_CUT_OFF", EXIT_CUT_OFF)?;
    module.add("MARK", MARK)?;
    module.add("SHORTEST_COPIED", SHORTEST.as_secs_f64())
}
