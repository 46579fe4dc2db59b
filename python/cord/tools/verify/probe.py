"""A plain run in which remote functions are watched: a process of its own.

The program runs as with plain Python. Around calls of a remote function it is noted what the call
does that a call in another process would not do: change its arguments, hand out what the module
keeps. When the program has ended, pure functions are called once more with the same arguments.
`replay` makes the calls in a process that has nothing of the program.

Of a function with many calls a sample is watched, evenly spread over the run, and always the same.
"""

from __future__ import annotations

import functools
import json
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import CodeType, FrameType, ModuleType
from typing import Any

from cord.runtime.client.facade import is_own_function
from cord.runtime.client.foreign import imported_apart
from cord.tools.main_module import run_main
from cord.tools.verify.alike import encoded, same
from cord.tools.verify.calls import MOST_CALLS, Call, affordable, is_pure, outcome
from cord.tools.verify.main_script import MAIN, Definitions, compiled
from cord.tools.verify.state import data_of

MOST_OBJECTS = 10_000  # looked at in one value

# Kinds of findings.
CHANGES = "changes"
KEEPS = "keeps"
UNSTEADY = "unsteady"
ELSEWHERE = "elsewhere"
EFFECT = "effect"
READS = "reads"

_MUTABLE_ATOMS = (bytearray,)
_IMMUTABLE = (int, float, complex, str, bytes, bool, type(None), type, range, slice)


class Watch:
    """Watches the calls of remote functions.

    Args:
        request: What `Runs` writes; its `remote` says of each module which functions are remote
            and pure.

    Attributes:
        findings: What was found.
        counts: How many calls of each function were made.
        calls: The sample of them.
        definitions: What they need of the main script.
        written: The files that the program itself has opened to write.
    """

    def __init__(self, request: dict[str, Any]) -> None:
        self._remote = request["remote"]
        self.findings: list[dict[str, str]] = []
        self.counts: dict[str, int] = {}
        self.calls: dict[str, list[Call]] = {}
        self._strides: dict[str, int] = {}
        self._patience: float = request["patience"]
        self._spent = 0.0  # seconds, for looking at arguments
        self._told: set[tuple[str, str]] = set()
        self._handed_out: dict[int, object] = {}
        self._originals: dict[str, Callable[..., Any]] = {}
        self._inside = threading.local()  # calls that remote functions make are local
        self.definitions = Definitions()
        self.written: set[str] = set()
        sys.addaudithook(self._hear)

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(args[0], (str, bytes)) and not self.is_inside:
            _, mode, flags = args
            if set(mode or "") & set("wax+") or (flags or 0) & (os.O_WRONLY | os.O_RDWR):
                self.written.add(os.path.abspath(os.fsdecode(args[0])))

    @property
    def is_inside(self) -> bool:
        """Whether this thread is in a call of a remote function."""
        return getattr(self._inside, "is_true", False)

    @is_inside.setter
    def is_inside(self, value: bool) -> None:
        self._inside.is_true = value

    @contextmanager
    def serving(self, module: ModuleType) -> Iterator[None]:
        """Put watched functions in front of a module's public ones when it has been executed."""
        from cord.runtime.client.facade import make_facade, public_functions

        yield
        about = self._remote[module.__name__]
        names = public_functions(module, about["only"])
        functions = {name: self.watched(module, name, vars(module)[name]) for name in names}
        make_facade(module, functions, inside=about.get("inside", False))

    def watch_main(self) -> None:
        """Watch the functions of the main script, whose module is there and empty."""
        self.definitions.watch(self._watched_in_main)

    def _watched_in_main(self, name: str, original: Any) -> Any:
        if not is_own_function(original, MAIN):
            return original
        return self.watched(sys.modules[MAIN], name, original)

    def watched(
        self, module: ModuleType, name: str, original: Callable[..., Any]
    ) -> Callable[..., Any]:
        """What stands for a function, and watches its calls."""
        full = f"{module.__name__}.{name}"
        self._originals[full] = original

        @functools.wraps(original)
        def call(*args: Any, **kwargs: Any) -> Any:
            return self.call(module, name, original, args, kwargs, sys._getframe(1))

        return call

    def call(
        self,
        module: ModuleType,
        name: str,
        original: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        frame: FrameType,
    ) -> Any:
        """Make a call of a watched function, from a frame of the program."""
        if self.is_inside:
            return original(*args, **kwargs)
        full = f"{module.__name__}.{name}"
        number = self.counts.get(full, 0)
        self.counts[full] = number + 1
        if number % self._strides.get(full, 1) != 0 and self._spent > self._patience:
            return original(*args, **kwargs)
        asked = time.monotonic()
        place = f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"
        before = encoded((args, kwargs))
        self._spent += time.monotonic() - asked
        if number % self._strides.get(full, 1) != 0:
            return self._only_changes(full, place, original, args, kwargs, before)
        head = self.definitions.encoded(name if module.__name__ == MAIN else "", args, kwargs)
        self.is_inside = True
        began = time.monotonic()
        try:
            result = original(*args, **kwargs)
        except BaseException as error:
            took = time.monotonic() - began
            self._note_change(full, place, before, (args, kwargs))
            what = encoded((type(error).__name__, error.args))
            self._record(full, number, head, what, place, took)
            raise
        finally:
            self.is_inside = False
        took = time.monotonic() - began
        self._note_change(full, place, before, (args, kwargs))
        self._note_sharing(full, place, module, result)
        self._record(full, number, head, encoded(result), place, took)
        return result

    def _only_changes(
        self,
        full: str,
        place: str,
        original: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        before: bytes | None,
    ) -> Any:
        """Make a call that is not kept, and see whether it changes its arguments."""
        self.is_inside = True
        try:
            return original(*args, **kwargs)
        finally:
            self.is_inside = False
            ended = time.monotonic()
            self._note_change(full, place, before, (args, kwargs))
            self._spent += time.monotonic() - ended

    def _record(
        self,
        full: str,
        number: int,
        head: tuple[bytes, int | None] | None,
        result: bytes | None,
        place: str,
        seconds: float,
    ) -> None:
        """Keep a call; when there are too many, every other one, and half as many from here on."""
        if head is None or result is None:
            return
        calls = self.calls.setdefault(full, [])
        calls.append(Call(number, head[0], result, place, seconds, head[1]))
        if len(calls) > 2 * MOST_CALLS:
            stride = self._strides[full] = 2 * self._strides.get(full, 1)
            calls[:] = [call for call in calls if call.number % stride == 0]

    def _note_change(self, full: str, place: str, before: bytes | None, values: object) -> None:
        if before is not None and not same(before, encoded(values)):
            self.find(CHANGES, full, place)

    def _note_sharing(self, full: str, place: str, module: ModuleType, result: object) -> None:
        parts = {id(part): part for part in mutable_parts(result)}
        if not parts:
            return
        kept = [value for key, value in module.__dict__.items() if key != "__builtins__"]
        if parts.keys() & self._handed_out.keys() or any(
            id(part) in parts for part in mutable_parts(kept)
        ):
            self.find(KEEPS, full, place)
        if len(self._handed_out) < MOST_OBJECTS:
            self._handed_out.update(parts)  # kept alive, so that no id comes twice

    def find(self, kind: str, function: str, place: str) -> None:
        """Note a finding, once for each function."""
        if (kind, function) not in self._told:
            self._told.add((kind, function))
            self.findings.append({"kind": kind, "function": function, "place": place})

    def repeat(self) -> None:
        """Call the functions that are declared pure once more, with the same arguments."""
        for full, calls in affordable(self.calls, self._patience / 4, 1).items():
            if not is_pure(self._remote, full):
                continue
            for call in calls:
                if call.version is not None:
                    continue  # what it read of the main script may be other by now
                again = outcome(self._originals[full], call.head)
                if again is not None and not same(call.result, again):
                    self.find(UNSTEADY, full, call.place)
                    break


