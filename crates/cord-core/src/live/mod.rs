//! What a run tells while it runs: a picture at the foot of a terminal, or a line now and then, and its
//! state whenever SIGUSR1 asks for that.
//!
//! A thread of its own tells it, which no signal is delivered to, and which needs nothing of the program's
//! threads: what they do they have said already ([`Board`]), and the rest the dispatcher knows ([`Look`]).

mod board;
mod look;
mod picture;
mod rates;
mod screen;
mod signals;
mod terminal;

use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

pub use board::{At, Board, Line, Walk};
pub use look::{Look, Sight};
pub use signals::{share, undo};

use crate::mailbox::Mailbox;
use crate::session::Session;
use board::Said;
use cord_dispatch::dispatcher::{Doing, ModuleSeen};
use cord_os::threads::spawn_quiet;
use picture::{Does, Loop, Module, Picture, Replica, Standing};
use rates::{next_line, Moment, Rates};
use screen::Screen;
use terminal::Stderr;

/// A signal is heard after so long at most.
const TICK: Duration = Duration::from_millis(50);
/// A new picture comes after so long.
const FRAME: Duration = Duration::from_millis(200);
/// Shorter runs show none.
const FIRST: Duration = Duration::from_millis(500);
/// Whoever leads the reactor says within this what there is to be seen.
const LONGEST_LOOK: Duration = Duration::from_millis(200);
/// Whoever sees where the program is in its own code is waited for so long.
const LONGEST_SIGHT: Duration = Duration::from_millis(20);
/// The end of a run waits so long for a terminal that takes nothing.
const LONGEST_END: Duration = Duration::from_secs(1);

/// What tells of a run.
#[derive(Debug)]
pub struct Live {
    ending: Arc<Ending>,
    process: u32,
}

#[derive(Debug, Default)]
struct Ending {
    stage: Mutex<Stage>,
    changed: Condvar,
}

#[derive(Debug, Default, PartialEq)]
enum Stage {
    #[default]
    Runs,
    IsToEnd,
    HasEnded,
}

impl Live {
    /// Begins to tell of this session's run of `program`. `kind` is what `TERM` says.
    ///
    /// # Errors
    /// When the system has no thread left.
    pub fn start(
        session: &Session,
        board: Arc<Board>,
        program: String,
        kind: Option<&str>,
    ) -> io::Result<Live> {
        let ending = Arc::new(Ending::default());
        let mut teller = Teller {
            mailbox: session.mailbox(),
            board,
            program,
            began: Instant::now(),
            rates: Rates::default(),
            stderr: Stderr::now(kind),
            screen: Screen::default(),
        };
        let until = Arc::clone(&ending);
        let draws = teller.stderr.draws();
        spawn_quiet("cord-live", move || teller.run(&until))?;
        signals::install(draws);
        let process = std::process::id();
        Ok(Live { ending, process })
    }

    /// Nothing more is told, and the terminal is as it was. Nothing in a forked child.
    pub fn close(&self) {
        if self.process != std::process::id() {
            return;
        }
        signals::uninstall();
        let mut stage = self.ending.lock();
        if *stage == Stage::Runs {
            *stage = Stage::IsToEnd;
            self.ending.changed.notify_all();
        }
        let lasts = |stage: &mut Stage| *stage != Stage::HasEnded;
        drop(
            self.ending
                .changed
                .wait_timeout_while(stage, LONGEST_END, lasts),
        );
    }
}

impl Ending {
    fn lock(&self) -> std::sync::MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a moment; whether it is time to end.
    fn has_come(&self) -> bool {
        let runs = |stage: &mut Stage| *stage == Stage::Runs;
        let waited = self.changed.wait_timeout_while(self.lock(), TICK, runs);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }
}

/// The thread that tells.
struct Teller {
    mailbox: Arc<Mailbox>,
    board: Arc<Board>,
    program: String,
    began: Instant,
    rates: Rates,
    stderr: Stderr,
    screen: Screen,
}

impl Teller {
    fn run(&mut self, ending: &Ending) {
        let mut next = match self.stderr.draws() {
            true => FIRST,
            false => next_line(Duration::ZERO),
        };
        self.rates.note(Moment::default());
        while !ending.has_come() {
            self.board.want_loops();
            if signals::is_asked() {
                self.tell_state();
            }
            let elapsed = self.began.elapsed();
            if elapsed >= next {
                next = self.tell(elapsed);
            }
        }
        self.leave();
        *ending.lock() = Stage::HasEnded;
        ending.changed.notify_all();
    }

    /// Tells what is due, and gives the time when more will be.
    fn tell(&mut self, elapsed: Duration) -> Duration {
        if self.stderr.draws() {
            self.draw();
            return elapsed + FRAME;
        }
        if let Some(picture) = self.picture() {
            self.stderr.say(&format!("{}\n", picture.line()));
        }
        next_line(elapsed)
    }

