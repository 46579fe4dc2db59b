"""Little projects, given as source, and what the analysis says of their functions."""

from __future__ import annotations

import ast
from textwrap import dedent

from cord.effects.analysis import Analysis
from cord.effects.findings import Findings, Report
from cord.effects.world import World
from cord.source.modules import Module


def analyse(work: str, assumed: tuple[str, ...] = (), **modules: str) -> Analysis:
    """The analysis of a module `work`, and of others by name."""
    sources = {
        name: Module(name, f"{name.strip('_')}.py", ast.parse(dedent(text)))
        for name, text in {"work": work, **modules}.items()
    }
    start = [sources[name] for name in ("work", "__main__") if name in sources]
    return Analysis(World(start, sources.get), frozenset(assumed))


def report(
    work: str,
    function: str = "f",
    *,
    declared: bool = True,
    served: tuple[str, ...] | None = None,
    assumed: tuple[str, ...] = (),
    **modules: str,
) -> Report:
    """What is said of a remote function of the module `work`."""
    remote = {"work": served or (function,)}
    findings = Findings(analyse(work, assumed, **modules), remote)
    return findings.report("work", function, declared=declared)


def warnings(work: str, function: str = "f", **settings: object) -> list[str]:
    """The warnings, each with its line before it."""
    found = report(work, function, **settings)  # type: ignore[arg-type]
    return [f"{finding.line}: {finding.text}" for finding in found.warnings]


def is_sure(found: Report) -> bool:
    """Whether a function is surely pure, if perhaps not when it is given an iterator."""
    return not found.warnings and (found.verdict == "pure" or bool(found.unless))
