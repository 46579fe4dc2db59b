"""Schedules: a program, its plan, and what happens when; a number or a text says all of it."""

from __future__ import annotations

import json
import random
from dataclasses import asdict, dataclass, replace

from subjects import KEEPING, ON_NODES, PURE, Subject

NOTICED = 5.0  # seconds of silence after which a link counts as cut
PROGRAMS_NODE = 1
ONE_IN = 8  # of so many schedules one is on nodes

# What happens on the program's own machine, how often, and whether it may end again.
HERE = {
    "kill": (6, False),
    "segv": (2, False),
    "term": (2, False),
    "stop": (4, True),
    "suspend": (1, True),  # the whole run is stopped, as a laptop that sleeps
    "interrupt": (1, False),  # Ctrl-C, for the whole group
    "end program": (1, False),  # SIGTERM
    "kill program": (1, False),
    "lack": (3, True),  # what a replica's start needs is not there
    "slow start": (2, True),
    "few descriptors": (3, True),
    "little memory": (3, True),
    "small files": (1, True),
    "full disk": (2, True),
    "clock": (2, True),  # the time of day is another one
}
# What happens to nodes, and whether it may end again.
TO_NODES = {
    "cut": (2, True),  # nothing comes through, and nobody tells
    "down": (2, True),  # the interface is put down
    "stop": (2, True),  # the agent is stopped, and its link stays open
    "hang": (2, True),  # and all other processes of the node with it
    "kill": (2, False),  # the agent is killed
    "replica": (2, False),  # a replica is
    "end": (2, False),  # the whole node ends
}
LIMITS = frozenset({"few descriptors", "little memory", "small files"})
WHOM = ("replica",) * 6 + ("zygote", "zygote", "any", "copy")
KEYS = {
    "replicas": ("1", "2", "3", "6"),
    "transport": ('"shm"', '"unix"', '"tcp"'),
    "callstyle": ('"async"', '"async-demand(2)"', '"sync"'),
    "forward": ("false",),
    "inline": ("true",),
    "retries": ("0", "1", "5"),
    "hedge": ('"50ms"', '"p90"'),
    "recycle": ("3", "10", '"64MiB"'),
    "memory": ('"512MiB"',),
    "lookahead": ('{ calls = 3, bytes = "1MiB" }',),
    "rate": ('"200/s"',),
    "blas_threads": ("1",),
}
OF_STATE = frozenset({"transport", "memory", "blas_threads"})


@dataclass(frozen=True)
class Event:
    """Something happens.

    Attributes:
        at: When, in seconds from the program's first line on; if negative, from the start of the
            command.
        what: See `HERE` and `TO_NODES`.
        whom: To which process here, or to which node: the number of a node, or a kind of process.
        which: Of several processes, this one (modulo their number); for limits, how much.
        seconds: How long it lasts, where it ends again; None for good.
    """

    at: float
    what: str
    whom: str
    which: int
    seconds: float | None

    def __str__(self) -> str:
        lasts = "" if self.seconds is None else f" for {self.seconds:.2f}"
        return f"at {self.at:.2f} {self.what} {self.whom} {self.which}{lasts}"


@dataclass(frozen=True)
class Schedule:
    """A program, the plan under which it runs, and what happens.

    Attributes:
        subject: The program's name.
        keys: What its plan has besides.
        copies: Whether copies run ahead.
        on_nodes: The seconds that a node may be away; None for this machine alone.
        is_warm: Whether there was a run before, which has left what runs keep.
        events: What happens, in this order.
    """

    subject: str
    keys: tuple[str, ...]
    copies: bool
    on_nodes: int | None
    is_warm: bool
    events: tuple[Event, ...]

    def __str__(self) -> str:
        where = "" if self.on_nodes is None else f", on nodes, reconnect {self.on_nodes}"
        how = "; ".join((*self.keys, *(("copies",) if self.copies else ())))
        warm = ", again" if self.is_warm else ""
        return f"{self.subject} [{how}]{where}{warm}: {'; '.join(map(str, self.events))}"

    def text(self) -> str:
        """All of it, to be read by `read`."""
        return json.dumps(asdict(self), indent=1)


