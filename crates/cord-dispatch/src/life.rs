//! The life of a ticket: one state machine, through which every change goes, whoever asks for it.
//!
//! ```text
//!             send            start           reply
//! Queued ----------> Sent ----------> Running -----> Done
//!    ^   <----------  |  <-----------    |
//!    |      return    |      return      |
//!    |                |
//!    |                |  <--- arrive, stay ---
//!    |                |                        Moved (on its way to another replica)
//!    |                |  ----- pass on ------>
//!    |                |
//!    |                +---- it fails and is to be tried again: pure ----> Retried
//!    |                +---- its replica dies: pure ----> Retried (queued once more) or Lost
//!    |                                        impure --> Lost
//!    +-- drop: Queued and Retried leave at once; Sent, Moved and Running become Dropped, and leave
//!        when their replica answers, returns them or dies.
//!
//!            ready                             keep               let go
//! Awaiting ---------> Queued or Retried    Running ------> Kept ----------> Done
//!    ^   <---------         |                                |
//!    |    await a value     |                                +-- its replica dies: pure --> Retried
//!    |                      |                                                      impure --> Lost
//!    +-- drop: leaves at once; give up (a value that it needs will not come): Lost
//! ```
//!
//! A call whose caller was interrupted leaves at once where it waits, and elsewhere is not to begin
//! any more: handed back, it leaves.

/// A call that killed this many replicas is given up.
pub const MAX_TRIES: u32 = 3;

/// Where a ticket stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// Waits for the values of other calls, which it is given in place of arguments.
    Awaiting,
    /// Waits for a replica, and was never lost with one.
    Queued,
    /// Waits for a replica, after one or more died with it.
    Retried,
    /// At a replica, behind other calls.
    Sent,
    /// On its way from one replica to another.
    Moved,
    /// At a replica, first in line.
    Running,
    /// At a replica, but nobody will take it.
    Dropped,
    /// Answered; its value is kept, where it was made or with the client, for the calls that need it.
    Kept,
    /// Answered.
    Done,
    /// Given up: lost with a replica, or refused because there is none.
    Lost,
}

/// What to do with a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// Give it to whoever holds the ticket.
    Deliver,
    /// Nobody wants it: the call is made once more.
    Again,
    /// Nobody wants it.
    Discard,
}

/// What becomes of a call that leaves its replica without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It waits for a replica again.
    Requeue,
    /// It cannot be repeated.
    Lost,
    /// Nobody will take it: nothing needs to be said.
    Silent,
}

/// A change that the present state does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Illegal {
    /// The state at the time.
    pub state: State,
    /// The change asked for.
    pub change: &'static str,
}

/// One ticket's state, with what decides its next one.
#[derive(Debug, Clone)]
pub struct Life {
    state: State,
    pure_call: bool,
    tries: u32,
    /// How often it was answered with an exception that is to be tried again.
    failures: u32,
    /// How often it may be tried, however that ends.
    most: u32,
    /// Whoever waits for it was interrupted: it is not to begin any more.
    interrupted: bool,
}

impl Life {
    /// A ticket just issued.
    pub fn new(pure_call: bool) -> Life {
        Life {
            state: State::Queued,
            pure_call,
            tries: 0,
            failures: 0,
            most: MAX_TRIES,
            interrupted: false,
        }
    }

    /// It may be repeated so often, not as often as where nothing is said.
    pub fn may_be_repeated(&mut self, retries: u32) {
        self.most = retries.saturating_add(1);
    }

    /// Where it stands.
    pub fn state(&self) -> State {
        self.state
    }

    /// Whether the call may be repeated or left out.
    pub fn is_pure(&self) -> bool {
        self.pure_call
    }

    /// How many replicas died while they had it.
    pub fn tries(&self) -> u32 {
        self.tries
    }

    /// How often it was answered with an exception that is to be tried again.
    pub fn failures(&self) -> u32 {
        self.failures
    }

    /// Whether it may be tried again after an exception that is worth it.
    pub fn may_fail(&self) -> bool {
        let runs = matches!(self.state, State::Sent | State::Running);
        runs && self.pure_call && !self.interrupted && self.tries + self.failures + 1 < self.most
    }

    /// Its replica answers with an exception, and it is to be tried again.
    pub fn fail(&mut self) -> Result<(), Illegal> {
        if !self.may_fail() {
            return self.refuse("be tried again");
        }
        self.failures += 1;
        self.state = State::Retried;
        Ok(())
    }

    /// Whether it waits for a replica.
    pub fn is_waiting(&self) -> bool {
        matches!(self.state, State::Queued | State::Retried)
    }

    /// It needs values of other calls that are not there, or not any more.
    pub fn await_value(&mut self) -> Result<(), Illegal> {
        match self.state {
            State::Queued | State::Retried => {
                self.state = State::Awaiting;
                Ok(())
            }
            _ => self.refuse("await a value"),
        }
    }

    /// All values that it needs are there.
    pub fn become_ready(&mut self) -> Result<(), Illegal> {
        match self.state {
            State::Awaiting => {
                self.state = self.queued();
                Ok(())
            }
            _ => self.refuse("become ready"),
        }
    }

    fn queued(&self) -> State {
        if self.tries + self.failures > 0 {
            State::Retried
        } else {
            State::Queued
        }
    }

