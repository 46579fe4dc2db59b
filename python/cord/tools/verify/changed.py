"""The globals of the project's modules that a program has changed since they were imported."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from cord.tools.verify.alike import same
from cord.tools.verify.state import Path


class Changed:
    """The globals that are other in the program than in this process.

    Args:
        here: The data of modules in this process.
        there: The same when the program had ended.
    """

    def __init__(self, here: dict[Path, bytes], there: dict[Path, bytes]) -> None:
        self._here = here
        self._there = {
            path: data
            for path, data in there.items()
            if path[0] in sys.modules and (path not in here or not same(here[path], data))
        }

    def __bool__(self) -> bool:
        return bool(self._there)

    def without(self, others: set[Path]) -> Changed:
        """Those that are not in, nor part of, what is named."""
        holders = {path[:2] for path in others}
        left = Changed(self._here, {})
        left._there = {
            path: data
            for path, data in self._there.items()
            if path not in others and (path[:2] not in holders or path[2])
        }
        return left

    def each(self) -> Iterator[tuple[Path, Changed]]:
        """Each by itself."""
        for path, data in self._there.items():
            one = Changed(self._here, {})
            one._there = {path: data}
            yield path, one

    def put(self) -> None:
        """Give them the values that they have in the program."""
        for path, data in self._there.items():
            with suppress(Exception):
                _set(path, pickle.loads(data))

    def take_away(self) -> None:
        """Have them not be there."""
        for path in self._there:
            with suppress(Exception):
                _set(path, _NOTHING)


_NOTHING: Any = object()


def _set(path: Path, value: Any) -> None:
    module_name, name, part = path
    module = sys.modules[module_name]
    owner: Any = vars(module).get(name) if part else module
    key = part or name
    if isinstance(owner, dict):
        if value is _NOTHING:
            del owner[key]
        else:
            owner[key] = value
    elif value is _NOTHING:
        delattr(owner, key)
    else:
        setattr(owner, key, value)
