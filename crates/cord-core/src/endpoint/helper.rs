//! The helper thread: reads and writes while a call runs for long.

use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use super::shared::{Helper, Shared, State};

/// How often the helper looks whether a call has become a long one. Only then it waits on the
/// socket: being woken by every frame would cost a shorter call more than it gains.
const WATCH: Duration = Duration::from_millis(1);
/// Where calls take about that long themselves, it looks once in so many of them …
const CALLS: u32 = 4;
/// … but after so long at the latest.
const LONGEST_WATCH: Duration = Duration::from_millis(4);
/// After so many looks at an idle replica the helper sleeps until the next call.
const QUIET_LOOKS: u32 = 4;

/// What the helper thread does.
pub fn help(shared: &Shared) {
    let mut state = shared.lock();
    let (mut seen, mut quiet, mut watch) = (0, 0, WATCH);
    while !state.closed {
        let begun = state.begun - seen;
        let same = begun == 0;
        seen = state.begun;
        watch = next_watch(watch, begun);
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
            let waited = shared.changed.wait_timeout(state, watch);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// How long to wait before the next look, after one during which so many calls began.
fn next_watch(last: Duration, begun: u64) -> Duration {
    match u32::try_from(begun) {
        Ok(0) | Err(_) => WATCH,
        Ok(begun) => (last * CALLS / begun).clamp(WATCH, LONGEST_WATCH),
    }
}

/// A call has become a long one: reads and writes in its place, until called away.
fn serve<'a>(shared: &'a Shared, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
    shared.pump(&mut state);
    if state.gone {
        return state;
    }
    state.helper = Helper::Serving;
    let (mut state, _) = shared.sleep(state, Some(shared.wake()), None);
    state.helper = Helper::Watching;
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_looks_less_often_where_calls_take_about_as_long() {
        assert_eq!(next_watch(WATCH, 1), 4 * WATCH);
        assert_eq!(next_watch(4 * WATCH, 4), 4 * WATCH);
        assert_eq!(next_watch(WATCH, 2), 2 * WATCH);
        assert_eq!(
            next_watch(4 * WATCH, 800),
            WATCH,
            "calls are short: replies are held"
        );
        assert_eq!(next_watch(4 * WATCH, 0), WATCH, "a call is long");
    }
}
