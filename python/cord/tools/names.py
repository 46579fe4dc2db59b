"""The plan as the translator needs it: which functions are remote, which may be called ahead."""

from __future__ import annotations

import ast
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from cord.translate.project import MAIN, Project, Remote

if TYPE_CHECKING:
    from cord.plan.model import Plan, RemotePlan
    from cord.plan.program import Program


def read_project(plan: Plan, program: Program) -> Project:
    """The program's source as the translator reads it.

    Args:
        plan: The plan.
        program: The program.

    Raises:
        SyntaxError: The main file cannot be parsed.
    """
    return Project(
        os.path.abspath(program.path) if program.path else None,
        remote_names(plan, program),
        assumed_names(plan, program),
        root=program.folder,
        package=program.package,
    )


def remote_names(plan: Plan, program: Program) -> dict[str, Remote]:
    """The remote modules as the translator sees them, read from their source.

    Args:
        plan: The plan.
        program: The program, beside which modules are looked for.
    """
    return {name: _names(remote, program) for name, remote in plan.remote.items()}


def _names(remote: RemotePlan, program: Program) -> Remote:
    from cord.plan import modules, public

    names: list[str] = []
    found = modules.find_module(remote.module, modules.search_path(program))
    if found is not None and found.source is not None:
        with open(found.source, "rb") as file:
            source = file.read()
        with suppress(SyntaxError):  # its import will say so, where the program performs it
            names = public.public_functions(ast.parse(source), remote.only)
    ahead = [
        name
        for name in names
        if remote.function(name).pure and remote.function(name).callstyle == "async"
    ]
    return Remote(frozenset(names), frozenset(ahead))


def assumed_names(plan: Plan, program: Program) -> frozenset[str]:
    """What the user declares free of effects, by the names that objects have while it runs.

    The main script goes by its file's stem in the plan (a module run with `-m` by its own name),
    and is `__main__` then.
    """
    stem = os.path.splitext(os.path.basename(program.path))[0] + "."
    if program.package:
        stem = f"{program.package}.{stem}"
    own = [f"{MAIN}.{name[len(stem) :]}" for name in plan.assume_pure if name.startswith(stem)]
    return plan.assume_pure | frozenset(own)
