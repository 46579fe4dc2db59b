//! The private native module `cord._core`.

use pyo3::prelude::*;

mod client;
mod document;
mod endpoint;
mod guard;
mod take;

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    client::register(module)?;
    endpoint::register(module)?;
    document::register(module)?;
    guard::register(module)?;
    take::register(module)?;
    Ok(())
}