    fn draw(&mut self) {
        let picture = self.picture();
        if !signals::is_noted() {
            self.screen.forget(); // the program was stopped
        }
        match (self.stderr.canvas(), picture) {
            (Some(size), Some(picture)) => {
                signals::note(&screen::leaving(size));
                let bytes = self.screen.draw(size, &picture.status());
                self.stderr.say(&bytes);
            }
            (None, _) => self.screen.forget(),
            (_, None) => {}
        }
    }

    fn tell_state(&mut self) {
        if let Some(picture) = self.picture() {
            self.stderr.say(&format!("\n{}\n", picture.state()));
        }
    }

    /// The lines are taken away, where the terminal is still there for that; else who outlives this
    /// process does it.
    fn leave(&mut self) {
        let bytes = self.screen.leave();
        if let Some(bytes) = bytes.filter(|_| self.stderr.canvas().is_some()) {
            self.stderr.say(&bytes);
            signals::note("");
        }
    }

    /// The run as it is now; none once the session has ended.
    fn picture(&mut self) -> Option<Picture> {
        let sight = Look::at(&self.mailbox, LONGEST_LOOK)?;
        let elapsed = self.began.elapsed();
        let said = self.board.said();
        let answered: u64 = sight.modules.iter().map(|(_, one)| one.answered).sum();
        let done = answered + self.board.here();
        self.rates.note(Moment {
            time: elapsed,
            done,
            busy: sight.modules.iter().map(|(_, one)| work(one)).collect(),
        });
        let mut picture = Picture {
            program: self.program.clone(),
            elapsed,
            done,
            rate: self.rates.rate(),
            ..picture_of(&sight)
        };
        for (at, module) in picture.modules.iter_mut().enumerate() {
            module.used = self.rates.used(at);
        }
        picture.put(said);
        let is_asked = !picture.at.iter().any(|at| at.is_main);
        let line = is_asked
            .then(|| self.board.own_line(LONGEST_SIGHT))
            .flatten();
        picture.own = line.map(|line| (line.place.to_string(), line.seen.elapsed()));
        Some(picture)
    }
}

/// For how long the replicas of a module have run calls, those under way included; and how many there
/// are.
fn work(module: &ModuleSeen) -> (Duration, usize) {
    let running = module.replicas.iter().map(|replica| match replica.doing {
        Doing::Runs(_, since) => since,
        _ => 0,
    });
    let busy = Duration::from_nanos(module.busy + running.sum::<u64>());
    (busy, module.replicas.len())
}

/// The number of a place, from 1; where several share a process, that and the number of the thread.
fn numbered(slot: u32, threads: u32) -> (u32, Option<u32>) {
    match threads {
        0 | 1 => (slot + 1, None),
        _ => (slot / threads + 1, Some(slot % threads + 1)),
    }
}

/// What the dispatcher knows.
fn picture_of(sight: &Sight) -> Picture {
    let mut picture = Picture::default();
    for (name, module) in &sight.modules {
        let mut busy = 0;
        for replica in &module.replicas {
            let does = does(sight, replica.doing);
            busy += usize::from(matches!(does, Does::Runs(..)));
            picture.replicas.push(Replica {
                module: name.clone(),
                number: numbered(replica.slot, module.threads),
                does,
                behind: replica.behind,
            });
        }
        picture.running += busy;
        let behind = module.replicas.iter().map(|replica| replica.behind);
        picture.waiting += module.waiting + behind.sum::<usize>();
        picture.modules.push(Module {
            name: name.clone(),
            busy,
            there: module.replicas.len(),
            used: 0.0,
        });
    }
    let fallen = sight.fallen.iter();
    picture.fallen = fallen
        .map(|(module, fallen)| (module.clone(), fallen.pid, fallen.status))
        .collect();
    picture
}

fn does(sight: &Sight, doing: Doing) -> Does {
    match doing {
        Doing::Starting(since) => Does::Starts(Duration::from_nanos(since)),
        Doing::Idle => Does::Idles,
        Doing::Ending => Does::Ends,
        Doing::Runs(call, since) => {
            let named = sight.running.get(&call).map(|named| {
                let place = named.place.as_deref().map(str::to_owned);
                (named.function.to_string(), place)
            });
            Does::Runs(named, Duration::from_nanos(since))
        }
    }
}

impl Picture {
    /// What the program's threads have said.
    fn put(&mut self, said: Said) {
        let main = std::process::id();
        let standing = |thread: u32, at: &At| Standing {
            is_main: thread == main,
            function: at.call.function.to_string(),
            place: at.call.place.as_deref().map(str::to_owned),
            time: at.since.elapsed(),
        };
        let at = said.at.iter();
        self.at = at.map(|(thread, at)| standing(*thread, at)).collect();
        self.at.sort_by_key(|at| !at.is_main);
        self.last = said.last.as_ref().map(|at| standing(main, at));
        let walk = |walk: &Walk| Loop {
            place: walk.place.to_string(),
            is_while: walk.is_while,
            done: walk.done,
            total: walk.total,
            time: walk.since.elapsed(),
            turn: walk.turn.elapsed(),
        };
        self.loops = said.loops.iter().map(walk).collect();
    }
}
