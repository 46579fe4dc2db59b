"""Settings: what functions may read of interpreter, kernel and libraries, besides arguments.

A table has a row for each (see `rows.py`). The client tells which are other than at first; a
replica sets these before a call, and sets them back when they are not told any more.
"""

from __future__ import annotations

import sys

from cord import _core
from cord.runtime.travel.settings import interpreter, kernel
from cord.runtime.travel.settings.kernel import load_what_is_needed
from cord.runtime.travel.settings.late import when_loaded
from cord.runtime.travel.settings.rows import Row, Untold

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    Values = dict[str, Any]

__all__ = [
    "Row",
    "Snapshot",
    "Untold",
    "enter",
    "enter_thread",
    "load_what_is_needed",
    "noticed",
    "read",
]

# Modules of which rows are made when they are there: few programs have them.
_LATER = ("decimal", "logging", "numpy", "pandas", "mpmath", "_contextvars", "contextvars")
_rows: list[Row] = [*interpreter.ROWS, *kernel.ROWS]
_others: list[Callable[[bool], list[Row]]] = []


def _add_rows(everything: bool = False) -> None:
    """Add the rows of libraries, unless they are there; or of others that are not loaded, too."""
    if everything:
        for rows in _others:
            _rows[:0] = rows(everything)
    if not _others:
        from cord.runtime.travel.settings import libraries, others, variables

        _rows[:0] = [*variables.ROWS, *libraries.ROWS]
        _others.append(others.rows)


def _table() -> list[Row]:
    if not _others and any(name in sys.modules for name in _LATER):
        _add_rows()
    for rows in _others:
        _rows[:0] = rows(False)
    return _rows


def _is_there(row: Row) -> bool:
    module = sys.modules.get(row.module)
    if module is None:
        return False
    spec = getattr(module, "__spec__", None)
    return not getattr(spec, "_initializing", False)  # another thread imports it


def noticed() -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    """What is to be looked at to tell whether settings have changed.

    Returns:
        Lists by the dict and the name that they are found in, dicts, classes of whose instances
        attributes are set, contexts of decimals.
    """
    found: list[Any] = []
    for row in _table():
        if row.noticed is not None and _is_there(row):
            found.extend(row.noticed())
    lists = [one for one in found if type(one) is tuple]
    dicts = [one for one in found if type(one) is dict]
    classes = [one for one in found if isinstance(one, type)]
    others = [one for one in found if not isinstance(one, (tuple, dict, type))]
    return lists, dicts, classes, others


def read() -> Values:
    """The settings of this process that are other than at first, as far as is known.

    Raises:
        Untold: One cannot travel.
    """
    return _read(frozenset(_core.setting_calls()))


def _read(called: frozenset[str]) -> Values:
    values: Values = {}
    for row in _table():
        if not _is_there(row):
            continue
        if row.calls and row.noticed is None and not row.calls & called:
            continue
        try:
            value = row.read()
        except Exception as exc:
            raise Untold(str(exc) or f"{row.name}: {type(exc).__name__}") from exc
        if value is not None:
            values[row.name] = value
    return values


# What is set in this process for the client.
_entered: Values = {}


def enter(values: Values) -> None:
    """Make a client's settings those of this process.

    Args:
        values: What `read` has returned there.
    """
    for everything in (False, True):
        if values.keys() - {row.name for row in _rows}:
            _add_rows(everything)
    before, rows = _entered.copy(), _table()
    _entered.clear()
    _entered.update(values)
    for row in rows:
        if row.name in values or row.name in before:
            _write(row, values)


def enter_thread() -> None:
    """Make those of them that each thread has for itself also this thread's."""
    if not _entered:
        return
    for row in _table():
        if row.is_of_thread and row.name in _entered:
            _write(row, _entered)


def _write(row: Row, values: Values) -> None:
    if _is_there(row):
        row.write(values.get(row.name))
    else:
        when_loaded(row.module, row.name, lambda: row.write(_entered.get(row.name)))


class Snapshot:
    """The settings of this process as they are now, to tell later whether any has changed.

    Attributes:
        seen: Tells that at hardly any cost, natively. If it says no, perhaps one has.

    Args:
        dicts: What else is looked at.
    """

    __slots__ = ("_modules", "_values", "seen")

    def __init__(self, dicts: Iterable[dict[Any, Any]] = ()) -> None:
        self._modules = {row.name for row in _table() if _is_there(row)}
        self._values = _all_values()
        self.seen = _core.SettingsSeen([*dicts])

    def is_same(self) -> bool:
        """Whether none has; at hardly any cost, natively. False: perhaps one has."""
        return self.seen.is_same()

    def changed(self) -> list[str]:
        """The names of those that have."""
        before, now = self._values, _all_values()
        names = [name for name in {**before, **now} if name in self._modules]
        return [name for name in names if before.get(name) != now.get(name)]


def _all_values() -> Values:
    """The values of all rows; of one that cannot travel, why."""
    values: Values = {}
    for row in _table():
        if _is_there(row):
            try:
                values[row.name] = row.read()
            except Exception as exc:
                values[row.name] = str(exc)
    return values
