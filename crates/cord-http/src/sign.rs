//! What a call shows of its answer first: the head of a stream, or its end. They come by two ways, so
//! the end of a short stream may be seen before its head.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

/// A call that says it has streamed has connected before; its head is there, or as good as.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// What was seen.
#[derive(Debug, PartialEq, Eq)]
pub enum Sign<H, E> {
    /// The head of a stream.
    Head(H),
    /// The end of a call that has not streamed, or whose stream never came.
    Over(E),
}

/// Waits for a head, which may never come, and for the end. An end that `streams` does not overtake
/// the head.
pub async fn first<H, E>(
    head: impl Future<Output = Option<H>>,
    ended: impl Future<Output = E>,
    streams: impl FnOnce(&mut E) -> bool,
) -> Sign<H, E> {
    let (mut head, mut ended) = (pin!(head), pin!(ended));
    let mut end = tokio::select! {
        biased;
        found = head.as_mut() => match found {
            Some(found) => return Sign::Head(found),
            None => return Sign::Over(ended.await),
        },
        end = ended.as_mut() => end,
    };
    if streams(&mut end) {
        if let Ok(Some(found)) = tokio::time::timeout(HEAD_TIME, head).await {
            return Sign::Head(found);
        }
    }
    Sign::Over(end)
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;

    fn run<T>(what: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        runtime.unwrap().block_on(what)
    }

    /// A head that comes only after others have run.
    async fn later() -> Option<u8> {
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
        Some(1)
    }

    #[test]
    fn the_end_of_a_stream_does_not_overtake_its_head() {
        assert_eq!(run(first(later(), ready(2), |_| true)), Sign::Head(1));
        assert_eq!(
            run(first(later(), pending::<u8>(), |_| true)),
            Sign::Head(1)
        );
        assert_eq!(
            run(first(ready(Some(1)), ready(2), |_| true)),
            Sign::Head(1)
        );
    }

    #[test]
    fn a_call_that_does_not_stream_waits_for_no_head() {
        let never = pending::<Option<u8>>;
        assert_eq!(run(first(never(), ready(2), |_| false)), Sign::Over(2));
        assert_eq!(
            run(first(ready(None::<u8>), ready(2), |_| true)),
            Sign::Over(2)
        );
    }
}
