"""What the text of a project says of the effects of some of its functions."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from cord.effects.analysis import MOST_WORK, Analysis
from cord.effects.findings import Findings
from cord.effects.world import MOST_NODES, World
from cord.errors import SourceError
from cord.plan.modules import find_module, search_path
from cord.plan.public import outline_of
from cord.tools.names import assumed_names, module_of
from cord.tools.sources import Sources, parsed

if TYPE_CHECKING:
    from cord.plan.model import Plan, RemotePlan
    from cord.plan.program import Program

# A place in a file, with its folders, which messages about calls leave out.
_PLACE = re.compile(r"\S*/([^/\s]+\.py:\d+)")
# Bounds for those who wait: an ordinary program takes a tenth of that.
QUICK = (300_000, 40_000)


def analysed(
    program: Program,
    tree: ast.Module | None,
    remote: Mapping[str, list[str]],
    assumed: frozenset[str] = frozenset(),
    bounds: tuple[int, int] = (MOST_WORK, MOST_NODES),
) -> tuple[Findings, bool]:
    """Follow functions through the project.

    Args:
        program: The program.
        tree: Its main file; None where that is no Python.
        remote: The functions by module, which is `__main__` for those of the main file.
        assumed: What is declared free of effects, as `assumed_names` gives it.
        bounds: How much work that may be, and how large what it reads.

    Returns:
        What there is to say of them, and whether the whole project was seen.
    """
    sources = Sources(program, remote)
    start = [source for source in map(sources.find, remote) if source is not None]
    if tree is not None:
        start.append(sources.main(tree))
    work, nodes = bounds
    world = World(start, sources.find, nodes)
    named = [(module, name) for module, names in remote.items() for name in names]
    wanted = [one for one in named if one in world.functions]  # not what variables hold
    analysis = Analysis(world, assumed, wanted, work)
    return Findings(analysis, remote), analysis.is_whole


class Effects:
    """What the text says against declaring functions pure that are not declared so."""

    def __init__(self, plan: Plan, program: Program) -> None:
        self._plan = plan
        self._program = program

    def against(self, remote: RemotePlan, name: str) -> str | None:
        """What a function does that no pure one does, in a few words; None if nothing is seen."""
        module, own = remote.homes.get(name, (module_of(remote), name))
        if own not in self._functions.get(module, ()):
            return None
        report = self._findings.report(module, own, declared=False)
        if report.verdict != "impure":
            return None
        return _PLACE.sub(r"\1", report.reasons[0])

    @cached_property
    def _functions(self) -> dict[str, list[str]]:
        """The remote functions by module, as far as their sources can be read."""
        found: dict[str, list[str]] = {}
        path = search_path(self._program)
        for remote in self._plan.remote.values():
            module = find_module(remote.module, path)
            source = module.source if module is not None else None
            source = self._program.path if remote.is_program else source
            with suppress(SourceError):
                if source is not None:
                    outline = outline_of(parsed(source))
                    for name in outline.remote_functions(remote):
                        module_name, own = remote.homes.get(name, (module_of(remote), name))
                        found.setdefault(module_name, []).append(own)
        return found

    @cached_property
    def _findings(self) -> Findings:
        tree = None
        with suppress(SourceError):
            tree = parsed(self._program.path)
        assumed = assumed_names(self._plan, self._program)
        return analysed(self._program, tree, self._functions, assumed, QUICK)[0]
