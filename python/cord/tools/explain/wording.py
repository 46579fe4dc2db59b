"""Words for what scouts foresee."""

from __future__ import annotations

import ast
import builtins
import os
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from cord.explain.containers import walked_by_loops
from cord.explain.foresight import Way, waits_for_itself
from cord.knowledge.objects import EFFECT_NAMES
from cord.knowledge.outside import changes_arguments, effects_of
from cord.knowledge.rows import RANDOM
from cord.plan.words import AUTO

if TYPE_CHECKING:
    from cord.explain.assumptions import Kept
    from cord.explain.foresight import Foreseen, Foresight, Place
    from cord.source.modules import Module
    from cord.translate.analyse.report import Reason
    from cord.translate.sites.sites import Site

_CONTAINERS = "a list, tuple, range, dict, set, string or array"
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

# What the user says of functions that are independent.
FREEDOM = "later calls may be made even if an earlier one raises an exception (independent)"


def ways(foresight: Foresight, place: Place, foreseen: Foreseen) -> str:
    """How scouts come to a call that they make, and how far they go on."""
    site = foresight.sites[place]
    said = [way for way in foreseen.ways if way.sure == foreseen.sure]
    parts = [_loops(said), _before(foresight, said), _callers(foresight, place, said)]
    into = "" if site.remote else f"a scout goes into {helper(site)}, "
    if site.dynamic:
        into = f"a scout follows what {ast.unparse(site.func)} is at run time, "
    through = " and ".join(part for part in parts if part)
    return f"{into}{through}, then {onward(foresight, place, foreseen)}"


def onward(foresight: Foresight, place: Place, foreseen: Foreseen) -> str:
    """How far a scout goes that is born at a call."""
    if foreseen.end is not None:
        line, reason = foreseen.end
        return f"as far as the loop at line {line}, where it ends ({because(reason)})"
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


def waits(foreseen: Foreseen, passed: Collection[str] = ()) -> tuple[str, ...]:
    """The results that a call waits for: those of `passed` it is given as they are."""
    ordered = sorted(foreseen.waits, key=lambda reason: (reason.line, reason.text))
    texts = [(reason.text.removeprefix("it needs the result of "), reason) for reason in ordered]
    all_texts = tuple(dict.fromkeys(f"{text} at line {reason.line}" for text, reason in texts))
    waited = tuple(text for text in all_texts if text not in passed)
    if waited and waited == all_texts and waits_for_itself(foreseen.ways[0]):
        return (TURN_BEFORE,)
    return waited


def calls(sites: Iterable[Site]) -> tuple[str, ...]:
    """Calls by what they call and where they stand."""
    texts = (f"{ast.unparse(site.func)}() at line {site.node.lineno}" for site in sites)
    return tuple(dict.fromkeys(texts))


def together(texts: Iterable[str]) -> str:
    """Several in one."""
    *others, last = texts
    return f"{', '.join(others)} and {last}" if others else last


def copied(foresight: Foresight, way: Way) -> tuple[str, str | None]:
    """That a scout can go on with the loops around it, and comes to a handler."""
    if way.sighting.unsure:
        loop = way.sighting.unsure[0]
        module = way.at[0]
        text = _walked_text(foresight, module, loop.loop)
        what = text or f"what the loop at line {loop.line} runs over"
        verb = "gives" if text.endswith(")") else "is"
        return f"{what} {verb} {_CONTAINERS}", f"else make a list of {text or 'it'} before the loop"
    line = way.sighting.handler
    return f"what the try at line {line} catches was not raised by a remote call", None


def overtaken(foresight: Foresight, by: tuple[Place, Reason]) -> tuple[str, str | None]:
    """That no scout has gone past the call."""
    place, reason = by
    line = foresight.sites[place].node.lineno
    what = f"no scout from line {line} has passed it by ({because(reason)})"
    return what, remedy(reason, foresight.project.modules[place[0]])


def because(reason: Reason) -> str:
    """A reason as part of a sentence."""
    return reason.words()


def sets(setter: ast.AST) -> tuple[str, str | None]:
    """That what is set between calls was so before: else those made ahead are not used."""
    what = f"{ast.unparse(setter)} at line {getattr(setter, 'lineno', 0)}"
    return f"{what} sets nothing anew", "else set it before the loop"


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


def assumes(
    exits: frozenset[int], unseen: Iterable[str], kept: Iterable[Kept], declared: Iterable[str]
) -> tuple[str, ...]:
    """What is taken for granted."""
    said = []
    if exits:
        verb = "is" if len(exits) == 1 else "are"
        noun = "exit" if verb == "is" else "exits"
        guessed = f"the {noun} at {_lines(sorted(exits))} {verb} not taken"
        said.append(f"{guessed}, unless the loop's history says so")
    said += [f"{name} is a list or the like, no iterator" for name in dict.fromkeys(unseen)]
    said += [f"{one.name} stays as it is ({_lines(one.lines)} can change it)" for one in kept]
    said += [f"{name.removeprefix('__main__.')} has no effects ([assume])" for name in declared]
    return tuple(said)


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


def _loops(said: list[Way]) -> str:
    lines = [loop.line for way in said if way.kind == "loop" for loop in way.sighting.loops]
    if not lines:
        return ""
    return f"through the loop{'s' if len(set(lines)) > 1 else ''} at {_lines(lines)}"


def _before(foresight: Foresight, said: list[Way]) -> str:
    lines = [foresight.sites[way.at].node.lineno for way in said if way.kind == "before"]
    if not lines or any(way.kind == "loop" for way in said):
        return ""
    return f"from the call at line {min(lines)} on"


def _callers(foresight: Foresight, place: Place, said: list[Way]) -> str:
    if any(way.kind == "loop" for way in said):
        return ""
    here = place[0]
    places = dict.fromkeys(way.at for way in said if way.kind == "caller")
    if not places:
        return ""
    texts = []
    for module, index in list(places)[:_MANY]:
        line = foresight.sites[module, index].node.lineno
        file = os.path.basename(foresight.project.modules[module].path)
        texts.append(f"line {line}" if module == here else f"{file}:{line}")
    more = " and more" if len(places) > _MANY else ""
    return f"from its callers ({', '.join(texts)}{more})"


def _walked_text(foresight: Foresight, module: str, loop: int) -> str:
    found = foresight.scouts.found(module)
    walked = walked_by_loops(found).get(loop, [])
    text = ", ".join(ast.unparse(one) for one in walked)
    return text if len(text) <= 40 else ""


def _lines(lines: Iterable[int]) -> str:
    """Lines in words: "line 4", "lines 4, 7"."""
    numbers = [str(line) for line in dict.fromkeys(lines)]
    return f"line{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}"
