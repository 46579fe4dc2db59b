//! What is told of a run while it runs: plain data in, lines out.

use std::fmt::Write;
use std::time::Duration;

/// So many replicas are told of one by one.
const MOST_REPLICAS: usize = 64;
/// So many modules fit a line.
const MOST_MODULES: usize = 3;
/// How wide a bar is.
const BAR: usize = 20;
/// Less than a second left is told as a second.
const ALMOST: Duration = Duration::from_millis(999);
/// A line that was seen longer ago may not be where the program is.
const LATELY: Duration = Duration::from_millis(500);
/// How long a loop over something must have run before it is told how long it will take.
const FORETOLD: Duration = Duration::from_secs(1);

/// A run at some moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Picture {
    /// The program's name.
    pub program: String,
    /// How long it has run.
    pub elapsed: Duration,
    /// The loops around its last call, the outermost first.
    pub loops: Vec<Loop>,
    /// The calls that its threads are at; that of the main thread first.
    pub at: Vec<Standing>,
    /// The call that was over last, and how long ago.
    pub last: Option<Standing>,
    /// The line of its own that the program was at, and how long ago, where it is at no call.
    pub own: Option<(String, Duration)>,
    /// Calls that have ended, those that run, and those that wait.
    pub done: u64,
    pub running: usize,
    pub waiting: usize,
    /// Calls that end in a second.
    pub rate: f64,
    /// The remote modules.
    pub modules: Vec<Module>,
    /// Their replicas.
    pub replicas: Vec<Replica>,
    /// Those that have died by themselves: module, process, and wait status.
    pub fallen: Vec<(String, u32, Option<i32>)>,
}

/// A loop of the program's.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    pub place: String,
    /// Whether it is one by `while`: then calls are counted.
    pub is_while: bool,
    pub done: Option<usize>,
    pub total: Option<usize>,
    /// How long it has run, and of that how long the turn that is under way.
    pub time: Duration,
    pub turn: Duration,
}

/// A thread that is at a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// Whether it is the one that the program has begun with.
    pub is_main: bool,
    /// The function, as "search.find".
    pub function: String,
    /// As "search.py:14", where that is known.
    pub place: Option<String>,
    /// For how long.
    pub time: Duration,
}

/// A remote module.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Module {
    pub name: String,
    /// How many replicas run a call, and how many there are.
    pub busy: usize,
    pub there: usize,
    /// What part of their time they have run calls lately.
    pub used: f64,
}

/// A replica.
#[derive(Debug, Clone, PartialEq)]
pub struct Replica {
    pub module: String,
    /// Its number in the module, from 1; and which of its process's threads it is, if there are several.
    pub number: (u32, Option<u32>),
    pub does: Does,
    /// How many calls wait for it.
    pub behind: usize,
}

/// What a replica does, and for how long.
#[derive(Debug, Clone, PartialEq)]
pub enum Does {
    Starts(Duration),
    Idles,
    Ends,
    /// A call; what it is called where that is known.
    Runs(Option<(String, Option<String>)>, Duration),
}

impl Loop {
    /// How much longer it will take if it goes on as it did.
    fn left(&self) -> Option<Duration> {
        let (done, total) = (self.done?, self.total?);
        let is_known = done > 0 && total >= done && self.time >= FORETOLD;
        is_known.then(|| {
            // the turn under way is a part of what is left
            let each = self.time.saturating_sub(self.turn).div_f64(done as f64);
            each.mul_f64((total - done) as f64)
                .saturating_sub(self.turn.min(each))
        })
    }

    fn text(&self) -> String {
        match (self.done, self.total) {
            (Some(done), Some(total)) if total > 0 => {
                let percent = 100 * done.min(total) / total;
                let done = count(done as u64);
                format!(
                    "{} {done} of {}, {percent} %",
                    self.place,
                    count(total as u64)
                )
            }
            (Some(done), _) if self.is_while => {
                format!("{} while, call {}", self.place, count(done as u64 + 1))
            }
            (None, _) if self.is_while => format!("{} while", self.place),
            (Some(done), _) => format!("{} turn {}", self.place, count(done as u64 + 1)),
            _ => self.place.clone(),
        }
    }

    fn told(&self) -> String {
        match self.left() {
            Some(left) => format!("{}, {} left", self.text(), clock(left + ALMOST)),
            None => self.text(),
        }
    }

    fn bar(&self) -> Option<String> {
        let (done, total) = (self.done?, self.total.filter(|total| *total > 0)?);
        let full = BAR * done.min(total) / total;
        Some(format!("[{}{}] ", "#".repeat(full), ".".repeat(BAR - full)))
    }
}

impl Picture {
    /// The two lines at the foot of a terminal.
    pub fn status(&self) -> [String; 2] {
        [self.first(), self.second()]
    }

    /// The same in one line, for what is no terminal.
    pub fn line(&self) -> String {
        format!(
            "cord: {} {}; {}",
            clock(self.elapsed),
            self.place(),
            self.second()
        )
    }

    fn first(&self) -> String {
        let bar = self.loops.first().and_then(Loop::bar);
        format!("{}{}", bar.unwrap_or_default(), self.place())
    }

