"""What is said where no plan pays: why not, and what would have to be otherwise."""

from __future__ import annotations

import json
import os
import re
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

from cord._core import means
from cord.effects.summary import CHANGES
from cord.plan.problems import listing
from cord.tools.init.choice import FEWEST, LEAST_EACH, LEAST_SHARE
from cord.tools.init.gain import LEAST, remote
from cord.tools.init.loops import Hot, hot_loop
from cord.tools.init.methods import part_of
from cord.tools.init.profiler import FUNCTION, GENERATOR, INNER, METHOD, PRIVATE, PROJECT
from cord.tools.init.proposal import as_file
from cord.tools.init.refusal import Refused, Undecided, duration, number_of, size
from cord.tools.init.steady import in_numbers_alone
from cord.tools.trials.differences import told as lines_of

if TYPE_CHECKING:
    from cord.tools.init.choice import Candidate
    from cord.tools.init.evidence import Evidence
    from cord.tools.init.gain import Tried
    from cord.tools.init.plain import Plain
    from cord.tools.init.profile import Function, Profile
    from cord.tools.init.proposal import Table

_CANNOT = {
    METHOD: "a method",
    INNER: "a function inside another one",
    PRIVATE: "private by its name",
    GENERATOR: "a generator",
}
_IMPORTS = 0.5  # of the run
_IN_PLACE = re.compile(r"\s+in place ([\d,]+) of ([\d,]+) times?, (.*)")
_DISTANCE = re.compile(r"\s+ahead by ([\d,]+) calls? as a rule")
_MANY = 0.3  # of the calls
_FEW = 3
_SEEN = 5  # looks that are too few to tell anything


def nothing_pure(found: list[Candidate], known: dict[str, Evidence], command: str) -> Refused:
    """Why no function that takes time may be called early.

    Args:
        found: The functions.
        known: What is known of them, by their full names.
        command: What follows `cord init` to look at the program.
    """
    said = []
    for one in found[:3]:
        evidence = known[one.function.full]
        remedy = evidence.hint.partition("; or leave pure")[0]
        hint = f" (hint: {remedy})" if remedy else ""
        said.append(f"{_named(one)}: {evidence.against}{hint}.")
        if one.function.kind == METHOD and evidence.kind == CHANGES:
            said += _as_a_function(one.function)
    asks = known[found[0].function.full].asks
    if asks:
        said.append(
            "If it does no harm to make such calls early, again, or in vain: cord init --accept "
            f"{','.join(sorted(asks))} {command}"
        )
    else:
        said.append(
            "Where that makes no difference to the program, a plan of your own may say pure = "
            "true, or independent = true for effects that no other call depends on; cord verify "
            "then looks whether it shows the same."
        )
    which = "function that takes the time is" if len(found) == 1 else "functions that take it are"
    return Refused(f"Calls can start early only where they are pure, and the {which} not:", said)


def nothing_to_name(plain: Plain, profile: Profile) -> Refused:
    """Why no function is worth being remote, and which lines would be, as one."""
    if profile.imports >= _IMPORTS * profile.seconds:
        share = profile.imports / profile.seconds
        return Refused(f"It spends {share:.0%} of its time on imports, which stay in the program.")
    hot = _loop(plain)
    nearest = _hottest(profile)
    more = [_advice(*hot)] if hot is not None else []
    if nearest is None:
        return Refused("No function is called often enough and takes most of the time.", more)
    if nearest.kind == METHOD:
        more = _as_a_function(nearest) or more
    return Refused(_hindered(profile, nearest), more)


def _as_a_function(method: Function) -> list[str]:
    """What of a method could be a function that a plan can name, in a paragraph and its text."""
    part = None
    with suppress(OSError, SyntaxError, ValueError), open(method.file, encoding="utf-8") as file:
        part = part_of(file.read(), method.line)
    if part is None:
        return []
    chained = ""
    if part.chained:
        left = listing([f"self.{name}" for name in part.chained])
        chained = f"Each call needs what the one before has left in {left}. "
    if not part.first:
        return [f"{chained}Where that need not be so, a function does without it."]
    lines = (
        f"line {part.first} does"
        if part.first == part.last
        else f"lines {part.first} to {part.last} do"
    )
    return [
        f"{chained}What {lines} could be a function that needs nothing of that; then run cord init "
        "again:",
        part.text,
    ]


