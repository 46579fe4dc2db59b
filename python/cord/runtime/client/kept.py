"""What a run keeps of calls for later runs: its store, and what is said of that at its end."""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress

from cord import _core
from cord.runtime.client import facade, foreign
from cord.runtime.keep import prints
from cord.runtime.objects.reach import MAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cord.plan.model import Plan

# Beside the store's own files: a line for each function and run.
NOTES = "notes.jsonl"
# Why a call was made again whose outcome cannot be read.
DAMAGED = "what is in the store is damaged"
# So many bytes of notes are left when there are many.
_MOST_NOTES = 4 << 20


def folder_of(plan: Plan) -> str:
    """Where they are kept."""
    return os.path.join(os.path.dirname(os.path.abspath(plan.path)), plan.kept[0])


class Keeping:
    """What one run keeps.

    Args:
        plan: The plan.
        native: The session.
    """

    def __init__(self, plan: Plan, native: _core.Session) -> None:
        self._folder = folder_of(plan)
        self._native = native
        self._plan = plan
        native.keep(self._folder, plan.kept[1], list(plan.remote))
        prints.begin(plan.assume_pure, foreign.differences)

    def tell_worlds(self) -> None:
        """Write down what was in worlds that copies of the program have come to before it."""
        for world in self._native.worlds_untold():
            self._native.tell_world(world, prints.told_of_world(world))

    def end(self) -> Iterator[str]:
        """Write down what has become of calls; what is to be said of it, in lines."""
        trouble = self._native.kept_trouble
        sent = self._native.kept
        told = {**_generators(self._plan), **sent}
        if trouble is None and told:
            try:
                _note(self._folder, told)
            except OSError as exc:
                trouble = f"{self._folder} cannot be written: {exc.strerror}"
        prints.forget()
        if trouble is not None:
            yield f"nothing more was kept of calls: {trouble}"
            return
        if passed_over := unread(self._folder):
            yield f"not all that is kept was used: {passed_over}"
        for name, (hits, _, _, kept, unkept, stale) in sorted(told.items()):
            if damaged := stale.get(DAMAGED):
                calls = "1 call of" if damaged == 1 else f"{damaged} calls of"
                yield f"made again: {calls} {name}, for {DAMAGED}"
            is_told = name in sent or not sent  # a helper beside what is kept is no news
            if unkept and not hits and not kept and is_told:
                why, _ = max(unkept.items(), key=lambda one: one[1])
                yield f"no call of {name} was kept: {why}"


def _generators(plan: Plan) -> dict[str, Any]:
    """What is told of generator functions of which the plan says `keep`."""
    why = {"it is a generator function, which runs in the program": 1}
    return {
        f"{module.__name__}.{name}": (0, 0.0, 0, 0, why, {})
        for remote in plan.remote.values()
        if (module := sys.modules.get(MAIN if remote.is_program else remote.module)) is not None
        for name in facade.generator_functions(module, remote.only)
        if remote.function(name).keep
    }


def unread(folder: str) -> str:
    """What is to be said of files that count as not there; empty if there are none."""
    count = 0
    with suppress(OSError):
        count = _core.kept_unread(folder)
    if not count:
        return ""
    files = "1 file is" if count == 1 else f"{count} files are"
    return f"{files} damaged, or of another version of Cord, in {folder}"


def _note(folder: str, told: dict[str, Any]) -> None:
    path = os.path.join(folder, NOTES)
    parts, world = prints.parts()
    lines = [
        json.dumps(
            {
                "time": round(time.time(), 3),
                "program": sys.argv[0] if sys.argv else "",
                "function": name,
                "hits": hits,
                "saved": round(saved, 6),
                "misses": misses,
                "kept": kept,
                "unkept": unkept,
                "stale": stale,
                "parts": parts.get(name, {}),
                "world": world,
            }
        )
        for name, (hits, saved, misses, kept, unkept, stale) in sorted(told.items())
    ]
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    descriptor = os.open(path, flags, 0o600)
    try:
        os.write(descriptor, "".join(f"{line}\n" for line in lines).encode())
        size = os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)
    if size > _MOST_NOTES:
        _shorten(path)


def _shorten(path: str) -> None:
    with open(path, "rb") as file:
        file.seek(-_MOST_NOTES // 2, os.SEEK_END)
        file.readline()
        rest = file.read()
    beside = f"{path}.{os.getpid()}.new"
    with open(beside, "wb") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(rest)
    os.replace(beside, path)
