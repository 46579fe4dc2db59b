"""`cord check`: the plan, the program and the remote functions, without running anything.

The findings are the command's result, and go to stdout; no program runs that it would belong to.
"""

from __future__ import annotations

import ast
import os
from dataclasses import dataclass, field

from cord.effects.analysis import MOST_WORK
from cord.effects.findings import Findings, Report
from cord.effects.world import MOST_NODES
from cord.errors import SourceError
from cord.plan import modules
from cord.plan.imports import Imports
from cord.plan.model import FunctionPlan, Plan, RemotePlan
from cord.plan.outlines import Outline
from cord.plan.problems import listing
from cord.plan.program import Program
from cord.plan.public import outline_of
from cord.plan.words import FRESH
from cord.tools.assumptions import names_of_nothing
from cord.tools.missing import missing_names
from cord.tools.names import assumed_names, module_of, read_project
from cord.tools.purity import analysed
from cord.tools.replicas import counted, number_of_replicas
from cord.tools.sources import parsed, shown

_MOST_REASONS = 2


def check(plan: Plan, program: Program) -> int:
    """Prints a line for each thing found.

    Args:
        plan: The plan, which is valid, or it could not have been read.
        program: The program.

    Returns:
        The exit code: 1 if something is found that makes a run fail, else 0.
    """
    checker = _Checker(plan, program)
    checker.run()
    checker.print_summary()
    return 1 if checker.errors else 0


def count_against_purity(plan: Plan, program: Program, work: int, nodes: int) -> int:
    """How many warnings say that a function is not pure that is declared so. Prints nothing.

    Args:
        plan: The plan.
        program: The program.
        work: How much work the analysis may be.
        nodes: How large what it reads may be.

    Returns:
        Their number; 0 if the bounds are too small to tell.
    """
    counter = _Counter(plan, program, work, nodes)
    counter.check_functions()
    return counter.against_purity


@dataclass(slots=True)
class _Served:
    """A remote module's source: its path, its top level, and its public functions."""

    source: str = ""
    outline: Outline | None = None
    public: list[str] = field(default_factory=list)


