"""Recorded calls, made again twice in a process that has nothing of the program."""

from __future__ import annotations

import importlib
import json
import os
import pickle
import sys
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from cord.tools.verify.alike import encoded, same
from cord.tools.verify.calls import Call, affordable, is_pure, outcome
from cord.tools.verify.probe import EFFECT, ELSEWHERE, UNSTEADY

LARGEST = 1 << 20  # bytes of a global that is looked at
_NO_DATA = (ModuleType, FunctionType, type)


class Replay:
    """Makes the calls of functions again.

    Args:
        output: A descriptor of the file to which stdout and stderr go meanwhile.
    """

    def __init__(self, output: int) -> None:
        self.findings: list[dict[str, str]] = []
        self._output = output

    def function(self, full: str, calls: list[Call], *, pure: bool) -> int:
        """Make the calls of one function again, all of them once and then once more.

        Args:
            full: The function's module and name.
            calls: The calls.
            pure: Whether it is declared pure; else they are made only once.

        Returns:
            How many calls were made.
        """
        module_name, _, name = full.rpartition(".")
        try:
            module = importlib.import_module(module_name)
            function = getattr(module, name)
        except BaseException:  # the run under Cord tells of that
            return 0
        files = _files()
        results, printed = self._make(function, calls)
        self._compare(ELSEWHERE, full, calls, [call.result for call in calls], results)
        if not pure:
            return len(calls)
        kept = _globals(module)
        again, printed_again = self._make(function, calls)
        self._compare(UNSTEADY, full, calls, results, again)
        place = calls[0].place
        changed = sorted(one for one, data in _globals(module).items() if kept.get(one) != data)
        for what in changed:
            self._find(EFFECT, full, place, f"change the global {what} each time")
        for path in sorted(_files().items() ^ files.items())[:1]:
            self._find(EFFECT, full, place, f"write the file {path[0]}")
        if printed != printed_again:
            self._find(EFFECT, full, place, "print something else each time")
        return len(calls)

    def _make(
        self, function: Callable[..., Any], calls: list[Call]
    ) -> tuple[list[bytes | None], bytes]:
        """What the calls give, and what they print."""
        start = os.lseek(self._output, 0, os.SEEK_END)
        results = [outcome(function, call.head) for call in calls]
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        end = os.lseek(self._output, 0, os.SEEK_END)
        return results, os.pread(self._output, end - start, start)

    def _compare(
        self,
        kind: str,
        full: str,
        calls: list[Call],
        before: list[Any],
        after: list[bytes | None],
    ) -> None:
        for call, one, other in zip(calls, before, after, strict=True):
            if one is not None and other is not None and not same(one, other):
                self._find(kind, full, call.place)
                return

    def _find(self, kind: str, full: str, place: str, what: str = "") -> None:
        self.findings.append({"kind": kind, "function": full, "place": place, "what": what})


def _files() -> dict[str, tuple[int, int]]:
    """Size and time of each file below the current folder; bytecode left out."""
    found = {}
    for folder, folders, names in os.walk("."):
        folders[:] = [one for one in folders if one not in ("__pycache__", ".git")]
        for name in names:
            about = os.lstat(os.path.join(folder, name))
            path = os.path.relpath(os.path.join(folder, name))
            found[path] = about.st_size, about.st_mtime_ns
    return found


def _globals(module: ModuleType) -> dict[str, bytes]:
    """The data that a module keeps, encoded, as far as it can be and is not large."""
    found = {}
    for name, value in list(vars(module).items()):
        if isinstance(value, _NO_DATA) or name.startswith("__"):
            continue
        data = encoded(value)
        if data is not None and len(data) <= LARGEST:
            found[name] = data
    return found


def main(arguments: list[str]) -> None:
    """Make the calls of a request's record; write down what comes out otherwise."""
    with open(arguments[0], encoding="utf-8") as file:
        request = json.load(file)
    if not sys.flags.safe_path:
        sys.path[0] = request["folder"]
    with open(request["calls"], "rb") as binary:
        counts, calls = pickle.load(binary)
    remote = request["remote"]
    made = {full: one for full, one in calls.items() if request["all"] or is_pure(remote, full)}
    output = os.open(request["printed"], os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    for stream in (1, 2):
        os.dup2(output, stream)
    replay = Replay(output)
    total = replayed = 0
    for full, chosen in affordable(made, request["patience"], 2).items():
        pure = is_pure(remote, full)
        number = replay.function(full, chosen, pure=pure)
        if pure:
            replayed += number
    total = sum(count for full, count in counts.items() if is_pure(remote, full))
    with open(request["elsewhere"], "w", encoding="utf-8") as file:
        json.dump({"findings": replay.findings, "calls": total, "replayed": replayed}, file)
    os._exit(0)  # what the remote modules have registered for their end has nothing to say here


if __name__ == "__main__":
    main(sys.argv[1:])