def _hottest(profile: Profile) -> Function | None:
    """The function that takes most of the time, those first whose calls are long enough."""
    hot = [
        one
        for number, one in enumerate(profile.functions)
        if one.seconds >= LEAST_SHARE * profile.seconds
        and one.calls >= FEWEST
        and (one.kind in _CANNOT or one.kind == FUNCTION)
        and not one.name.endswith(("comp>", "<genexpr>"))
        and _is_at_hand(profile, number)
    ]
    longer = [one for one in hot if _is_long(one)]
    return max(longer or hot, key=lambda one: one.seconds, default=None)


def _is_long(function: Function) -> bool:
    return function.seconds / function.calls >= LEAST_EACH


def _hindered(profile: Profile, first: Function) -> str:
    """What keeps a function from being remote."""
    what = f"{_function(first)} takes {first.seconds / profile.seconds:.0%} of the time"
    each = f"in {number_of(first.calls, 'call')} of {duration(first.seconds / first.calls)}"
    if first.kind in _CANNOT and _is_long(first):
        return (
            f"{what}, {each}, but it is {_CANNOT[first.kind]}: a plan names public functions at "
            f"the top level of a module, and methods of public classes outside of the main script."
        )
    if not _is_long(first):
        return f"{what}, {each}: too short to be sent. Let one call do more of the work."
    if profile.sent(profile.functions.index(first), inside=True)[0] < FEWEST:
        return f"{what}, most of that in a single call, which overlaps with nothing."
    return f"{what}, {each}, but a plan cannot name it: its module does not show it."


def _is_at_hand(profile: Profile, number: int) -> bool:
    """Whether a function is the project's, or called by the project."""
    callers = (profile.functions[caller] for caller in profile.callers(number))
    places = {profile.functions[number].place, *(caller.place for caller in callers)}
    return PROJECT in places


def _loop(plain: Plain) -> tuple[str, Hot] | None:
    """The loop that takes the time, with its file, from one more run."""
    written = os.path.join(plain.scratch, "lines")
    request = {**plain.request(), "lines": written, "folders": plain.folders}
    plain.say("looking for the lines that take the time")
    try:
        words = ["-m", "cord.tools.init.sampler", plain.write("sampled", request)]
        plain.trials.run(words, plain.longest)
        with open(written, encoding="utf-8") as file:
            data = json.load(file)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    files: dict[str, dict[int, int]] = {}
    for path, line, count in data["lines"]:
        files.setdefault(path, {})[line] = count
    found = []
    for path, counts in files.items():
        try:
            with open(path, encoding="utf-8") as file:
                hot = hot_loop(file.read(), counts, data["total"])
        except (OSError, SyntaxError, ValueError):
            continue
        if hot is not None and data["total"] > _SEEN:
            found.append((path, hot))
    found.sort(key=lambda one: (bool(one[1].carried), -one[1].share))
    return found[0] if found else None


def _advice(path: str, hot: Hot) -> str:
    file = os.path.basename(path)
    where = f"{hot.share:.0%} of the time is in the loop at {file}:{hot.line}"
    if hot.carried:
        return (
            f"{where}, whose turns need what the turn before has left in {listing(hot.carried)}: "
            "one comes after the other, and nothing can start early."
        )
    lines = f"line {hot.first}" if hot.first == hot.last else f"lines {hot.first} to {hot.last}"
    takes = f" of {listing(hot.takes)}" if hot.takes else ""
    put = "it puts" if hot.first == hot.last else "they put"
    gives = f" that returns what {put} into {listing(hot.gives)}" if hot.gives else ""
    said = f"{where}. Put {lines} into a top-level function{takes}{gives}, call it in the loop"
    if not hot.loops:
        said += " (if one turn takes less than a tenth of a millisecond, for many turns at once)"
    return f"{said}, and run cord init again."


def _different(tried: list[Tried]) -> Refused:
    """Under the plan the program shows something else."""
    first = next(one for one in tried if one.unlike)
    lines = "\n".join(lines_of(first.unlike[:3], ("plain", "cord"))).strip()
    reason = f"With {remote(first.tables)} it does not show the same as in plain Python."
    if first.seconds is None or not all(in_numbers_alone(one) for one in first.unlike):
        more = "A function of these does more than its text and single calls of it show."
        return Refused(reason, [lines, more])
    return Refused(
        reason,
        [
            lines,
            f"If these numbers are times, they have to differ: it took {duration(first.seconds)}, "
            f"and {duration(first.plain)} in plain Python. Then the plan is this:",
            as_file([], first.tables).strip(),
        ],
    )


