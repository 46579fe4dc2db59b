"""Modules that replicas import while the main script imports them.

What the main script defines comes to replicas with the calls, and only with the first of them what
that needs: a program that imports scikit-learn for two seconds would wait two seconds more at its
first call. So when the program begins to import a library that its remote functions need, the first
replica does too, in the program's world of that moment.

Only what does not belong to the project: its own modules may do at their import what nobody does
twice.
"""

from __future__ import annotations

import pickle
from contextlib import suppress

from cord.runtime.travel import arrivals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Preloads:
    """The modules that the remote functions of the main script need.

    Args:
        names: The modules, in the order of the program's imports.
        issue: Sends a call, encoded, to a replica of the main script's.
    """

    def __init__(self, names: Iterable[str], issue: Callable[[bytes], object]) -> None:
        self._issue = issue
        self._waiting: dict[str, list[str]] = {}  # by package
        for name in names:
            self._waiting.setdefault(name.partition(".")[0], []).append(name)
        self._issued: list[object] = []  # nobody takes them; one that is dropped may be ended

    def begins(self, name: str) -> None:
        """The program begins to import a module."""
        names = self._waiting.pop(name, None)
        if names is not None:
            with suppress(Exception):  # a session that has ended, say
                self._issued.append(self._issue(pickle.dumps(("", (_Brought(names),), {}), 5)))


class _Brought:
    """Becomes None where it is decoded, after some modules have been imported there."""

    def __init__(self, names: list[str]) -> None:
        self._names = names

    def __reduce__(self) -> tuple[Callable[[list[str]], None], tuple[list[str]]]:
        return arrivals.bring, (self._names,)
