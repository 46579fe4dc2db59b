"""`cord kept`: what is kept, in a table or one by one; why calls were made again; forgetting."""

from __future__ import annotations

import json
import os
import pickle
import sys
import tomllib
from typing import TYPE_CHECKING

from cord._core import kept_clear, kept_export, kept_import, kept_outcomes, kept_value
from cord.errors import CordError
from cord.plan.words import KEPT_FOLDER
from cord.runtime.client.kept import NOTES
from cord.tools.kept.shown import aligned, is_named, when
from cord.tools.kept.why import reasons
from cord.tools.report.table import bytes_text, time_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    Note = dict[str, Any]

ACTIONS = ("list", "show", "clear", "why", "export", "import")
# What those need that need anything.
_NEEDS = {
    "show": "KEY, as cord kept list shows it",
    "why": "FUNCTION or FILE:LINE",
    "export": "FILE [FUNCTION]",
    "import": "FILE, as cord kept export has written it",
}


def kept(
    action: str, name: str | None, plan: str | None, function: str | None, *, as_data: bool
) -> int:
    """What `cord kept` does.

    Args:
        action: One of `ACTIONS`, or empty for the table.
        name: A function, a key, a file, or a line of one.
        plan: The plan, if it is not the cord.toml of this folder.
        function: Which function is exported; None for all.
        as_data: Print JSON.

    Returns:
        The exit code.

    Raises:
        CordError: There is no such thing, or nothing can be read.
    """
    if action and action not in ACTIONS:
        from cord.plan.problems import did_you_mean

        hint = did_you_mean(action, ACTIONS) or f"one of {', '.join(ACTIONS)}"
        raise CordError(f"cord kept {action} is not known", hint)
    if action in _NEEDS and not name:
        raise CordError(f"cord kept {action} needs a name", f"cord kept {action} {_NEEDS[action]}")
    if function is not None and action != "export":
        raise CordError(f"{function} stands after {name}, where cord kept {action} takes nothing")
    folder = folder_of_plan(plan)
    try:
        if action == "clear":
            return _clear(folder, name)
        if action in ("export", "import"):
            return _carry(folder, action, name or "", function)
        if action == "show":
            return _show(folder, name or "")
        if action == "why":
            lines = list(reasons(notes(folder), name or ""))
            print(json.dumps(lines) if as_data else "\n".join(lines))
            return 0
        return _list(folder, name, as_data) if action == "list" else _table(folder, as_data)
    except OSError as exc:
        raise CordError(f"what is kept cannot be read: {exc}") from None


def folder_of_plan(plan: str | None) -> str:
    """Where outcomes are kept, by the plan.

    Args:
        plan: The plan, if it is not the cord.toml of this folder.

    Raises:
        CordError: It cannot be read.
    """
    path = plan or "cord.toml"
    try:
        with open(path, "rb") as file:
            said = tomllib.load(file)
    except FileNotFoundError:
        if plan is not None:
            raise CordError(f"{plan} is not there") from None
        said = {}
    except (OSError, tomllib.TOMLDecodeError) as exc:
        raise CordError(f"{path} cannot be read: {exc}") from None
    run = said.get("run")
    folder = run.get("kept", KEPT_FOLDER) if isinstance(run, dict) else KEPT_FOLDER
    return os.path.join(os.path.dirname(os.path.abspath(path)), str(folder))


def notes(folder: str) -> list[Note]:
    """What runs have written down, the oldest first."""
    try:
        with open(os.path.join(folder, NOTES), encoding="utf-8") as file:
            lines = file.readlines()
    except OSError:
        return []
    found = []
    for line in lines:
        try:
            note = json.loads(line)
        except ValueError:
            continue
        if isinstance(note, dict) and isinstance(note.get("function"), str):
            found.append(note)
    return found


def _outcomes(folder: str, function: str | None = None) -> list[dict[str, Any]]:
    if not os.path.isdir(folder):
        return []
    keys = ("key", "function", "made", "used", "bytes", "seconds", "raised", "read")
    all_of: list[dict[str, Any]] = [
        dict(zip(keys, one, strict=True)) for one in kept_outcomes(folder)
    ]
    return [one for one in all_of if function is None or is_named(one["function"], function)]


