"""The private native module: types for what Python uses of it; `help` shows what it does."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextvars import Context
from mmap import mmap
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, Literal, Self, TypeAlias, final

from typing_extensions import disjoint_base

# An entry of parsed TOML: kind, value, line, column, key_line, key_column. A table's value is a
# dict of entries, an array's a list of them.
_RawEntry: TypeAlias = tuple[str, Any, int, int, int, int]

def parse_document(text: str) -> dict[str, _RawEntry]: ...

# Which Cord this is, and how it was built: the commit is "" where nobody has told it.
VERSION: str
COMMIT: str
TARGET: str
PROFILE: str
RUSTC: str

# Numbers and limits that both languages go by. What a replica's process is told and tells:
LAUNCH: bytes
STARTED: bytes
EXITED: bytes
ANEW: bytes
BEYOND: bytes
FAILED: bytes
BESIDE: bytes
# the number of no call, but the order to load the module;
LOAD: int
# kinds of replies;
VALUE: int
ERROR: int
UNENCODABLE: int
# the first codec;
PICKLE: int
# that of requests of HTTP;
HTTP: int
# the largest batch; what each replica keeps, and how many calls and bytes may be out ahead of the
# program, where nobody asks for more or less;
FRAME_BYTES: int
RESIDENT_BYTES: int
LOOKAHEAD: tuple[int, int]
# from so many bytes on, decoding arguments is no part of a call's time;
LONG_TO_DECODE: int
# the status of a replica that is cut off from the client;
EXIT_CUT_OFF: int
# how a mark begins that stands behind a text in a copy;
MARK: str
# in seconds: calls shorter than this are not worth a copy.
SHORTEST_COPIED: float

# What came of a call: ("reply", kind, head, buffers, output), ("lost", replica pid, wait status or
# None, tries, may have run), ("unavailable", head) or ("closed",).
_Outcome: TypeAlias = (
    tuple[Literal["reply"], int, bytes, list[Any], bytes]
    | tuple[Literal["lost"], int, int | None, int, bool]
    | tuple[Literal["unavailable"], bytes]
    | tuple[Literal["closed"]]
)

# A value as it travels: the number of its codec, the encoding itself, large buffers beside it.
_Encoded: TypeAlias = tuple[int, bytes, list[Any]]

@final
class SharedBuffer:
    """Received bytes in memory that is writable and private to this process.

    Use it by the buffer protocol, which Python shows in types from 3.12 on only.
    """

    def __len__(self) -> int: ...
    if sys.version_info >= (3, 12):
        def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class Ticket:
    def is_settled(self) -> bool: ...
    def wait(self, timeout: float = ...) -> bool: ...
    def take(self) -> _Outcome | None: ...
    def demand(self) -> None: ...
    def drop_call(self) -> None: ...

@final
class Manner:
    """How calls of one kind are sent to replicas.

    A replica gets one only while it has fewer calls than `watermark`; a frame holds so many calls,
    or bytes, or what Cord finds best; replicas get fixed `shares`; and of calls and bytes no more
    than `lookahead` is out ahead of the program. If it `is_tended`, the rest says how the
    dispatcher takes care of calls: seconds, numbers, a part of 1, and which of the module's gates
    they go through.
    """

    def __new__(
        cls,
        *,
        watermark: int | None = None,
        batch_calls: int | None = None,
        batch_bytes: int | None = None,
        shares: list[int] | None = None,
        lookahead: tuple[int, int] | None = None,
        is_tended: bool = False,
        deadline: float | None = None,
        retries: int | None = None,
        hedge_part: float | None = None,
        hedge_after: float | None = None,
        gate: int | None = None,
    ) -> Self: ...

# From so many calls on, and up to so many.
# Why calls were in place: name, words, what it is about, an example, where, and how often.
_Reason: TypeAlias = tuple[
    str, str, str, str, tuple[str, tuple[int, int], tuple[int, int]] | None, int
]
# What was counted of a site, or summed up.
_Counts: TypeAlias = tuple[int, int, int, int, int, int]
_Load: TypeAlias = tuple[int, int | None]

@final
class Migration:
    """How replicas of a module pass queued calls to one another.

    A link is who sends, who receives, whether the sender begins, at which load, and how much of
    what waits moves: so many parts of so many. Replicas go by number, from 0.
    """

    def __new__(cls, links: list[tuple[int, int, bool, _Load, tuple[int, int]]]) -> Self: ...
    @staticmethod
    def full(
        overload: _Load | None, underload: _Load | None, share: tuple[int, int]
    ) -> Migration: ...

@final
class Module:
    """A remote module and how it is served.

    A gate is which of the rates its calls keep, and how many of them one may serve; a rate how many
    calls may start in how many seconds.
    """

    def __new__(
        cls,
        name: str,
        replicas: int,
        manners: list[Manner] = ...,
        migration: Migration | None = None,
        resident_bytes: int | None = None,
        transport: str = "auto",
        keeps_state: bool = False,
        at_start: int | None = None,
        most: int | None = None,
        threads: int = 1,
        gates: list[tuple[int | None, int, bool]] = ...,
        rates: list[tuple[float, float]] = ...,
        again: float = 0.0,
        recycle: int | None = None,
    ) -> Self: ...

@final
class Use:
    """How a function is called: ahead of the program or not, and in which of the module's manners.

    `independent`: calls have effects, so that only those are made ahead that are certain.

    `inline`: calls that take less time than shipping them are made in the client.

    `priority` tells the priority of a call with the arguments that it is called with.

    `guess`: who gives, in copies of the program, what stands for values, as `module.function`.
    """

    def __new__(
        cls,
        *,
        ahead: bool = False,
        independent: bool = False,
        manner: int = 0,
        forward: bool = False,
        given: bool = False,
        inline: bool = False,
        transport: str = "auto",
        priority: Callable[..., float] | None = None,
        guess: str | None = None,
    ) -> Self: ...

@final
class Agent:
    @staticmethod
    def connect(address: str, key: bytes) -> Agent:
        """One that connects to a gateway's address.

        Raises:
            OSError: Nobody listens there, or the key is none.
        """

    @staticmethod
    def accepted(socket: int, key: bytes, door: int) -> Agent:
        """One whose gateway has connected to it.

        Args:
            socket: By which it has; taken over, as is `door`.
            key: The agent's.
            door: It says its name there, and is handed the sockets of who comes by that name.

        Raises:
            OSError: The key is none, or nobody is behind the door.
        """

    @staticmethod
    def behind(reader: int, writer: int) -> Agent: ...
    def welcome(self, seconds: float) -> bytes:
        """Wait until the gateway says what is to be served.

        Raises:
            OSError: It does not, or does not hold the key.
        """

    def fetch_code(self, size: int, seconds: float) -> bytes:
        """Have the gateway send the program's code, in pieces each of which may take so long.

        Raises:
            OSError: It does not.
        """

    def refuse(self, why: str) -> None: ...
    def serve(
        self,
        zygote: int,
        stop: int,
        facts: str,
        transports: list[str],
        resident: int,
        patience: float,
        lasting: int | None = None,
        there: list[int | None] = ...,
    ) -> str | None:
        """Serve until the run is over (None), or something else ends it: what.

        Args:
            zygote: The control socket of the node's zygote; taken over, as is `stop`.
            stop: Can be read when the agent is told to end.
            facts: How many cores the node gives, and its name, in a line each.
            transports: What carries the frames of each module's links.
            resident: How many bytes of content the node keeps.
            patience: For how many seconds it tries to come back when its link is cut.
            lasting: Leads to who has the replicas that outlast this agent; taken over.
            there: By module: its number there, if its replicas are among those.
        """

def new_key() -> bytes: ...
def new_key_pair() -> tuple[bytes, bytes]: ...
def run_gateway(
    control: int,
    stops: list[int],
    status: int,
    welcome: bytes,
    code: bytes,
    transports: list[str],
    resident: int,
    patience: float,
    pipes: list[tuple[str, int, int]],
    listener: int | None = None,
    key: bytes | None = None,
    beside: int | None = None,
    notices: int | None = None,
    anew: int | None = None,
    threads: list[int] = ...,
    absent: list[tuple[str, str, int]] = ...,
) -> None:
    """Be the gateway of a run, until it is over. All descriptors are taken over.

    Args:
        control: The control socket to the client.
        stops: One of these can be read when the run is over.
        status: Where it is told, in lines, which agents have joined or cannot.
        welcome: What agents are told to serve.
        code: The program's code, for agents that lack it.
        transports: What carries the frames of each module's links.
        resident: How many bytes of content a node keeps.
        patience: How many seconds an agent whose link is cut may take to come back.
        pipes: Lead to agents: where to, to read from, to write to; -1 where that is the same.
        listener: Listens for agents.
        key: Secures what leads to agents; None where that is secure already.
        beside: Where what the client asks for besides replicas is sent.
        notices: Brings what their launcher hears of agents that have ended, in lines.
        anew: Where it is told whose agents are to be started again, and brings what leads to these.
        threads: By module, how many of its replicas share a process.
        absent: Agents that stand but are not there yet: their names, and at which IP addresses and
            ports they are to listen.
    """

@final
class Simulation:
    """A run that was written down, ready to be simulated. All times are nanoseconds.

    Args:
        traced: What was written down.
        ended: When the program had ended.
        cores: How many cores it and its replicas shared.

    Raises:
        ValueError: It is of a run that cannot be simulated.
    """

    def __new__(cls, traced: Traced, ended: int, cores: int) -> Self: ...
    @property
    def alone(self) -> int: ...
    @property
    def held_up(self) -> float: ...
    @property
    def has_priorities(self) -> bool: ...
    @property
    def calls(self) -> list[int]: ...
    def run(
        self,
        modules: list[Module],
        ahead: list[bool],
        cores: int,
        *,
        shared: bool,
        halved: int | None = None,
        order: str = "priority",
    ) -> tuple[int, int, int, list[tuple[int, int, int, int]], list[int], list[int], int]:
        """How long it takes with these modules.

        Args:
            modules: How each module is served.
            ahead: For each, whether its calls may be issued ahead of the program.
            cores: How many cores there are.
            shared: Whether replicas share them with the program; else each has one of its own.
            halved: The calls of this place take half as long.
            order: By "priority", or the "oldest" or the "longest" calls first.

        Returns:
            The time; of that, the program's own work; for how long more wanted to compute than
            there are cores; by place, how long the program waited, how long it issued and took
            calls, how many scouts have issued, and how many it took; by module, for how long
            replicas ran calls, and how many there were; how many frames were sent.

        Raises:
            ValueError: It does not come to its end.
        """

@final
class Trace:
    """A run that is written down.

    Args:
        file: A descriptor that is open for writing; it is taken over.
        head: What is known of the run before, in JSON.

    Raises:
        ValueError: The descriptor is not open.
        OSError: The file cannot be written.
    """

    def __new__(cls, file: int, head: str) -> Self: ...
    def watch(self, every: float, folders: list[str]) -> None: ...
    def seen(self) -> tuple[list[tuple[str, int, int]], list[tuple[str, int, int]]]: ...
    @property
    def now(self) -> int: ...
    def end(self, text: str) -> None:
        """Write what is known at the end, in JSON. Nothing is written after that.

        Raises:
            OSError: Something could not be written, now or before.
        """

@final
class Traced:
    """What was written down of a run, read.

    Args:
        bytes: The file.

    Raises:
        ValueError: It is none, or damaged.
    """

    def __new__(cls, bytes: bytes) -> Self: ...
    @property
    def head(self) -> str: ...
    @property
    def end(self) -> str | None: ...
    @property
    def nodes(self) -> dict[int, str]: ...
    def facts(self, length: int) -> str: ...
    def calls(self) -> TracedCalls: ...
    def perfetto(self, program: str, modules: list[str], places: dict[int, str]) -> bytes:
        """The run as Perfetto opens it.

        Args:
            program: What the program is called.
            modules: What its modules are called.
            places: The calls, by the number of their place.
        """

@final
class TracedCalls:
    """The calls of a trace one after the other, by number.

    Each is a tuple: its number, its place, its module; when it was issued and ended; when it ran
    (from, until, on which replica); bytes of arguments and of the reply; and how it ended:
    "answered", "dropped", "lost" or "open". Times are nanoseconds since the session began.
    """

    def __iter__(self) -> Self: ...
    def __next__(
        self,
    ) -> tuple[
        int,
        int,
        int,
        tuple[int, int | None],
        tuple[int, int, int] | None,
        tuple[int, int],
        str,
    ]: ...

@final
class HttpFront:
    """A server of HTTP, whose requests become calls of a session.

    Raises:
        OSError: The address cannot be had.
    """

    def __new__(cls, address: str, admin: str | None = None) -> Self: ...
    @property
    def address(self) -> tuple[str, int]: ...
    @property
    def admin(self) -> tuple[str, int] | None: ...
    def serve(
        self,
        session: Session,
        plan: str,
        pages: tuple[bytes, bytes],
        raised: tuple[bytes, bytes],
    ) -> int:
        """Serve this from now on; the number by which `next_event` calls it.

        Args:
            session: Its replicas.
            plan: Routes and limits, in JSON.
            pages: OpenAPI's description, and the page to try it.
            raised: What is raised in calls whose time is over, and whose client is gone.

        Raises:
            ValueError: The plan cannot be served.
        """

    def drain(self) -> None: ...
    def next_event(self) -> bytes | int | None: ...
    def fileno(self) -> int: ...
    def close(self) -> None: ...

@final
class Session:
    """The replicas of a run. Takes the control socket over.

    Raises:
        ValueError: The descriptor is not open.
        OSError: The system has no descriptors or threads left.
    """

    def __new__(
        cls,
        modules: list[Module],
        control_fd: int,
        is_far: bool = False,
        trace: Trace | None = None,
    ) -> Self: ...
    def take_over(self, module: int) -> bool:
        """Let the program make the calls of a module that depend on one another.

        Returns:
            Whether it may: not if replicas have made some.
        """

    def issue(
        self,
        module: int,
        pure_call: bool,
        head: bytes,
        buffers: list[Any],
        *,
        codec: int = 0,
        beside: bool = False,
        manner: int = 0,
    ) -> Ticket: ...
    def keep(self, folder: str, most: int, modules: list[str]) -> None:
        """Keep outcomes in a folder from now on, and take what earlier runs have kept there.

        Args:
            folder: Its path.
            most: So many bytes stay when the run has ended.
            modules: What the modules of the session are called.
        """
    @staticmethod
    def see_far() -> None:
        """Let scouts go on as far as they can, whatever becomes of what they issue."""

    def worlds_untold(self) -> list[bytes]:
        """Worlds of calls that were written down, of which nobody has said what is in them."""

    def tell_world(self, world: bytes, told: bytes) -> None:
        """Say what is in such a world, as `prints.told_of_world` has it."""
    @property
    def kept(self) -> dict[str, tuple[int, float, int, int, dict[str, int], dict[str, int]]]:
        """What has become of calls whose outcomes are kept, by their functions.

        How many were there, how many seconds they had taken, how many were not there, how many were
        kept, what was not kept, by the reason, and what was there and held no more.
        """
    @property
    def kept_trouble(self) -> str | None: ...
    @property
    def traffic(self) -> tuple[int, int]: ...
    @property
    def calls_at_once(self) -> list[int]: ...
    @property
    def at_end(self) -> tuple[list[list[float]], list[tuple[int, int, int | None]]]: ...
    @property
    def tended(
        self,
    ) -> list[tuple[int, float, int, int, tuple[int, int], tuple[int, int, int], int]]:
        """By module, what has become of calls that the plan takes care of. At the end.

        How many have waited for a rate, and how long; how many were tried again, and took too long;
        copies made, and first; groups, calls in them, and groups without a result for each; and how
        many were made again, to compare.
        """

    def world(self) -> bytes: ...
    def load(self, module: int, world: bytes, again: bool) -> None: ...
    def settle(self) -> list[tuple[Any, BaseException]]: ...
    def close(self) -> list[tuple[int, tuple[int, int | None, tuple[int, int] | None]]]: ...
    def abandon(self) -> None: ...
    def run_locally(self) -> None: ...
    def copy_ahead(
        self, hooks: list[Any], eager: bool = False, replicas: int | None = None
    ) -> None: ...
    def know(self, answers: list[tuple[int, int]], notes: dict[bytes, bytes]) -> None: ...
    @property
    def notes(self) -> dict[bytes, bytes]: ...
    @property
    def answers(self) -> dict[int, int]: ...
    @property
    def copies_told(self) -> dict[str, Any] | None: ...

@final
class Team:
    """The workers of a pool, which processes are that take links from the control socket.

    Raises:
        ValueError: The descriptor is not open.
        OSError: The system has no descriptors or threads left.
    """

    def __new__(cls, control_fd: int, workers: int, recycle: int | None = None) -> Self: ...
    def issue(self, head: bytes, buffers: list[Any]) -> None: ...
    @property
    def tasks(self) -> int: ...
    def next(self, waits: bool = True) -> tuple[bytes, list[Any]] | None: ...
    def has_next(self) -> bool: ...
    def fileno(self) -> int: ...
    def put_end(self) -> None: ...
    def finish(self) -> None: ...
    def make_room(self) -> None: ...
    def close(self) -> None: ...
    def abandon(self) -> None: ...

@final
class Descriptor:
    def __new__(cls, fd: int) -> Self: ...
    @property
    def fd(self) -> int: ...
    def write(self, bytes: bytes) -> None: ...

@final
class Endpoint:
    def __new__(
        cls, fd: int, resident_bytes: int | None = None, transport: str = "auto"
    ) -> Self: ...
    def renew_at(self, bytes: int) -> None: ...
    def ready(self, ends_with_link: bool = True) -> None: ...
    def flush(self) -> None: ...
    def init_failed(self, head: bytes) -> None: ...
    def answer_by(
        self,
        answer: Callable[[int, _Encoded, bytes, list[_Encoded]], object],
        fail: Callable[[int, BaseException], object],
    ) -> None: ...
    def tell_world_by(self, leftovers: Leftovers, now: Callable[[], bytes | None]) -> None: ...
    def share_process(
        self, wait: Callable[[bytes | None], object], go_on: Callable[[Any], object]
    ) -> None: ...
    def adopt_thread(self) -> None: ...
    def of_thread(self) -> Endpoint: ...
    def interrupt_by(self, signal: int) -> None: ...
    def take_interrupt(self) -> bytes | None: ...
    def make(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any: ...
    def begin_anew(self) -> None: ...
    def load(self, module: int) -> None: ...
    def abandon(self) -> None: ...
    def is_cut_off(self) -> bool: ...
    def next(self) -> tuple[int, _Encoded, bytes, list[_Encoded]] | None: ...
    def reply(
        self,
        call: int,
        kind: int,
        value: _Encoded,
        output: bytes,
        may_be_passed: bool = False,
        pause: float | None = None,
    ) -> None: ...
    def disown(self, call: int, kind: str, text: str, last: bool = True) -> None:
        """Say that what came of a call must not be used, and why: who calls makes it.

        Args:
            call: The call.
            kind: Of what kind the reason is: "argument", "state", "file", ...
            text: What the call does, as a sentence about its function goes on.
            last: Whether it has left something here that is not for other calls: this process ends
                then, and another replica takes its place.
        """

    def alike(self) -> list[tuple[int, _Encoded, bytes, list[_Encoded]]]: ...
    def share_time(self, calls: int) -> None: ...
    def note_miscount(self) -> None: ...
    def begin_alone(self, call: int) -> None: ...

class Stopped(BaseException): ...

def stop_call(kind: str, text: str) -> None:
    """A call has come to something that it cannot have here: what comes of it is not used.

    Raises:
        Stopped: Always.
    """

@final
class Lookout:
    def __new__(
        cls,
        usual: int,
        others: dict[str, int],
        leaves: bool,
        is_shared: bool,
        record: Callable[[str, int, Any], None] | None = None,
    ) -> Self: ...
    def view(self) -> bytes | None: ...
    def load(self, endpoint: Endpoint, code: Callable[[], None]) -> None: ...
    def make(
        self,
        endpoint: Endpoint,
        call: int,
        name: str,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any: ...

@final
class Serving:
    def __new__(
        cls,
        endpoint: Endpoint,
        quiet: Quiet,
        drain: Callable[[], bytes],
        finish: Callable[
            [
                int,
                str,
                object,
                BaseException | None,
                tuple[tuple[Any, ...], dict[str, Any] | None] | None,
            ],
            object,
        ],
        leftovers: Leftovers,
        disown: Callable[[int, tuple[str, str]], object],
        outside: Lookout,
    ) -> Self: ...
    def has_module(self, module: object) -> None: ...
    def answers_http(self, web: Callable[[bytes, list[Any]], tuple[bytes, list[Any]]]) -> None: ...
    def restores(self, restored: dict[str, bool]) -> None: ...
    def is_in_world(self, world: bytes) -> None: ...
    def next(self) -> tuple[int, _Encoded, bytes, list[_Encoded]] | None: ...
    def has_made(self) -> bool: ...

@final
class Places:
    def __new__(cls, there: str, here: str, besides: list[str]) -> Self: ...
    def of(self, path: str) -> str | None: ...
    def back(self, path: str) -> str | None: ...

@final
class Moved:
    def __new__(
        cls,
        function: Callable[..., Any],
        places: Places,
        paths: int = 1,
        opener: object = None,
    ) -> Self: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __hash__(self) -> int: ...
    def __eq__(self, value: object, /) -> bool: ...

def adopt_orphans() -> None: ...
def set_parent_death_signal(signal: int) -> None: ...
def fork_unseen() -> int: ...
def fork_sibling() -> int: ...
def wait_at_end(pid: int) -> bool: ...
def call_apart(function: Callable[..., Any], *args: Any) -> Any: ...
def warn_of_own_threads_only() -> None: ...
def enable_collections() -> None: ...
def set_process_name(name: str) -> None: ...
def give_spare() -> None: ...
def keep_spare() -> None: ...

@disjoint_base
class OutputFile:
    def __new__(cls, fd: int) -> Self: ...
    @property
    def fd(self) -> int: ...
    seen: int
    def end(self) -> int: ...

@final
class Quiet:
    def __new__(
        cls,
        streams: tuple[object, object],
        files: tuple[OutputFile, OutputFile],
        journal: list[Any],
    ) -> Self: ...
    def holds(self) -> bool: ...

def output_ends(out: OutputFile, err: OutputFile) -> tuple[int, int, int, int]: ...
def line_buffer_c_stdout() -> None: ...
def write_c_stream(stream: int, text: bytes) -> None: ...
def share_terminal() -> None: ...
def restore_terminal(fd: int) -> None: ...
def is_looked_at() -> bool: ...

@final
class Ticks:
    """Calls something on the first thread from time to time, between two of its instructions.

    Args:
        called: Is called without arguments; gives the seconds to the next time, or None to be
            called no more.
        seconds: The time to the first call.
    """

    def __new__(cls, called: Callable[[], float | None], seconds: float) -> Self: ...
    def end(self) -> None: ...

@final
class Live:
    def __new__(
        cls, session: Session, program: str, folder: str, terminal: str | None = None
    ) -> Self: ...
    def close(self) -> None: ...

def tell_reasons() -> None: ...

class ScoutEnd(BaseException): ...

def is_plain(value: Any) -> bool: ...
def look_into_class(cls: type[ModuleType]) -> None: ...
def is_fixed(cls: type) -> bool: ...
def is_made_by_statement(cls: type) -> bool:
    """Whether a class was made as `class` statements make them.

    In an instance is what Python code has put there, and what is in one of a class above.
    """

def forget_kinds() -> None: ...
def version_of(cls: type) -> int: ...
def iterator_of(value: Any) -> Any: ...
def reads_on(iterator: Any, copy: Any) -> Any: ...
def find_definitions(roots: list[str], pure_call: bool, ahead: bool) -> Definitions | None:
    """The definitions behind names as they are now, or for a scout as the last call had them.

    None if they are to be encoded.
    """

def remember_definitions(
    roots: list[str], pure_call: bool, state: State, definitions: Definitions
) -> None: ...
def forget_definitions() -> None: ...
def show_plain_code(file: str) -> None: ...
def running_code(function: object) -> CodeType: ...
def asked_of_python() -> list[tuple[str, str]]: ...
def begin_inlined(place: Site | RemoteFunction, left: tuple[int, int, int, bool]) -> None: ...
def inlined_state(place: Site | RemoteFunction) -> tuple[int, int, int, bool] | None: ...
def shipped_from(place: Site | RemoteFunction) -> tuple[int, float, float, int]:
    """The calls at a place that were sent, so far.

    Returns:
        How many; what the program has spent on them and how long they took in replicas, in
        seconds; and how many were made ahead.
    """

def tally_of(
    function: RemoteFunction,
) -> tuple[_Counts, list[_Reason], _Counts]: ...
def place_of(function: RemoteFunction) -> int: ...
def stayed(function: RemoteFunction) -> tuple[int, int, str, str] | None:
    """Tell of a function of which a reply was disowned: see `Endpoint.disown`.

    Returns:
        How many calls the program has made for that, how many of them were sent before, and of what
        kind the last reason was, and in words; None where all replies could be used.
    """

def keep_here(function: RemoteFunction) -> None: ...
def ask_before_state(
    function: RemoteFunction,
    keeps: Callable[[tuple[Any, ...], dict[str, Any] | None], bool],
) -> None:
    """Ask of calls that could be the first to leave state in replicas whether they keep arguments.

    The program makes those that may keep arguments which can change, and all that depend on them.
    """

def forget_reached(function: RemoteFunction) -> None: ...
def shared(
    value: object, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[list[Any], list[tuple[Any, Any]]] | None: ...

@final
class Holders:
    def __new__(cls, root: object) -> Self: ...
    def between(self, object: object) -> list[int]: ...

def trails(objects: Sequence[Any], roots: Sequence[Any]) -> list[list[Any]]: ...
def arguments_of_call() -> tuple[tuple[Any, ...], dict[str, Any] | None, Any] | None: ...
def is_in_world_of_call() -> bool: ...
def name_of(function: RemoteFunction) -> str: ...

@final
class SettingsSeen:
    def __new__(cls, dicts: list[dict[Any, Any]] = ...) -> SettingsSeen: ...
    def is_same(self) -> bool: ...

def changed_variables() -> list[tuple[bytes, bytes | None]]: ...
def has_no_new_privileges() -> bool: ...
def want_no_new_privileges() -> None: ...
def setting_calls() -> list[str]: ...
def zone_of_clock() -> bytes | None:
    """`TZ` as it was when `tzset` was last called, empty if it was not set.

    None if that is as it was when changes were first listened to.
    """

def limits_at_start() -> list[tuple[int, int]]: ...
def locale_at_start() -> list[str]: ...
def first_context() -> Context | None: ...
def suspect_settings() -> None: ...
def keep_first(module: str, name: str, value: object) -> None: ...
def forget_first(module: str) -> None: ...
def find_function(module: Any, name: str) -> Any: ...
def original_of(function: RemoteFunction) -> Any: ...
def doubt() -> None: ...
def fetch_passed() -> None: ...
def enters(code: object) -> None: ...
def encode_plain(value: object) -> bytes | None: ...
def decode_plain(head: bytes) -> Any | None: ...
def encode_natively(value: object) -> tuple[bytes, list[Any]] | None:
    """The pickle of a value and the arrays whose memory is beside it; None if it takes a pickler.

    Numbers, texts and bytes, numpy's simple arrays and numbers, and tuples, lists and dicts of
    these take none.
    """

def decode_natively(head: bytes, buffers: list[Any]) -> Any | None: ...
def mentions_sets(pickle: bytes) -> bool: ...
def set_places(set: set[Any] | frozenset[Any]) -> tuple[int, list[int], list[int], list[Any]]:
    """What `set_from_places` makes a set of.

    The size of its table, the places of its elements, those that others have left, the elements.
    """

def set_from_places(
    frozen: bool, size: int, places: list[int], left: list[int], elements: list[Any]
) -> set[Any] | frozenset[Any]: ...
def end_copy(error: BaseException | None = None) -> None:
    """End this process, if it is a copy: what follows is for the program alone.

    With what the program raised, if that is why it ends.
    """

def awaited(number: int) -> tuple[Any] | None:
    """In a copy of the program: what one of its calls returned; waits for it.

    None if a leader may get further before that, for other replies have come.
    """

def value_now(number: int) -> tuple[Any] | None: ...
def look() -> None: ...
def leads(place: int) -> bool:
    """In a copy of the program: whether to go on without what is asked for at a place in its code.

    A leader does; the copy itself makes one there if that promises something, and is to wait.
    """

def noted(key: bytes) -> bytes | None: ...
def note(key: bytes, note: bytes) -> None: ...
def digest_of(number: int) -> int | None: ...
def answer_of(question: int) -> int | None: ...
def is_answered(question: int, answer: int) -> None: ...
def stood_for(function: int, number: int, right: bool, by: str) -> None: ...
def is_good_for(function: int) -> bool: ...
def must_wait(place: int) -> bool: ...
def may_pass(place: int) -> bool: ...
def guesses_at(place: int, line: str) -> None: ...
def passes_by(place: int, line: str) -> bool: ...
def leave(
    frame: FrameType, value: object, at: int, instructions: bytes, table: bytes
) -> BaseException: ...
def called_directly(frame: FrameType, caller: FrameType) -> bool: ...
def held_by(frame: FrameType, count: int) -> list[Any] | None: ...
def was_wrong(place: int, words: str) -> None: ...
def watch_texts(
    remainder: Callable[[str, Any], Any], contains: Callable[[str, Any], Any], leaf: type
) -> None:
    """In a copy of the program: give `str` another `%`, for values of which one is a leaf.

    And another `in`, for one that may lie in a text.
    """

def lift_functions(
    functions: list[Any],
    kinds: list[type],
    asked: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any],
    leaf: type,
) -> None:
    """In a copy of the program: have C functions, and classes that are called, ask for leaves.

    So are lists that are asked for the item under one; the function is None then.
    """

class UnknownError(Exception): ...

def is_unknown_in(thing: object) -> bool: ...
def passed() -> float: ...
def issue_late(
    function: RemoteFunction,
    how: Any,
    counted: int,
    number: int,
    args: tuple[Any, ...] | None,
    kwargs: dict[str, Any] | None = None,
) -> None: ...
def program_ends() -> None: ...

@final
class Definitions:
    """One version of what the main script defines: `prefix` stands before a call's arguments.

    The prefix is a piece of pickle that reads the first buffer, which is `encoded`.
    """

    def __new__(cls, prefix: bytes, encoded: bytes) -> Self: ...

@final
class Watch:
    """Some objects, and what they held: tells whether they are still what they were.

    `values` and what they lead to are looked into; of functions and classes only those that are
    given. `encodes`: what only its encoding tells of is encoded; else it is passed over.
    """

    def __new__(
        cls,
        values: Sequence[Any],
        functions: Sequence[FunctionType] = ...,
        classes: Sequence[type] = ...,
        encodes: bool = True,
    ) -> Self: ...
    def is_unchanged(self) -> bool: ...

@final
class Reached:
    """What a function reaches of the state of modules, and what that held.

    `names`: dicts, and the names in them that count; `held`: what else stands for them; `stays`:
    what of it cannot travel, if anything; `asks_for_loop`: whether code may ask for the event loop
    that runs; `moved`: what `module_state_moved` gave before it was looked at; `known`: functions
    and classes that may hold objects, the addresses of those that replicas find by a name, and
    whether code compares by `is`.
    """

    def __new__(
        cls,
        names: list[tuple[dict[str, Any], list[str]]],
        watch: Watch,
        held: list[Any],
        stays: str | None,
        asks_for_loop: bool,
        moved: int,
        known: tuple[list[Any], set[int], bool],
    ) -> Self: ...
    def is_current(self) -> bool: ...
    def is_given(self, arguments: tuple[Any, ...]) -> bool: ...

def module_state_moved() -> int: ...
def move_module_state(module: str | None = None) -> None: ...
def mark_module_state(stale: bool | None, needed: State | None) -> None: ...
def put_unseen(dict: dict[Any, Any], key: Any, value: Any) -> None: ...
def stand_for(pairs: list[tuple[Any, Any]]) -> None: ...
def cleared_caches() -> dict[int, int]: ...
def hear_of_cleared_caches(descriptor: Any) -> None: ...
def is_copy() -> bool: ...
def read_in_copies(memory: mmap) -> None: ...

@final
class Own:
    def __new__(cls, names: set[str], spaces: list[dict[str, Any]]) -> Self: ...

@final
class Snapshot:
    """What a call may leave something in, as it was before.

    `spaces` are namespaces, whose names are compared; `roots` and what they lead to are looked
    into.
    """

    def __new__(cls, own: Own, spaces: list[dict[str, Any]], roots: list[Any]) -> Self: ...
    def met(self) -> list[Any]: ...
    def changes(self) -> list[tuple[int, tuple[Any, Any] | None]]: ...

@final
class Watched:
    def __new__(cls, pure: bool) -> Self: ...
    def shared(
        self, value: object, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[list[Any], list[tuple[Any, Any]]] | None: ...
    def have(self, snapshot: Snapshot | None, known: list[Any], has_caches: bool) -> None: ...

@final
class Seen:
    @property
    def is_vain(self) -> bool: ...

@final
class Leftovers:
    def __new__(cls, judge: Any, is_shared: bool) -> Self: ...
    def have(self, own: Own, draws: list[int], threads: dict[int, Any] | None) -> None: ...
    def begin(
        self, name: str, function: Any, args: tuple[Any, ...] | None, kwargs: dict[str, Any] | None
    ) -> Seen | None: ...
    def end(self, seen: Seen) -> tuple[str, str] | None: ...
    def goes_home(self) -> bool: ...
    def put_aside(self) -> object: ...
    def go_on(self, aside: object) -> None: ...
    def spoil(self) -> None: ...

def note_new_state() -> None: ...
def state_in_capsule(capsule: object) -> int | None: ...

@final
class State:
    """What names of the main script stood for at one time, and what that held.

    `besides`: what stands for names that the main script does not have; `known`: as of `Reached`.
    """

    def __new__(
        cls,
        bound: dict[str, Any],
        unbound: list[str],
        besides: dict[str, Any],
        watch: Watch,
        known: tuple[list[Any], set[int], bool],
    ) -> Self: ...
    def is_current(self) -> bool: ...

@final
class Keeper:
    """Remembers what the resident arguments of a module's calls hold, up to so many bytes.

    Attributes:
        effort: How many digests were made, and how often content was compared instead.
        compared: How many bytes all comparisons have read.
    """

    def __new__(cls, bytes: int) -> Self: ...
    @property
    def effort(self) -> tuple[int, int]: ...
    @property
    def compared(self) -> int: ...

def try_copy() -> tuple[str | None, float]: ...
def means() -> tuple[int, int | None, int | None]: ...
def writes_are_told() -> bool: ...

@final
class ResidentArguments:
    """Which arguments of a function are resident.

    Those at `positions` and at all from `rest` on, and those with `names` or with any name
    `other_than` those; without `positions`, all that turn up again.
    """

    def __new__(
        cls,
        keeper: Keeper,
        positions: set[int] | None = None,
        names: set[str] = ...,
        rest: int | None = None,
        other_than: set[str] | None = None,
    ) -> Self: ...

def passes(name: bytes) -> bool:
    """Whether a variable of the environment counts only for calls that read it."""

def kept_outcomes(
    folder: str,
) -> list[tuple[str, str, int, int, int, float, bool, list[str]]]:
    """All outcomes in a store.

    Each has its key, its function, when it was made and last used, how many bytes it has there, how
    many seconds the call took, whether it raised, and what it has read.
    """

def kept_unread(folder: str) -> int:
    """How many files of a store count as not there: damaged ones, and those of another version."""

def kept_value(folder: str, key: str) -> tuple[int, bytes, list[bytes]] | None: ...

@final
class RecordedCalls:
    """All calls that are written down in a store, to be made again."""

    def __new__(cls, folder: str) -> Self: ...
    def told(self) -> list[tuple[str, str, str, int, float, bool, int]]:
        """What is told of each, the newest first.

        Key, function, the module that serves it, when it was made, how many seconds it took,
        whether it raised, and how many bytes it has there.
        """
    def call(
        self, key: str
    ) -> (
        tuple[
            tuple[int, bytes, list[bytes]],
            bytes | None,
            tuple[int, tuple[int, bytes, list[bytes]]] | None,
            str | None,
        ]
        | None
    ):
        """One of them: its arguments and its world, what came of it, what it had read and changed.

        What came of it has the number of its kind in front: 255 if it was lost with its process.
        """

def read_with_arguments(
    read: Callable[[], Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """What `read()` gives, while `arguments_of_call` gives these."""

def kept_clear(folder: str, function: str | None = None) -> int: ...
def kept_export(folder: str, functions: list[str], file: str) -> int:
    """Write what is in a store of these functions, or all, to a new file; how many outcomes."""

def kept_import(folder: str, file: str) -> int:
    """Add what is in such a file to a store; how many outcomes that are."""

@final
class RemoteFunction:
    """A function of a remote module as its callers see it: calling it runs it in a replica.

    What carries its calls is the session in the client, the link in a replica of another module.
    """

    def __new__(
        cls,
        carrier: Session | Endpoint,
        module: int,
        name: str,
        original: object,
        effects: str,
        usual: Use,
        by_client: dict[str, Use] = ...,
        own: bool = ...,
        resident: ResidentArguments | None = None,
        codec: int = 0,
        again: float = 0.0,
        waits: int = 0,
        keep: tuple[int, int] = ...,
    ) -> Self: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Coroutine:
    """What a call of a coroutine function of a remote module gives."""

    __name__: str
    __qualname__: str
    def send(self, value: Any, /) -> Any: ...
    def throw(self, *what: Any) -> Any: ...
    def close(self) -> None: ...
    def __await__(self) -> Any: ...

@final
class RemoteName:
    def __new__(cls, name: str, local: object, remote: object) -> Self: ...
    def __get__(self, module: ModuleType | None, owner: type | None = None, /) -> Any: ...
    def __set__(self, module: ModuleType, value: object, /) -> None: ...
    def __delete__(self, module: ModuleType, /) -> None: ...

@final
class Heap:
    def __new__(cls) -> Self: ...
    def enter(self, run: object) -> None: ...
    @staticmethod
    def leave() -> None: ...
    @staticmethod
    def seen(args: tuple[Any, ...]) -> tuple[Any, ...]: ...
    def shadow(self, original: object, copy: object) -> None: ...

@final
class Run:
    @property
    def heap(self) -> Heap: ...
    @property
    def certain(self) -> bool: ...
    def doubt(self) -> None: ...
    def tick(self) -> bool: ...
    def pauses(self) -> bool: ...
    def pass_by(self, sites: list[int]) -> None: ...
    def waits(self, *values: Any) -> bool: ...
    def value(self, value: Any) -> Any: ...
    def copy(self, value: Any) -> Any: ...
    def size(self, container: Any) -> int: ...
    def added(self, container: Any, size: int) -> list[Any]: ...
    def refill(self, container: Any, additions: list[Any]) -> bool: ...
    def defer(self, count: int, function: Callable[..., Any], *args: Any) -> tuple[Any, ...]: ...

@final
class History:
    def __new__(cls) -> Self: ...
    def begin(self, run: Run, resumed: bool) -> Exits: ...
    def breaks(self, value: Any) -> Left: ...
    def returns(self, value: Any) -> Left: ...

@final
class Exits:
    def defer(
        self,
        run: Run,
        caught: bool,
        usual: bool,
        count: int,
        function: Callable[..., Any],
        *args: Any,
    ) -> tuple[Any, ...]: ...
    def holds(self, run: Run) -> bool: ...
    def waits(self, run: Run) -> bool: ...
    def left(self) -> Left | None: ...
    def close(self) -> bool: ...

@final
class Left:
    @property
    def breaks(self) -> bool: ...
    @property
    def value(self) -> Any: ...

@final
class Future:
    def __new__(cls) -> Self: ...

@final
class Activation:
    @property
    def region(self) -> tuple[str, int]: ...
    @property
    def caller(self) -> tuple[Activation, int] | None: ...
    def close(self) -> None: ...
    def iterator(self, number: int) -> Iterator[Any] | None: ...
    def count(self, number: int) -> int | None: ...
    def late(self) -> list[tuple[int, Future]]: ...

@final
class Region:
    def __new__(cls, key: tuple[str, int]) -> Self: ...
    @property
    def key(self) -> tuple[str, int]: ...
    def enter(self) -> Activation: ...

@final
class Patience:
    def __new__(cls) -> Self: ...

@final
class Passed: ...

@final
class Site:
    def __new__(
        cls,
        uid: int,
        asks: tuple[
            Callable[[Run, Activation, Future], list[Any]],
            Callable[..., Any],
            Callable[[int], None],
        ],
        replicas: int,
        patience: Patience,
        dynamic: bool,
        client: str,
        passes: bool,
    ) -> Self: ...
    def stands_at(self, place: str, loops: list[tuple[int | None, str]]) -> None: ...
    @property
    def uid(self) -> int: ...
    @property
    def answers(self) -> tuple[int, int, int]: ...
    @property
    def tally(self) -> tuple[int, int, int, int, int, int]: ...
    @property
    def place(self) -> int: ...
    @property
    def sums(self) -> tuple[int, int, int, int, int, int]: ...
    @property
    def reasons(self) -> tuple[list[_Reason], tuple[int, int] | None]: ...
    def take(self, activation: Activation | None, callee: object, /, *args: Any) -> Any: ...
    def take_named(
        self, activation: Activation | None, callee: object, /, *args: Any, **kwargs: Any
    ) -> Any: ...
    def bound(self, activation: Activation | None, callee: object) -> Any: ...
    def enter(self, activation: Activation | None, callee: object) -> object: ...
    def reading(self, activation: Activation | None, owner: Any, name: str) -> Any: ...
    def issue(self, run: Run, callee: object, /, *args: Any) -> bool: ...
    def issue_named(self, run: Run, callee: object, /, *args: Any, **kwargs: Any) -> bool: ...
    def ask(self, run: Run, callee: object, /, *args: Any) -> Future: ...
    def ask_named(self, run: Run, callee: object, /, *args: Any, **kwargs: Any) -> Future: ...
    def promise(self, run: Run, callee: object, /, *args: Any, **kwargs: Any) -> Future: ...
    def go(self, run: Run, callee: object, /, *args: Any, **kwargs: Any) -> Any: ...

@final
class Late:
    def __new__(
        cls,
        site: Site,
        look: Callable[
            [int, tuple[Any, ...], list[Any], tuple[RemoteFunction, bool]], object | None
        ],
        unpacked: int,
    ) -> Self: ...
    @property
    def answers(self) -> tuple[int, int, int]: ...
    def hold(self, activation: Activation, value: object) -> None: ...
    def held(self, activation: Activation) -> Any: ...
    def take(self, activation: Activation, callee: object, /, *args: Any) -> bool: ...
    def take_named(
        self, activation: Activation, callee: object, /, *args: Any, **kwargs: Any
    ) -> bool: ...
    def taken(self, activation: Activation) -> Any: ...
    def receive(self, activation: Activation) -> Any: ...
    @staticmethod
    def is_list(holder: object) -> bool: ...
    def is_late(self, activation: Activation) -> bool: ...
    def is_any(self, activation: Activation) -> bool: ...
    def is_next(self, activation: Activation) -> bool: ...
    def is_there(self, activation: Activation) -> bool: ...
    def follows(self, activation: Activation) -> bool: ...
    def are_left(self, activation: Activation) -> bool: ...
    def undoes(self, activation: Activation) -> bool: ...
    def undone(self, activation: Activation) -> None: ...
    def had(self, activation: Activation, name: str) -> bool: ...
    def kept(self, activation: Activation, name: str) -> Any: ...
    def lacked(self, activation: Activation, name: str) -> bool: ...

def reach(
    values: list[Any], budget: int, parts: Callable[[Any], tuple[Any, ...] | None]
) -> tuple[list[Any], list[Any]] | None: ...

@final
class BoundTake:
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

@final
class Following:
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

@final
class Fresh:
    def __iter__(self) -> Self: ...
    def __next__(self) -> Any: ...

@final
class Counted:
    def __iter__(self) -> Self: ...
    def __next__(self) -> Any: ...

@final
class Loops:
    def __new__(cls) -> Self: ...
    def loop(self, activation: Activation | None, number: int, iterable: Any) -> Any: ...
    def beside(self, activation: Activation | None, number: int, iterable: Any) -> Any: ...
    def keyed(self, activation: Activation | None, number: int, iterable: Any) -> Any: ...
    def follow(self, activation: Activation | None, number: int, callee: Any) -> Any: ...
    def forget(self, activation: Activation | None, number: int) -> None: ...

@final
class Guard:
    def __new__(cls, go: Callable[..., Any], within: Callable[..., Any]) -> Self: ...
    def at(self, site: Site, run: Run) -> Guard: ...
    def unwind(self) -> None: ...
    def nothing(self) -> Future: ...
    def plain(self, value: Any) -> Any: ...
    def binary(self, op: str, left: Any, right: Any) -> Any: ...
    def unary(self, op: str, value: Any) -> Any: ...
    def compare(self, op: str, left: Any, right: Any) -> Any: ...
    def truth(self, value: Any) -> bool: ...
    def item(self, container: Any, index: Any) -> Any: ...
    def slice(self, start: Any, end: Any, step: Any) -> Any: ...
    def attr(self, value: Any, name: str) -> Any: ...
    def call(self, callee: Any, /, *args: Any, **kwargs: Any) -> Any: ...
    def method(self, receiver: Any, name: str, /, *args: Any, **kwargs: Any) -> Any: ...
    def mutate(self, own: bool, receiver: Any, name: str, /, *args: Any, **kwargs: Any) -> Any: ...
    def anything(self, callee: Any, /, *args: Any, **kwargs: Any) -> Any: ...
    def sets(self, *names: str) -> None: ...
    def iter(self, iterable: Any) -> Any: ...
    def spread(self, iterable: Any) -> tuple[Any, ...]: ...
    def resume(self, iterator: Any | None) -> Iterator[Any]: ...
    def counted(self, iterator: Any | None) -> bool: ...
    def skip(self, make: Callable[[], Any], count: int) -> Iterator[Any]: ...
    def grows(self, container: Any) -> None: ...
    def sure(self, container: Any) -> None: ...
    def seq(self, value: Any) -> Any: ...
    def key(self, value: Any) -> Any: ...
    def mapping(self, value: Any) -> Any: ...
    def set(self, *items: Any) -> Any: ...
    def join(self, *parts: str) -> str: ...
    def format(self, value: Any, conversion: int, spec: str) -> str: ...
    def go(self, run: Run, callee: object, /, *args: Any, **kwargs: Any) -> Any: ...
    def back(self, run: Run) -> None: ...
