"""`cord explain --run`: how the calls of a run were made, told when it has ended."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from cord._core import SHORTEST_COPIED
from cord.tools.explain.reasons import Tally, Told, unseen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cord._core import Trace
    from cord.plan.model import Plan
    from cord.plan.program import Program
    from cord.runtime.births.births import Births
    from cord.runtime.client.session import Session
    from cord.tools.explain.claims import Claim
    from cord.tools.explain.inside import OwnCall

# So many places are named where copies waited for values.
MOST_PLACES = 5

_AS_FAR = "copies of the program ran ahead as far as"
_LATER = "move what asks for the value at {} behind calls that do not need it, if there are any"

_HOW = (
    "ahead, by a slice",
    "ahead, by a copy of the program",
    "ahead by a moment: a value had to come first",
    "in place",
    "not sent: the program makes them sooner itself",
)


class Report:
    """What is told of a run.

    Attributes:
        name: What the program is called.
        births: Its scouts, if its files could be read.
        trace: Where the run is written down, if it is.
    """

    trace: Trace | None = None

    def __init__(self, plan: Plan, program: Program) -> None:
        self._plan = plan
        self._program = program
        self.name = os.path.basename(program.path or program.name)
        self._process = os.getpid()
        self._folder = os.getcwd()
        self._script = os.path.splitext(os.path.basename(program.path))[0]
        self._session: Session | None = None
        self.births: Births | None = None

    def follow(self, session: Session, births: Births | None) -> None:
        """The run has this session, and these scouts if its files could be read."""
        self._session = session
        self.births = births
        session.keep_tallies()

    def tell(self) -> None:
        """Write it to stderr. Nothing in a forked child of the program's."""
        if os.getpid() != self._process or self._session is None:
            return
        if self.write(self._session):
            return
        with suppress(Exception):  # the program may have closed or replaced it
            sys.stdout.flush()
        text = "\n".join(self.lines(self._session))
        with suppress(OSError):
            os.write(2, f"{text}\n".encode(errors="replace"))

    def write(self, session: Session) -> bool:
        """Write it elsewhere than to stderr; whether it was."""
        return False

    def lines(self, session: Session) -> Iterator[str]:
        """All that is told, line by line."""
        yield ""
        yield f"How the calls of {self.name} were made:"
        claims = self.claims()
        for claim in claims:
            yield ""
            yield f"{claim.place}: {claim.call}"
            yield from _tallied(self.tally(claim), claim.is_remote)
            yield from self.reasons(claim)
        elsewhere = {name: told for name, told in session.tallies.items() if any(told[0])}
        for name, (tally, reasons, _) in elsewhere.items():
            yield ""
            yield f"{name}, where the text does not show the call"
            yield from _tallied(tally)
            yield from unseen(reasons, sum(tally[:-1]))
        if not elsewhere and not any(any(self.tally(claim)) for claim in claims):
            yield from self._nothing_made()
        yield ""
        yield from about_copies(self._said_no(), session.copies_told)

    def _said_no(self) -> str:
        """What the plan says against copies; "" if nothing."""
        if not self._plan.copies:
            return "copies = false"
        return 'speculate = "off"' if self._plan.speculate == "off" else ""

    def _nothing_made(self) -> Iterator[str]:
        """No remote function was called: where it might be that one would be."""
        yield ""
        yield "No call of a remote function was sent to a replica."
        for call in self.own_calls():
            if call.remedy is not None:
                yield f"  {call.place}: {call.call}"
                yield f"    {call.verdict}: {call.reason}."
                yield f"    remedy: {call.remedy}"

    def own_calls(self) -> list[OwnCall]:
        """The calls that remote modules make themselves, in the program."""
        from cord.tools.explain.inside import own_calls

        with suppress(OSError):
            os.chdir(self._folder)  # the program may have gone elsewhere
        return own_calls(self._plan, self._program)

    def claims(self) -> list[Claim]:
        """The calls that the text shows."""
        from cord.tools.explain.claims import claims_of
        from cord.tools.names import kept_parameters, read_project
        from cord.tools.purity import Effects

        with suppress(OSError):
            os.chdir(self._folder)  # the program may have gone elsewhere
        try:
            project = read_project(self._plan, self._program)
            kept = kept_parameters(self._plan, self._program)
            found = claims_of(self._plan, project, kept, Effects(self._plan, self._program))
        except (SyntaxError, ValueError, OSError, RecursionError):
            return []
        return [claim for claim in found if claim.is_remote or any(self.tally(claim))]

    def tally(self, claim: Claim) -> Tally:
        """How often a call was made, and how it was answered."""
        return self.births.tally(*claim.site) if self.births is not None else (0,) * 6

    def reasons(self, claim: Claim) -> Iterator[str]:
        """Why calls of one place were not ahead, and how far others were."""
        if self.births is not None and any(self.tally(claim)):
            told = Told(*self.births.reasons(*claim.site))
            yield from told.lines(claim, self.tally(claim), self._script)


