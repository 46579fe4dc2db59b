//! The helper thread: reads and writes while a call runs for long.

use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use super::shared::{Helper, Shared, State};

/// How often the helper looks whether a call has become a long one. Only then it waits on the
/// socket: being woken by every frame would cost a shorter call more than it gains.
const WATCH: Duration = Duration::from_millis(1);
/// After so many looks at an idle replica the helper sleeps until the next call.
const QUIET_LOOKS: u32 = 4;

/// What the helper thread does.
pub fn help(shared: &Shared) {
    let mut state = shared.lock();
    let (mut seen, mut quiet) = (0, 0);
    while !state.closed {
        let same = state.begun == seen;
        seen = state.begun;
        quiet = if same { quiet + 1 } else { 0 };
        if state.running.is_some() && !state.listening && same && !state.gone {
            state = serve(shared, state);
        } else if quiet > QUIET_LOOKS {
            state.helper = Helper::Asleep;
            state = shared
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
            state.helper = Helper::Watching;
        } else {
            let waited = shared.changed.wait_timeout(state, WATCH);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// A call has become a long one: reads and writes in its place, until called away.
fn serve<'a>(shared: &'a Shared, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
    shared.pump(&mut state);
    if state.gone {
        return state;
    }
    state.helper = Helper::Serving;
    let (mut state, _) = shared.sleep(state, Some(shared.wake()));
    state.helper = Helper::Watching;
    state
}
