"""The plan as the translator needs it: which functions are remote, which may be called ahead."""

from __future__ import annotations

import os
from contextlib import suppress

from cord.plan.modules import stem_of
from cord.plan.words import AUTO
from cord.translate.results import MAIN, Remote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cord.plan.model import Plan, RemotePlan
    from cord.plan.program import Program
    from cord.translate.sites.project import Project

    Kept = dict[str, tuple[str, ...] | str]


def read_project(
    plan: Plan,
    program: Program,
    remote: dict[str, Remote] | None = None,
    read: Callable[[str], bytes] | None = None,
) -> Project:
    """The program's source as the translator reads it.

    Args:
        plan: The plan.
        program: The program.
        remote: What `remote_names` gave, if that is known.
        read: Reads a file.

    Raises:
        SyntaxError: The main file cannot be parsed.
    """
    from cord.translate.sites.project import Project, read_file

    return Project(
        os.path.abspath(program.path) if program.path else None,
        remote_names(plan, program) if remote is None else remote,
        assumed_ahead(plan, program),
        root=program.folder,
        package=program.package,
        read=read or read_file,
    )


def remote_names(plan: Plan, program: Program) -> dict[str, Remote]:
    """The remote modules as the translator sees them, read from their source.

    Args:
        plan: The plan.
        program: The program, beside which modules are looked for.
    """
    return {module_of(remote): _names(remote, program) for remote in plan.remote.values()}


def module_of(remote: RemotePlan) -> str:
    """The name that a remote module has while the program runs."""
    return MAIN if remote.is_program else remote.module


def kept_parameters(plan: Plan, program: Program) -> Kept:
    """The parameters whose arguments replicas keep, or "auto", by the names of functions.

    Functions of a module that is not to be found yet are missing, and so are those without any.
    """
    kept: Kept = {}
    for remote in plan.remote.values():
        path = source_of(remote, program)
        if not path:
            continue
        with suppress(SyntaxError):
            outline = program.outlines.of(path)
            for name in outline.remote_functions(remote):
                named = remote.function(name).resident
                if named != AUTO:
                    known = outline.parameters.get(name, ())
                    named = tuple(one for one in known if one in named)
                if named:
                    kept[f"{module_of(remote)}.{name}"] = named
    return kept


def source_of(remote: RemotePlan, program: Program) -> str | None:
    """The path of a remote module's source; "" if it has none, None if it is not to be found."""
    from cord.plan import modules

    if remote.is_program:
        return program.path or None  # what cells of a notebook define
    found = modules.find_module(remote.module, modules.search_path(program))
    return None if found is None else found.source or ""


def _names(remote: RemotePlan, program: Program) -> Remote:
    path = source_of(remote, program)
    if not path:  # it is compiled, or the program says at run time where it is
        unseen = _FunctionsUnseen(remote)
        some = remote.independent or any(own.independent for own in remote.functions.values())
        return Remote(
            unseen,
            _FunctionsUnseen(remote, _is_ahead),
            unseen if remote.is_given_values else (),
            _FunctionsUnseen(remote, _is_independent) if some else frozenset(),
            _FunctionsUnseen(remote, _is_late),
            remote.methods,
        )
    names: list[str] = []
    with suppress(SyntaxError):  # its import will say so, where the program performs it
        names = program.outlines.of(path).remote_functions(remote)
    ahead = frozenset(name for name in names if _is_ahead(remote, name))
    independent = frozenset(name for name in ahead if _is_independent(remote, name))
    functions = frozenset(names)
    given = functions if remote.is_given_values else ()
    late = frozenset(name for name in names if _is_late(remote, name))
    methods = [name for name in names if "." in name]
    return Remote(functions, ahead, given, independent, late, methods)


def _is_ahead(remote: RemotePlan, name: str) -> bool:
    """Whether any module of the program calls it ahead; the others' calls are made in place."""
    if remote.is_program and remote.function(name).independent:
        return False  # what travels with it may change
    return any(remote.function(name, client).ahead for client in (None, *remote.clients))


def _is_late(remote: RemotePlan, name: str) -> bool:
    """Whether no module of the program calls it exactly in place."""
    if remote.is_program and not remote.function(name).pure:
        return False  # what it changes of the script comes with its value
    kinds = [remote.function(name, client) for client in (None, *remote.clients)]
    return all(one.callstyle != "sync" and not one.independent for one in kinds)


def _is_independent(remote: RemotePlan, name: str) -> bool:
    return _is_ahead(remote, name) and remote.function(name).independent


class _FunctionsUnseen:
    """The names that functions of a module can have whose source is not to be seen, or not yet.

    What turns out to be something else at run time is not called remotely.
    """

    def __init__(
        self, remote: RemotePlan, holds: Callable[[RemotePlan, str], bool] | None = None
    ) -> None:
        self._remote = remote
        self._holds = holds

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str) or name.startswith("_"):
            return False
        if self._remote.only is not None and name not in self._remote.only:
            return False
        return self._holds is None or self._holds(self._remote, name)


def assumed_names(plan: Plan, program: Program) -> frozenset[str]:
    """What the user declares free of effects, by the names that objects have while it runs.

    The main script goes by its file's stem in the plan (a module run with `-m` by its own name),
    and is `__main__` then.
    """
    stem = stem_of(program) + "."
    own = [f"{MAIN}.{name[len(stem) :]}" for name in plan.assume_pure if name.startswith(stem)]
    built_in = [f"builtins.{name}" for name in plan.assume_pure if "." not in name]
    if "io.open" in plan.assume_pure:
        built_in.append("builtins.open")
    return plan.assume_pure.union(own, built_in)


def assumed_ahead(plan: Plan, program: Program) -> frozenset[str]:
    """What of it scouts may use: all but `open`, for they open no files."""
    return assumed_names(plan, program) - {"builtins.open"}
