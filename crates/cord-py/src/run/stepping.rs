//! Running a scout's strands: which one goes on, until when, and where it belongs then.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::time::Duration;

use cord_core::{Ticket, Wake};
use pyo3::exceptions::{PyException, PyRecursionError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::current::{Current, MAX_DEPTH};
use super::{Inner, Run, Until};
use crate::activation::TOP_UP;
use crate::heap::Stepped;
use crate::held::Held;
use crate::readahead::Reading;
use crate::scout_end::{has_raised, is_unwinding, stop, ScoutEnd};
use crate::strand::{advance, promise, Begun, Ended, Results, Step, Strand};

/// Where nothing else is to be done, a scout goes on if it is likelier than this that the program
/// will follow.
const WORTH_A_TRY: f64 = 0.25;

impl Inner {
    /// The strand to go on with: the first that can, else the one that waits to know whether it
    /// should and is likeliest to be right.
    fn next(&mut self) -> Option<Strand> {
        if let Some(strand) = self.paused.pop_front() {
            return Some(strand);
        }
        let daring = self.waiting.values().filter(|s| s.chance > WORTH_A_TRY);
        let best = daring
            .max_by(|a, b| a.chance.total_cmp(&b.chance).then(b.id.cmp(&a.id)))?
            .id;
        let mut strand = self.waiting.remove(&best)?;
        strand.dares = true;
        Some(strand)
    }
}

impl Run {
    /// Runs the scout until the awaited reply is there, the time is over, its window is full or it
    /// ends. Its own exceptions end it silently; what handlers of signals raise goes to the program.
    pub fn step(
        slf: &Bound<'_, Self>,
        awaited: Option<&Ticket>,
        budget: Option<Duration>,
    ) -> PyResult<()> {
        let until = budget.map(Until::after);
        Self::stepping(slf, awaited, until, Self::resume_until_pause)
    }

    /// Runs the strands whose values have come, and no others.
    pub fn step_woken(slf: &Bound<'_, Self>) -> PyResult<()> {
        Self::stepping(slf, None, Some(Until::after(TOP_UP)), Self::resume_woken)
    }

    fn stepping(
        slf: &Bound<'_, Self>,
        awaited: Option<&Ticket>,
        until: Option<Until>,
        resume: fn(&Self, Python<'_>) -> PyResult<()>,
    ) -> PyResult<()> {
        let run = slf.get();
        if !run.is_alive() {
            return Ok(());
        }
        let _held = Held::new(slf.py())?;
        if run.stepping.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        {
            let mut inner = run.lock();
            inner.awaited = awaited.cloned();
            inner.until = until;
        }
        let reading = Reading::by(run.number);
        let stepped = Stepped::new(run.heap.bind(slf.py()), slf.clone().unbind().into_any());
        let result = resume(run, slf.py());
        drop(stepped);
        drop(reading);
        run.lock().awaited = None;
        run.stepping.store(false, Ordering::Relaxed);
        if !run.is_alive() {
            run.heap.get().clear();
        }
        result
    }

    /// Lets strands go on that the window holds up, but for those that lead: the program may have
    /// come to where they are.
    pub fn catch_up(slf: &Bound<'_, Self>) -> PyResult<()> {
        Self::stepping(
            slf,
            None,
            Some(Until::after(TOP_UP)),
            Self::resume_followers,
        )
    }

    /// One turn of each. What stands far down in a chain of generators must not be later than the
    /// program because what stands at its beginning has filled the window.
    fn resume_followers(&self, py: Python<'_>) -> PyResult<()> {
        self.resume_woken(py)?;
        let held = std::mem::take(&mut self.lock().paused);
        let mut all = VecDeque::with_capacity(held.len());
        let mut over = false;
        for strand in held {
            if over || strand.leads() {
                all.push_back(strand);
                continue;
            }
            self.pace.exempt(true);
            let result = self.resume(py, strand);
            self.pace.exempt(false);
            all.append(&mut self.lock().paused);
            result?;
            over = self.is_over();
        }
        let mut inner = self.lock();
        all.append(&mut inner.paused);
        inner.paused = all;
        Ok(())
    }

    /// Those that are woken now, and those that these wake, as long as there is time.
    fn resume_woken(&self, py: Python<'_>) -> PyResult<()> {
        let mut now = self.signal.count();
        while now > 0 || !self.is_over() {
            let Some(id) = self.signal.next() else {
                break;
            };
            now = now.saturating_sub(1);
            let strand = self.lock().waiting.remove(&id);
            if let Some(strand) = strand {
                if strand.starved {
                    self.lock().paused.push_front(strand);
                    continue;
                }
                self.pace.exempt(true);
                let result = self.resume(py, strand);
                self.pace.exempt(false);
                result?;
            }
        }
        Ok(())
    }

    fn resume_until_pause(&self, py: Python<'_>) -> PyResult<()> {
        while self.is_alive() {
            self.resume_woken(py)?;
            if self.should_pause() {
                break;
            }
            let next = self.lock().next();
            match next {
                Some(strand) => self.resume(py, strand)?,
                None => {
                    if self.lock().waiting.is_empty() {
                        self.end();
                    }
                    break;
                }
            }
        }
        Ok(())
    }

    /// Lets a strand go on, and puts it where it belongs then.
    fn resume(&self, py: Python<'_>, strand: Strand) -> PyResult<()> {
        let mut strands = Vec::new();
        if let Step::Pauses(strand) = self.advance(py, strand)? {
            strands.push(strand);
        }
        let mut inner = self.lock();
        strands.extend(inner.within.drain(..).rev());
        for strand in strands {
            inner.paused.push_front(strand);
        }
        Ok(())
    }

    /// Runs a strand as far as it can go. Fails with what is the program's: interrupts.
    fn advance(&self, py: Python<'_>, mut strand: Strand) -> PyResult<Step> {
        if !strand.place.is_wanted() {
            self.finish(strand, None, false);
            return Ok(Step::Ended(stop()));
        }
        let current = Current {
            id: strand.id,
            place: strand.place.clone(),
            depth: strand.depth,
            waits: false,
            starved: false,
            reads: strand.reads,
            items: strand.items.clone(),
            first: strand.first,
            dares: std::mem::take(&mut strand.dares),
            chance: 0.0,
        };
        let outer = self.lock().current.replace(current);
        let ended = advance(py, &strand.generator);
        let current = std::mem::replace(&mut self.lock().current, outer);
        let (waits, starved) = current.map_or((false, false), |current| {
            strand.reads = current.reads;
            strand.depth = current.depth;
            strand.chance = current.chance;
            (current.waits, current.starved)
        });
        strand.starved = starved;
        match ended {
            Ended::Yielded if waits => {
                let mut inner = self.lock();
                if !starved && std::mem::take(&mut strand.main) {
                    // it has only its result to wait for: the frame around can be covered now
                    self.enter_level(&mut inner);
                }
                inner.waiting.insert(strand.id, strand);
                Ok(Step::Waits)
            }
            Ended::Yielded => Ok(Step::Pauses(strand)),
            Ended::Returned(value) => {
                self.finish(strand, Some(value.bind(py)), false);
                Ok(Step::Returned(value))
            }
            Ended::Raised(error) => {
                if error.is_instance_of::<PyRecursionError>(py) {
                    // the stack has no room even to close the generator
                    std::mem::forget(strand.generator.clone_ref(py));
                }
                let raises = is_unwinding(py, &error) || has_raised(py, &error);
                self.finish(strand, None, raises);
                if error.is_instance_of::<PyException>(py) || error.is_instance_of::<ScoutEnd>(py) {
                    return Ok(Step::Ended(error));
                }
                Err(error)
            }
        }
    }

    /// A strand has ended: with what it returned, or before that, where the program `raises`.
    fn finish(&self, strand: Strand, value: Option<&Bound<'_, PyAny>>, raises: bool) {
        {
            let mut place = strand.place.lock();
            place.open = false;
            place.failed = value.is_none();
        }
        if let Some(items) = &strand.items {
            items.close(value.is_none());
            if let Some(reader) = items.waiting_reader() {
                self.signal.wake_strand(reader);
            }
        }
        for id in strand.settle(value, raises) {
            self.signal.wake(id);
        }
        if strand.main {
            let mut inner = self.lock();
            let left = match value {
                Some(_) => {
                    self.enter_level(&mut inner);
                    Vec::new()
                }
                None => std::mem::take(&mut inner.levels),
            };
            drop(inner);
            drop(left);
        }
        drop(strand);
    }

    pub(super) fn enter_level(&self, inner: &mut Inner) {
        if let Some(level) = inner.levels.pop() {
            level.calls.lock().open = true;
            inner.paused.push_back(Strand {
                id: self.strands.fetch_add(1, Ordering::Relaxed),
                generator: level.generator,
                place: level.calls,
                results: level.result.map_or(Results::Nobody, Results::Whole),
                depth: 0,
                starved: false,
                reads: false,
                heads: true,
                items: None,
                main: true,
                first: level.first,
                chance: 0.0,
                dares: false,
                exit: None,
                _counted: None,
            });
        }
    }

    /// Starts a strand inside the one that runs and lets it go as far as it can: what it returns,
    /// or futures for that. With a `count`, it returns a tuple of so many values.
    pub fn start<'py>(
        &self,
        py: Python<'py>,
        begun: Begun,
        count: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let depth = self.lock().current.as_ref().map_or(0, |c| c.depth) + 1;
        if depth > MAX_DEPTH {
            return Err(stop());
        }
        begun.place.lock().open = true;
        let strand = Strand {
            id: self.strands.fetch_add(1, Ordering::Relaxed),
            generator: begun.generator,
            place: begun.place,
            results: Results::Nobody,
            depth,
            starved: false,
            reads: false,
            heads: begun.heads,
            items: begun.items,
            main: false,
            first: false,
            chance: 0.0,
            dares: false,
            exit: begun.exit,
            _counted: begun.counted,
        };
        let id = strand.id;
        let paused = match self.advance(py, strand)? {
            Step::Returned(value) if fits(value.bind(py), count) => {
                return Ok(value.into_bound(py));
            }
            // an exception there is one here too
            Step::Ended(error) if !is_refusal(py, &error) => return Err(error),
            Step::Pauses(strand) => Some(strand),
            Step::Returned(_) | Step::Ended(_) | Step::Waits => None,
        };
        let (results, futures) = promise(py, count)?;
        let mut inner = self.lock();
        if let Some(mut strand) = paused {
            strand.results = results;
            inner.within.push(strand);
        } else if let Some(strand) = inner.waiting.get_mut(&id) {
            strand.results = results;
        } else {
            drop(inner);
            results.settle(None);
        }
        Ok(futures)
    }
}

/// Whether a strand returned the values that were asked for, and did not end early.
fn fits(value: &Bound<'_, PyAny>, count: Option<usize>) -> bool {
    count.is_none_or(|count| {
        value
            .cast_exact::<PyTuple>()
            .is_ok_and(|values| values.len() == count)
    })
}

/// Whether a strand ended because a guard refused something, which the program may well do.
fn is_refusal(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<ScoutEnd>(py) && !is_unwinding(py, error)
}
