//! How calls were answered and why not ahead, as `cord explain --run` is told.

use std::sync::Arc;
use std::time::Instant;

use cord_core::account::Sums;
use cord_core::ticket::Ticket;
use cord_scout::{Answers, Refusal, Tally, Why};
use pyo3::prelude::*;

use crate::client::remote::{RemoteFunction, Staying};
use crate::scouts::scout_end::is_telling;
use crate::takes::activation::Activation;
use crate::takes::standing::{is_live, Comer, Standing};
use crate::trace;

/// A reason by its name, in words, with what it is about and an example; its place in the program's text
/// (file, lines, columns); and how often it was met.
pub type Reason = (String, String, String, String, Option<Span>, usize);
type Span = (String, (u32, u32), (u32, u32));

/// Why calls were made in place, the most frequent reason first.
pub fn told(answers: &Answers) -> Vec<Reason> {
    let one = |(refusal, count): (Refusal, usize)| {
        let (name, words) = (format!("{:?}", refusal.why), refusal.to_string());
        let at = refusal.at.map(|at| (at.file, at.lines, at.columns));
        (name, words, refusal.of, refusal.example, at, count)
    };
    answers.reasons().into_iter().map(one).collect()
}

impl Activation {
    /// Why no scout has made a call of the program's at a site of this frame.
    pub fn why_not(&self, py: Python<'_>, site: u32) -> Arc<Refusal> {
        if let Some(run) = self.run(py) {
            return run.get().strands.why_not(site, &self.calls());
        }
        match self.around(py) {
            Some((caller, site)) => caller.get().why_not(py, site),
            None => Arc::new(Refusal::plain(Why::First)),
        }
    }
}

/// A call was made in place that is not sent: why, and what was said where it could not be encoded.
pub fn count_unsent(answers: &Answers, why: Why, error: Option<&PyErr>) {
    if !is_telling() {
        return;
    }
    let example = Python::attach(|py| {
        let said = error.map(|error| error.value(py).to_string());
        said.and_then(|said| said.lines().next().map(str::to_owned))
    });
    answers.count_reason(&Refusal {
        example: example.unwrap_or_default(),
        ..Refusal::plain(why)
    });
}

/// A call was made in place since it may read what cannot be sent.
pub fn count_apart(answers: &Answers, of: String) {
    if is_telling() {
        answers.count_reason(&Refusal {
            of,
            ..Refusal::plain(Why::Apart)
        });
    }
}

/// A call was made in place because replies of earlier ones could not be used.
pub fn count_staying(answers: &Answers, staying: &Staying) {
    if is_telling() {
        answers.count_reason(&staying.refusal());
    }
}

/// A copy of the program has made a call, so many of the program's before; at 0 only just then.
pub fn count_by_copy(answers: &Answers, calls: usize) {
    if calls == 0 {
        answers.count_issued();
        return answers.count_just_then();
    }
    answers.count_by_copy();
    if is_telling() {
        answers.count_distance(calls);
    }
}

/// A call was made in place that no scout can see, beside a copy of the program or not.
pub fn count_unseen(answers: &Answers, is_copied: bool) {
    let why = if is_copied { Why::Copied } else { Why::Unseen };
    answers.count_reason(&Refusal::plain(why));
}

/// How the calls of a function were answered that no site tells apart, why in place, and what they have
/// cost.
#[pyfunction]
fn tally_of(function: &Bound<'_, RemoteFunction>) -> (Tally, Vec<Reason>, Sums) {
    let answers = &function.get().answers;
    (answers.tally(), told(answers), answers.account.sums())
}

/// The number of the place that these calls have in what is written down of the run.
#[pyfunction]
fn place_of(function: &Bound<'_, RemoteFunction>) -> u32 {
    function.get().answers.place()
}

/// Whether somebody wants to know what calls cost.
fn is_charged() -> bool {
    is_telling() || is_live()
}

/// Adds what a call of a function costs to the account of those at its place, where that is told.
pub fn charge(answers: &Answers, ticket: &Ticket, function: &RemoteFunction) {
    if is_charged() {
        ticket.charge(&answers.account, function.label());
        trace::placed(answers, ticket);
    }
}

/// Makes a call, or a part of one, and adds the time that the program spends on it, where that is told.
pub fn timed<T>(answers: &Answers, comer: Comer<'_, '_>, call: impl FnOnce() -> T) -> T {
    if !is_charged() {
        return call();
    }
    let outer = trace::begin();
    let standing = Standing::begin(comer, answers);
    let began = Instant::now();
    let result = call();
    let spent = began.elapsed();
    answers.account.spend(spent);
    drop(standing);
    trace::end(outer, answers, spent);
    result
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(tally_of, module)?)?;
    module.add_function(wrap_pyfunction!(place_of, module)?)
}