    /// The loops; or the program's own line, where that has been at none of its calls for a while.
    fn place(&self) -> String {
        match (&self.own, &self.last) {
            (Some((line, ago)), Some(last)) if last.time >= FORETOLD && *ago < LATELY => {
                // inner loops were those around its last call, and may be over
                let loops = self.loops.first().map(Loop::told);
                let loops = loops.unwrap_or_else(|| self.program.clone());
                format!("{loops}; at {line}, no call for {}", clock(last.time))
            }
            _ => self.walked(),
        }
    }

    /// The outermost loop and the innermost.
    fn walked(&self) -> String {
        match &self.loops[..] {
            [] => self.program.clone(),
            [only] => only.told(),
            [outer, .., inner] => format!("{}; {}", outer.told(), inner.text()),
        }
    }

    fn second(&self) -> String {
        let mut told = self.calls();
        let mut modules: Vec<&Module> = self.modules.iter().collect();
        modules.sort_by(|one, other| other.used.total_cmp(&one.used));
        for module in modules.iter().take(MOST_MODULES) {
            let _ = write!(
                told,
                "; {} {} of {} busy, {:.0} %",
                module.name,
                module.busy,
                module.there,
                100.0 * module.used
            );
        }
        if self.modules.len() > MOST_MODULES {
            told.push_str("; ...");
        }
        if !self.fallen.is_empty() {
            let _ = write!(told, "; {} lost", self.fallen.len());
        }
        told
    }

    fn calls(&self) -> String {
        format!(
            "calls {} done, {}/s, {} running, {} waiting",
            count(self.done),
            rate(self.rate),
            count(self.running as u64),
            count(self.waiting as u64)
        )
    }

    /// All that is known.
    pub fn state(&self) -> String {
        let mut lines = vec![format!(
            "The state of {} after {}:",
            self.program,
            time(self.elapsed)
        )];
        lines.extend(self.threads());
        lines.extend(
            self.loops
                .iter()
                .map(|each| format!("  Loop: {}", each.told())),
        );
        lines.push(format!("  {}", capital(&self.calls())));
        let replicas = self.replicas.iter().take(MOST_REPLICAS);
        lines.extend(replicas.map(|replica| format!("  {}", replica.told())));
        if let Some(more @ 1..) = self.replicas.len().checked_sub(MOST_REPLICAS) {
            lines.push(format!("  and {more} more replicas"));
        }
        lines.extend(
            self.fallen
                .iter()
                .map(|one| format!("  Lost: {}", lost(one))),
        );
        lines.join("\n")
    }

    /// Where the program is.
    fn threads(&self) -> Vec<String> {
        let told = |at: &Standing| {
            let who = if at.is_main {
                "The program"
            } else {
                "A thread"
            };
            format!(
                "  {who} has been at {} for {}",
                called(&at.function, at.place.as_deref()),
                time(at.time)
            )
        };
        let mut lines: Vec<String> = self.at.iter().map(told).collect();
        if lines.is_empty() {
            lines.push(match &self.last {
                Some(last) => format!(
                    "  The program has been in its own code for {}, since {}{}",
                    time(last.time),
                    called(&last.function, last.place.as_deref()),
                    self.own_line()
                ),
                None => format!(
                    "  The program has made no remote call yet{}",
                    self.own_line()
                ),
            });
        }
        lines
    }
}

impl Picture {
    fn own_line(&self) -> String {
        match &self.own {
            Some((line, ago)) if *ago < LATELY => format!(", and is at {line}"),
            Some((line, ago)) => format!(", and was at {line} {} ago", time(*ago)),
            None => String::new(),
        }
    }
}

impl Replica {
    fn told(&self) -> String {
        let (replica, thread) = self.number;
        let thread = thread.map_or_else(String::new, |thread| format!(".{thread}"));
        let mut told = format!("{}, replica {replica}{thread}: ", self.module);
        match &self.does {
            Does::Starts(since) => {
                let _ = write!(told, "has been starting for {}", time(*since));
            }
            Does::Idles => told.push_str("idle"),
            Does::Ends => told.push_str("ends"),
            Does::Runs(call, since) => {
                let call = match call {
                    Some((function, place)) => called(function, place.as_deref()),
                    None => "a call".to_owned(),
                };
                let _ = write!(told, "has run {call} for {}", time(*since));
            }
        }
        if self.behind > 0 {
            let _ = write!(told, ", {} waiting there", self.behind);
        }
        told
    }
}

fn called(function: &str, place: Option<&str>) -> String {
    match place {
        Some(place) => format!("{place} {function}"),
        None => function.to_owned(),
    }
}

fn lost((module, pid, status): &(String, u32, Option<i32>)) -> String {
    let process = format!("a replica of {module} (process {pid})");
    match status {
        None => format!("{process} was gone"),
        Some(status) if status & 0x7f == 0 => {
            format!("{process} ended with exit status {}", status >> 8)
        }
        Some(status) => format!("{process} was ended by signal {}", status & 0x7f),
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// A count with commas.
fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn rate(each_second: f64) -> String {
    match each_second {
        few if few < 9.95 => format!("{few:.1}"),
        many => count(many.round() as u64),
    }
}

/// Minutes and seconds, and hours if there are any.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// A time with a unit that fits it.
fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        long if long >= 100.0 => clock(time),
        short if short < 0.1 => format!("{:.2} ms", short * 1e3),
        _ => format!("{seconds:.2} s"),
    }
}

#[cfg(test)]
mod tests;