    /// It goes to a replica.
    pub fn send(&mut self) -> Result<(), Illegal> {
        match self.state {
            State::Queued | State::Retried => {
                self.state = State::Sent;
                Ok(())
            }
            _ => self.refuse("send"),
        }
    }

    /// It is first in line at its replica.
    pub fn start(&mut self) -> Result<(), Illegal> {
        match self.state {
            State::Sent => {
                self.state = State::Running;
                Ok(())
            }
            _ => self.refuse("start"),
        }
    }

    /// Its replica is to pass it on to another one.
    pub fn pass_on(&mut self) -> Result<(), Illegal> {
        match self.state {
            State::Sent => {
                self.state = State::Moved;
                Ok(())
            }
            _ => self.refuse("pass on"),
        }
    }

    /// It is where it was to go, or has stayed where it was.
    pub fn settle_down(&mut self) -> Result<(), Illegal> {
        match self.state {
            State::Moved => {
                self.state = State::Sent;
                Ok(())
            }
            State::Dropped => Ok(()),
            _ => self.refuse("settle down"),
        }
    }

    /// Its replica answers.
    pub fn reply(&mut self) -> Result<Delivery, Illegal> {
        match self.state {
            State::Sent | State::Running => {
                self.state = State::Done;
                Ok(Delivery::Deliver)
            }
            State::Dropped => Ok(Delivery::Discard),
            _ => self.refuse("reply"),
        }
    }

    /// Its replica answers, and the value is kept for other calls.
    pub fn keep(&mut self) -> Result<Delivery, Illegal> {
        match self.state {
            State::Sent | State::Running => {
                self.state = State::Kept;
                Ok(Delivery::Deliver)
            }
            State::Dropped => Ok(Delivery::Discard),
            _ => self.refuse("keep its value"),
        }
    }

    /// Nobody needs its value any more.
    pub fn let_go(&mut self) -> Result<(), Illegal> {
        match self.state {
            State::Kept => {
                self.state = State::Done;
                Ok(())
            }
            _ => self.refuse("let its value go"),
        }
    }

    /// The replica that kept its value died. It had ended, so the death is not its fault.
    pub fn lose_value(&mut self) -> Result<Fate, Illegal> {
        match self.state {
            State::Kept if self.pure_call => {
                self.state = State::Retried;
                Ok(Fate::Requeue)
            }
            State::Kept => {
                self.state = State::Lost;
                Ok(Fate::Lost)
            }
            _ => self.refuse("lose its value"),
        }
    }

    /// Its replica hands it back without having begun. Which call is first in line is known here
    /// only by the replies that came, so that one taken for running may be handed back too.
    pub fn hand_back(&mut self) -> Result<Fate, Illegal> {
        match self.state {
            State::Sent | State::Running if self.interrupted => {
                self.state = State::Dropped;
                Ok(Fate::Silent)
            }
            State::Sent | State::Running => {
                self.state = self.queued();
                Ok(Fate::Requeue)
            }
            State::Dropped => Ok(Fate::Silent),
            _ => self.refuse("hand back"),
        }
    }

    /// Its replica died. `blame` is false when the replica was ended for another call's sake. One that has
    /// not begun as far as is known here may have, and counts; but it is not given up for that.
    pub fn replica_died(&mut self, blame: bool, has_begun: bool) -> Result<Fate, Illegal> {
        match self.state {
            State::Sent | State::Moved | State::Running => {
                self.tries += u32::from(blame || !self.pure_call);
                if self.pure_call && self.interrupted {
                    self.state = State::Dropped;
                    return Ok(Fate::Silent);
                }
                let may_be_tried = self.tries + self.failures < self.most || !has_begun;
                if self.pure_call && may_be_tried {
                    self.state = State::Retried;
                    return Ok(Fate::Requeue);
                }
                self.state = State::Lost;
                Ok(Fate::Lost)
            }
            State::Dropped => Ok(Fate::Silent),
            _ => self.refuse("lose its replica"),
        }
    }

    /// There is no replica for it, and there will be none, or no value that it needs.
    pub fn give_up(&mut self) -> Result<(), Illegal> {
        match self.state {
            State::Awaiting | State::Queued | State::Retried => {
                self.state = State::Lost;
                Ok(())
            }
            _ => self.refuse("give up"),
        }
    }

    /// Nobody will take it. True if it leaves at once, false if a replica has it still.
    pub fn drop_call(&mut self) -> Result<bool, Illegal> {
        match self.state {
            State::Awaiting | State::Queued | State::Retried => {
                self.state = State::Dropped;
                Ok(true)
            }
            State::Sent | State::Moved | State::Running => {
                self.state = State::Dropped;
                Ok(false)
            }
            _ => self.refuse("drop"),
        }
    }

    /// Whoever waits for it was interrupted. True if it leaves at once; false if a replica has it
    /// still, which is to interrupt it, or to hand it back.
    pub fn interrupt(&mut self) -> Result<bool, Illegal> {
        match self.state {
            State::Awaiting | State::Queued | State::Retried => self.drop_call(),
            State::Sent | State::Moved | State::Running => {
                self.interrupted = true;
                Ok(false)
            }
            _ => self.refuse("interrupt"),
        }
    }

    fn refuse<T>(&self, change: &'static str) -> Result<T, Illegal> {
        Err(Illegal {
            state: self.state,
            change,
        })
    }
}

#[cfg(test)]
mod tests;
