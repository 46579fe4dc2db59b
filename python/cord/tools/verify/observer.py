"""What a call does and reads outside its arguments, seen while it runs.

Files, processes and the network are told by Python's audit events, whoever opens them. What reads
the clock, random numbers and the like is told by the project's own code calling a function that
`knowledge` has with that effect, the same that `cord check` looks for in the text: so it is seen
whatever comes of it. What libraries read for themselves is not held against the function.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from types import CodeType, FrameType
from typing import Any, NamedTuple

from cord.effects.findings import WORDS
from cord.knowledge import rows
from cord.knowledge.outside import effects_of
from cord.tools.verify.state import is_own

_TOLD = (rows.CLOCK, rows.RANDOM, rows.ENVIRONMENT, rows.STDIN, rows.PROCESS, rows.NETWORK)
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_NO_FILES = ("/dev/", "/proc/", "/sys/")
CHANGES_FILE = frozenset(
    """os.remove os.rename os.mkdir os.rmdir os.link os.symlink os.truncate os.chmod os.chown
    os.utime sqlite3.connect""".split()
)
NETWORK = frozenset("socket.connect socket.bind socket.sendto socket.sendmsg".split())
PROCESS = frozenset(
    "subprocess.Popen os.system os.fork os.forkpty os.exec os.posix_spawn os.kill".split()
)
_HEARD = CHANGES_FILE | NETWORK | PROCESS | {"open"}
_BY_ENVIRON = ("os.getenv", "os.getenvb")
_OF_ENVIRON = ("<frozen os>", "<frozen _collections_abc>", "os.py", "_collections_abc.py")


class Seen(NamedTuple):
    """What was seen of a call.

    Attributes:
        reads: What it reads besides its arguments, in words, and where.
        does: What it does besides giving a result, in words, and where.
        files: The files that it reads, and where.
        reached: The functions of the project that ran, each by its file and first line.
    """

    reads: dict[str, str]
    does: dict[str, str]
    files: dict[str, str]
    reached: set[tuple[str, int]]


class Observer:
    """Watches one call at a time. There can be one in a process; it cannot be removed.

    Args:
        assumed: Dotted names of functions; what happens inside them is not told.
    """

    def __init__(self, assumed: Iterable[str] = ()) -> None:
        self._is_on = False
        self._assumed = tuple(assumed)
        self._passed_by: set[CodeType] = set()
        self._own: dict[CodeType, bool] = {}
        self._written: dict[str, tuple[str, bool]] = {}
        self._seen = Seen({}, {}, {}, set())
        sys.addaudithook(self._hear)
        os.environ._data = _Environment(os.environ._data, self._read_environment)  # type: ignore[attr-defined]

    @contextmanager
    def watching(self) -> Iterator[Seen]:
        """What is seen meanwhile; complete at the end."""
        self._seen = seen = Seen({}, {}, {}, set())
        self._written = {}
        self._passed_by = {code for name in self._assumed for code in _codes_of(name)}
        self._is_on = True
        sys.setprofile(self._follow)
        try:
            yield seen
        finally:
            sys.setprofile(None)
            self._is_on = False
        for path, (place, was_there) in self._written.items():
            if was_there or os.path.lexists(path):  # else a file of its own, that is gone
                seen.does.setdefault(f"write the file {_shown(path)}", place)

    # ---- audit events ---------------------------------------------------------------------------

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        # asking for a frame is an event, too
        if not self._is_on or event not in _HEARD or self._is_assumed(sys._getframe(1)):
            return
        if event == "open":
            self._hear_of_file(*args)
        elif event in CHANGES_FILE:
            for path in args[:2]:
                self._note_written(path)
        elif event in NETWORK:
            self._seen.does.setdefault("use the network", self._place())
        elif event in PROCESS:
            self._seen.does.setdefault("start or signal another process", self._place())

    def _hear_of_file(self, path: Any, mode: Any, flags: Any) -> None:
        writes = bool(flags & WRITES) if isinstance(flags, int) else False
        if writes or (isinstance(mode, str) and set(mode) & set("wax+")):
            self._note_written(path)
            return
        name = _path(path)
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and "importlib" not in frame.f_code.co_filename:
            frame = frame.f_back
        if name is not None and frame is None and os.path.isfile(name):
            self._seen.files.setdefault(name, self._place())

    def _note_written(self, path: Any) -> None:
        name = _path(path)
        if name is not None and f"{os.sep}__pycache__{os.sep}" not in name:
            self._written.setdefault(name, (self._place(), os.path.lexists(name)))

    # ---- what the project's own code calls ------------------------------------------------------

    def _follow(self, frame: FrameType, event: str, what: Any) -> None:
        if event == "call":
            code = frame.f_code
            if self._is_of_project(code):
                self._seen.reached.add((code.co_filename, code.co_firstlineno))
            elif code in self._passed_by:
                pass
            elif frame.f_back is not None and self._is_of_project(frame.f_back.f_code):
                self._note_call(_name_of_frame(frame), frame.f_back)
        elif event == "c_call" and self._is_of_project(frame.f_code):
            self._note_call(_name_of_builtin(what), frame)

    def _note_call(self, name: str, caller: FrameType) -> None:
        if name in _BY_ENVIRON:
            return  # what they look up is told with its name
        for effect in _effects(name):
            if effect in _TOLD:
                words = f"{WORDS[effect]} ({name})"
                self._seen.reads.setdefault(words, _place_of(caller))

    def _read_environment(self, key: str) -> None:
        if not self._is_on:
            return
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_code.co_filename.endswith(_OF_ENVIRON):
            frame = frame.f_back
        if frame is not None and self._is_of_project(frame.f_code):
            words = f"reads the environment ({key})" if key else "reads the environment"
            self._seen.reads.setdefault(words, _place_of(frame))

    def _is_of_project(self, code: CodeType) -> bool:
        if code not in self._own:
            self._own[code] = is_own(code.co_filename)
        return self._own[code]

    def _is_assumed(self, frame: FrameType | None) -> bool:
        """Whether this happens inside a function that the user has declared free of effects."""
        if not self._passed_by:
            return False
        while frame is not None and frame.f_code not in self._passed_by:
            frame = frame.f_back
        return frame is not None

    def _place(self) -> str:
        """The project's own line that leads to what happens now."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not self._is_of_project(frame.f_code):
            frame = frame.f_back
        return "" if frame is None else _place_of(frame)


