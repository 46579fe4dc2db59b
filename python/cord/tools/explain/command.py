"""`cord explain`: for every remote call, how far ahead it is made, and why not farther."""

from __future__ import annotations

import ast
import json
import textwrap
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cord._core import SHORTEST_COPIED
from cord.plan import modules
from cord.tools.explain.claims import Claim, claims_of
from cord.tools.explain.inside import own_calls
from cord.tools.missing import missing_names
from cord.tools.names import kept_parameters, read_project
from cord.tools.purity import Effects
from cord.tools.replicas import number_of_replicas
from cord.tools.sources import parsed
from cord.translate.program.receiving import receiving
from cord.translate.program.rewrite import rewrite
from cord.translate.results import MARK
from cord.translate.sites.sites import find_sites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cord.plan.model import Plan
    from cord.plan.program import Program
    from cord.translate.sites.project import Project

WIDTH = 96
LAST = (
    "Values are received where their calls stand, or later where nobody can tell: effects and "
    "exceptions come in the program's own order. The first call of a loop starts the scout; the "
    "others are ahead."
)
_PASSED = (
    "Functions that are passed to libraries are called there, and coroutine functions where they "
    "are awaited: copies of the program find such "
    f"calls if they take {SHORTEST_COPIED * 1000:.0f} ms."
)


def explain(plan: Plan, program: Program, *, source: bool, as_data: bool) -> int:
    """Print the explanations for a program, and with `source` its translation too.

    Args:
        plan: The plan.
        program: The program.
        source: Print the translated modules as well.
        as_data: Print JSON instead.

    Returns:
        The exit code, 0.

    Raises:
        SourceError: The program or a remote module is not Python.
    """
    _require_python(plan, program)
    project = read_project(plan, program)
    claims = claims_of(plan, project, kept_parameters(plan, program), Effects(plan, program))
    inside = own_calls(plan, program)
    missing = missing_names(project)
    if as_data:
        facts = {"program": program.name, "plan": plan.path}
        found = {
            "calls": [_as_json(claim) for claim in claims],
            "inside": [asdict(call) for call in inside],
            "missing": [asdict(one) for one in missing],
        }
        print(json.dumps({**facts, **found, **(_sources(project) if source else {})}, indent=2))
        return 0
    for claim in claims:
        _print_call(claim.place, claim.call, sentences(claim))
    for call in inside:
        _print_call(call.place, call.call, call.sentences())
    for one in missing:
        print(f"{one.place}: {one.sentence}")
        if one.hint:
            print(f"  hint: {one.hint}")
        print()
    for name, remote in plan.remote.items():
        if remote.per_core:
            print(f"{name} has {number_of_replicas(remote)}.\n")
    if claims:
        print(textwrap.fill(LAST, WIDTH))
    elif not inside:
        print("The text shows no call of a remote function.")
        if plan.copies:
            print(textwrap.fill(_PASSED, WIDTH))
    if not claims and not missing and not inside:
        print("hint: a call is found by its name: `import m` and `m.f(...)`, or `from m import f`")
    if source:
        print()
        for path, text in _translated(project):
            print(f"# {path}, translated\n{text}\n")
    return 0


def _as_json(claim: Claim) -> dict[str, Any]:
    """A claim for programs to read."""
    return {
        "place": claim.place,
        "call": claim.call,
        "remote": claim.is_remote,
        "verdict": claim.verdict,
        "waits": list(claim.waits),
        "reason": claim.reason,
        "remedy": claim.remedy,
        "assumes": claim.assumes,
        "result": claim.result,
        "received": claim.received,
        "kept": claim.kept,
    }


def _sources(project: Project) -> dict[str, Any]:
    return {"translated": dict(_translated(project))}


def _print_call(place: str, call: str, said: list[str]) -> None:
    print(f"{place}: {_shortened(call)}")
    for sentence in said:
        print("  " + _wrapped(sentence))
    print()


def _require_python(plan: Plan, program: Program) -> None:
    """Where a file is not Python, its calls or its functions would be missing without a word."""
    path = modules.search_path(program)
    remote = [modules.find_module(name, path) for name in plan.remote]
    for source in (program.path, *(module.source for module in remote if module is not None)):
        if source:
            parsed(source)


def sentences(claim: Claim) -> list[str]:
    """A claim in words, one sentence for each line."""
    waits = f" but waits for {' and '.join(claim.waits)}" if claim.waits else ""
    said = [f"{claim.verdict}{waits}: {claim.reason}."]
    if claim.remedy is not None:
        said.append(f"remedy: {claim.remedy}")
    if claim.result:
        said.append(f"its result {claim.result}.")
    if claim.received:
        said.append(f"its value is received {claim.received}.")
    if claim.unlate is not None:
        said.append(f"remedy: {claim.unlate}")
    if claim.kept:
        said.append(f"replicas keep {claim.kept}.")
    if claim.assumes:
        said.append(f"assumes that {claim.assumes}.")
    return said


def _shortened(call: str) -> str:
    return call if len(call) <= WIDTH - 16 else call[: WIDTH - 19] + "..."


def _wrapped(sentence: str) -> str:
    return textwrap.fill(sentence, WIDTH - 2, subsequent_indent="    ", break_on_hyphens=False)


def _translated(project: Project) -> Iterator[tuple[str, str]]:
    """The modules with calls, each with its path."""
    for module in project.modules.values():
        tree = ast.parse(module.source, module.path)
        found = find_sites(project, module, tree)
        if found.sites:
            late = receiving(project, found)
            tree = ast.fix_missing_locations(_Readable().visit(rewrite(found, late)))
            yield module.path, ast.unparse(tree)


class _Readable(ast.NodeTransformer):
    """Shows marks of native objects as names: `<site:3>.take(...)`."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, str) and node.value.startswith(MARK):
            return ast.Name(f"<{node.value[len(MARK) :]}>", ast.Load())
        return node
