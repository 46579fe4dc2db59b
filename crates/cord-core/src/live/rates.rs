//! How fast a run is lately.

use std::collections::VecDeque;
use std::time::Duration;

/// What is lately.
const LATELY: Duration = Duration::from_secs(10);

/// What has grown until some moments of late: the number of calls that have ended, and for each module
/// for how long replicas have run calls, and how many of them there were.
#[derive(Debug, Default)]
pub struct Rates {
    moments: VecDeque<Moment>,
}

/// What was known at a moment of the run.
#[derive(Debug, Clone, Default)]
pub struct Moment {
    pub time: Duration,
    pub done: u64,
    /// By module: for how long its replicas have run calls, those under way included; and how many of
    /// them there were.
    pub busy: Vec<(Duration, usize)>,
}

impl Rates {
    /// This is known now.
    pub fn note(&mut self, moment: Moment) {
        let is_early = |time: Duration| moment.time.saturating_sub(time) >= LATELY;
        // the last one of those that are early enough is what is compared with
        while self.moments.len() > 1 && is_early(self.moments[1].time) {
            self.moments.pop_front();
        }
        self.moments.push_back(moment);
    }

    fn ends(&self) -> Option<(&Moment, &Moment, f64)> {
        let (first, last) = (self.moments.front()?, self.moments.back()?);
        let seconds = last.time.saturating_sub(first.time).as_secs_f64();
        (seconds > 0.0).then_some((first, last, seconds))
    }

    /// How many calls have ended in a second.
    pub fn rate(&self) -> f64 {
        self.ends().map_or(0.0, |(first, last, seconds)| {
            last.done.saturating_sub(first.done) as f64 / seconds
        })
    }

    /// What part of their time the replicas of a module have run calls.
    pub fn used(&self, module: usize) -> f64 {
        self.ends().map_or(0.0, |(first, last, seconds)| {
            let busy = |moment: &Moment| moment.busy.get(module).copied().unwrap_or_default();
            let ((before, _), (now, replicas)) = (busy(first), busy(last));
            let grown = now.saturating_sub(before).as_secs_f64();
            (grown / (seconds * replicas.max(1) as f64)).min(1.0)
        })
    }
}

/// When a line is told where no picture can be drawn: each ten seconds, after a minute each minute,
/// after ten minutes each ten.
pub fn next_line(told: Duration) -> Duration {
    let step = match told.as_secs() {
        0..60 => 10,
        60..600 => 60,
        _ => 600,
    };
    Duration::from_secs((told.as_secs() / step + 1) * step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64, done: u64, busy: u64) -> Moment {
        let busy = vec![(Duration::from_secs(busy), 2)];
        Moment {
            time: Duration::from_secs(seconds),
            done,
            busy,
        }
    }

    #[test]
    fn nothing_is_known_of_one_moment() {
        let mut rates = Rates::default();
        assert_eq!((rates.rate(), rates.used(0)), (0.0, 0.0));
        rates.note(at(3, 30, 1));
        assert_eq!((rates.rate(), rates.used(0)), (0.0, 0.0));
    }

    #[test]
    fn a_rate_is_that_of_the_last_seconds() {
        let mut rates = Rates::default();
        rates.note(at(0, 0, 0));
        rates.note(at(5, 50, 5));
        assert_eq!((rates.rate(), rates.used(0)), (10.0, 0.5));
        for seconds in 6..=40 {
            rates.note(at(seconds, 50 + seconds - 5, 5));
        }
        assert_eq!((rates.rate(), rates.used(0)), (1.0, 0.0));
        assert!(rates.moments.len() <= 12);
    }

    #[test]
    fn replicas_are_never_used_more_than_all_the_time() {
        let mut rates = Rates::default();
        rates.note(at(0, 0, 0));
        rates.note(at(1, 0, 9));
        assert_eq!(rates.used(0), 1.0);
        assert_eq!(rates.used(7), 0.0, "no such module");
    }

    #[test]
    fn lines_become_less_frequent() {
        let mut told = vec![0];
        while told.len() < 20 {
            let last = Duration::from_secs(told[told.len() - 1]);
            told.push(next_line(last).as_secs());
        }
        assert_eq!(told[..8], [0, 10, 20, 30, 40, 50, 60, 120]);
        assert_eq!(told[14..18], [540, 600, 1200, 1800]);
    }
}
