"""The translation of a project, made on demand: what a run asks, answered by analysis.

Each question is a method. Its arguments and its answer are values that `marshal` can write, so that
answers can be kept; `results.py` says what the tuples mean.
"""

from __future__ import annotations

import ast
import os
import warnings
from importlib.util import source_hash
from types import CodeType

from cord.silence import silence
from cord.source.functions import is_generator

from .code import has_sets, marks, nested
from .program.receiving import receiving
from .program.rewrite import rewrite
from .sites.around import loops_around
from .sites.project import Meaning, Project
from .sites.sites import find_sites, sites_of
from .sites.survey import Function, Region

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .emit.emit import Scout
    from .program.stretches import Late
    from .scouts import Scouts, Sites

FunctionAnswer = tuple[str, tuple[str, ...], int, tuple[str, ...], str | None]
ScoutAnswer = tuple[
    CodeType,
    tuple[str, ...],
    tuple[int, ...],
    tuple[str, ...],
    bool | None,
    bool,
    tuple[int, ...],
    list[FunctionAnswer],
]

LateAnswer = tuple[
    tuple[str, ...],
    tuple[tuple[str, str], ...],
    tuple[tuple[str, str, str, str, str], ...],
    tuple[tuple[str, tuple[tuple[str, str], ...]], ...],
    tuple[str, ...],
    tuple[str, ...],
    tuple[str, ...],
    bool,
    tuple[str, ...],
    int,
    str,
    bool,
    bool,
]

_FUNCTION = "function:"


class Translation:
    """Answers what a run asks of its project's translation."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._scouts: Scouts | None = None

    @property
    def scouts(self) -> Scouts:
        """What makes scouts: loaded for the first, for many programs have none."""
        if self._scouts is None:
            from .scouts import Scouts

            self._scouts = Scouts(self.project)
        return self._scouts

    def modules(self) -> dict[str, str]:
        """The paths of the project's modules by name."""
        return {module.name: module.path for module in self.project.modules.values()}

    def sites(self, module: str) -> list[tuple[str, int, bool, bool]]:
        """The sites of a module, each a `SiteResult`."""
        return [
            (site.meaning.module, site.region.index, site.dynamic, site.passes)
            for site in sites_of(self.project, module).sites
        ]

    def places(self, module: str) -> list[tuple[str, list[tuple[int | None, str]]]]:
        """Where each site of a module stands, and the loops around it, the outermost first.

        A place is as "search.py:14"; a loop has its number before it, if it has one.
        """
        found = sites_of(self.project, module)
        name = os.path.basename(found.module.path)
        return [
            (f"{name}:{site.node.lineno}", [(loop, f"{name}:{line}") for loop, line in around])
            for site, around in zip(found.sites, loops_around(found), strict=True)
        ]

    def regions(self, module: str) -> list[tuple[str, int, str | None, bool]]:
        """The regions of a module, each a `RegionResult`."""
        return [
            (_kind(region), getattr(region.node, "lineno", 0), region.key, _hands_over(region))
            for region in sites_of(self.project, module).regions
        ]

    def code(self, module: str) -> tuple[bytes, CodeType | None]:
        """The translated code of a module, marks still in it, behind its source's hash.

        None instead of the code where nothing is to be translated. What plain compilation would
        warn of is warned of.
        """
        source, path = self.project.modules[module].source, self.project.modules[module].path
        found = sites_of(self.project, module)
        code = None
        if found.sites or found.served:
            tree = ast.parse(source, path)  # rewriting changes it, and scouts need theirs
            found = find_sites(self.project, self.project.modules[module], tree)
            late = receiving(self.project, found)
            code = compile(rewrite(found, late), path, "exec", dont_inherit=True)
        return source_hash(source), code

    def late(self, module: str) -> dict[int, LateAnswer]:
        """What must hold for values to be received late, each a `LateResult`, by their sites."""
        found = sites_of(self.project, module)
        return {
            late.site.index: _late(self.project, late)
            for stretch in receiving(self.project, found)
            for late in stretch.calls
        }

    def compiling_shows(self, module: str) -> bool:
        """Whether compiling a module's plain source does more than its translated code tells.

        It may warn, and it decides in which order constant sets are walked, which no file keeps.
        """
        source, path = self.project.modules[module].source, self.project.modules[module].path
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            plain = compile(source, path, "exec", dont_inherit=True)
        return bool(warned) or any(has_sets(code.co_consts) for code in nested(plain))

    def after(
        self, module: str, site: int, with_result: bool, raising: Sites
    ) -> ScoutAnswer | None:
        """The scout that goes on after a call, a `ScoutResult`; see `Scouts.after`."""
        scout = self.scouts.after(module, site, with_result, raising)
        return None if scout is None else self._compiled(scout, module)

    def entered(self, module: str, key: str, raising: Sites) -> ScoutAnswer | None:
        """The scout of a function from its start, a `ScoutResult`; None for generator functions."""
        if self.project.function(module, key).generates:
            return None
        return self._compiled(self.scouts.entered(module, key, raising), module)

    def functions_in(self, path: str) -> dict[int, tuple[str, str] | None]:
        """The functions of a file, as module and key, by the line on which they begin.

        None stands for a line that does not tell them apart.
        """
        by_line: dict[int, tuple[str, str] | None] = {}
        for module in self.project.modules.values():
            if module.path == path:
                for key, function in self.project.surveys[module.name].functions.items():
                    line = _first_line(function)
                    by_line[line] = None if line in by_line else (module.name, key)
        return by_line

    def _compiled(self, scout: Scout, module: str) -> ScoutAnswer:
        path = self.project.modules[module].path
        code = compile_scout(scout, path)
        keys = [mark.removeprefix(_FUNCTION) for mark in marks(code) if mark.startswith(_FUNCTION)]
        functions = [_function(self.project.function(module, key)) for key in keys]
        passed = tuple(sorted(scout.passed))
        return (
            code,
            scout.names,
            scout.loops,
            scout.copied,
            scout.returns,
            bool(scout.sites),
            passed,
            functions,
        )


