"""`cord explain`: for every remote call, how far ahead it is made, and why not farther."""

from __future__ import annotations

import ast
import os
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cord.tools.names import module_of, read_project
from cord.translate.known import Known
from cord.translate.project import Project
from cord.translate.report import Reason
from cord.translate.results import MARK
from cord.translate.rewrite import rewrite
from cord.translate.scouts import Scouts
from cord.translate.sites import Found, Site, find_sites
from cord.translate.tree import Call, For, Node, While, blocks, walk

if TYPE_CHECKING:
    from cord.plan.model import Plan
    from cord.plan.program import Program


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is said of one call site.

    Attributes:
        place: File and line, as "search.py:14".
        call: The call as it is written.
        verdict: "ahead" or "in place".
        words: Sentences that say how far, what stops the scout, and the remedy if there is one.
    """

    place: str
    call: str
    verdict: str
    words: tuple[str, ...]


def explain(plan: Plan, program: Program, source: bool) -> int:
    """Print the explanations for a program, and with `source` its translation too.

    Args:
        plan: The plan.
        program: The program.
        source: Print the translated modules as well.

    Returns:
        The exit code, 0.

    Raises:
        SyntaxError: The program cannot be parsed.
    """
    project = read_project(plan, program)
    explanations = explain_project(plan, project)
    for one in explanations:
        print(f"{one.place}: {one.call}")
        print(f"  {one.verdict}: " + _wrapped(one.words[0]))
        for sentence in one.words[1:]:
            print("  " + _wrapped(sentence))
        print()
    if not explanations:
        print("No call of a remote function was found.")
        print("hint: a call is found by its name: `import m` and `m.f(...)`, or `from m import f`")
    if source:
        _print_source(project)
    return 0


def explain_project(plan: Plan, project: Project) -> list[Explanation]:
    """Explain every call site of a project, in the order of modules and lines."""
    scouts = Scouts(project)
    found = [scouts.found(name) for name in project.modules]
    return [
        _explain_site(plan, project, scouts, module, site)
        for module in found
        for site in sorted(module.sites, key=lambda site: (site.node.lineno, site.node.col_offset))
    ]


def _explain_site(
    plan: Plan, project: Project, scouts: Scouts, found: Found, site: Site
) -> Explanation:
    place = f"{os.path.basename(found.module.path)}:{site.node.lineno}"
    call = ast.unparse(site.node)
    in_place = _why_in_place(plan, site)
    if in_place is not None:
        return Explanation(place, call, "in place", in_place)
    ahead, words = _how_far(scouts, found, site)
    if site.dynamic:
        return Explanation(place, call, *_dynamic_words(site.meaning.name, ahead, words))
    if not site.remote:
        return Explanation(place, call, *_helper_words(_helper_name(site), ahead, words))
    return Explanation(place, call, "ahead" if ahead else "in place", words)


def _helper_name(site: Site) -> str:
    named = site.meaning.name.isidentifier()
    return site.meaning.name if named else ast.unparse(site.func)


def _dynamic_words(name: str, ahead: bool, words: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    if ahead:
        return "ahead", (f"a scout follows what {name} is at run time, {words[0]}", *words[1:-1])
    return "in place", words


def _helper_words(name: str, ahead: bool, words: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    if ahead:
        return "ahead", (f"a scout goes into {name}(), {words[0]}", *words[1:-1])
    return "in place", (f"the program enters {name}() by itself; a scout may start inside.",)


def _why_in_place(plan: Plan, site: Site) -> tuple[str, ...] | None:
    if site.why_not is not None:
        return (f"{site.why_not}.",)
    if not site.remote:
        return None
    remote = next(one for one in plan.remote.values() if module_of(one) == site.meaning.module)
    settings = remote.function(site.meaning.name)
    table = f"[remote.{remote.module}]"
    if settings.callstyle == "sync":
        return ('its callstyle is "sync".', f'remedy: callstyle = "async" in {table}')
    if not settings.pure:
        return (
            f"{remote.module}.{site.meaning.name} is not declared pure, "
            "so it runs when the program says.",
            f"remedy: pure = true in {table}, if it has no effects and only its arguments matter",
        )
    return None


def _how_far(scouts: Scouts, found: Found, site: Site) -> tuple[bool, tuple[str, ...]]:
    """Whether some scout of the region makes this call, and the sentences about it."""
    loops: list[int] = []
    stops: list[str] = []
    from_before = False
    reason: str | None = None
    for start in site.region.sites:
        analysed = scouts.analysis_after(found.module.name, start.index)
        if analysed is None:
            continue
        body, known = analysed
        if start is site:
            unsure = scouts.loops_from_start(site.region)
            _follow_loops(body, known, site.index, unsure, loops, stops)
        for node in walk(body):
            if isinstance(node, Call) and node.site == site.index:
                if node in known.issued:
                    from_before = from_before or start is not site
                elif node in known.passed and reason is None:
                    reason = known.passed[node].words()
    words: list[str] = []
    if loops:
        lines = ", ".join(str(line) for line in dict.fromkeys(loops))
        plural = "s" if len(set(loops)) > 1 else ""
        words.append(f"through the loop{plural} at line {lines}.")
    elif from_before:
        words.append("from the calls before it.")
    words.extend(stops)
    if not words:
        words.append(_stop(reason) if reason else "nothing before it lets a scout start.")
    elif reason is not None and not loops:
        words.append(f"sometimes left to the program: {_stop(reason)}")
    words.append("taken where the program makes the call.")
    return bool(loops) or from_before, tuple(words)


def _follow_loops(
    block: list[Node],
    known: Known,
    site: int,
    unsure: dict[int, Reason],
    loops: list[int],
    stops: list[str],
) -> None:
    """Note the loops that a scout born at the site goes on with, innermost first."""
    for node in block:
        for inner in blocks(node):
            _follow_loops(inner, known, site, unsure, loops, stops)
        if not isinstance(node, (For, While)) or node.first is None:
            continue
        if node in known.ends:
            stops.append(
                f"the scout stops at the loop at line {node.line}: "
                f"{_stop(known.ends[node].words())}"
            )
            continue
        calls = [inner for inner in walk(node.body) if isinstance(inner, Call)]
        if not any(call.site == site and call in known.issued for call in calls):
            continue
        if isinstance(node, For) and node.loop in unsure:
            stops.append(
                f"the loop at line {node.line} is followed only if it runs over a list, tuple, "
                "range, dict, set, string or array, or over what is assumed pure: "
                f"{_stop(unsure[node.loop].words())}"
            )
        else:
            loops.append(node.line)


def _stop(words: str) -> str:
    return words if words.endswith(".") else f"{words}."


def _wrapped(sentence: str) -> str:
    return textwrap.fill(sentence, 96, subsequent_indent="    ", break_on_hyphens=False)


def _print_source(project: Project) -> None:
    for module in project.modules.values():
        tree = ast.parse(module.source, module.path)
        found = find_sites(project, module, tree)
        if found.sites:
            print(f"# {module.path}, translated")
            print(ast.unparse(ast.fix_missing_locations(_Readable().visit(rewrite(found)))))
            print()


class _Readable(ast.NodeTransformer):
    """Shows marks of native objects as names: `<site:3>.take(...)`."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, str) and node.value.startswith(MARK):
            return ast.Name(f"<{node.value[len(MARK) :]}>", ast.Load())
        return node
