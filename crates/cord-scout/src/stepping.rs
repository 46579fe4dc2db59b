//! Running a scout's strands: which one goes on, until when, and where it belongs then.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::Arc;

use super::exits::Decision;
use super::interpreter::{Cause, Ended, Interpreter, Kind};
use super::refusal::{Told, Why};
use super::strands::{Begun, State, Strand, Strands, MAX_DEPTH};
use cord_sync::wake::Wake;

/// A strand has ended before its end.
struct Failed {
    /// The program raises an exception there.
    raises: bool,
    why: Told,
}

/// How far a strand went.
enum Step<K: Kind> {
    Returned(K::Value),
    Waits,
    Pauses(Strand<K>),
    /// It left something to the program.
    Refused,
    /// An exception ended it.
    Failed(K::Error),
}

impl<K: Kind> Strands<K> {
    /// Runs strands until it is time to pause, or all are at their end, which ends the scout. Fails
    /// with what is the program's.
    pub fn resume(&self, interpreter: &impl Interpreter<K>) -> Result<(), K::Error> {
        while self.is_alive() {
            self.resume_woken(interpreter)?;
            if self.should_pause() {
                break;
            }
            let next = self.lock().next();
            match next {
                Some(strand) => self.go_on(interpreter, strand)?,
                None => {
                    if !self.is_waiting() {
                        self.end();
                    }
                    break;
                }
            }
        }
        Ok(())
    }

    /// Those that are woken now, and those that these wake, as long as there is time.
    pub fn resume_woken(&self, interpreter: &impl Interpreter<K>) -> Result<(), K::Error> {
        let mut now = self.signal.count();
        while now > 0 || !self.is_over() {
            let Some(id) = self.signal.next() else {
                break;
            };
            now = now.saturating_sub(1);
            let strand = self.lock().waiting.remove(&id);
            if let Some(strand) = strand {
                self.go_on_exempt(interpreter, strand)?;
            }
        }
        Ok(())
    }

    /// Lets strands go on that the window holds up, but for those that lead: the program may have come
    /// to where they are. One turn of each.
    pub fn resume_followers(&self, interpreter: &impl Interpreter<K>) -> Result<(), K::Error> {
        self.resume_woken(interpreter)?;
        let held = std::mem::take(&mut self.lock().paused);
        let mut all = VecDeque::with_capacity(held.len());
        let mut over = false;
        for strand in held {
            if over || strand.heads {
                all.push_back(strand);
                continue;
            }
            let result = self.go_on_exempt(interpreter, strand);
            all.append(&mut self.lock().paused);
            result?;
            over = self.is_over();
        }
        let mut inner = self.lock();
        all.append(&mut inner.paused);
        inner.paused = all;
        Ok(())
    }

    fn go_on_exempt(
        &self,
        interpreter: &impl Interpreter<K>,
        strand: Strand<K>,
    ) -> Result<(), K::Error> {
        self.pace.exempt(true);
        let result = self.go_on(interpreter, strand);
        self.pace.exempt(false);
        result
    }

    /// Lets a strand go on, and puts it where it belongs then.
    fn go_on(&self, interpreter: &impl Interpreter<K>, strand: Strand<K>) -> Result<(), K::Error> {
        let mut strands = Vec::new();
        if let Step::Pauses(strand) = self.advance(interpreter, strand)? {
            strands.push(strand);
        }
        let mut inner = self.lock();
        strands.extend(inner.within.drain(..).rev());
        for strand in strands {
            inner.paused.push_front(strand);
        }
        Ok(())
    }

    /// Runs a strand as far as it can go. Fails with what is the program's.
    fn advance(
        &self,
        interpreter: &impl Interpreter<K>,
        mut strand: Strand<K>,
    ) -> Result<Step<K>, K::Error> {
        if !strand.state.calls.is_wanted() {
            let (raises, why) = (false, None);
            self.finish(interpreter, strand, Err(Failed { raises, why }));
            return Ok(Step::Refused);
        }
        let outer = self.lock().current.replace(strand.state.resumed());
        let ended = interpreter.advance(&strand.generator);
        let state = std::mem::replace(&mut self.lock().current, outer);
        if let Some(state) = state {
            strand.state = state;
            strand.state.dares = false;
        }
        match ended {
            Ended::Yielded if strand.state.waits => {
                self.put_aside(strand);
                Ok(Step::Waits)
            }
            Ended::Yielded => Ok(Step::Pauses(strand)),
            Ended::Returned(value) => {
                self.finish(interpreter, strand, Ok(&value));
                Ok(Step::Returned(value))
            }
            Ended::Raised(error, cause) => {
                let (raises, why) = (cause.raises(), interpreter.why(&error, cause));
                self.finish(interpreter, strand, Err(Failed { raises, why }));
                match cause {
                    Cause::Refusal | Cause::CallRaised => Ok(Step::Refused),
                    Cause::Unwinding | Cause::Exception => Ok(Step::Failed(error)),
                    Cause::Interrupt => Err(error),
                }
            }
        }
    }

