"""The keys of remote modules: [remote.M], of its functions, and of its clients."""

from __future__ import annotations

from cord.plan import calling, kept, migration, renewal, values, waiting
from cord.plan.keys import Key, Table, switch
from cord.plan.words import AUTO, FRESH, MAX_REPLICAS, NEVER

_CALLSTYLE = Key(
    "callstyle",
    "Calls are made one at a time, in place (sync), or ahead of the program (async).",
    allowed='"sync", "async" or "async-demand(n)"',
    default='"sync"',
    read=calling.callstyle,
)
_PURE = switch(
    "pure", "The functions have no effects, and their results depend on their arguments alone."
)
_REPEATABLE = switch(
    "repeatable",
    "The functions write only what is their own: calls may be made early, again, or in vain.",
)
_SCRATCH = switch(
    "scratch", "Each call has a view of its own of the working folder, and writes only there."
)
_INDEPENDENT = switch(
    "independent", "The functions have effects, but no call depends on another's."
)
LOOKAHEAD = Table(
    "lookahead",
    Key(
        "calls",
        "Calls issued and not yet taken.",
        allowed=f"a whole number from 1 to {calling.MOST_AHEAD}",
        default="10000",
        read=calling.calls_ahead,
    ),
    Key(
        "bytes",
        "Bytes of their arguments, and of replies that wait.",
        allowed='a size such as "256MiB"',
        default='"256MiB"',
        read=calling.size,
    ),
)
_FORWARD = switch("forward", "Results that are only passed on go from replica to replica.", "true")
_INLINE = switch(
    "inline",
    "Pure calls that take less time than sending them are made in the program itself.",
    "true",
)
_SENDING = (
    Key(
        "batch",
        "Calls per frame.",
        allowed=f"a whole number from 1 to {calling.MOST_OUTSTANDING}, "
        'a size of up to "256KiB", or "auto"',
        default='"auto"',
        read=calling.batch,
    ),
    Key(
        "lookahead",
        "How many calls, and how many bytes, may run ahead of the program.",
        table=LOOKAHEAD,
    ),
    Key(
        "priority",
        "Which waiting call is served first.",
        allowed='an expression over the parameters such as "len(pattern)"',
        read=calling.priority,
    ),
    _FORWARD,
    _INLINE,
)
_LOADRATIO = Key(
    "loadratio",
    "Static shares of the calls over the replicas.",
    allowed='a share for each replica, such as "1:1:2"',
    read=calling.loadratio,
)
_MOVING = (
    Key(
        "topology",
        "Which replicas pass queued calls to one another.",
        allowed='"line", "ring" or "full"',
        read=migration.topology,
    ),
    Key(
        "overload",
        "When a replica passes calls on.",
        allowed='a condition such as "load >= 10"',
        read=migration.overload,
    ),
    Key(
        "underload",
        "When a replica asks for calls.",
        allowed='a condition such as "load == 0"',
        read=migration.underload,
    ),
    Key(
        "share",
        "How much of what waits moves.",
        allowed='a fraction such as "1/2"',
        default='"1/2"',
        read=migration.share,
    ),
    Key(
        "migration",
        "Links over which replicas pass queued calls to one another.",
        allowed='a list of expressions such as "ant(oc=(load>=10))#bee(uc=(load==0)):[1/2]"',
        read=migration.migration,
    ),
)
_RESIDENT = Key(
    "resident",
    "Arguments that replicas keep: sent once, then named by what they hold.",
    allowed='a list of the names of parameters, or "auto"',
    default="[]",
    read=calling.resident,
)
_PACE = (
    Key(
        "deadline",
        "The longest time that a call may be served.",
        allowed='a time from "1ms" to "168h" such as "30s" or "5min"; a number is seconds',
        read=waiting.deadline,
    ),
    Key(
        "rate",
        "The most calls that start in a unit of time.",
        allowed='so many per "s", "min" or "h", such as "60/min"',
        read=waiting.rate,
    ),
)
_TRIES = (
    Key(
        "retries",
        "How often a pure call is repeated.",
        allowed=f"a whole number from 0 to {waiting.MOST_RETRIES}",
        default="2",
        read=waiting.retries,
    ),
    Key(
        "retry_on",
        "Exceptions after which a pure call is repeated.",
        allowed='a list of names of classes as imported, such as ["openai.RateLimitError"]',
        default="[]",
        read=waiting.retry_on,
    ),
    Key(
        "hedge",
        "When a pure call that runs is made a second time elsewhere.",
        allowed='"p50" to "p99.9", or a time such as "2s"',
        read=waiting.hedge,
    ),
)
_KEEP = Key(
    "keep",
    "What pure calls give is kept on disk, and later runs do not make these calls again.",
    allowed='true, false or "all"',
    default="false",
    read=kept.keep,
)
_TTL = Key(
    "ttl",
    "How long what is kept of a call answers later ones.",
    allowed='a time from "1s" to "36500d" such as "30d" or "12h"; a number is seconds',
    read=waiting.ttl,
)
_GUESS = Key(
    "guess",
    "A function whose results stand in for values in copies of the program.",
    allowed='a function with its module, such as "coarse.simulate"',
    read=waiting.guess,
)
FUNCTION = Table(
    "[remote.M.functions.F]",
    _CALLSTYLE,
    _PURE,
    _REPEATABLE,
    _SCRATCH,
    _INDEPENDENT,
    *_SENDING,
    _RESIDENT,
    *_PACE,
    *_TRIES,
    _GUESS,
    _KEEP,
    _TTL,
    Key(
        "gather",
        "The function of the module that serves several calls of this one by one call.",
        allowed='the name of a function such as "embed_many"',
        read=waiting.gather,
    ),
    Key(
        "submit",
        "The function of the module that sends calls of this one as a batch, for `cord batch`.",
        allowed='the name of a function such as "ask_all"',
        read=waiting.gather,
    ),
)
CLIENT_REMOTE = Table("[client.C.remote.M]", _CALLSTYLE, *_SENDING, _LOADRATIO, *_PACE)
CLIENT = Table("[client.C]", Key("remote", "Its remote modules.", tables=CLIENT_REMOTE))
REMOTE = Table(
    "[remote.M]",
    Key(
        "replicas",
        "How many processes serve the module.",
        allowed=f'a whole number from 1 to {MAX_REPLICAS}, "{AUTO}", or a list of names',
        default="1",
        read=values.replicas,
    ),
    Key(
        "threads",
        "How many calls each replica serves at once, in threads of its process.",
        allowed=f"a whole number from 1 to {values.MAX_THREADS}",
        default="1",
        read=values.threads,
    ),
    _CALLSTYLE,
    _PURE,
    _REPEATABLE,
    _SCRATCH,
    _INDEPENDENT,
    Key(
        "only",
        "The functions that are remote; without it, every public function is.",
        allowed="a list of the names of functions",
        read=values.names,
    ),
    switch(
        "inside",
        "Whether calls that the module's own code makes in the program go to replicas, too.",
    ),
    Key(
        "blas_threads",
        "How many threads the numerical libraries of each replica use.",
        allowed=f'"auto", "all" or a whole number from 1 to {values.MAX_THREADS}',
        default='"auto"',
        read=values.blas_threads,
    ),
    Key("functions", "Settings of single functions.", tables=FUNCTION),
    *_SENDING,
    _LOADRATIO,
    *_MOVING,
    _RESIDENT,
    Key(
        "resident_bytes",
        "How much of resident arguments each replica keeps.",
        allowed='a size such as "512MiB"',
        default='"512MiB"',
        read=calling.size,
    ),
    Key(
        "restart",
        "Whether calls go on in a fresh replica when what others left in the last one is lost.",
        allowed=f'"{NEVER}" or "{FRESH}"',
        default=f'"{NEVER}"',
        read=values.restart,
    ),
    Key(
        "memory",
        "How much memory a replica may have, with the processes that it forks.",
        allowed=f'a size from "{renewal.LEAST_MEMORY}" such as "2GiB"',
        read=renewal.memory,
    ),
    Key(
        "recycle",
        "After how many calls, or at how much memory, another replica takes the place of one.",
        allowed=f"a whole number of calls from 1 to {renewal.MOST_CALLS}, "
        f'or a size from "{renewal.LEAST_MEMORY}" such as "1GiB"',
        read=renewal.recycle,
    ),
    Key(
        "silence",
        "For how long a replica may be stopped by a signal before another takes its place.",
        allowed=f'a time such as "30s", or "{NEVER}"',
        default='"10s"',
        read=waiting.silence,
    ),
    Key(
        "transport",
        "What carries calls and replies.",
        allowed='"auto", "shm", "unix" or "tcp"',
        default='"auto"',
        read=values.transport,
    ),
    Key(
        "speed",
        "How fast each replica is made to be, for experiments.",
        allowed="a list of numbers above 0, one for each replica",
        read=values.speeds,
    ),
    *_PACE,
    *_TRIES,
    _GUESS,
    _KEEP,
    _TTL,
)
