"""Calls that a run leaves to the program whatever it foresees, for what their functions reach.

They use a library that the program changes in a way that does not travel, leave something where
nobody finds it, or change what the program's own text looks at. The run's own functions tell: they
are asked about stand-ins.
"""

from __future__ import annotations

import ast
import sys
from functools import cached_property
from types import FunctionType
from typing import TYPE_CHECKING

from cord.runtime.client import exposed, told_apart
from cord.runtime.client.facade import public_functions
from cord.runtime.objects import texts
from cord.runtime.objects.reach import reach_of
from cord.runtime.replica.reached import Reached
from cord.tools.explain.standins import Standins

if TYPE_CHECKING:
    from cord.plan.model import FunctionPlan, RemotePlan
    from cord.runtime.objects.reach import Reach
    from cord.translate.sites.project import Project
    from cord.translate.sites.sites import Site

_CHANGED = "of which the program changes something that does not travel"


class Apart:
    """Answers for one project.

    Args:
        project: The project.
        remote: What the plan says of the remote modules.
    """

    def __init__(self, project: Project, remote: dict[str, RemotePlan]) -> None:
        self._project = project
        self._remote = remote
        self._found: dict[tuple[str, str, bool], tuple[str, str | None] | None] = {}
        self._reaches: dict[tuple[str, str], Reach | None] = {}

    def why(self, module: str, name: str, settings: FunctionPlan) -> tuple[str, str | None] | None:
        """Why the program makes the calls of a remote function, and the remedy.

        Args:
            module: Its module.
            name: Its name, or that of its class and its own.
            settings: What the plan says of it.
        """
        key = module, name, settings.independent
        if key not in self._found:
            self._found[key] = self._asked(*key)
        return self._found[key]

    def condition(self, site: Site) -> str | None:
        """What must hold where the text does not tell which function a call is of."""
        if not site.dynamic or self._example is None:
            return None
        function, why = self._example
        return f"{ast.unparse(site.func)} is not {function}, which {why}"

    @cached_property
    def _example(self) -> tuple[str, str] | None:
        for name, remote in self._remote.items():
            module = self._project.modules.get(name)
            known = self._project.remote[name].functions if name in self._project.remote else ()
            for function in module.functions if module is not None else ():
                found = self.why(name, function, remote.function(function))
                if function in known and found is not None:
                    return f"{name}.{function}", found[0]
        return None

    @cached_property
    def _standins(self) -> Standins:
        return Standins(self._project)

    def names(self, module: str, name: str) -> dict[str, set[str]] | None:
        """By module, the names of the project that a remote function may read.

        Args:
            module: Its module.
            name: Its name, or that of its class and its own.

        Returns:
            The names; None where the function is not known.
        """
        reach = self._reach(module, name)
        return None if reach is None else reach.names

    def close(self) -> None:
        """Forget what those functions have kept."""
        texts.forget()
        told_apart.forget()

    def _reach(self, module: str, name: str) -> Reach | None:
        if (module, name) not in self._reaches:
            function = self._standins.find(module, name)
            is_known = isinstance(function, FunctionType)
            with self._standins.in_place():
                found = reach_of([function]) if is_known else None
            self._reaches[module, name] = found
        return self._reaches[module, name]

    def _asked(self, module: str, name: str, is_independent: bool) -> tuple[str, str | None] | None:
        reach, function = self._reach(module, name), self._standins.find(module, name)
        if reach is None:
            return None
        with self._standins.in_place() as own:
            told_apart.note(module)
            library = min(told_apart.libraries(module, reach), default="")
            if library:
                return f"uses {library}, {_CHANGED}", f"let {module} change it when it is imported"
            if is_independent:
                names = public_functions(sys.modules[module])
                functions = [self._standins.find(module, one) for one in names]
                seen = exposed.is_seen(function, module, functions)
                return ("may change what the program looks at", None) if seen else None
            beyond = Reached(reach, own, name, function).beyond()
            return None if beyond is None else (beyond, None)