def compile_scout(scout: Scout, filename: str) -> CodeType:
    """Compile a scout; returns the code of its generator function, marks still in it."""
    module = ast.Module([scout.function], [])
    ast.fix_missing_locations(module)
    with silence():  # of `x is 1`, say: compiling the program warns of it
        code = compile(module, f"<scout of {filename}>", "exec", dont_inherit=True)
    return next(constant for constant in code.co_consts if isinstance(constant, CodeType))


def _function(function: Function) -> FunctionAnswer:
    arguments = function.node.args
    named = [
        argument.arg
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is not None
    ]
    own = function.node.name if isinstance(function.node, ast.FunctionDef) else None
    return function.key, function.captured, len(arguments.defaults), tuple(named), own


def _late(project: Project, late: Late) -> LateAnswer:
    reads = late.reads
    callees = []
    for module, path, meaning in reads.callees:
        own = meaning.module if meaning.kind == "project" else ""
        name = meaning.name if own else meaning.dotted
        callees.append((module, path, meaning.kind, own, name))
    methods = {
        name: tuple(project.candidates(Meaning("method", "", name))) for name in reads.methods
    }
    return (
        tuple(sorted(reads.names)),
        tuple(sorted(reads.paths)),
        tuple(sorted(callees)),
        tuple(sorted(methods.items())),
        tuple(sorted(reads.attributes)),
        tuple(sorted(reads.assigned)),
        tuple(sorted(reads.changed)),
        reads.changes,
        tuple(sorted(late.targets)),
        late.unpacked,
        late.holder,
        isinstance(late.statement, ast.Expr),
        isinstance(late.site.region.node, ast.Module),
    )


def _kind(region: Region) -> str:
    if isinstance(region.node, ast.Module):
        return "module"
    return "generator" if isinstance(region.node, ast.GeneratorExp) else "function"


def _hands_over(region: Region) -> bool:
    """Whether scouts go into a region from where it is called."""
    node = region.node
    function = isinstance(node, (ast.FunctionDef, ast.Lambda)) and not is_generator(node)
    return region.scouted and bool(region.sites) and function


def _first_line(function: Function) -> int:
    node = function.node
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return min([node.lineno, *(item.lineno for item in decorators)])