def read(text: str) -> Schedule:
    """The schedule that a text says."""
    said = json.loads(text)
    events = tuple(Event(**one) for one in said.pop("events"))
    return Schedule(**{**said, "keys": tuple(said["keys"]), "events": events})


def subject_of(schedule: Schedule) -> Subject:
    """The program of a schedule."""
    return next(one for one in (*PURE, *KEEPING) if one.name == schedule.subject)


def make(seed: int) -> Schedule:
    """The schedule of this number: every third is of a program that keeps what calls leave."""
    dice = random.Random(seed)
    is_on_nodes = seed % ONE_IN == 0
    subjects = KEEPING if seed % 3 == 0 else PURE
    if is_on_nodes:
        subjects = tuple(one for one in ON_NODES if one in subjects)
    subject = dice.choice(subjects)
    made = _on_nodes(subject, dice) if is_on_nodes else _here(subject, dice)
    return replace(made, events=tuple(sorted(made.events, key=lambda event: event.at)))


def _here(subject: Subject, dice: random.Random) -> Schedule:
    names = [
        name
        for name in KEYS
        if subject.plan is not None
        and f"{name} =" not in subject.plan
        and subject.varies
        and (name in OF_STATE or subject.effects.value != "ordered")
        and (name not in ("hedge", "retries", "inline") or subject.effects.value == "none")
        and not (name in ("recycle", "rate") and (subject.is_many or "threads" in subject.plan))
    ]
    drawn = dice.sample(names, min(len(names), dice.choice((0, 1, 1, 2, 3))))
    keys = tuple(f"{name} = {dice.choice(KEYS[name])}" for name in drawn)
    if subject.plan is not None and dice.random() < 0.8:
        keys = (*keys, f'silence = "{dice.choice((1, 2))}s"')
    events = []
    for _ in range(dice.choice((1, 1, 2, 3, 5))):
        what = dice.choices(tuple(HERE), [often for often, _ in HERE.values()])[0]
        if what in ("full disk", "small files") and subject.makes:
            what = "kill"  # plain Python, too, would fail there
        seconds = None
        if HERE[what][1]:
            seconds = dice.choice((dice.uniform(0.02, 0.5), dice.uniform(0.02, 0.5), 3.0, None))
            if what == "suspend":
                seconds = min(seconds or 1.0, 1.5)
        at = dice.uniform(0, 0.5) if dice.random() < 0.8 else -dice.uniform(0.001, 0.3)
        if what == "full disk":
            at = abs(at)  # the program is not there yet before it begins
        whom = dice.choice(WHOM)
        if what in LIMITS:
            whom = dice.choice(("replica", "zygote", "program", "all"))
        events.append(Event(at, what, whom, dice.randrange(100), seconds))
    copies = dice.random() < 0.3
    return Schedule(subject.name, keys, copies, None, dice.random() < 0.15, tuple(events))


def _on_nodes(subject: Subject, dice: random.Random) -> Schedule:
    reconnect = dice.choice((1, 2, 4))
    events = []
    for _ in range(dice.choice((1, 1, 2, 3))):
        what = dice.choice(tuple(TO_NODES))
        node = dice.choice((2, 3, 4))
        if what == "cut":
            node = dice.choice((2, 2, 3, 3, 4, 4, PROGRAMS_NODE))
        seconds = None
        if TO_NODES[what][1]:
            beyond = NOTICED + reconnect + dice.uniform(1, 4)
            seconds = dice.choice((dice.uniform(0.1, 2), dice.uniform(0.1, 2), beyond, None))
            if node == PROGRAMS_NODE:
                seconds = min(seconds or 2, dice.uniform(0.1, NOTICED))
        events.append(Event(dice.uniform(0, 1.0), what, "node", node, seconds))
    keys = () if subject.effects.value == "ordered" else ("replicas = 6",)
    return Schedule(subject.name, keys, False, reconnect, False, tuple(events))
