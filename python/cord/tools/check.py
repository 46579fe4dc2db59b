"""`cord check`: the plan, the program and the remote functions, without running anything.

The findings are the command's result, and go to stdout; no program runs that it would belong to.
"""

from __future__ import annotations

import ast
import gc
import json
import os
import socket
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from cord.effects.analysis import MOST_WORK
from cord.effects.findings import Findings, Report
from cord.effects.world import MOST_NODES
from cord.engines.nodes.addresses import ANY_PORT, address_of
from cord.errors import SourceError
from cord.knowledge import rows
from cord.plan import modules
from cord.plan.imports import Imports
from cord.plan.model import FunctionPlan, Plan, RemotePlan
from cord.plan.outlines import COROUTINE, Outline
from cord.plan.problems import listing
from cord.plan.program import Program
from cord.plan.public import outline_of
from cord.plan.words import FRESH
from cord.tools.assumptions import names_of_nothing
from cord.tools.colours import show
from cord.tools.missing import missing_names
from cord.tools.names import assumed_names, module_of, read_project
from cord.tools.prospects import cannot_be_faster
from cord.tools.purity import analysed
from cord.tools.replicas import counted, number_of_replicas
from cord.tools.sources import parsed, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_REASONS = 2
# What makes threads, by which calls can be made at once.
_THREADS = ("threading", "concurrent.futures", "asyncio", "multiprocessing.pool", "joblib")


def check(plan: Plan, program: Program, *, as_data: bool = False) -> int:
    """Prints a line for each thing found.

    Args:
        plan: The plan, which is valid, or it could not have been read.
        program: The program.
        as_data: Whether to print JSON instead.

    Returns:
        The exit code: 1 if something is found that makes a run fail, else 0.
    """
    checker = _Checker(plan, program)
    with _without_collections():
        checker.run()
    program.outlines.save()
    if as_data:
        print(json.dumps(checker.as_json(), indent=2))
    else:
        checker.print_lines()
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
    return len(counter.told_against_purity)


def findings_against_purity(plan: Plan, program: Program) -> list[tuple[str, str, str]]:
    """What says that a function is not pure that is declared so: place, sentence, hint."""
    checker = _Checker(plan, program)
    with _without_collections():
        checker.check_functions()
    return checker.told_against_purity


