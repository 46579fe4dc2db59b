"""Every key of cord.toml: where it stands, what it accepts, its default, what it means.

A key without a reader and without a table is known but not honoured yet; it is refused, never
ignored. docs/configuration/keys.md describes the same keys, and a test holds the two together.
"""

from __future__ import annotations

from cord.plan import calling, http, migration, values, waiting
from cord.plan.words import AUTO, FRESH, MAX_REPLICAS, NEVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.values import Reader


class Table:
    """The keys that one kind of table may have.

    Attributes:
        header: How the table is written, with M and F for the names in it.
        keys: Its keys by name.
    """

    __slots__ = ("header", "keys")

    def __init__(self, header: str, *keys: Key) -> None:
        self.header = header
        self.keys = {key.name: key for key in keys}

    def supported(self) -> list[str]:
        """The names of the keys that Cord honours."""
        return sorted(key.name for key in self.keys.values() if key.supported)


class Key:
    """One key.

    Attributes:
        name: The key, without the table's name.
        meaning: What it says, in one sentence.
        allowed: The values it accepts, as a phrase.
        default: The value when it is absent, in TOML's notation; None where there is none.
        read: Its reader, for a key that holds a value.
        table: The table it holds.
        tables: The kind of the named tables it holds, for a key such as `remote`.
    """

    __slots__ = ("allowed", "default", "meaning", "name", "read", "table", "tables")

    def __init__(
        self,
        name: str,
        meaning: str,
        *,
        allowed: str = "a table",
        default: str | None = None,
        read: Reader | None = None,
        table: Table | None = None,
        tables: Table | None = None,
    ) -> None:
        self.name = name
        self.meaning = meaning
        self.allowed = allowed
        self.default = default
        self.read = read
        self.table = table
        self.tables = tables

    @property
    def supported(self) -> bool:
        """Whether Cord honours the key."""
        return not (self.read is None and self.table is None and self.tables is None)


