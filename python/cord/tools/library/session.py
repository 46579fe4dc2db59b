"""A session in a running program: remote modules in replicas until it is closed."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from types import CodeType, ModuleType, TracebackType
from typing import Any, Self, TypeVar

from cord._core import RemoteFunction
from cord.errors import CordError
from cord.plan.model import Plan
from cord.plan.program import Program, running
from cord.plan.read import read_given, read_plan
from cord.plan.words import BASE
from cord.runtime.client.facade import is_own_function
from cord.runtime.client.remotes import RemoteFinder
from cord.tools.library.opened import Opened
from cord.tools.library.shown import Shown
from cord.tools.library.targets import functions_of
from cord.translate.results import MAIN

Target = TypeVar("Target")
_MAIN_TABLE = "remote.__main__"

# The session that is open, if one is.
_OPEN: list[OpenSession] = []


class OpenSession:
    """A session; `cord.session` opens it, the end of its `with` block closes it.

    Args:
        plan: Path of the plan, or the plan itself as a dict.
        ahead: Functions and modules to begin with, as for `ahead`.
        variant: A variant of the plan; None for the plan without any.

    Raises:
        CordError: The plan is wrong, a session is open already, or a function cannot be translated.
    """

    def __init__(
        self,
        plan: str | os.PathLike[str] | Mapping[str, Any] = "cord.toml",
        ahead: Iterable[Callable[..., Any] | ModuleType] = (),
        variant: str | None = None,
    ) -> None:
        self._given = plan
        self._variant = BASE if variant is None else variant
        self._ahead: list[Any] = list(ahead)
        self._opened: Opened | None = None
        self._closed: Shown | None = None
        self.open()

    @property
    def is_open(self) -> bool:
        """Whether it has replicas now."""
        return self._opened is not None

    def open(self) -> None:
        """Open it again after it was closed: with the plan as it is now, and new replicas.

        What was given to `ahead` before is translated again.

        Raises:
            CordError: As when it was made.
        """
        if self._opened is not None:
            return
        _make_room()
        program = running()
        self._opened = Opened(self._read(program), program, self._ahead)
        _OPEN.append(self)
        atexit.register(self.close)
        try:
            for target in self._ahead:
                self._translate(target)
        except BaseException:
            self.close()
            raise

    def _read(self, program: Program) -> Plan:
        if isinstance(self._given, Mapping):
            return read_given(self._given, program, self._variant)
        return read_plan(os.fspath(self._given), [], program, self._variant)

    def remote(self, function: Target) -> Target:
        """Make a function of the main script, or of a notebook's cell, remote; for decorators.

        The plan has a table `[remote.__main__]`. Functions that were there when the session was
        opened are remote without it. What the function needs of the main script travels with its
        calls.

        Args:
            function: The function, which `__main__` defines.

        Returns:
            The remote function; `__main__` has it under the function's name until the session is
            closed.

        Raises:
            CordError: The session is closed, the plan has no such table, or this cannot be remote.
        """
        opened = self._now()
        name = getattr(function, "__name__", repr(function))
        if opened.main is None:
            raise CordError(
                f"{name} cannot be remote: {self._name()} has no table [{_MAIN_TABLE}]",
                f"add [{_MAIN_TABLE}] with pure = true",
            )
        if type(function) is RemoteFunction:
            return function
        if not is_own_function(function, MAIN):
            raise CordError(
                f"{name} cannot be remote here: it is no function that {MAIN} defines, or its "
                "result cannot travel",
                "functions of a module have the module's own table, as [remote.work]",
            )
        if opened.main.only is not None and name not in opened.main.only:
            raise CordError(
                f"{name} is not remote: {_MAIN_TABLE}.only of {self._name()} leaves it out",
                f'add "{name}" to only, or leave only out',
            )
        made: Target = opened.make_remote(name, function)
        return made

    def ahead(self, target: Target) -> Target:
        """Translate a function, so that its remote calls are made ahead; usable as a decorator.

        The functions of the project that it calls are translated with it. All of them get their own
        code back when the session is closed.

        Args:
            target: A function, a method, something that wraps one, or a class or a module for all
                their functions. Its source must be at hand: a file, or a cell of a notebook.

        Returns:
            What was given, unchanged.

        Raises:
            CordError: The session is closed, or there is nothing that can be translated.
        """
        self._now()
        self._translate(target)
        self._ahead.append(target)
        return target

    def _translate(self, target: Any) -> None:
        opened = self._now()
        for function in functions_of(target):
            opened.translate(function)

    def _now(self) -> Opened:
        if self._opened is None:
            raise CordError("this session is closed", "open it again: session.open()")
        return self._opened

    def rebind_names(self, namespace: dict[str, Any]) -> None:
        """Let names that were bound to remote functions before lead to replicas, until it closes.

        Args:
            namespace: The global names of a module or a notebook.

        Raises:
            CordError: The session is closed.
        """
        self._now().rebind_names(namespace)

    def compiled(self, code: str, path: str, namespace: dict[str, Any]) -> CodeType:
        """Code for `exec` whose remote calls are made ahead; `%%cord` runs its cell with it.

        Args:
            code: The code.
            path: What tracebacks call its file.
            namespace: The global names with which it is to be run, while this session is open.

        Raises:
            CordError: The session is closed.
            SyntaxError: As plain compilation would.
        """
        return self._now().compiled(code, path, namespace)

    def close(self) -> None:
        """End the replicas; remote functions are local again. May be called twice."""
        if self._opened is None:
            return
        self._closed = self._shown(is_open=False)
        opened, self._opened = self._opened, None
        _OPEN.remove(self)
        atexit.unregister(self.close)
        opened.close()

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return self._shown().text

    def _repr_html_(self) -> str:
        return self._shown().page

    def _shown(self, *, is_open: bool = True) -> Shown:
        name = self._name()
        name = name if self._variant == BASE else f"{name}, variant {self._variant}"
        if self._opened is not None:
            return Shown(name, is_open, self._opened.plan, self._opened.rows())
        return self._closed or Shown(name, False, None, [])

    def _name(self) -> str:
        return "a dict" if isinstance(self._given, Mapping) else os.fspath(self._given)


def current() -> OpenSession | None:
    """The session that is open in this process."""
    return _OPEN[-1] if _OPEN else None


def _make_room() -> None:
    """A process has one session at a time. Where cells are run again, the new one is meant.

    Raises:
        CordError: One is open, and what runs is a program.
    """
    if _is_interactive():
        for session in _OPEN[:]:
            session.close()
    if any(isinstance(finder, RemoteFinder) for finder in sys.meta_path):
        raise CordError(
            "this process has a session already", "close it first; a run has one at a time"
        )


def _is_interactive() -> bool:
    """Whether somebody types, or runs cells."""
    if hasattr(sys, "ps1"):
        return True
    shell = sys.modules.get("IPython")
    return shell is not None and shell.get_ipython() is not None