def nothing_gained(plain: Plain, tried: list[Tried], known: dict[str, Evidence]) -> Refused:
    """Why the plans that were tried do not pay."""
    same = [one for one in tried if not one.unlike]
    if not same:
        return _different(tried)
    best = min(same, key=lambda one: one.seconds or float("inf"))
    if plain.is_disturbed and may_pay(same):
        raise _undecided(plain, best)
    took = "no end in sight" if best.seconds is None else duration(best.seconds)
    little = best.seconds is not None and best.seconds < best.plain
    faster = f"gets {'hardly' if little else 'no'} faster"
    reason = (
        f"With {remote(best.tables)} it {faster}: {took}, and "
        f"{duration(best.plain)} in plain Python."
    )
    return Refused(reason, [_why(plain, best.tables, known)])


def may_pay(tried: list[Tried]) -> bool:
    """Whether some plan may pay on a machine of its own, by the processor seconds that it needs."""
    cores = len(os.sched_getaffinity(0))
    quick = [one for one in tried if one.processor is not None]
    return any(one.plain >= LEAST * (one.processor or 0.0) / cores for one in quick)


def _undecided(plain: Plain, best: Tried) -> Undecided:
    """That the machine was too busy to tell."""
    load, cores = os.getloadavg()[0], len(os.sched_getaffinity(0))
    took = "no end in sight" if best.seconds is None else duration(best.seconds)
    return Undecided(
        f"This machine is busy (load {load:.1f}; other programs kept {plain.busy:.1f} of "
        f"{number_of(cores, 'core')} busy): measure again when it is quiet.",
        [
            f"With {remote(best.tables)} it took {took} here, and "
            f"{duration(best.plain)} in plain Python. That is no gain; by the processor seconds "
            "that it took there may be one where nothing else runs. The plan was this:",
            as_file([], best.tables).strip(),
        ],
    )


def _why(plain: Plain, some: list[Table], known: dict[str, Evidence]) -> str:
    candidates = [one for table in some for one in table.functions]
    main = max(candidates, key=lambda one: one.seconds)
    evidence = known[main.function.full]
    each = evidence.each or main.each
    if evidence.cost > each / 8:
        return (
            f"A call of {main.function.name} takes {duration(each)}, and carries "
            f"{size(evidence.sent)} there and {size(evidence.came)} back: to encode that takes "
            f"{duration(evidence.cost)}. Pass less, if it needs less."
        )
    if each < 4 * LEAST_EACH:
        return f"A call of {main.function.name} takes {duration(each)}; to send it takes as long."
    if means()[0] == 1 and not all(isinstance(table.replicas, int) for table in some):
        return "It computes, and there is one core here, which the program has already."
    told = _told(plain, some)
    if told:
        return told
    if main.calls <= _FEW:
        return f"{main.function.name} is called {main.calls} times: there is little to overlap."
    return "There is not enough to do at once for what replicas cost to start, and calls to send."


def _told(plain: Plain, some: list[Table]) -> str:
    """Why calls were made in place, as `cord explain --run` tells it; "" if most were not."""
    with open(plain.plan, "w", encoding="utf-8") as file:
        file.write(as_file([], some))
    plain.say("asking why")
    try:
        lines = plain.trials.explained(plain.longest).stderr.decode("utf-8", "replace").splitlines()
    except subprocess.TimeoutExpired:
        return ""
    return why_in_place(lines)


def why_in_place(lines: list[str]) -> str:
    """The reason why calls were not made ahead, out of what `cord explain --run` tells.

    Args:
        lines: All that the run wrote to stderr.

    Returns:
        A sentence or two; "" if most calls were ahead.
    """
    found = [(at, match) for at, line in enumerate(lines) if (match := _IN_PLACE.match(line))]
    at, match = max(found, key=lambda one: _count(one[1][1]), default=(0, None))
    if match is not None and _count(match[1]) >= _MANY * _count(match[2]):
        said = f"{match[1]} of {match[2]} calls were made in place, {match[3]}"
        remedy = lines[at + 1].strip() if lines[at + 1 : at + 2] else ""
        return f"{said} {remedy.capitalize()}." if remedy.startswith("remedy: ") else said
    distances = [_count(match[1]) for line in lines if (match := _DISTANCE.match(line))]
    if distances and max(distances) <= 1:
        return "A call is ahead by one at most: it needs the result of the one before."
    return ""


def _count(number: str) -> int:
    return int(number.replace(",", ""))


def _named(one: Candidate) -> str:
    each = f"{number_of(one.calls, 'call')} of {duration(one.each)}"
    return f"{_function(one.function)}, {each}"


def _function(function: Function) -> str:
    return f"{function.name} ({os.path.basename(function.file)}:{function.line})"