class _Environment(dict[bytes, bytes]):
    """What `os.environ` keeps, with word of who reads it."""

    def __init__(self, content: dict[bytes, bytes], told: Any) -> None:
        super().__init__(content)
        self._told = told

    def __getitem__(self, key: bytes) -> bytes:
        self._told(os.fsdecode(key))
        return super().__getitem__(key)

    def __iter__(self) -> Iterator[bytes]:
        self._told("")
        return super().__iter__()


def _codes_of(dotted: str) -> list[CodeType]:
    """The code of a function or method of a module that is loaded, without its decorators."""
    module, _, rest = dotted.rpartition(".")
    names = [rest]
    while module and module not in sys.modules:
        module, _, name = module.rpartition(".")
        names.insert(0, name)
    found: Any = sys.modules.get(module)
    for name in names:
        found = getattr(found, name, None)
    code = getattr(inspect.unwrap(found), "__code__", None) if callable(found) else None
    return [code] if isinstance(code, CodeType) else []


def _effects(name: str) -> tuple[str, ...]:
    return ("random",) if name == _UNSEEDED else effects_of(name)


_UNSEEDED = "random.Random() without a seed"


def _name_of_frame(frame: FrameType) -> str:
    """The dotted name of a library's function that begins to run."""
    qualified = frame.f_code.co_qualname
    module = frame.f_globals.get("__name__", "")
    if module == "random" and qualified == "Random.__init__" and frame.f_locals.get("x") is None:
        return _UNSEEDED
    return f"{module}.{qualified}"


def _name_of_builtin(function: Any) -> str:
    """The dotted name of a function that is written in C."""
    of, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    if of is sys.stdin and of is not None:
        return f"sys.stdin.{name}"
    if isinstance(of, type):
        return f"{of.__module__}.{of.__qualname__}.{name}"
    module = getattr(function, "__module__", None)
    if module is None:
        return f"{type(of).__module__}.{type(of).__qualname__}.{name}"
    return f"os.{name}" if module == "posix" else f"{module}.{name}"


def _path(path: Any) -> str | None:
    """A path as text, absolute; None if it is none that lasts."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        return None
    with suppress(Exception):
        name = os.path.abspath(os.fsdecode(path))
        return None if name.startswith(_NO_FILES) or name.endswith(":memory:") else name
    return None


def _shown(path: str) -> str:
    inside = os.path.relpath(path)
    return path if inside.startswith("..") else inside


def _place_of(frame: FrameType) -> str:
    return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"