    /// A strand waits until it is woken.
    fn put_aside(&self, mut strand: Strand<K>) {
        let mut inner = self.lock();
        if std::mem::take(&mut strand.main) {
            // it has only its result to wait for: the frame around can be covered now
            self.enter_level(&mut inner);
        }
        inner.waiting.insert(strand.state.id, strand);
    }

    /// A strand has ended: with what it returned, or before that.
    fn finish(
        &self,
        interpreter: &impl Interpreter<K>,
        strand: Strand<K>,
        ended: Result<&K::Value, Failed>,
    ) {
        let failed = ended.as_ref().err();
        let why = failed.map(|failed| failed.why.clone());
        if failed.is_some() {
            self.cut.store(true, Ordering::Relaxed);
        }
        if let Some(Some(why)) = &why {
            self.lock().refusal = Some(Arc::clone(why));
        }
        strand.state.calls.close(why.clone());
        let mut woken = Vec::new();
        if let Some(receiver) = &strand.receiver {
            let value = ended
                .as_ref()
                .map(|value| *value)
                .map_err(|one| one.why.clone());
            woken.extend(interpreter.deliver(receiver, value));
        }
        if let Some(exit) = &strand.exit {
            woken.extend(
                exit.settle(match &ended {
                    Err(Failed { raises, .. }) => Decision::Ended { raises: *raises },
                    Ok(value) => interpreter
                        .exit(value)
                        .map_or(Decision::Stays, Decision::Leaves),
                }),
            );
        }
        for id in woken {
            self.signal.wake(id);
        }
        if strand.main {
            let mut inner = self.lock();
            let left = match ended {
                Ok(_) => {
                    self.enter_level(&mut inner);
                    Vec::new()
                }
                Err(_) => std::mem::take(&mut inner.levels),
            };
            drop(inner);
            drop(left);
        }
        drop(strand);
    }

    /// Starts a strand inside the one that runs and lets it go as far as it can: what it returns, or
    /// what stands for that till then. With a `count`, it returns so many values.
    ///
    /// # Errors
    /// What ends the strand that runs, too: it is too deep, or an exception has ended the new one, or
    /// it is the program's.
    pub fn start(
        &self,
        interpreter: &impl Interpreter<K>,
        begun: Begun<K>,
        count: Option<usize>,
    ) -> Result<K::Value, K::Error> {
        let depth = self.lock().current.as_ref().map_or(0, |c| c.depth) + 1;
        if depth > MAX_DEPTH {
            return Err(K::stop(Why::Deep));
        }
        begun.calls.set_open(true);
        let id = self.next_number();
        let strand = Strand {
            generator: begun.generator,
            state: State::new(id, begun.calls, depth, false),
            receiver: None,
            heads: false,
            main: false,
            exit: begun.exit,
            _counted: begun.counted,
        };
        let paused = match self.advance(interpreter, strand)? {
            Step::Returned(value) if interpreter.fits(&value, count) => return Ok(value),
            Step::Failed(error) => return Err(error),
            Step::Pauses(strand) => Some(strand),
            Step::Returned(_) | Step::Refused | Step::Waits => None,
        };
        let (receiver, promised) = interpreter.promise(count)?;
        let mut inner = self.lock();
        if let Some(mut strand) = paused {
            strand.receiver = Some(receiver);
            inner.within.push(strand);
        } else if let Some(strand) = inner.waiting.get_mut(&id) {
            strand.receiver = Some(receiver);
        } else {
            drop(inner);
            let why = self.refusal();
            interpreter.deliver(&receiver, Err(why));
        }
        Ok(promised)
    }
}
