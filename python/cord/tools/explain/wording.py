"""Words for what scouts foresee."""

from __future__ import annotations

import ast
import builtins
import os
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from cord.knowledge.objects import EFFECT_NAMES
from cord.knowledge.outside import changes_arguments, effects_of
from cord.knowledge.rows import RANDOM
from cord.plan.words import AUTO
from cord.translate.analyse.report import needs_result

if TYPE_CHECKING:
    from cord.source.modules import Module
    from cord.tools.explain.foresight import Foreseen, Foresight, Place
    from cord.translate.analyse.report import Reason
    from cord.translate.sites.sites import Site

_MANY = 3  # places that are named one by one

# What can be done where a reason ends in such words.
_REMEDIES = (
    ("is shared with other functions", "keep it in a local variable"),
    ("and others may share it", "change a copy of it"),
    ("is changed here", "keep it in a local variable"),
    ("read elsewhere", "make it a list"),
    ("that the program makes this call", "make such calls in a loop that does nothing else before"),
)

_READS = frozenset((".read", ".readline", ".readlines", ".read_text", ".read_bytes"))


def ways(foresight: Foresight, place: Place, foreseen: Foreseen) -> str:
    """How scouts come to a call that they make, and how far they go on."""
    site = foresight.sites[place]
    into = "" if site.remote else f"a scout goes into {helper(site)}, "
    if site.dynamic:
        into = f"a scout follows what {ast.unparse(site.func)} is at run time, "
    through = _through(foresight, place, foreseen)
    return f"{into}{through}, then {onward(foresight, place, foreseen)}"


def onward(foresight: Foresight, place: Place, foreseen: Foreseen) -> str:
    """How far a scout goes that is born at a call."""
    region = foresight.sites[place].region
    match region.node:
        case ast.Module():
            return "the rest of the " + ("program" if place[0] == "__main__" else "module")
        case ast.GeneratorExp():
            return "the rest of the generator expression"
        case ast.Lambda():
            name = "the lambda"
        case _:
            name = f"{region.name}()"
    return f"the rest of {name}" + (" and its callers" if foreseen.callers else "")


# What a call waits for that needs its own result.
TURN_BEFORE = "the call of the turn before"


def waits(foresight: Foresight, place: Place, passed: Collection[str] = ()) -> tuple[str, ...]:
    """The results that a call waits for: those of `passed` it is given as they are."""
    foreseen = foresight.of(place)
    ordered = sorted(foreseen.waits, key=lambda reason: (reason.line, reason.text))
    texts = [(reason.text.removeprefix("it needs the result of "), reason) for reason in ordered]
    all_texts = tuple(dict.fromkeys(f"{text} at line {reason.line}" for text, reason in texts))
    waited = tuple(text for text in all_texts if text not in passed)
    site = foresight.sites[place]
    own = needs_result(site.node.lineno, site.meaning.dotted if site.remote else "")
    return (TURN_BEFORE,) if waited == all_texts and own in foreseen.waits else waited


def calls(sites: Iterable[Site]) -> tuple[str, ...]:
    """Calls by what they call and where they stand."""
    texts = (f"{ast.unparse(site.func)}() at line {site.node.lineno}" for site in sites)
    return tuple(dict.fromkeys(texts))


def together(texts: Iterable[str]) -> str:
    """Several in one."""
    *others, last = texts
    return f"{', '.join(others)} and {last}" if others else last


def because(reason: Reason) -> str:
    """A reason as part of a sentence."""
    return reason.words()


def remedy(reason: Reason, module: Module) -> str | None:
    """What the user can do where a reason keeps scouts from a call; None if there is nothing."""
    callee = reason.callee
    if callee is None:
        if reason.text.partition(".")[0] in module.names:
            return None  # what another module has is replaced
        return next((what for end, what in _REMEDIES if reason.text.endswith(end)), None)
    return called(callee, computes=reason.text.startswith(f"{callee} "))


def called(callee: str, computes: bool = True) -> str | None:
    """What the user can do where a scout does not call a function.

    Args:
        callee: Its dotted name; a method's may begin with a dot.
        computes: What it gives is needed, not something that it may change.
    """
    if callee == "next":
        return "walk it with a for loop"
    if changes_arguments(callee):
        return None
    if RANDOM in effects_of(callee):
        return "draw all numbers before the loop, and keep them in a list"
    if effects_of(callee):
        return f"call {callee} before the loop, and keep what it gives" if computes else None
    if hasattr(builtins, callee):
        return None
    if callee in _READS:
        return "read it before the loop, or let the remote function read it"
    if callee.removeprefix(".") in EFFECT_NAMES:
        return None
    if callee.startswith("."):
        return (
            f"[assume] pure in cord.toml with the full name of {callee} (module and class first), "
            "if it has no effects"
        )
    return f'[assume] pure = ["{callee}"] in cord.toml, if it has no effects'


# What the user says of functions that are independent.
FREEDOM = "later calls may be made even if an earlier one raises an exception (independent)"


def exits(lines: Collection[int]) -> str:
    """That the exits at these lines are guessed not to be taken; "" if there are none."""
    if not lines:
        return ""
    noun, verb = ("exit", "is") if len(lines) == 1 else ("exits", "are")
    return (
        f"the {noun} at {_lines(sorted(lines))} {verb} not taken, unless the loop's history says so"
    )


def helper(site: Site) -> str:
    """A function of the project that a call calls."""
    if site.meaning.kind == "property":
        return site.meaning.name
    named = site.meaning.name.isidentifier()
    return f"{site.meaning.name if named else ast.unparse(site.func)}()"


def unseen(site: Site) -> str:
    """That the text shows no call of the function in which a call stands."""
    return f"the text does not show who calls {site.region.name}()"


def keeps(parameters: Collection[str] | str) -> str:
    """What replicas keep of a call's arguments, and what each call pays to see that it is so."""
    if not parameters:
        return ""
    what = "what turns up again" if parameters == AUTO else together(parameters)
    return (
        f"{what}: for each call, large arrays are looked at through the kernel's page table, and "
        "compared where that is not possible; what is no array is pickled; bytes and text cost "
        "nothing"
    )


def _through(foresight: Foresight, place: Place, foreseen: Foreseen) -> str:
    """The loops, the calls before, or the callers from which slices come."""
    kind, at = foreseen.ways[0].kind, [way.at for way in foreseen.ways]
    if kind == "loop":
        loops = [getattr(loop, "lineno", 0) for loop in foresight.loops_around(place)]
        loops = loops or [foresight.sites[place].node.lineno]  # `map` and the like
        return f"through the loop{'s' if len(set(loops)) > 1 else ''} at {_lines(loops)}"
    if kind == "before":
        return f"from the call at line {foresight.sites[at[0]].node.lineno} on"
    texts = []
    for module, index in list(dict.fromkeys(at))[:_MANY]:
        line = foresight.sites[module, index].node.lineno
        file = os.path.basename(foresight.project.modules[module].path)
        texts.append(f"line {line}" if module == place[0] else f"{file}:{line}")
    more = " and more" if len(set(at)) > _MANY else ""
    return f"from its callers ({', '.join(texts)}{more})"


def _lines(lines: Iterable[int]) -> str:
    """Lines in words: "line 4", "lines 4, 7"."""
    numbers = [str(line) for line in dict.fromkeys(lines)]
    return f"line{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}"
