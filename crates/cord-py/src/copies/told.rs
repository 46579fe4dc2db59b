//! What copies have done, for those who ask.

use cord_core::copies::Account;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An account, by name; times are seconds.
pub fn told<'py>(py: Python<'py>, account: &Account) -> PyResult<Bound<'py, PyDict>> {
    let ends = PyDict::new(py);
    for (words, count) in &account.ends {
        ends.set_item(words, count)?;
    }
    let all = PyDict::new(py);
    all.set_item("made", account.made)?;
    all.set_item("issued", account.issued)?;
    all.set_item("taken", account.taken)?;
    all.set_item("ends", ends)?;
    all.set_item("refused", account.refused)?;
    all.set_item("too_costly", account.too_costly)?;
    all.set_item("cost", account.cost.as_secs_f64())?;
    all.set_item("service", account.service.as_secs_f64())?;
    all.set_item("lost", account.lost.as_secs_f64())?;
    all.set_item("saved", account.saved.as_secs_f64())?;
    Ok(all)
}