def mutable_parts(value: object) -> Iterator[object]:
    """The objects inside a value that can change, as far as they can be seen."""
    stack = [value]
    seen: set[int] = set()
    while stack and len(seen) < MOST_OBJECTS:
        item = stack.pop()
        if isinstance(item, _IMMUTABLE) or id(item) in seen or callable(item):
            continue
        seen.add(id(item))
        if isinstance(item, dict):
            yield item
            stack.extend(item.values())
        elif isinstance(item, (list, set)):
            yield item
            stack.extend(item)
        elif isinstance(item, (tuple, frozenset)):
            stack.extend(item)
        elif isinstance(item, ModuleType):
            continue
        elif isinstance(item, _MUTABLE_ATOMS) or hasattr(item, "__setitem__"):
            yield item
        elif hasattr(item, "__dict__"):
            yield item
            stack.extend(vars(item).values())


def main(arguments: list[str]) -> None:
    """Run the program as the request says, then write down what was seen."""
    from cord.runtime.client.remotes import RemoteFinder

    with open(arguments[0], encoding="utf-8") as file:
        request = json.load(file)
    watch = Watch(request)
    imported = [name for name in request["remote"] if name != MAIN]
    RemoteFinder(imported, watch.serving).install()
    process, end = os.getpid(), os._exit

    def end_at_once(status: int) -> None:
        if os.getpid() == process:
            with suppress(Exception):
                write_down(watch, request)
        end(status)

    os._exit = end_at_once  # type: ignore[assignment]
    with suppress(BaseException):  # how it ends was seen in the plain run
        run_watched(request, watch)
    if os.getpid() == process:
        silence_streams()
        write_down(watch, request)
    end(0)  # the program's own exit functions have nothing to say here


def write_down(watch: Watch, request: dict[str, Any]) -> None:
    """Repeat calls, and write down what was seen."""
    kept = {path: data for path, data in data_of().items() if path[0] != MAIN}
    watch.repeat()
    with open(request["calls"], "wb") as binary:
        recorded = watch.counts, watch.calls, watch.definitions.versions
        pickle.dump((*recorded, imported_apart(), kept, watch.written), binary)
    with open(request["findings"], "w", encoding="utf-8") as file:
        json.dump(watch.findings, file)


def run_watched(request: dict[str, Any], watch: Watch) -> None:
    """Run the program, the functions of its main script watched, too."""

    def made(source: bytes, path: str) -> CodeType:
        watch.watch_main()
        return compiled(source, path, request["main"])

    run_main(request, made if request["module"] is None or request["main"] else None)


def silence_streams() -> None:
    """Nothing that is called again shall be seen, or wait for input."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)


if __name__ == "__main__":
    main(sys.argv[1:])
