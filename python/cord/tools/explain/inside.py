"""Calls that a remote module's own code makes in the program: of functions that are remote."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from cord.plan import modules
from cord.plan.document import key_text
from cord.plan.model import Plan, RemotePlan
from cord.plan.program import Program
from cord.source.functions import local_names
from cord.source.scope import own_nodes
from cord.tools.explain.claims import BY_COPY, IN_PLACE
from cord.tools.sources import parsed

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class OwnCall:
    """A call in a remote module that runs in the program.

    Attributes:
        place: `file:line`.
        call: The call, as it is written.
        verdict: How it is made.
        reason: Why.
        remedy: What makes it run ahead, or None.
    """

    place: str
    call: str
    verdict: str
    reason: str
    remedy: str | None

    def sentences(self) -> list[str]:
        """What is said of it."""
        said = [f"{self.verdict}: {self.reason}."]
        return said if self.remedy is None else [*said, f"remedy: {self.remedy}"]


def own_calls(plan: Plan, program: Program) -> list[OwnCall]:
    """The calls that remote modules make themselves, outside of what runs in replicas.

    Args:
        plan: The plan.
        program: The program, beside which modules are looked for.
    """
    found: list[OwnCall] = []
    for remote in plan.remote.values():
        if not remote.is_program:
            with suppress(OSError, ValueError, RecursionError):
                found += _calls_of(plan, remote, program)
    return found


def _calls_of(plan: Plan, remote: RemotePlan, program: Program) -> Iterator[OwnCall]:
    known = modules.find_module(remote.module, modules.search_path(program))
    if known is None or not known.source:
        return
    outline = program.outlines.of(known.source)
    names = set(outline.remote_functions(remote))
    for function in _in_program(parsed(known.source), names):
        local = local_names(function)
        for node in own_nodes(function):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                name = node.func.id
                if name in names and name not in local:
                    place = f"{os.path.basename(known.source)}:{node.lineno}"
                    told = _told(plan, remote, name)
                    yield OwnCall(place, ast.unparse(node), *told)


def _in_program(tree: ast.Module, remote: set[str]) -> list[Function]:
    """The functions that others than replicas may run: what is public, and what that calls."""
    functions = {node.name: node for node in tree.body if isinstance(node, Function)}
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    found = [
        node
        for name, node in functions.items()
        if name not in remote and (not name.startswith("_") or name == "__getattr__")
    ]
    found += [node for one in classes for node in one.body if isinstance(node, Function)]
    for function in found:  # it grows
        for node in own_nodes(function):
            called = functions.get(node.id) if isinstance(node, ast.Name) else None
            if called is not None and called.name not in remote and called not in found:
                found.append(called)
    return found


def _told(plan: Plan, remote: RemotePlan, name: str) -> tuple[str, str, str | None]:
    """Verdict, reason and remedy of a call."""
    table = f"[{key_text(('remote', remote.module))}]"
    if not remote.inside:
        remedy = f"inside = true in {table}"
        if not remote.is_pure:
            remedy += ", which wants pure = true"
        return IN_PLACE, f"{remote.module} makes it, and its own calls stay in the program", remedy
    if not remote.function(name).ahead:
        return IN_PLACE, 'its callstyle is "sync"', f'callstyle = "async" in {table}'
    if not plan.copies:
        return IN_PLACE, "scouts do not look into remote modules", "copies = true under [run]"
    return BY_COPY, "scouts do not look into remote modules", None
