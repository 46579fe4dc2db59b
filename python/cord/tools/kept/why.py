"""Why calls of a function were made again: what of their keys is another than in the run before."""

from __future__ import annotations

import ast
import os
from typing import TYPE_CHECKING

from cord.errors import CordError
from cord.tools.kept.shown import is_named

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
    function = _function_at(name) if ":" in name else name
    own = [note for note in notes if is_named(note["function"], function)]
    if not own:
        known = sorted({note["function"] for note in notes})
        hint = f"known: {', '.join(known)}" if known else "run the program with keep = true first"
        raise CordError(f"no run has kept anything of {function}", hint)
    last = own[-1]
    before = next((note for note in reversed(own[:-1]) if note.get("parts")), None)
    yield (
        f"{last['function']}, in the last run: {last.get('hits', 0)} calls answered by earlier "
        f"ones, {last.get('misses', 0)} not, {last.get('kept', 0)} kept."
    )
    for why, count in sorted(last.get("unkept", {}).items()):
        yield f"not kept, {count} times: {why}"
    for why, count in sorted(last.get("stale", {}).items()):
        yield f"made again, {count} times: {why}"
    if not last.get("misses"):
        return
    if before is None:
        yield "made again: no run before it has kept anything of this function"
        return
    changes = list(_changes(before, last))
    for change in changes:
        yield f"made again: {change}"
    if not changes and not last.get("stale"):
        yield (
            "made again: code and surroundings are as in the run before, so these calls are given "
            "something else"
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


def _function_at(place: str) -> str:
    """The function that a line of a file is in."""
    path, _, line = place.rpartition(":")
    try:
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read())
        number = int(line)
    except (OSError, ValueError, SyntaxError) as exc:
        raise CordError(f"{place} is no line of a program: {exc}") from None
    names = [os.path.splitext(os.path.basename(path))[0]]
    inside: list[ast.AST] = [tree]
    while inside:
        for node in ast.iter_child_nodes(inside.pop()):
            is_named = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            if is_named and node.lineno <= number <= (node.end_lineno or 0):  # type: ignore[attr-defined]
                names.append(node.name)  # type: ignore[attr-defined]
                inside.append(node)
    if len(names) == 1:
        raise CordError(f"{place} is in no function")
    return ".".join(names)
