"""A plan that the program gives as a dict: the same tree as cord.toml's, with other places."""

from __future__ import annotations

import datetime
from collections.abc import Mapping

from cord.errors import PlanError
from cord.plan.document import Entry, Place, key_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# What messages call it.
NAME = "the plan"
_TIMES = (datetime.date, datetime.time)


def tree_of(plan: Mapping[str, Any]) -> Entry:
    """The plan in a dict, as the entry of its top-level table.

    Args:
        plan: What `tomllib.loads` would give for the plan's file.

    Raises:
        PlanError: Something in it could not stand in a TOML file.
    """
    return _Walk().entry(plan, ())


class _Walk:
    """Makes the entries, and counts them: messages come in the order of the dict."""

    def __init__(self) -> None:
        self._count = 0

    def entry(self, value: Any, path: tuple[str, ...]) -> Entry:
        self._count += 1
        place = Place(NAME, (0, self._count, 0))
        kind = _kind(value)
        if kind is None:
            told = f"{key_text(path) or 'it'} is a {type(value).__name__}"
            hint = "a plan is a dict of strings, numbers, booleans, lists and dicts"
            raise PlanError(f"{NAME}: {told}, which a plan cannot hold", hint)
        if kind == "table":
            value = {name: self.entry(one, (*path, name)) for name, one in _items(value, path)}
        elif kind == "array":
            value = [self.entry(one, path) for one in value]
        return Entry(kind, value, place, place)


def _kind(value: Any) -> str | None:
    if isinstance(value, Mapping):
        return "table"
    if isinstance(value, (list, tuple)):
        return "array"
    if isinstance(value, _TIMES):
        return "datetime"
    # a bool is an int, too
    for kind, cls in (("boolean", bool), ("integer", int), ("float", float), ("string", str)):
        if isinstance(value, cls):
            return kind
    return None


def _items(table: Mapping[Any, Any], path: tuple[str, ...]) -> list[tuple[str, Any]]:
    for name in table:
        if not isinstance(name, str):
            where = f" of {key_text(path)}" if path else ""
            raise PlanError(f"{NAME}: the key {name!r}{where} is not a string")
    return list(table.items())
