"""Checking the tree of entries against the schema."""

from __future__ import annotations

from cord.plan.document import Entry, found, key_text
from cord.plan.keys import Key, Table
from cord.plan.keys_of_modules import REMOTE
from cord.plan.problems import Problems, listing, nearest
from cord.plan.schema import home_of
from cord.plan.values import Refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Section:
    """One checked table.

    Attributes:
        path: The table's full key.
        entry: The table as it was written.
        values: The values that are right, by key.
        tables: The sections of the tables inside it: by key, or by name for `remote.M`.
        sound: Whether nothing in it, or in the tables inside it, is wrong.
    """

    __slots__ = ("entry", "path", "sound", "tables", "values")

    def __init__(self, path: tuple[str, ...], entry: Entry) -> None:
        self.path = path
        self.entry = entry
        self.values: dict[str, Any] = {}
        self.tables: dict[str, Section] = {}
        self.sound = True

    def entry_of(self, key: str) -> Entry:
        """The entry of `key`, which must be there."""
        entry: Entry = self.entry.value[key]
        return entry


def check(entry: Entry, path: tuple[str, ...], table: Table, problems: Problems) -> Section:
    """Reads a table by its schema; reports what is wrong and keeps what is right.

    Args:
        entry: The table.
        path: Its full key; empty for the whole file.
        table: What it may hold.
        problems: Where the reports go.
    """
    section = Section(path, entry)
    before = len(problems)
    for name, item in entry.value.items():
        key = table.keys.get(name)
        if key is None:
            _report_unknown(item, (*path, name), table, problems)
        elif key.read is not None:
            value = key.read(item, Refuse(problems, (*path, name), key.allowed))
            if value is not None:
                section.values[name] = value
        else:
            _check_inside(section, key, item, problems)
    section.sound = len(problems) == before
    return section


def _check_inside(section: Section, key: Key, item: Entry, problems: Problems) -> None:
    """Checks the table, or the named tables, that `key` holds."""
    path = (*section.path, key.name)
    if item.kind != "table":
        problems.add(item.place, f"{key_text(path)} is {found(item)}; allowed: a table")
    elif key.table is not None:
        section.tables[key.name] = check(item, path, key.table, problems)
    elif key.tables is not None:
        section.tables[key.name] = named = Section(path, item)
        for name, child in item.value.items():
            if child.kind == "table":
                named.tables[name] = check(child, (*path, name), key.tables, problems)
            else:
                _report_nameless(child, (*path, name), key.tables, problems)


def _report_nameless(item: Entry, path: tuple[str, ...], table: Table, problems: Problems) -> None:
    example = key_text((*path[:-1], "compare"))
    hint = f"the key belongs in a table such as [{example}]" if path[-1] in table.keys else None
    message = f"{key_text(path)} is {found(item)}; allowed: a table such as [{example}]"
    problems.add(item.key_place, message, hint)


def _report_unknown(item: Entry, path: tuple[str, ...], table: Table, problems: Problems) -> None:
    message = f"{key_text(path)} is not a key that Cord knows"
    hint = _advice(item, path, table) or _may_have(path[:-1], table)
    problems.add(item.key_place, message, hint)


def _may_have(path: tuple[str, ...], table: Table) -> str:
    where = f"[{key_text(path)}]" if path else "the plan"
    return f"{where} may have {listing(sorted(table.keys))}"


def _advice(item: Entry, path: tuple[str, ...], table: Table) -> str | None:
    name = path[-1]
    home = home_of(name, besides=table)
    if home is not None:
        return f'"{name}" belongs in {home}' if home[0] == "[" else f"[{name}] stands by itself"
    if item.kind == "table" and path[0] == "remote" and len(path) == 3:
        module = _unquoted_module(item, path, table)
        hint = f"a module's name with dots must be quoted: {key_text(('remote', module))}"
        if module.count(".") > 1:
            return hint
        function = key_text(("remote", path[1], "functions", name))
        return f"{hint}; if {name} is a function of {path[1]}, its table is {function}"
    near = nearest(name, table.keys)
    if near is not None:
        return f'did you mean "{near}"?'
    if len(path) > 1:
        return None
    if item.kind == "table":
        return f"the table of a remote module is [{key_text(('remote', name))}]"
    near = nearest(name, REMOTE.keys)
    return f'did you mean "{near}" in {REMOTE.header}?' if near is not None else None


def _unquoted_module(item: Entry, path: tuple[str, ...], table: Table) -> str:
    """The dotted name that was meant by `[remote.a.b.c]`, which nests tables instead."""
    parts = list(path[1:])
    while len(item.value) == 1:
        ((name, inner),) = item.value.items()
        if name in table.keys or inner.kind != "table":
            break
        parts.append(name)
        item = inner
    return ".".join(parts)
