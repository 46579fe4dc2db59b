"""Call sites, loops and regions of a module, numbered in the order in which they stand.

The numbering depends only on the source, so two parses of one file agree on it.
"""

from __future__ import annotations

import ast

from cord.source.functions import FunctionNode
from cord.source.modules import Module
from cord.source.records import dataclass

from .applied import Applied, is_simple
from .passing import Passing, passing
from .project import Meaning, Project
from .survey import Region, survey


@dataclass(eq=False, slots=True)
class Site:
    """A call of a remote function, or of something that leads to one.

    Or a call that makes such calls, one for each element of what it walks; or an attribute that may
    be a property whose function leads to one.
    """

    index: int
    node: ast.expr
    func: ast.expr
    meaning: Meaning
    region: Region
    why_not: str | None = None
    passing: Passing | None = None

    @property
    def passes(self) -> bool:
        """Whether its result is only passed on, as an argument of remote functions."""
        return self.passing is not None and self.passing.why_not is None

    @property
    def remote(self) -> bool:
        return self.meaning.kind == "remote"

    @property
    def operation(self) -> bool:
        """Whether a scout does it as an operation, within which it goes into functions."""
        return self.meaning.kind in ("property", "class")

    @property
    def dynamic(self) -> bool:
        """Whether what is called shows only at run time."""
        return self.meaning.kind == "value"


def named(method: str, keywords: list[ast.keyword]) -> str:
    """The variant of a site's method that takes keyword arguments, if there are any.

    The other one is faster: nothing is looked at for them.
    """
    return f"{method}_named" if keywords else method


@dataclass(slots=True)
class Found:
    """Everything of a module that the rewriting and the scouts need to agree on.

    `served` are the module's own functions that are remote: their bodies run in replicas.
    """

    module: Module
    tree: ast.Module
    sites: list[Site]
    regions: list[Region]
    site_of: dict[ast.expr, Site]
    loop_of: dict[ast.AST, int]
    region_of: dict[ast.AST, Region]
    meaning_of: dict[ast.Call, Meaning | None]
    applied_of: dict[ast.Call, Applied]
    served: set[FunctionNode]

    def is_inlined(self, node: ast.GeneratorExp) -> bool:
        """Whether a generator expression that a loop walks can be a part of that loop."""
        region = self.region_of.get(node)
        return region is not None and not region.sites and is_simple(node)


def sites_of(project: Project, name: str) -> Found:
    """The sites and regions of a module of the project, found once."""
    if name not in project.found:
        module = project.modules[name]
        project.found[name] = find_sites(project, module, module.tree)
    return project.found[name]


def find_sites(project: Project, module: Module, tree: ast.Module) -> Found:
    """Number the sites, loops and regions of one parse of a module."""
    known = project.surveys.get(module.name)
    if known is None or known.tree is not tree:
        known = survey(project, module, tree)
    for each in known.regions:
        each.sites.clear()
    sites: list[Site] = []
    site_of: dict[ast.expr, Site] = {}
    for called in known.calls:
        meaning = project.leads_to(called)
        if meaning is None:
            continue
        region = called.region
        site = Site(len(sites), called.node, called.func, meaning, region, called.why_not)
        sites.append(site)
        site_of[called.node] = site
        region.sites.append(site)
    for node, how in passing(project, known, site_of).items():
        site_of[node].passing = how
    return Found(
        module,
        tree,
        sites,
        known.regions,
        site_of,
        _number_loops(tree, site_of, known.applied_of),
        known.region_of,
        known.meaning_of,
        known.applied_of,
        known.served,
    )


def _mark(node: ast.AST, site_of: dict[ast.expr, Site], containing: set[ast.AST]) -> bool:
    """Note what contains a site; whether this does. A closure would be garbage, as a circle is."""
    here = node in site_of
    for child in ast.iter_child_nodes(node):
        here = _mark(child, site_of, containing) or here
    if here:
        containing.add(node)
    return here


def _number_loops(
    tree: ast.Module, site_of: dict[ast.expr, Site], applied_of: dict[ast.Call, Applied]
) -> dict[ast.AST, int]:
    """Number what loops and has a site inside: `for`, comprehensions' generators, `map` and so on.

    Of a loop over a `map`, what the `map` walks is what counts.
    """
    containing: set[ast.AST] = set()

    _mark(tree, site_of, containing)
    numbers: dict[ast.AST, int] = {}
    walked: list[ast.expr] = []
    for node in ast.walk(tree):
        if node not in containing:
            continue
        if isinstance(node, ast.For):
            numbers[node] = len(numbers)
            walked.append(node.iter)
        elif node in applied_of:
            numbers[node] = len(numbers)
            walked.extend(applied_of[node].node.args)
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            for generator in node.generators:
                numbers[generator] = len(numbers)
                walked.append(generator.iter)
    # a `map` or generator expression without sites that such a loop walks becomes a part of it
    for part in walked:
        if isinstance(part, ast.GeneratorExp) and part not in containing:
            numbers.setdefault(part.generators[0], len(numbers))
            walked.append(part.generators[0].iter)
        if isinstance(part, ast.Call) and part in applied_of and applied_of[part].lazy:
            numbers.setdefault(part, len(numbers))
            walked.extend(part.args)
    return numbers
