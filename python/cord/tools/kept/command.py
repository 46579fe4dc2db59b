"""`cord kept`: what is kept, in a table or one by one; why calls were made again; forgetting."""

from __future__ import annotations

import json
import os
import pickle
import sys
from typing import TYPE_CHECKING

from cord._core import kept_clear, kept_export, kept_import, kept_outcomes, kept_value
from cord.errors import CordError
from cord.plan.problems import did_you_mean, similar_file
from cord.runtime.client.kept import NOTES, unread
from cord.tools.kept.shown import aligned, is_named, when
from cord.tools.kept.store import not_known, reason_of, usable
from cord.tools.kept.why import reasons
from cord.tools.report.table import bytes_text, time_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    Note = dict[str, Any]

# What actions need that need anything, and how they are called.
_NEEDS = {
    "show": ("a key", "KEY, as cord kept list shows it"),
    "why": ("a function, or a line of it", "FUNCTION, or FILE:LINE"),
    "export": ("a name for the file", "FILE [FUNCTION]"),
    "import": ("a file", "FILE, which cord kept export has written"),
}
ACTIONS = ("list", "clear", *_NEEDS)


def kept(folder: str, action: str, words: list[str], *, as_data: bool) -> int:
    """What `cord kept` does.

    Args:
        folder: Where what is kept is.
        action: One of `ACTIONS`, or empty for the table.
        words: What follows it: a function, a key, a line or a file, and what is exported.
        as_data: Print JSON.

    Returns:
        The exit code.

    Raises:
        CordError: There is no such thing, or nothing can be read.
    """
    if action and action not in ACTIONS:
        hint = did_you_mean(action, ACTIONS) or f"one of {', '.join(ACTIONS)} stands there"
        raise CordError(f"{action} is nothing that cord kept does", hint)
    if action in _NEEDS and not (words and words[0]):
        what, usage = _NEEDS[action]
        raise CordError(f"cord kept {action} needs {what}", f"cord kept {action} {usage}")
    if len(words) > 1 and action != "export":
        message = f"{words[1]} stands after {words[0]}, where cord kept {action} takes nothing"
        raise CordError(message, 'see "cord kept --help"')
    name, function = [*words, None, None][:2]
    with usable(folder):
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


def notes(folder: str) -> list[Note]:
    """What runs have written down, the oldest first."""
    try:
        with open(os.path.join(folder, NOTES), encoding="utf-8", errors="replace") as file:
            lines = file.readlines()
    except FileNotFoundError:
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


def _outcomes(folder: str) -> list[dict[str, Any]]:
    if not os.path.isdir(folder):
        return []
    keys = ("key", "function", "made", "used", "bytes", "seconds", "raised", "read")
    return [dict(zip(keys, one, strict=True)) for one in kept_outcomes(folder)]


def _named(folder: str, function: str, outcomes: list[dict[str, Any]]) -> set[str]:
    """The functions that are meant.

    Raises:
        CordError: Nothing is kept of such a one, and no run has made calls of it.
    """
    known = {one["function"] for one in [*outcomes, *notes(folder)]}
    named = {one for one in known if is_named(one, function)}
    if not named:
        raise not_known(function, known, f"nothing is kept of {function} in {folder}")
    return named


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
    if passed_over := unread(folder):
        sys.stderr.write(f"cord: not all that is there can be used: {passed_over}\n")
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
    found = _outcomes(folder)
    if function is not None:
        named = _named(folder, function, found)
        found = [one for one in found if one["function"] in named]
    if as_data:
        print(json.dumps(found, indent=2))
        return 0
    if not found:
        print(f"Nothing is kept{f' of {function}' if function else ''} in {folder}.")
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
        if found:
            raise CordError(f"{len(found)} keys begin with {key}", "write more of it")
        raise CordError(
            f"no kept call has a key that begins with {key}", "cord kept list shows keys"
        )
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
        raise CordError(
            f"the value of {key} cannot be shown: {exc}",
            "cord replay KEY makes the call again, and shows what it gives",
        ) from None
    return 0


def _clear(folder: str, function: str | None) -> int:
    names: Iterable[str | None] = [None]
    if function is not None:
        names = _named(folder, function, _outcomes(folder))
    count = sum(kept_clear(folder, name) for name in names) if os.path.isdir(folder) else 0
    print(f"Forgot {count} call{'' if count == 1 else 's'}.")
    return 0


def _carry(folder: str, action: str, path: str, function: str | None) -> int:
    """Write outcomes to a file, or take them from one."""
    names: set[str] = set()
    if action == "export":
        outcomes = _outcomes(folder)
        names = {one["function"] for one in outcomes}
        if not names:
            raise not_known("", (), f"nothing is kept in {folder}")
        names = _named(folder, function, outcomes) if function else set()
    elif os.path.isdir(folder) and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise PermissionError("it cannot be written")
    try:
        if action == "import":
            count, done = kept_import(folder, path), "Added"
        else:
            count, done = kept_export(folder, sorted(names), path), "Wrote"
    except FileExistsError:
        raise CordError(f"{path} is there already", "name another file, or remove it") from None
    except PermissionError as exc:
        hint = f"it has to be yours, and nobody else may write to it: chmod go-w {path}"
        raise CordError(f"{path} cannot be used: {reason_of(exc)}", hint) from None
    except OSError as exc:
        near = None if os.path.exists(path) else similar_file(path)
        hint = near or f"cord kept {action} {_NEEDS[action][1]}"
        raise CordError(f"{path} cannot be used: {reason_of(exc)}", hint) from None
    print(f"{done} {count} call{'' if count == 1 else 's'}.")
    return 0
