//! What copies have done, for those who ask.

use std::collections::BTreeMap;

use cord_copies::Account;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};

/// An account, by name; times are seconds.
pub fn told<'py>(py: Python<'py>, account: &Account) -> PyResult<Bound<'py, PyDict>> {
    let counted = |counts: &BTreeMap<String, u32>| counts.clone().into_py_dict(py);
    let all = PyDict::new(py);
    all.set_item("made", account.made)?;
    all.set_item("issued", account.issued)?;
    all.set_item("taken", account.taken)?;
    all.set_item("unwanted", account.unwanted)?;
    all.set_item("ends", counted(&account.ends)?)?;
    all.set_item("waits", counted(&account.waits)?)?;
    all.set_item("passed", counted(&account.passed)?)?;
    all.set_item("leaders", counted(&account.leaders)?)?;
    all.set_item("wrong", counted(&account.wrong)?)?;
    all.set_item("guesses", account.stood_for.clone().into_py_dict(py)?)?;
    all.set_item("on_threads", account.on_threads)?;
    all.set_item("behind_slices", account.behind_slices)?;
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
    match py.detach(cord_copies::trial) {
        Ok(took) => (None, took.as_secs_f64()),
        Err(refusal) => (Some(refusal.words()), 0.0),
    }
}

/// In a copy: the seconds that have passed in its waits, and not on true clocks.
#[pyfunction]
pub fn passed() -> f64 {
    cord_copies::passed() as f64 / 1e9
}

/// How many cores this process may use at one time, the bytes of memory that are left for it, and how
/// many its control group may have, where that says so.
#[pyfunction]
pub fn means() -> (usize, Option<u64>, Option<u64>) {
    let group = cord_copies::memory_of_group().map(|(most, _)| most);
    (cord_copies::cores(), cord_copies::free(), group)
}
