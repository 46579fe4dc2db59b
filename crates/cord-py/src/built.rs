//! Which Cord this is: its version, and how it was built.

use pyo3::prelude::*;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    module.add("COMMIT", env!("CORD_COMMIT"))?;
    module.add("TARGET", env!("CORD_TARGET"))?;
    module.add("PROFILE", env!("CORD_PROFILE"))?;
    module.add("RUSTC", env!("CORD_RUSTC"))
}
