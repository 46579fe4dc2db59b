"""Settings: what functions may read of interpreter, kernel and libraries, besides arguments.

A table has a row for each (see `rows.py`). The client tells which are other than at first; a
replica sets these before a call, and sets them back when they are not told any more. What a call
leaves changed is found in the same table (`Snapshot`).
"""

from __future__ import annotations

import sys

from cord import _core
from cord.runtime.travel.executed import when_executed
from cord.runtime.travel.settings import interpreter, kernel, process
from cord.runtime.travel.settings.kernel import load_what_is_needed
from cord.runtime.travel.settings.rows import Kept, Row, Untold

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    Values = dict[str, Any]
    # A row, and what it held before and holds now.
    Change = tuple[Row, Any, Any]

__all__ = [
    "Row",
    "Snapshot",
    "Untold",
    "begin",
    "enter",
    "enter_thread",
    "left_out",
    "load_what_is_needed",
    "noticed",
    "read",
    "seen",
    "write",
]

# Modules of which rows are made when they are there: few programs have them.
_LATER = ("decimal", "logging", "numpy", "pandas", "mpmath", "_contextvars", "contextvars")
_rows: list[Row] = [*process.ROWS, *interpreter.ROWS, *kernel.ROWS]
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


def begin() -> None:
    """Note what is as at first, before the program: replicas are forked from the midst of it."""
    _core.limits_at_start()  # with all that is noted there
    for row in _rows:
        if isinstance(row.write, Kept) and _is_there(row):
            row.write.begin()


def noticed() -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    """What is to be looked at to tell whether settings have changed.

    Returns:
        Lists by the dict and the name that they are found in, dicts, classes of whose instances
        attributes are set, contexts of decimals.
    """
    found: list[Any] = []
    for row in _table():
        if row.noticed is not None and not row.is_apart and _is_there(row):
            found.extend(row.noticed())
    lists = [one for one in found if type(one) is tuple]
    dicts = [one for one in found if type(one) is dict]
    classes = [one for one in found if isinstance(one, type)]
    others = [one for one in found if not isinstance(one, (tuple, dict, type))]
    return lists, dicts, classes, others


def left_out() -> dict[str, frozenset[str]]:
    """What calls that can be made again need not be told, for `read` to leave out: by row."""
    found = {row.name: row.left_out() for row in _there() if row.left_out is not None}
    return {name: some for name, some in found.items() if some}


def read(without: dict[str, frozenset[str]] | None = None) -> Values:
    """The settings of this process that are other than at first, as far as is known.

    Args:
        without: What to leave out of rows.

    Raises:
        Untold: One cannot travel.
    """
    called = frozenset(_core.setting_calls())
    without = without or {}
    values: Values = {}
    for row in _there():
        if row.is_apart or (row.calls and row.noticed is None and not row.calls & called):
            continue
        value = row.told_value(without.get(row.name))
        if value is not None:
            values[row.name] = value
    return values


def _there() -> Iterator[Row]:
    """The rows whose modules are loaded."""
    return filter(_is_there, _table())


# What is set in this process for the client.
_entered: Values = {}


def enter(values: Values) -> None:
    """Make a client's settings those of this process.

    Args:
        values: What `read` has returned there.
    """
    before, rows = _entered.copy(), rows_of(values)
    _entered.clear()
    _entered.update(values)
    for row in rows:
        if not row.is_apart and (row.name in values or row.name in before):
            write(row, _entered)


def rows_of(names: Iterable[str]) -> list[Row]:
    """The table, with all rows of these names that there are."""
    for everything in (False, True):
        if not {row.name for row in _rows}.issuperset(names):
            _add_rows(everything)
    return _table()


def enter_thread() -> None:
    """Make those of them that each thread has for itself also this thread's."""
    if not _entered:
        return
    for row in _table():
        if row.is_of_thread and row.name in _entered:
            write(row, _entered)


def write(row: Row, values: Values) -> None:
    """Set a row now, or when its module is loaded.

    Args:
        row: The row; one that can be set.
        values: What has its value, by its name; none for the one that it had at first.
    """
    writes = row.write
    assert writes is not None
    if _is_there(row):
        writes(values.get(row.name))
    else:
        when_executed(row.module, row.name, lambda _: writes(values.get(row.name)))


def seen() -> _core.SettingsSeen:
    """What tells natively whether perhaps a setting has changed since, at hardly any cost."""
    apart = [row.noticed() for row in process.ROWS if row.noticed and row.is_apart]
    return _core.SettingsSeen([one for some in apart for one in some])


class _Untold(tuple[object, ...]):
    """Why a row has no value that can travel: nothing encodes this."""


class Snapshot:
    """The settings of this process as they are now, to tell later which have changed.

    Attributes:
        seen: Tells natively whether perhaps one has, at hardly any cost.

    Args:
        shared: Whether other calls run at the same time, in threads: what each thread has for
            itself is not looked at.
    """

    __slots__ = ("_shared", "_values", "seen")

    def __init__(self, shared: bool = False) -> None:
        self._shared = shared
        self._values = dict(self._all())
        for row, value in self._values.items():
            if isinstance(row.write, Kept) and type(value) is not _Untold:
                row.write.note(value)
        self.seen = seen()

    def changed(self) -> list[Change]:
        """Those that have, of the modules that were loaded, and what they were and are."""
        before = self._values
        return [
            (row, before[row], now)
            for row, now in self._all()
            if row in before and before[row] != now
        ]

    def _all(self) -> Iterator[tuple[Row, Any]]:
        """The values of all rows; of one that cannot travel, why."""
        for row in _there():
            if not (self._shared and row.is_of_thread):
                try:
                    yield row, row.whole()
                except Exception as exc:
                    yield row, _Untold(exc.args)
