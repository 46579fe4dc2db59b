"""What the text of a project says of the effects of some of its functions."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cord.effects.analysis import MOST_WORK, Analysis
from cord.effects.findings import Findings
from cord.effects.world import MOST_NODES, World
from cord.tools.sources import Sources

if TYPE_CHECKING:
    from cord.plan.program import Program


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