class _Checker:
    def __init__(
        self, plan: Plan, program: Program, work: int = MOST_WORK, nodes: int = MOST_NODES
    ) -> None:
        self._bounds = work, nodes
        self._plan = plan
        self._program = program
        self._path = modules.search_path(program)
        self._told: set[str] = set()
        self.errors = 0
        self.warnings = 0
        self.against_purity = 0

    def run(self) -> None:
        tree = self.check_functions()
        if tree is not None:
            self._check_names()
        for sentence, hint in names_of_nothing(self._plan, self._program):
            self._warn(f"{self._plan.path}: warning: {sentence}")
            if hint:
                self._say(f"  hint: {hint}")

    def check_functions(self) -> ast.Module | None:
        """Checks the remote functions; returns the program's syntax tree."""
        tree = self._parse(self._program.path)
        imports = None if tree is None else Imports(self._program, tree)
        served = {name: self._read(remote) for name, remote in self._plan.remote.items()}
        findings = self._analyse(tree, served)
        for name, remote in self._plan.remote.items():
            if imports and not remote.is_program and not imports.may_import(name):
                program = os.path.basename(self._program.path)
                self._warn(
                    f"{self._plan.path}: warning: {name} is remote, but neither {program} "
                    "nor a module beside it imports it"
                )
            self._check_remote(remote, served[name], findings)
        return tree

    def _check_names(self) -> None:
        for missing in missing_names(read_project(self._plan, self._program)):
            self._warn(f"{missing.place}: warning: {missing.sentence}")
            if missing.hint:
                self._say(f"  hint: {missing.hint}")

    def _read(self, remote: RemotePlan) -> _Served | None:
        """The remote module's source; None, and an error, where it is not Python."""
        module = modules.find_module(remote.module, self._path)
        if remote.is_program:
            module = modules.FoundModule(remote.module, self._program.path)
        if module is None or module.source is None:
            return _Served()
        tree = self._parse(module.source)
        if tree is None:
            return None
        outline = outline_of(tree)
        return _Served(shown(module.source), outline, outline.remote_functions(remote))

    def _analyse(
        self, tree: ast.Module | None, served: dict[str, _Served | None]
    ) -> Findings | None:
        """What all functions of the project do; None where there is none to speak of."""
        remote = {
            module_of(self._plan.remote[name]): one.public
            for name, one in served.items()
            if one and one.outline
        }
        if not any(remote.values()):
            return None
        assumed = assumed_names(self._plan, self._program)
        return self._judged(*analysed(self._program, tree, remote, assumed, self._bounds))

    def _judged(self, findings: Findings, _is_whole: bool) -> Findings | None:
        return findings

    def print_summary(self) -> None:
        errors = counted(self.errors, "error")
        print(f"{self._plan.path}: {errors}, {counted(self.warnings, 'warning')}")

    def _check_remote(
        self, remote: RemotePlan, served: _Served | None, findings: Findings | None
    ) -> None:
        replicas = number_of_replicas(remote)
        if served is None:
            return
        if served.outline is None:
            self._say(f"{remote.module}: {replicas}; its source is not there to be checked")
            if modules.find_module(remote.module, self._path) is None:
                self._warn(
                    f"{self._plan.path}: warning: there is no module {remote.module} in "
                    f"{self._program.folder} or elsewhere on Python's path"
                )
                self._say("  hint: that is right only if the program changes sys.path first")
            return
        source, public, outline = served.source, served.public, served.outline
        forgets = remote.keeps_state and remote.restart == FRESH
        afresh = "; when it dies, a fresh one goes on without its state" if forgets else ""
        self._say(f"{source}: {remote.module} is remote, {replicas}{afresh}")
        if not public and not outline.has_star_import:
            self._warn(f"{source}: warning: {remote.module} defines no public functions to serve")
        held_back = [name for name in public if _is_held_back(remote.function(name))]
        if held_back:
            verb = "is" if len(held_back) == 1 else "are"
            self._warn(
                f"{source}: warning: {listing(held_back)} {verb} async, but calls are made in "
                "place as long as pure = true is missing"
            )
        for name, (line, reason) in outline.functions.items():
            if name in public and findings is not None:
                self._check_function(served, remote, name, findings)
                continue
            if reason is not None and outline.is_public(name):
                self._say(
                    f"{source}:{line}: {name} is {reason} and runs in the program: "
                    "its result cannot travel"
                )

    def _check_function(
        self, served: _Served, remote: RemotePlan, name: str, findings: Findings
    ) -> None:
        assert served.outline is not None
        settings = remote.function(name)
        line, _ = served.outline.functions[name]
        told = frozenset(other for other in served.public if remote.function(other).pure)
        report = findings.report(module_of(remote), name, declared=settings.pure, told=told)
        purity = _independence(report) if settings.independent else _purity(settings.pure, report)
        self._say(f"{served.source}:{line}: {name} is remote, {settings.callstyle}, {purity}")
        if not settings.pure and report.verdict != "impure":
            self._say(f"  hint: pure = true in [remote.{remote.module}.functions.{name}]")
        for finding in report.warnings:
            path = findings.path(finding.module)
            sentence = f"{path}:{finding.line}: warning: {finding.text}"
            if sentence not in self._told:
                self._told.add(sentence)
                self._warn(sentence)
                self.against_purity += settings.pure and finding.of_purity
                if finding.hint:
                    self._say(f"  hint: {finding.hint}")

    def _parse(self, path: str) -> ast.Module | None:
        """The file's syntax tree; an error where it is not Python."""
        try:
            return parsed(path)
        except SourceError as error:
            self._fail(f"{error.place}: error: {error.reason}")
        return None

    def _say(self, line: str) -> None:
        print(line)

    def _warn(self, line: str) -> None:
        self.warnings += 1
        print(line)

    def _fail(self, line: str) -> None:
        self.errors += 1
        print(line)


class _Counter(_Checker):
    """Counts what it finds, and says nothing where it has not seen all."""

    def _judged(self, findings: Findings, is_whole: bool) -> Findings | None:
        return findings if is_whole else None

    def _say(self, line: str) -> None:
        pass

    _warn = _fail = _say


def _is_held_back(settings: FunctionPlan) -> bool:
    return settings.callstyle != "sync" and not (settings.pure or settings.independent)


def _independence(report: Report) -> str:
    """The effects in words of a function that is declared independent."""
    told = "; ".join(["declared independent", *report.reasons[:_MOST_REASONS]])
    return f"{told}; and more" if len(report.reasons) > _MOST_REASONS else told


def _purity(declared: bool, report: Report) -> str:
    """The purity of a function in words: what the plan says, and what its source says."""
    reasons = "; ".join(report.reasons[:_MOST_REASONS])
    if len(report.reasons) > _MOST_REASONS:
        reasons += "; and more"
    if report.verdict == "pure":
        return "surely pure" if declared else "not declared pure, but surely is"
    if report.verdict == "unknown":
        return f"{'declared' if declared else 'not declared, but looks'} pure; {reasons}"
    if declared:
        return "declared pure" if report.warnings else f"declared pure; {reasons}"
    return f"not pure; {reasons}"
