"""A plain run in which the functions are watched that a plan may make remote: a process of its own.

It is seen how large arguments and results of their calls are, whether these give anything back, and
what they do outside of the interpreter, as its audit events tell. Their first calls come late, all
together by a second or so. What the program shows otherwise then than in other plain runs hangs on
the time that passes, and on nothing else.
"""

from __future__ import annotations

import importlib
import json
import os
import pickle
import sys
import threading
import time
from contextlib import suppress
from types import CodeType, FrameType
from typing import Any

from cord.tools.main_module import run_main

LATE_CALLS = 40
_SIZED = 20  # calls of each function

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
NETWORK, WRITES = "uses the network", "changes files"
_EVENTS = {
    **dict.fromkeys("socket.connect socket.bind socket.sendto socket.sendmsg".split(), NETWORK),
    **dict.fromkeys(
        """subprocess.Popen os.system os.fork os.forkpty os.exec os.posix_spawn os.kill""".split(),
        "starts a process",
    ),
    **dict.fromkeys(
        """os.remove os.rename os.mkdir os.rmdir os.link os.symlink os.truncate os.chmod os.chown
        os.utime sqlite3.connect""".split(),
        WRITES,
    ),
}


class Seen:
    """What was seen of a function's calls.

    Attributes:
        calls: How many were made, but for those inside others of the function.
        gives: Whether any has given something else than None.
        outside: What they did outside, in words, by what that is an example of.
        sent: How large the arguments of the first calls were, in bytes.
        came: The same of their results.
        cost: How many seconds it took to encode and decode both.
    """

    def __init__(self) -> None:
        self.calls = 0
        self.gives = False
        self.outside: dict[str, str] = {}
        self.sent: list[int] = []
        self.came: list[int] = []
        self.cost: list[float] = []


class Watch:
    """Watches functions of a program that runs in this process, in each of its threads.

    Args:
        functions: Their full names, by file, first line and name.
        late: By how many seconds each of the first calls comes late.

    Attributes:
        seen: What was seen, by the functions' full names.
    """

    def __init__(self, functions: dict[tuple[str, int, str], str], late: float) -> None:
        self._functions = functions
        self._late = late
        self._left = LATE_CALLS
        self._names: dict[CodeType, str | None] = {}
        self._own = threading.local()  # the functions under way, the outermost first
        self._is_on = False
        self.seen = {name: Seen() for name in functions.values()}
        sys.addaudithook(self._hear)

    def begin(self) -> None:
        """Watch from now on, this thread and those that it starts."""
        self._is_on = True
        threading.setprofile(self._follow)
        sys.setprofile(self._follow)

    def end(self) -> None:
        """Watch no more."""
        self._is_on = False
        sys.setprofile(None)
        threading.setprofile(None)

    @property
    def _under_way(self) -> list[tuple[str, FrameType]]:
        if not hasattr(self._own, "calls"):
            self._own.calls = []
        found: list[tuple[str, FrameType]] = self._own.calls
        return found

    def _follow(self, frame: FrameType, event: str, value: Any) -> None:
        if event not in ("call", "return"):
            return
        code = frame.f_code
        if code not in self._names:
            key = (code.co_filename, code.co_firstlineno, code.co_qualname)
            self._names[code] = self._functions.get(key)
        name = self._names[code]
        if name is None or not self._is_on:
            return
        under_way = self._under_way
        if event == "return":
            if under_way and under_way[-1][1] is frame:
                under_way.pop()
                self._ended(self.seen[name], value)
        elif all(one != name for one, _ in under_way):
            self._begins(self.seen[name], frame)
            under_way.append((name, frame))

    def _begins(self, seen: Seen, frame: FrameType) -> None:
        seen.calls += 1
        if self._left:
            self._left -= 1
            time.sleep(self._late)
        if seen.calls <= _SIZED:
            _measure(seen, seen.sent, tuple(frame.f_locals.values()))

    def _ended(self, seen: Seen, value: object) -> None:
        seen.gives |= value is not None
        if len(seen.came) < len(seen.sent):
            _measure(seen, seen.came, value)

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if not self._is_on or not getattr(self._own, "calls", ()):
            return
        said = what = _EVENTS.get(event)
        if args and isinstance(args[0], str) and "__pycache__" in args[0]:
            return  # what Python keeps of modules
        if event == "open" and _is_written(*args):
            what, said = WRITES, f"writes the file {args[0]}"
        if what is not None and said is not None:
            for name, _ in self._own.calls:
                self.seen[name].outside.setdefault(what, said)


def _measure(seen: Seen, sizes: list[int], value: object) -> None:
    """Note how large a value is, encoded, and how long that takes; nothing of what cannot be."""
    began = time.perf_counter()
    try:
        data = pickle.dumps(value, 5)
        pickle.loads(data)
    except Exception:
        return
    seen.cost.append(time.perf_counter() - began)
    sizes.append(len(data))


def _is_written(path: object, mode: object, flags: object) -> bool:
    """Whether a file is opened to be changed."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        return False  # a descriptor, whose file was opened before
    if os.fsdecode(path) == os.devnull:
        return False
    if isinstance(mode, str):
        return any(sign in mode for sign in "wax+")
    return isinstance(flags, int) and bool(flags & _WRITES)


def main(arguments: list[str]) -> None:
    """Run the program as the request says, then write down what was seen."""
    with open(arguments[0], encoding="utf-8") as file:
        request = json.load(file)
    functions = {(file, line, name): full for file, line, name, full in request["functions"]}
    watch = Watch(functions, request["late"])
    process = os.getpid()
    watch.begin()
    with suppress(BaseException):  # how it ends was seen in the plain run
        run_main(request)
    if os.getpid() == process:
        watch.end()
        with suppress(Exception):
            sys.stdout.flush()
        with open(request["seen"], "w", encoding="utf-8") as file:
            json.dump({name: vars(one) for name, one in watch.seen.items()}, file)
    os._exit(0)  # the program's own exit functions have nothing to say here


if __name__ == "__main__":
    # under its own name, which it keeps when `__main__` is the program's
    importlib.import_module("cord.tools.init.watched").main(sys.argv[1:])