def _tallied(tally: Tally, is_remote: bool = True) -> Iterator[str]:
    """The counts of one place in words; those of a function of the program's own lead to others."""
    total = sum(tally[:-1])
    if total == 0:
        yield "  no call was made here."
    elif not is_remote:
        ahead = sum(tally[:2])
        into = f", which scouts went into {ahead} times" if ahead else ""
        yield f"  {counted(total, 'call')} in the program{into}."
    else:
        ways = [f"{count} {how}" for count, how in zip(tally, _HOW, strict=False) if count]
        yield f"  {counted(total, 'call')}: {'; '.join(ways)}."
    if tally[-1]:
        yield f"  {counted(tally[-1], 'more call')} issued ahead that the program did not make."


def about_copies(said_no: str, told: dict[str, Any] | None) -> Iterator[str]:
    """What became of copies of the program, in words.

    Args:
        said_no: What the plan says against them; "" if nothing.
        told: What the session tells of them.
    """
    if said_no:
        yield f"Copies of the program: none, for the plan says {said_no} under [run]."
        return
    if told is None:
        yield "Copies of the program: none; they cannot be made in this process."
        return
    if told["made"] == 0:
        yield f"Copies of the program: none, for {why_no_copies(told)}."
        return
    in_vain = told["issued"] - told["taken"]
    yield (
        f"Copies of the program: {counted(told['made'], 'was', 'were')} made; they issued "
        f"{counted(told['issued'], 'call')}, {in_vain} of which the program did not make."
    )
    ends = sorted(told["ends"].items(), key=lambda end: (-end[1], end[0]))
    yield f"  ended by: {'; '.join(f'{words} ({count})' for words, count in ends)}."
    if told["leaders"]:
        leaders = counted(sum(told["leaders"].values()), "copy", "copies")
        yield f"  while they waited, {leaders} of theirs (leaders) went on without the value."
    if told["waits"]:
        places = "; ".join(f"{place} ({count})" for place, count in most_of(told["waits"]))
        yield f"  they waited for a value that the program asks for at {places}."
    if told["passed"]:
        places = "; ".join(f"{place} ({count})" for place, count in most_of(told["passed"]))
        yield f"  they went on without knowing what the program asks for at {places}."
    for by, (right, wrong) in told["guesses"].items():
        yield f"  guesses of {by}: {right} right, {wrong} wrong."
    for line, (what, count) in list(_wrong(told).items())[:MOST_PLACES]:
        yield f"  they were wrong at {line} ({count}): {what}."
    if (stop := where_copies_stop(told)) is not None:
        yield f"    remedy: {stop[1]}"
    yield (
        f"  they cost the program {_time(told['lost'])} ({_time(told['cost'])} to make the last "
        f"one), and saved {_time(told['saved'])}."
    )
    if told["refused"] is not None:
        yield f"  there are none any more, for {told['refused']}."
    elif told["too_costly"]:
        yield (
            f"  {counted(told['too_costly'], 'call')} had none made, for copies had cost too much "
            "for what they saved."
        )


def why_no_copies(told: dict[str, Any]) -> str:
    """Why no copy of the program was made, in words, by what the session tells of copies."""
    if told["refused"] is not None:
        return str(told["refused"])
    if told["ends"]:
        return "; ".join(told["ends"])
    if told["too_costly"]:
        return "the program is too large for the time that it has run"
    if told["service"] == 0:
        return "the program waited for no call, or one only, that slices did not foresee"
    if told["service"] < SHORTEST_COPIED:
        least = _time(SHORTEST_COPIED)
        return f"calls take {_time(told['service'])}, and are worth one from {least} on"
    if told["on_threads"]:
        return (
            "the calls were waited for on other threads than the program's first, which copies "
            "have only where they may guess, and while all of them wait"
        )
    if told["behind_slices"]:
        return "slices of the text were to see what comes, wherever the program waited"
    return "the program waited for no further call that slices did not foresee"


def most_of(counts: dict[str, int]) -> list[tuple[str, int]]:
    """Those that were counted most."""
    return sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:MOST_PLACES]


def where_copies_stop(told: dict[str, Any] | None) -> tuple[str, str] | None:
    """The line at which copies of the program came no further, and what can be done about it.

    Args:
        told: What the session tells of them.
    """
    if told is None or not told["made"]:
        return None
    wrong = _wrong(told) if told["issued"] > told["taken"] else {}
    for line, (what, _) in sorted(wrong.items(), key=lambda one: not _was_left(told, one[0])):
        return f"{_AS_FAR} {line}, and went wrong there ({what})", _LATER.format(line)
    for line, count in most_of(told["waits"]):
        if count == 1:  # that does not keep many calls from being ahead
            return None
        return f"{_AS_FAR} {line}, and waited there for a value ({count} times)", _LATER.format(
            line
        )
    return None


def _wrong(told: dict[str, Any]) -> dict[str, tuple[str, int]]:
    """What copies have guessed wrong, by line: an example, and how often, most often first."""
    lines: dict[str, tuple[str, int]] = {}
    for words, count in told.get("wrong", {}).items():
        line, _, what = words.partition(": ")
        example, before = lines.get(line, (what, 0))
        lines[line] = example, before + count
    return dict(sorted(lines.items(), key=lambda one: (-one[1][1], one[0])))


def _was_left(told: dict[str, Any], line: str) -> bool:
    """Whether a copy has gone elsewhere than the program behind its guess at a line."""
    return any(words.endswith(f" at {line}") for words in told["ends"])


def counted(count: int, one: str, many: str | None = None) -> str:
    """A number of things."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{seconds * 1000:.1f} ms"