_CALLSTYLE = Key(
    "callstyle",
    "Calls are made one at a time, in place (sync), or ahead of the program (async).",
    allowed='"sync", "async" or "async-demand(n)"',
    default='"sync"',
    read=calling.callstyle,
)
_PURE = Key(
    "pure",
    "The functions have no effects, and their results depend on their arguments alone.",
    allowed="true or false",
    default="false",
    read=values.boolean,
)
_REPEATABLE = Key(
    "repeatable",
    "The functions write only what is their own: calls may be made early, again, or in vain.",
    allowed="true or false",
    default="false",
    read=values.boolean,
)
_SCRATCH = Key(
    "scratch",
    "Each call has a view of its own of the working folder, and writes only there.",
    allowed="true or false",
    default="false",
    read=values.boolean,
)
_INDEPENDENT = Key(
    "independent",
    "The functions have effects, but no call depends on another's.",
    allowed="true or false",
    default="false",
    read=values.boolean,
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
_FORWARD = Key(
    "forward",
    "Results that are only passed on go from replica to replica.",
    allowed="true or false",
    default="true",
    read=values.boolean,
)
_INLINE = Key(
    "inline",
    "Pure calls that take less time than sending them are made in the program itself.",
    allowed="true or false",
    default="true",
    read=values.boolean,
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
    Key(
        "gather",
        "The function of the module that serves several calls of this one by one call.",
        allowed='the name of a function such as "embed_many"',
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
    Key(
        "inside",
        "Whether calls that the module's own code makes in the program go to replicas, too.",
        allowed="true or false",
        default="false",
        read=values.boolean,
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
    Key("queue", "How many calls may wait."),
)
ASSUME = Table(
    "[assume]",
    Key(
        "pure",
        "Functions, methods and objects, outside the remote modules, whose use has no effects.",
        allowed='a list of dotted names such as "Bio.SeqIO.parse"',
        default="[]",
        read=values.assumed_names,
    ),
)
RUN = Table(
    "[run]",
    Key(
        "copies",
        "Copies of the program run ahead of it where scouts see nothing.",
        allowed="true or false",
        default="true",
        read=values.boolean,
    ),
    Key(
        "speculate",
        "What copies of the program may issue.",
        allowed='"likely", "exact" or "off"',
        default='"likely"',
        read=values.speculation,
    ),
    Key(
        "audit",
        "How much of the time in which replicas are idle goes to making pure calls again.",
        allowed='a percentage such as "1 %" or 0.5, or false',
        default='"1 %"',
        read=values.percentage,
    ),
)
REPORT = Table(
    "[report]",
    Key(
        "stats",
        "Each run tells of its calls in a table when it has ended, as with --stats.",
        allowed="true or false",
        default="false",
        read=values.boolean,
    ),
    Key(
        "warn",
        "A run says in a line what was wrong with it, or what speaks against pure = true.",
        allowed="true or false",
        default="true",
        read=values.boolean,
    ),
)
ENGINE = Table(
    "[engine]",
    Key(
        "kind",
        "Where replicas live: on this machine, or on nodes that agents serve, and how those start.",
        allowed='"local", "ssh", "standing", "command", "mpi", "slurm", "hq", "ray", '
        '"dask" or "kubernetes"',
        default='"local"',
        read=values.engine_kind,
    ),
    Key(
        "hosts",
        "The nodes that ssh leads to, one agent on each, or where agents stand.",
        allowed="a list of hosts as ssh knows them, such as "
        '["node1", "ssh://me@node2:2222"], or of addresses',
        read=values.texts,
    ),
    Key(
        "keys",
        "The file with the key of those agents' clients, which cord keys has made.",
        allowed='a path such as "~/.cord/client.key"',
        read=values.text,
    ),
    Key(
        "name",
        "The name under which those agents serve.",
        allowed='a name such as "search"',
        read=values.text,
    ),
    Key(
        "launch",
        "The command that starts agents; {agent} stands for an agent's command, {n} for how many.",
        allowed='a command with {agent}, such as "srun -n {n} {agent}"',
        read=values.launch,
    ),
    Key(
        "address",
        "Where the scheduler of Ray or Dask is; without it, the one that Ray finds, or a new one.",
        allowed='an address such as "10.0.0.1:6379", "auto" or "local"',
        read=values.text,
    ),
    Key(
        "nodes",
        "How many agents are started.",
        allowed=f"a whole number from 1 to {values.MAX_NODES}",
        default="1",
        read=values.nodes,
    ),
    Key(
        "cores",
        "How many cores each agent has.",
        allowed=f"a whole number from 1 to {values.MAX_NODES}",
        default="1",
        read=values.nodes,
    ),
    Key(
        "image",
        "The container image of Kubernetes' pods, in which Python and Cord are installed.",
        allowed='an image such as "registry.local/me/cord:1"',
        read=values.text,
    ),
    Key(
        "resources",
        "What else each agent is given of what a cluster of Ray or Kubernetes has.",
        allowed="a table of whole numbers, or numbers below 1, such as { GPU = 1 }",
        default="{}",
        read=values.resources,
    ),
    Key(
        "python",
        "The interpreter on the nodes; without it, that of the program under its path here.",
        allowed='a path such as "/opt/env/bin/python"',
        read=values.text,
    ),
    Key(
        "listen",
        "The address of this machine to which agents connect; without it, one that seems right.",
        allowed='a host or host:port such as "10.0.0.1" or "0.0.0.0:7000"',
        read=values.text,
    ),
    Key(
        "cpu",
        "Whether nodes must have all features of this machine's processor, and no others.",
        allowed='"same", "baseline" or "any"',
        default='"same"',
        read=values.cpu,
    ),
    Key(
        "reconnect",
        "How many seconds a node whose link is cut may take to come back.",
        allowed="a number from 0 to 3600",
        default="10",
        read=values.seconds,
    ),
    Key(
        "wait",
        "How many seconds agents may take to join before the program starts.",
        allowed="a number from 0 to 3600",
        default="60",
        read=values.seconds,
    ),
    Key(
        "code",
        "How nodes come by the program's files: they see them, or they are sent them.",
        allowed='"shared" or "send"',
        default='"shared"',
        read=values.code,
    ),
    Key(
        "files",
        "Which files are sent besides modules, as patterns under the program's folder.",
        allowed='a list of patterns such as ["data/*.json"]',
        default="[]",
        read=values.file_patterns,
    ),
)
_TIME = 'a time such as "30s", "500ms" or "2min"'
HTTP = Table(
    "[http]",
    Key(
        "bind",
        "The address at which cord serve listens; port 0 is any that is free.",
        allowed='host and port such as "127.0.0.1:8080", "0.0.0.0:80" or "[::1]:8080"',
        default='"127.0.0.1:8080"',
        read=http.bind,
    ),
    Key(
        "routes",
        "Which function answers which method and path.",
        allowed='a table such as { "GET /hello/{name}" = "work.hello" }',
        read=http.routes,
    ),
    Key(
        "queue",
        "How many requests may wait for each module, beside those that are served.",
        allowed=f"a whole number from 0 to {http.MOST_WAITING}",
        default="100",
        read=http.waiting,
    ),
    Key(
        "deadline",
        "How long a request may take, from its head to that of its answer.",
        allowed=_TIME,
        default='"30s"',
        read=http.duration,
    ),
    Key(
        "body",
        "How large a request's body may be.",
        allowed='a size such as "8MiB"',
        default='"8MiB"',
        read=calling.size,
    ),
    Key(
        "connections",
        "How many connections there may be at once.",
        allowed=f"a whole number from 1 to {http.MOST_CONNECTIONS}",
        default="10000",
        read=http.connections,
    ),
    Key(
        "patience",
        "How long a client may take for the head of a request, for the next piece of a body, and "
        "to take some of an answer.",
        allowed=_TIME,
        default='"10s"',
        read=http.duration,
    ),
    Key(
        "idle",
        "How long a connection is kept between requests.",
        allowed=_TIME,
        default='"75s"',
        read=http.duration,
    ),
    Key(
        "hosts",
        "The names by which clients may ask for this server.",
        allowed='a list of names such as ["api.example.org"]',
        read=values.texts,
    ),
    Key(
        "origins",
        "Other origins whose pages may call this server.",
        allowed='a list such as ["https://app.example.org"], or ["*"]',
        default="[]",
        read=http.origins,
    ),
    Key(
        "cert",
        "The file with the certificate, in PEM, for TLS.",
        allowed="a path",
        read=values.text,
    ),
    Key(
        "key",
        "The file with the certificate's private key, in PEM.",
        allowed="a path",
        read=values.text,
    ),
    Key(
        "log",
        "Where each request is written down, in a line.",
        allowed='a path, or "stderr"',
        read=values.text,
    ),
)
_SECTIONS = (
    Key("remote", "The remote modules, a table for each.", tables=REMOTE),
    Key("run", "How the program itself is run.", table=RUN),
    Key("report", "What runs tell of themselves.", table=REPORT),
    Key("assume", "What the user vouches for.", table=ASSUME),
    Key("client", "Settings for calls made from one module.", tables=CLIENT),
    Key("engine", "Where replicas live.", table=ENGINE),
    Key("hosts", "The machines that replicas run on."),
    Key("http", "Remote functions behind HTTP.", table=HTTP),
)
VARIANT = Table("[variants.NAME]", *_SECTIONS)
PLAN = Table(
    "cord.toml", *_SECTIONS, Key("variants", "Named overlays of the same file.", tables=VARIANT)
)


def home_of(name: str, besides: Table) -> str | None:
    """The header of another table that has the key `name`, or None."""
    for table in (REMOTE, FUNCTION, CLIENT_REMOTE, RUN, REPORT, ENGINE, HTTP, ASSUME, PLAN):
        if table is not besides and name in table.keys:
            return table.header
    return None