@contextmanager
def _without_collections() -> Iterator[None]:
    """Syntax trees are many objects, none of them garbage; looking takes a fifth of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@dataclass(slots=True)
class Message:
    """One thing that is told.

    Attributes:
        level: "error", "warning" or "note".
        place: What it is about: a file, with its line where there is one, or a module.
        text: What is told.
        hint: What to do about it, or "".
    """

    level: str
    place: str
    text: str
    hint: str = ""

    def lines(self) -> list[str]:
        """What is printed."""
        level = "" if self.level == "note" else f"{self.level}: "
        told = [f"{self.place}: {level}{self.text}"]
        return [*told, f"  hint: {self.hint}"] if self.hint else told


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
        self._told: set[tuple[str, str]] = set()
        self._messages: list[Message] = []
        self._functions: list[dict[str, Any]] = []
        self.told_against_purity: list[tuple[str, str, str]] = []

    def run(self) -> None:
        tree = self.check_functions()
        if tree is not None:
            self._check_names()
        for sentence, hint in names_of_nothing(self._plan, self._program):
            self._warn(self._plan.path, sentence, hint)
        if self._plan.engine.listen is not None:
            self._check_listen(self._plan.engine.listen)

    def _check_listen(self, where: str) -> None:
        try:
            with socket.socket() as tried:
                tried.bind((address_of(where)[0], ANY_PORT))
        except (OSError, ValueError) as error:
            self._warn(
                self._plan.path,
                f'engine.listen is "{where}", where this machine cannot listen: {error}',
                "name an address of the machine on which the program runs: ip -brief address",
            )

    def check_functions(self) -> ast.Module | None:
        """Checks the remote functions; returns the program's syntax tree."""
        tree = self._parse(self._program.path) if self._program.path else None  # else a service
        imports = None if tree is None else Imports(self._program, tree)
        served = {name: self._read(remote) for name, remote in self._plan.remote.items()}
        findings = self._analyse(tree, served)
        for name, remote in self._plan.remote.items():
            is_expected = not (remote.is_program or remote.is_one_of_many)
            if imports and is_expected and not imports.may_import(name):
                program = os.path.basename(self._program.path)
                self._warn(
                    self._plan.path,
                    f"{name} is remote, but neither {program} nor a module beside it imports it",
                )
            self._check_remote(remote, served[name], findings)
        public = {name: one.public for name, one in served.items() if one is not None}
        threads = imports is None or any(imports.may_import(name) for name in _THREADS)
        slow = cannot_be_faster(self._plan, public, threads) if self._program.path else None
        if slow is not None:
            self._warn(self._plan.path, *slow)
        return tree

    def _check_names(self) -> None:
        for missing in missing_names(read_project(self._plan, self._program)):
            self._warn(missing.place, missing.sentence, missing.hint)

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
        public = [*outline.remote_functions(remote), *outline.awaited_functions(remote)]
        return _Served(shown(module.source), outline, public)

    def _analyse(
        self, tree: ast.Module | None, served: dict[str, _Served | None]
    ) -> Findings | None:
        """What all functions of the project do; None where there is none to speak of."""
        remote: dict[str, list[str]] = {}
        for name, one in served.items():
            plan = self._plan.remote[name]
            for function in one.public if one and one.outline else ():
                module, own = plan.homes.get(function, (module_of(plan), function))
                remote.setdefault(module, []).append(own)
        if not remote:
            return None
        assumed = assumed_names(self._plan, self._program)
        return self._judged(*analysed(self._program, tree, remote, assumed, self._bounds))

    def _judged(self, findings: Findings, _is_whole: bool) -> Findings | None:
        return findings

    @property
    def errors(self) -> int:
        """How many errors there are."""
        return sum(one.level == "error" for one in self._messages)

    @property
    def warnings(self) -> int:
        """How many warnings there are."""
        return sum(one.level == "warning" for one in self._messages)

    def print_lines(self) -> None:
        """All that is told, and how much that is."""
        errors = counted(self.errors, "error")
        total = f"{self._plan.path}: {errors}, {counted(self.warnings, 'warning')}"
        show([*(line for message in self._messages for line in message.lines()), total])

    def as_json(self) -> dict[str, Any]:
        """The same for programs to read."""
        return {
            "program": self._program.name,
            "plan": self._plan.path,
            "errors": self.errors,
            "warnings": self.warnings,
            "functions": self._functions,
            "messages": [asdict(one) for one in self._messages],
        }

    def _check_remote(
        self, remote: RemotePlan, served: _Served | None, findings: Findings | None
    ) -> None:
        replicas = number_of_replicas(remote)
        if served is None:
            return
        if served.outline is None:
            self._say(remote.module, f"{replicas}; its source is not there to be checked")
            if modules.find_module(remote.module, self._path) is None:
                self._warn(
                    self._plan.path,
                    f"there is no module {remote.module} in {self._program.folder} or elsewhere "
                    "on Python's path",
                    "that is right only if the program changes sys.path first",
                )
            return
        source, public, outline = served.source, served.public, served.outline
        forgets = remote.keeps_state and remote.restart == FRESH
        afresh = "; when it dies, a fresh one goes on without its state" if forgets else ""
        self._say(source, f"{remote.module} is remote, {replicas}{afresh}")
        if not public and not outline.has_star_import:
            self._warn(source, f"{remote.module} defines no public functions to serve")
        held_back = [name for name in public if _is_held_back(remote.function(name))]
        if held_back:
            verb = "is" if len(held_back) == 1 else "are"
            self._warn(
                source,
                f"{listing(held_back)} {verb} async, but calls are made in place as long as "
                "pure = true is missing",
            )
        told = frozenset(name for name in public if remote.function(name).pure)
        for name, (line, reason) in outline.functions.items():
            if name in public and findings is not None:
                self._check_function(served, remote, name, findings, told)
                continue
            is_left_out = reason == COROUTINE and name not in (remote.only or [name])
            if reason is not None and outline.is_public(name) and not is_left_out:
                why = "its result cannot travel"
                why = "only pure ones are remote" if reason == COROUTINE else why
                why += "; nothing of it is kept" if remote.function(name).keep else ""
                self._say(f"{source}:{line}", f"{name} is {reason} and runs in the program: {why}")
        for name in public:
            if name not in outline.functions and findings is not None:
                self._check_function(served, remote, name, findings, told)

    def _check_function(
        self,
        served: _Served,
        remote: RemotePlan,
        name: str,
        findings: Findings,
        told: frozenset[str],
    ) -> None:
        settings = remote.function(name)
        place = self._place(served, remote, name)
        module, own = remote.homes.get(name, (module_of(remote), name))
        report = findings.report(module, own, declared=settings.pure, told=told)
        purity = _independence(report) if settings.independent else _purity(settings.pure, report)
        wants_pure = not settings.pure and not settings.independent and _is_sure(report)
        self._say(
            place,
            f"{name} is remote, {settings.callstyle}, {_as_declared(purity, settings)}",
            f"pure = true in [remote.{remote.module}.functions.{name}]" if wants_pure else "",
        )
        self._functions.append(
            {
                "module": remote.module,
                "function": name,
                "place": place,
                "callstyle": settings.callstyle,
                "declared_pure": settings.pure,
                "declared_independent": settings.independent,
                "verdict": report.verdict,
                "reasons": report.reasons,
            }
        )
        for finding in report.warnings:
            if finding.kind in _excused(settings):
                continue
            place = f"{findings.path(finding.module)}:{finding.line}"
            text = _as_declared(finding.text, settings)
            if (place, text) not in self._told:
                self._told.add((place, text))
                self._warn(place, text, finding.hint)
                if settings.pure and finding.of_purity:
                    self.told_against_purity.append((place, text, finding.hint))

    def _place(self, served: _Served, remote: RemotePlan, name: str) -> str:
        """Where a remote function is defined: file and line, or what is known of that."""
        outline, source, own = served.outline, served.source, name
        if name in remote.homes:
            module, own = remote.homes[name]
            found = modules.find_module(module, self._path)
            if found is None or found.source is None:
                return module
            source = shown(found.source)
            outline = self._program.outlines.of(found.source)
        assert outline is not None
        line, _ = outline.methods.get(own) or outline.functions.get(own) or (0, None)
        return f"{source}:{line}" if line else source

    def _parse(self, path: str) -> ast.Module | None:
        """The file's syntax tree; an error where it is not Python."""
        try:
            return parsed(path)
        except SourceError as error:
            self._messages.append(Message("error", error.place, error.reason))
        return None

    def _say(self, place: str, text: str, hint: str = "") -> None:
        self._messages.append(Message("note", place, text, hint))

    def _warn(self, place: str, text: str, hint: str | None = None) -> None:
        self._messages.append(Message("warning", place, text, hint or ""))


