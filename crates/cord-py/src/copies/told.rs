//! What copies have done, for those who ask.

use cord_core::copies::{self, Account};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An account, by name; times are seconds.
pub fn told<'py>(py: Python<'py>, account: &Account) -> PyResult<Bound<'py, PyDict>> {
    let ends = PyDict::new(py);
    for (words, count) in &account.ends {
        ends.set_item(words, count)?;
    }
    let waits = PyDict::new(py);
    for (place, count) in &account.waits {
        waits.set_item(place, count)?;
    }
    let all = PyDict::new(py);
    all.set_item("made", account.made)?;
    all.set_item("issued", account.issued)?;
    all.set_item("taken", account.taken)?;
    all.set_item("unwanted", account.unwanted)?;
    all.set_item("ends", ends)?;
    all.set_item("waits", waits)?;
    all.set_item("refused", account.refused)?;
    all.set_item("too_costly", account.too_costly)?;
    all.set_item("cost", account.cost.as_secs_f64())?;
    all.set_item("service", account.service.as_secs_f64())?;
    all.set_item("lost", account.lost.as_secs_f64())?;
    all.set_item("saved", account.saved.as_secs_f64())?;
    Ok(all)
}

/// Makes a copy of this process that ends at once: why that cannot be done, and how many seconds it took.
#[pyfunction]
pub fn try_copy(py: Python<'_>) -> (Option<&'static str>, f64) {
    match py.detach(copies::trial) {
        Ok(took) => (None, took.as_secs_f64()),
        Err(refusal) => (Some(refusal.words()), 0.0),
    }
}

/// How many cores this process may use at one time, the bytes of memory that are left for it, and how
/// many its control group may have, where that says so.
#[pyfunction]
pub fn means() -> (usize, Option<u64>, Option<u64>) {
    let group = copies::memory_of_group().map(|(most, _)| most);
    (copies::cores(), copies::free(), group)
}