def _table(folder: str, as_data: bool) -> int:
    rows: dict[str, dict[str, Any]] = {}

    def row(function: str) -> dict[str, Any]:
        return rows.setdefault(
            function, {"entries": 0, "bytes": 0, "hits": 0, "saved": 0.0, "last": 0}
        )

    for one in _outcomes(folder):
        own = row(one["function"])
        own["entries"] += 1
        own["bytes"] += one["bytes"]
        own["last"] = max(own["last"], one["made"])
    for note in notes(folder):
        own = row(note["function"])
        own["hits"] += note.get("hits", 0)
        own["saved"] += note.get("saved", 0.0)
    if as_data:
        print(json.dumps({"folder": folder, "functions": rows}, indent=2))
        return 0
    if not rows:
        print(f"Nothing is kept in {folder}.")
        return 0
    cells = [
        (
            name,
            str(own["entries"]),
            bytes_text(own["bytes"]),
            str(own["hits"]),
            time_text(own["saved"]),
            when(own["last"]) if own["last"] else "-",
        )
        for name, own in sorted(rows.items())
    ]
    aligned([("function", "kept", "bytes", "used", "time saved", "last kept"), *cells])
    return 0


def _list(folder: str, function: str | None, as_data: bool) -> int:
    found = _outcomes(folder, function)
    if as_data:
        print(json.dumps(found, indent=2))
        return 0
    cells = [
        (
            one["key"],
            one["function"],
            when(one["made"]),
            bytes_text(one["bytes"]),
            time_text(one["seconds"]),
            ("raised, " if one["raised"] else "")
            + (f"read {len(one['read'])}" if one["read"] else ""),
        )
        for one in found
    ]
    aligned([("key", "function", "kept", "bytes", "took", ""), *cells])
    return 0


def _show(folder: str, key: str) -> int:
    found = [one for one in _outcomes(folder) if one["key"].startswith(key)]
    if len(found) != 1:
        how = "nothing has a key that begins" if not found else "several keys begin"
        raise CordError(f"{how} with {key}", "cord kept list shows keys")
    (one,) = found
    print(f"{one['function']}, kept {when(one['made'])}; it took {time_text(one['seconds'])}.")
    for read in one["read"]:
        print(f"It has read {read}.")
    value = kept_value(folder, one["key"])
    sys.path.insert(0, os.getcwd())  # its classes are the project's
    try:
        codec, head, buffers = value or (-1, b"", [])
        if one["raised"]:
            raise ValueError("it is an exception")
        if codec != 0:
            raise ValueError("it is not pickled")
        print(repr(pickle.loads(head, buffers=buffers)))
    except Exception as exc:
        raise CordError(f"its value cannot be shown: {exc}") from None
    return 0


def _clear(folder: str, function: str | None) -> int:
    if not os.path.isdir(folder):
        print("Forgot 0 calls.")
        return 0
    names: Iterable[str | None] = [None]
    if function is not None:
        names = {one["function"] for one in _outcomes(folder, function)}
    count = sum(kept_clear(folder, name) for name in names)
    print(f"Forgot {count} call{'' if count == 1 else 's'}.")
    return 0


def _carry(folder: str, action: str, path: str, function: str | None) -> int:
    """Write outcomes to a file, or take them from one."""
    try:
        if action == "import":
            count, done = kept_import(folder, path), "Added"
        else:
            names = {one["function"] for one in _outcomes(folder, function)}
            if not names:
                raise CordError(f"nothing is kept of {function or 'any function'} in {folder}")
            count, done = kept_export(folder, sorted(names) if function else [], path), "Wrote"
    except FileExistsError:
        raise CordError(f"{path} is there already", "name another file, or remove it") from None
    except PermissionError as exc:
        hint = "it has to be yours, and nobody else may write to it: chmod go-w"
        raise CordError(f"{path} cannot be used: {exc}", hint) from None
    except OSError as exc:
        raise CordError(f"{path} cannot be used: {exc}") from None
    print(f"{done} {count} call{'' if count == 1 else 's'}.")
    return 0