class _Counter(_Checker):
    """Finds nothing where it has not seen all."""

    def _judged(self, findings: Findings, is_whole: bool) -> Findings | None:
        return findings if is_whole else None


def _excused(settings: FunctionPlan) -> frozenset[str]:
    """The kinds of effects that what the plan says of a function allows."""
    if settings.repeatable:
        return frozenset({rows.NETWORK, rows.WRITES_FILES, rows.READS_FILES})
    return frozenset({rows.WRITES_FILES}) if settings.scratch else frozenset()


def _as_declared(text: str, settings: FunctionPlan) -> str:
    """The same with the word that the plan has."""
    words = {settings.repeatable: "repeatable", settings.scratch: "scratch"}
    return text.replace("declared pure", f"declared {words.get(True, 'pure')}")


def _is_held_back(settings: FunctionPlan) -> bool:
    return settings.callstyle != "sync" and not (settings.pure or settings.independent)


def _independence(report: Report) -> str:
    """The effects in words of a function that is declared independent."""
    told = "; ".join(["declared independent", *report.reasons[:_MOST_REASONS]])
    return f"{told}; and more" if len(report.reasons) > _MOST_REASONS else told


def _is_sure(report: Report) -> bool:
    """Whether a function is surely pure, if not for all arguments."""
    return report.verdict == "pure" or bool(report.unless)


def _purity(declared: bool, report: Report) -> str:
    """The purity of a function in words: what the plan says, and what its source says."""
    reasons = "; ".join(report.reasons[:_MOST_REASONS])
    if len(report.reasons) > _MOST_REASONS:
        reasons += "; and more"
    if _is_sure(report):
        if report.unless:
            pure = "pure" if declared else "not declared pure, but is"
            return f"{pure}, unless it is given {report.unless}"
        return "surely pure" if declared else "not declared pure, but surely is"
    if report.verdict == "unknown":
        return f"{'declared' if declared else 'not declared'} pure; {reasons}"
    if declared:
        return "declared pure" if report.warnings else f"declared pure; {reasons}"
    return f"not pure; {reasons}"
