"""Why calls of a function were made again: what of their keys is another than in the run before."""

from __future__ import annotations

import ast
import os
from typing import TYPE_CHECKING

from cord.errors import CordError
from cord.plan.problems import similar_file
from cord.tools.kept.shown import is_named
from cord.tools.kept.store import not_known

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Note = dict[str, Any]


def reasons(notes: list[Note], name: str) -> Iterator[str]:
    """What is known of a function's last run, in lines.

    Args:
        notes: What runs have written down.
        name: The function, with or without its module; or a line of it, as `FILE:LINE`.

    Raises:
        CordError: No run has noted anything of it.
    """
    known = {note["function"] for note in notes}
    function = _function_at(name, known) if ":" in name else name
    own = [note for note in notes if is_named(note["function"], function)]
    if not own:
        raise not_known(function, known, f"no run has made calls of {function} that may be kept")
    last = own[-1]
    before = next((note for note in reversed(own[:-1]) if note.get("parts")), None)
    yield (
        f"{last['function']}, in the last run: {last.get('hits', 0)} calls answered by earlier "
        f"ones, {last.get('misses', 0)} not, {last.get('kept', 0)} kept."
    )
    for why, count in sorted(last.get("unkept", {}).items()):
        yield f"not kept, {_times(count)}: {why}"
    for why, count in sorted(last.get("stale", {}).items()):
        yield f"made again, {_times(count)}: {why}"
    if not last.get("misses"):
        return
    if before is None:
        yield "made for the first time: no run before it has kept anything of this function"
        return
    changes = list(_changes(before, last))
    for change in changes:
        yield f"made again: {change}"
    if not changes and not last.get("stale"):
        yield (
            "code and surroundings are as in the run before: these calls are given something else, "
            "or that run has not come to them"
        )


def _changes(before: Note, now: Note) -> Iterator[str]:
    for group in ("parts", "world"):
        then, there = before.get(group, {}), now.get(group, {})
        for name in sorted(then.keys() | there.keys()):
            if name not in then:
                yield f"{name} is new"
            elif name not in there:
                yield f"{name} is gone"
            elif then[name] != there[name]:
                yield f"{name} has changed"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _function_at(place: str, known: set[str]) -> str:
    """The function that a line of a file is in."""
    path, _, line = place.rpartition(":")
    example = f"cord kept why {min(known, default='FUNCTION')}"
    if not line.isdecimal():
        raise CordError(f"{place} is not FILE:LINE: {line or 'nothing'} is no number", example)
    try:
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read())
    except OSError as exc:
        raise CordError(
            f"{path} cannot be read: {exc.strerror}", similar_file(path, ".py") or example
        ) from None
    except (ValueError, SyntaxError) as exc:
        raise CordError(f"{path} is not Python: {exc}", example) from None
    names = [os.path.splitext(os.path.basename(path))[0]]
    inside: list[ast.AST] = [tree]
    while inside:
        for node in ast.iter_child_nodes(inside.pop()):
            is_definition = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            if is_definition and node.lineno <= int(line) <= (node.end_lineno or 0):  # type: ignore[attr-defined]
                names.append(node.name)  # type: ignore[attr-defined]
                inside.append(node)
    if len(names) == 1:
        hint = f"name a line of the function that is called, or the function: {example}"
        raise CordError(f"line {line} of {path} is in no function", hint)
    return ".".join(names)
