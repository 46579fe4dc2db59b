"""What a run may show: what plain Python shows, or a documented error and nothing after."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from schedules import LIMITS, Schedule, subject_of
from subjects import Effects, Subject

LOST = ("CallMayHaveRun", "ReplicaLost", "StateLost", "ReplicaUnavailable", "PoisonCall")
SHORT = ("MemoryError", "OSError", "BlockingIOError", "ImportError")
FATAL = {"interrupt": (-2, 130), "end program": (-15,), "kill program": (-9,)}
TOLD_LOSS = re.compile(r"^cord: the node (node\d) is lost: .+$", re.M)
BROKEN = re.compile(
    r"panicked|internal error|Fatal Python error|SystemError|Exception ignored(?! in atexit)"
)
PANICKED = re.compile(r"panicked|SystemError|internal error: [^c]")  # even where there is no memory


@dataclass(frozen=True)
class Ran:
    """What a run has shown.

    Attributes:
        code: The exit status.
        stdout: What it wrote there.
        stderr: The same.
        noted: The numbers that calls have noted, in their order.
        made: Files that it has made, and what is in them.
        left: Processes, and files for the moment, that it has left behind.
    """

    code: int
    stdout: str
    stderr: str
    noted: list[int] = field(default_factory=list)
    made: dict[str, str] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)


def judge(schedule: Schedule, plain: Ran, ran: Ran) -> list[str]:
    """What is wrong with a run.

    Args:
        schedule: What has happened.
        plain: What the program shows without Cord.
        ran: What it has shown.
    """
    subject = subject_of(schedule)
    problems = [f"{one} is left" for one in ran.left]
    problems += _of_stderr(schedule, ran)
    if [number for number, count in Counter(ran.noted).items() if count > 1]:
        problems.append(f"calls have run twice: {ran.noted}")
    if (ran.code, ran.stdout) == (0, plain.stdout):
        if ran.noted != plain.noted and (
            subject.effects is Effects.ORDERED or sorted(ran.noted) != plain.noted
        ):
            problems.append(f"calls are missing in silence: {ran.noted}")
        if ran.made != plain.made:
            problems.append(f"files differ: {sorted(ran.made)}")
        return problems
    is_of_a_node = schedule.on_nodes is not None and "replica" not in _whats(schedule)
    if is_of_a_node and not TOLD_LOSS.search(ran.stderr):
        problems.append("no line tells which node is lost")
    if subject.catches and ran.code == 0:
        return [*problems, *_of_caught(schedule, subject, plain, ran)]
    return [*problems, *_of_an_end(schedule, subject, plain, ran)]


def _of_stderr(schedule: Schedule, ran: Ran) -> Iterator[str]:
    told = ran.stderr.partition("Traceback (most recent call last)")[0]
    limited = _limited(schedule)
    if found := (PANICKED if limited else BROKEN).search(ran.stderr):
        yield f"stderr has {found[0]!r}"
    if limited:
        return  # libraries say there what they like
    for line in told.splitlines():
        if line and not line.startswith(("cord: ", "  ")) and "interrupt" not in _whats(schedule):
            yield f"stderr has {line!r}"
    if schedule.on_nodes is not None:
        losses = TOLD_LOSS.findall(told)
        if len(losses) != len(set(losses)):
            yield "a loss is told twice"


def _whats(schedule: Schedule) -> set[str]:
    return {event.what for event in schedule.events}


def _limited(schedule: Schedule) -> bool:
    """Whether the program itself has little of something, as plain Python could have."""
    return any(one.what in LIMITS and one.whom in ("program", "all") for one in schedule.events)


def may_raise(schedule: Schedule) -> tuple[str, ...]:
    """The errors that a program may see under a schedule.

    Pure calls are made again, or in the program: they raise only if replicas end again and again.
    """
    subject = subject_of(schedule)
    events = schedule.events
    errors: tuple[str, ...] = ()
    if subject.effects is not Effects.NONE:
        errors += LOST
    # each event ends one replica; a zygote's, or memory's, ends all there are
    tries = next((int(key[-1]) for key in schedule.keys if key.startswith("retries")), 2)
    ends = [
        event
        for event in events
        if event.what in ("kill", "segv", "term", "stop", "replica", "little memory", "end")
        or event.what in LIMITS
    ]
    if len(ends) > tries or any(one.what == "little memory" for one in events):
        errors += ("PoisonCall", "ReplicaLost")
    if any(event.what in LIMITS or event.what == "full disk" for event in events):
        errors += SHORT
    return errors


def _of_caught(schedule: Schedule, subject: Subject, plain: Ran, ran: Ran) -> Iterator[str]:
    """Each call has its line: its value, or what it raised."""
    allowed = may_raise(schedule)
    expected = plain.stdout.splitlines()
    lines = ran.stdout.splitlines()
    if [line.split()[0] for line in lines] != [line.split()[0] for line in expected]:
        yield "calls are missing"
        return
    noted, is_lost, total = set(ran.noted), False, 0
    for line, its in zip(lines, expected, strict=True):
        wanted = its
        number, _, said = line.partition(" ")
        if said.isdigit():
            total += int(number)  # a call that was not made leaves nothing
            if subject.keeps:
                wanted = f"{number} {total}"
            if line != wanted or is_lost:
                yield f"it shows {line!r}, not {wanted!r}" + (" after a loss" if is_lost else "")
            if int(number) not in noted:
                yield f"of {line!r} nothing is noted"
        elif said not in allowed:
            yield f"it shows {line!r}"
        else:
            if said != "CallMayHaveRun" and said in LOST and int(number) in noted:
                yield f"{line!r} has run"
            is_lost = is_lost or (subject.keeps and said in ("CallMayHaveRun", "StateLost"))


def _of_an_end(schedule: Schedule, subject: Subject, plain: Ran, ran: Ran) -> Iterator[str]:
    """The program has ended before its end: why, and what it has shown until then."""
    whats = _whats(schedule)
    ends = [code for what in whats for code in FATAL.get(what, ())]
    if "interrupt" in whats:
        ends.append(1)  # in the midst of an import, or of an exit function, as Python has it
    errors = re.findall(r"^(?:cord\.errors\.)?(\w+)(?:: |$)", ran.stderr, re.M)
    raised = [name for name in errors if name in (*LOST, *SHORT, "KeyboardInterrupt")]
    if ran.code not in ends and not _limited(schedule):
        if not raised:
            yield f"it ends with {ran.code}, and shows no documented error"
        elif raised[-1] not in may_raise(schedule):
            yield f"it ends with {raised[-1]}"
        elif "cord.errors" in ran.stderr and not re.search(r'File ".*main\.py", line', ran.stderr):
            yield "the error does not name the call"
    if subject.catches:
        yield from _of_caught(schedule, subject, _until(plain, ran), ran)
    elif not plain.stdout.startswith(ran.stdout):
        yield "it shows something else"
    if subject.effects is Effects.ORDERED:
        if ran.noted != sorted(ran.noted):
            yield f"calls are out of order: {ran.noted}"
        shown = len(ran.stdout.splitlines())
        if not subject.catches and ran.noted not in (plain.noted[:shown], plain.noted[: shown + 1]):
            yield f"it has shown {shown} calls, and noted {ran.noted}"
    elif subject.effects is Effects.INDEPENDENT and "one by one" in subject.name:
        shown = len(ran.stdout.splitlines())
        if set(plain.noted[:shown]) - set(ran.noted):
            yield "calls that were shown are not noted"


def _until(plain: Ran, ran: Ran) -> Ran:
    count = len(ran.stdout.splitlines())
    text = "".join(plain.stdout.splitlines(keepends=True)[:count])
    return Ran(0, text, "", plain.noted)
