"""Runs a program without a plan, and makes its functions remote at a given call.

    python at_call.py NUMBER PROGRAM [ARGS...]

Public functions become remote that may be, at the call of the project's functions that has this
number, however short they are: every other one, and so many calls later the rest. So any moment
of a program can be tried.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, CO_OPTIMIZED
from pathlib import Path
from signal import SIG_BLOCK, SIG_SETMASK, pthread_sigmask, valid_signals
from types import FrameType, FunctionType, ModuleType
from typing import Any

from cord.cli import main
from cord.runtime.objects.reach import modules_of_project
from cord.tools.unplanned import choice, opening, program, seeker, verdicts
from cord.tools.unplanned.watch import Function, is_own_file

NUMBER = int(sys.argv[1])
GIVES_NO_VALUE = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
ROUNDS = 2
OPENED = os.environ.pop("AT_CALL_OPENED", "")


class AtCall(seeker.Seeker):
    """Makes functions remote at that call."""

    def begin(self) -> None:
        self._left, self._round = NUMBER, 0
        sys.setprofile(self._hear)

    def close(self) -> None:
        sys.setprofile(None)
        super().close()

    def _hear(self, frame: FrameType, event: str, _arg: object) -> None:
        code = frame.f_code
        is_function = not code.co_name.startswith("<") and code.co_flags & CO_OPTIMIZED
        is_own = is_own_file(code.co_filename) and frame.f_globals is not globals()
        if event != "call" or not is_function or not is_own:
            return
        self._left -= 1
        if self._left > 0 or not opening.is_a_moment(frame):
            return
        sys.setprofile(None)
        self._left, self._round = NUMBER, self._round + 1
        before = pthread_sigmask(SIG_BLOCK, valid_signals())
        try:
            self._make_remote(frame)
        finally:
            pthread_sigmask(SIG_SETMASK, before)
            if self._round < ROUNDS:
                sys.setprofile(self._hear)

    def _make_remote(self, frame: FrameType) -> None:
        functions = [
            Function(value.__code__, vars(module))
            for module in modules_of_project().values()
            for name, value in members(module)
            if type(value) is FunctionType
            and value.__globals__ is vars(module)
            and name == value.__code__.co_qualname
            and value.__code__.co_name[0] not in "<_"
            and not value.__code__.co_flags & GIVES_NO_VALUE
        ]
        words: dict[str, str] = {}
        remote: dict[str, list[str]] = {}
        for one in functions:
            one.inside = one.looks = 1
            remote.setdefault(one.module, []).append(one.name)
        with suppress(OSError):
            words = verdicts.judged(self._program, remote)
        found = [choice.Taken(one) for one in functions if words.get(one.full) == verdicts.MAY]
        self.open(found[self._round % ROUNDS :: ROUNDS] or found, frame)
        if self._opened is not None and OPENED:
            Path(OPENED).touch()


def members(module: ModuleType) -> Iterator[tuple[str, object]]:
    """What a module defines, and methods of its classes, by their qualified names."""
    for name, value in list(vars(module).items()):
        yield name, value
        if type(value) is type and value.__module__ == module.__name__:
            for attribute, member in list(vars(value).items()):
                yield f"{name}.{attribute}", getattr(member, "__func__", member)


def plan_of(chosen: list[choice.Taken], script: str) -> dict[str, Any]:
    """The usual plan, but that all calls are sent."""
    plan = usual(chosen, script)
    for table in plan["remote"].values():
        table.update(inline=False, replicas=2)
    return plan


usual = choice.plan_of
choice.plan_of = plan_of
program.Seeker = AtCall  # type: ignore[misc]
sys.argv = ["cord", "run", *sys.argv[2:]]
sys.exit(main.run_command(sys.argv[1:]))
