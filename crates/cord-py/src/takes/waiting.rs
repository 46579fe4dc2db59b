//! How the program waits for a call, while its scout runs.

use std::time::Duration;

use cord_core::ticket::Ticket;
use pyo3::prelude::*;

use crate::client::remote::RemoteFunction;
use crate::copies;
use crate::scouts::run::{Run, TOP_UP};
use crate::takes::activation::Activation;

/// How long a take waits before it looks for signals to the program.
const LONGEST_WAIT: Duration = Duration::from_millis(20);

impl Activation {
    /// Waits for a call of the program's; its scout runs meanwhile.
    pub fn wait_for(
        &self,
        py: Python<'_>,
        remote: &RemoteFunction,
        ticket: &Ticket,
    ) -> PyResult<()> {
        if let Some(run) = self.live_run(py) {
            if !ticket.is_settled() {
                ticket.demand();
                run_and_wait(&run, ticket)?;
            }
            // the reply may have come before the scout had done anything
            if ticket.is_settled() && run.get().strands.is_low() {
                Run::step(&run, None, Some(TOP_UP))?;
            }
        }
        remote.wait(py, ticket)?;
        if copies::is_copy() {
            return Ok(());
        }
        if let Some(run) = self
            .live_run(py)
            .filter(|run| run.get().strands.has_learned())
        {
            // the program may leave the loop now, and with it what the scout could learn
            Run::step_woken(&run)?;
        }
        Ok(())
    }
}

/// Runs the scout until the reply is there; where it waits for values or for replicas, so does this.
fn run_and_wait(run: &Bound<'_, Run>, ticket: &Ticket) -> PyResult<()> {
    let py = run.py();
    while !ticket.is_settled() {
        Run::step(run, Some(ticket), None)?;
        let strands = &run.get().strands;
        let pace = strands.can_stretch().then_some(&strands.pace);
        if pace.is_none() && !strands.is_waiting() {
            break;
        }
        py.detach(|| strands.signal.wait(ticket, pace, LONGEST_WAIT));
        py.check_signals()?;
    }
    Ok(())
}
