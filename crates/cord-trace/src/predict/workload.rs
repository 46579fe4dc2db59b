//! What is to be simulated, as plain data: the program as a sequence of own work and takes, its calls,
//! and what each step of a call costs.

use cord_dispatch::dispatcher::Nanos;
use cord_dispatch::module_spec::ModuleSpec;
use cord_wire::effects::Effects;
use cord_wire::priority::Priority;

/// A call, by its place in [`Workload::calls`].
pub type Index = u32;

/// A program and its calls.
#[derive(Debug, Clone, Default)]
pub struct Workload {
    /// In the order of issue.
    pub calls: Vec<Call>,
    /// What the program does, one after the other.
    pub program: Vec<Step>,
    /// What a call costs, by place; 0 stands for those that are not known.
    pub costs: Vec<Costs>,
    pub latency: Latency,
    /// By module, and by the replica's place in it: how many times as long calls take there.
    pub machines: Vec<Vec<f64>>,
    /// How replicas start, by module.
    pub starts: Vec<Start>,
    /// What part of the calls' time was waiting for a core.
    pub held_up: f64,
}

/// A call.
#[derive(Debug, Clone)]
pub struct Call {
    pub module: u32,
    pub manner: u32,
    pub effects: Effects,
    pub priority: Priority,
    /// Bytes of its arguments and of its reply.
    pub bytes: usize,
    pub came: usize,
    /// Whether its value is kept for other calls; the calls whose values it is given.
    pub keeps: bool,
    pub needs: Vec<Index>,
    /// Where the program makes it: an index of [`Workload::costs`].
    pub place: u32,
    pub service: Service,
    /// Calls that it makes, the first one first.
    pub children: Vec<Child>,
    /// Whether a replica makes it.
    pub nested: bool,
    /// How the program comes to issue it.
    pub issue: Issue,
    /// From this step on the program will not take it; none if it does.
    pub dropped: Option<u32>,
}

/// How long a call takes in its replica: so long it uses a core, for the rest it waits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Service {
    pub computes: Nanos,
    pub waits: Nanos,
}

impl Service {
    /// On a core all the time.
    pub fn computing(time: Nanos) -> Service {
        Service {
            computes: time,
            waits: 0,
        }
    }

    /// Waiting for something else all the time.
    pub fn waiting(time: Nanos) -> Service {
        Service {
            computes: 0,
            waits: time,
        }
    }

    /// Both together.
    pub fn total(self) -> Nanos {
        self.computes + self.waits
    }
}

/// A call that another one makes, and what that one does before.
#[derive(Debug, Clone, Copy)]
pub struct Child {
    pub call: Index,
    pub before: Service,
}

/// How the program comes to issue a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Issue {
    /// Itself, where it takes it.
    InPlace,
    /// A scout does, which was born at this step.
    Ahead { born: u32 },
    /// A scout does, once it has the value of another call.
    After { born: u32, call: Index },
}

/// What the program does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Something of its own.
    Work(Nanos),
    /// It takes a call, and waits for its value.
    Take(Index),
    /// It comes by a call whose value it receives later.
    Pass(Index),
}

/// What the calls of one place cost the program.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Costs {
    /// To issue one ahead, and where it is taken.
    pub ahead: Nanos,
    pub in_place: Nanos,
    /// To take one that is there, and one that was waited for.
    pub taken: Nanos,
    pub awaited: Nanos,
}

/// How long the way takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Latency {
    /// From the dispatcher to a replica that has nothing to do.
    pub there: Nanos,
    /// From a replica to the dispatcher.
    pub back: Nanos,
    /// From the end of a call to the begin of the next one, which is there already.
    pub between: Nanos,
}

/// How replicas start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Start {
    /// How long the first takes: at the session's begin, where it waits for the program to import its
    /// module, and later.
    pub first: Nanos,
    pub later: Nanos,
    /// Each one is ready so much later than the one before.
    pub each: Nanos,
}

impl Default for Call {
    fn default() -> Call {
        Call {
            module: 0,
            manner: 0,
            effects: Effects::Pure,
            priority: Priority::default(),
            bytes: 0,
            came: 0,
            keeps: false,
            needs: Vec::new(),
            place: 0,
            service: Service::default(),
            children: Vec::new(),
            nested: false,
            issue: Issue::InPlace,
            dropped: None,
        }
    }
}

impl Workload {
    /// How long the program would take by itself: its own work, and all calls that it takes one after
    /// the other.
    pub fn alone(&self) -> Nanos {
        let own = self.program.iter().map(|step| match step {
            Step::Work(time) => *time,
            Step::Take(_) | Step::Pass(_) => 0,
        });
        let calls = self.calls.iter().filter(|call| call.dropped.is_none());
        own.sum::<Nanos>() + calls.map(|call| call.service.total()).sum::<Nanos>()
    }
}

/// Where the calls of a workload are served, and how.
#[derive(Debug, Clone)]
pub struct Setup {
    pub modules: Vec<ModuleSpec>,
    /// By module: whether its calls may be issued ahead of the program.
    pub ahead: Vec<bool>,
    /// The cores that the program and its replicas share.
    pub cores: u32,
    /// Whether replicas use those, too; else each has a core of its own.
    pub shared: bool,
    /// The calls of this place take half as long.
    pub halved: Option<u32>,
    pub order: Order,
}

/// Which calls go first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// Those of the highest priority, as the run had them.
    #[default]
    Priority,
    /// The oldest.
    Oldest,
    /// The longest, as if their times were known.
    Longest,
}

impl Setup {
    /// These modules on so many cores; replicas have their own.
    pub fn of(modules: Vec<ModuleSpec>, cores: u32) -> Setup {
        Setup {
            ahead: vec![true; modules.len()],
            modules,
            cores,
            shared: false,
            halved: None,
            order: Order::default(),
        }
    }
}
