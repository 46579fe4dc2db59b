"""The end of a run as a table: plain data in, lines out."""

from __future__ import annotations

import signal
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cord.runtime.client.tended import Tended

from cord.tools.replicas import counted

# So wide a call is shown.
WIDEST = 36
_UNITS = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))


@dataclass(frozen=True, slots=True)
class Row:
    """What is known of the calls at one place; times in seconds.

    Attributes:
        place: File and line, as "search.py:14", or the function's name.
        call: The call as it is written; empty where the text does not show it.
        function: The remote function, with its module; empty where that is not known.
        ahead: How many were made ahead of the program.
        in_place: How many were made where the program stood.
        unsent: How many the program made itself, for sending them takes longer.
        in_vain: How many were made ahead that the program did not come to.
        spent: How long the program was at them.
        service: How long they took in replicas, those in vain too.
        served: Of so many calls.
        sent: Bytes of their arguments, without what replicas keep.
        came: Bytes of what came back.
        kept: How many were answered by what was kept of others.
    """

    place: str
    call: str
    function: str
    ahead: int
    in_place: int
    unsent: int
    in_vain: int
    spent: float
    service: float
    served: int
    sent: int
    came: int
    kept: int = 0

    @property
    def calls(self) -> int:
        """How many the program has made."""
        return self.ahead + self.in_place + self.unsent

    def as_json(self) -> dict[str, Any]:
        """The same by the names of the table's columns."""
        own = asdict(self)
        own["not_sent"], own["waited"] = own.pop("unsent"), own.pop("spent")
        return {**own, "calls": self.calls}


@dataclass(frozen=True, slots=True)
class Ended:
    """A run that has ended.

    Attributes:
        program: The program's name.
        seconds: How long it took.
        rows: Its calls, by place.
        busy: For each module, for how many seconds each of its replicas was busy.
        fallen: The replicas that died by themselves: module, process id and wait status.
        advice: What to change, in words; empty for nothing.
        threads: For each module, how many of its replicas share a process, and so are threads.
        tended: For each module, what has become of calls that the plan takes care of.
        guesses: Of each function that guesses values, how often it was right, and wrong.
        against: What was seen of functions that do not what the plan says of them.
        kept: Of each function of which outcomes are kept: how many calls earlier ones answered, how
            many seconds these had taken, and how many were kept.
    """

    program: str
    seconds: float
    rows: list[Row]
    busy: dict[str, list[float]] = field(default_factory=dict)
    fallen: list[tuple[str, int, int | None]] = field(default_factory=list)
    advice: str = ""
    threads: dict[str, int] = field(default_factory=dict)
    tended: dict[str, Tended] = field(default_factory=dict)
    guesses: dict[str, tuple[int, int]] = field(default_factory=dict)
    against: list[dict[str, Any]] = field(default_factory=list)
    kept: dict[str, tuple[int, float, int]] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """All that is told of it."""
        told = [f"The calls of {self.program}, which ran for {time_text(self.seconds)}:"]
        if self.rows:
            told += _columns([_HEADS, *(_cells(row) for row in self.rows)], self._left_out())
        else:
            told.append("  No call of a remote function was sent to a replica.")
        told += [self._use(module, busy) for module, busy in self.busy.items()]
        for module, one in self.tended.items():
            told += one.lines(module)
        for name, (hits, saved, more) in self.kept.items():
            took = f", which had taken {time_text(saved)}" if hits else ""
            told.append(
                f"Kept of {name}: {counted(hits, 'call')} answered by an earlier one{took}; "
                f"{counted(more, 'call')} kept."
            )
        for by, (right, wrong) in self.guesses.items():
            told.append(f"Guesses of {by}: {right} right, {wrong} wrong.")
        told += [f"Lost: {fallen_text(*one)}." for one in self.fallen]
        if self.advice:
            told.append(f"Advice: {self.advice}")
        return told

    def _left_out(self) -> set[int]:
        """The columns that say nothing."""
        return set() if any(row.kept for row in self.rows) else {_HEADS.index("kept")}

    def as_json(self) -> dict[str, Any]:
        """The same for programs to read."""
        return {
            "program": self.program,
            "seconds": self.seconds,
            "calls": [row.as_json() for row in self.rows],
            "replicas": [
                {"module": name, "threads": self.threads.get(name, 1), "busy": busy}
                for name, busy in self.busy.items()
            ],
            "lost": [
                {"module": module, "process": pid, "status": status}
                for module, pid, status in self.fallen
            ],
            "waiting": [
                {"module": module, **one.__getstate__()}
                for module, one in self.tended.items()
                if any(one.__getstate__().values())
            ],
            "guesses": [
                {"function": by, "right": right, "wrong": wrong}
                for by, (right, wrong) in self.guesses.items()
            ],
            "kept": [
                {"function": name, "hits": hits, "saved": saved, "kept": more}
                for name, (hits, saved, more) in self.kept.items()
            ],
            "findings": self.against,
            "advice": self.advice or None,
        }

    def _use(self, module: str, busy: list[float]) -> str:
        shares = [_percent(one, self.seconds) for one in busy]
        threads = self.threads.get(module, 1)
        if threads > 1:
            who = f"{len(busy)} threads of {counted(len(busy) // threads, 'replica')}"
            least, most = _percent(min(busy), self.seconds), _percent(max(busy), self.seconds)
            return f"The {who} were busy for {least} to {most} of the run: {module}."
        noun = "replica was" if len(busy) == 1 else "replicas were"
        return f"The {noun} busy for {', '.join(shares)} of the run: {module}."


_HEADS = (
    "call",
    "",
    "calls",
    "ahead",
    "in place",
    "not sent",
    "in vain",
    "kept",
    "waited",
    "service",
    "each",
    "sent",
    "came",
)


def _cells(row: Row) -> tuple[str, ...]:
    counts = (row.calls, row.ahead, row.in_place, row.unsent, row.in_vain, row.kept)
    each = time_text(row.service / row.served) if row.served else "-"
    call = row.call if len(row.call) <= WIDEST else f"{row.call[: WIDEST - 3]}..."
    times = (time_text(row.spent), time_text(row.service), each)
    sizes = (bytes_text(row.sent), bytes_text(row.came))
    return (row.place, call, *(str(count) for count in counts), *times, *sizes)


def _columns(table: list[tuple[str, ...]], left_out: set[int]) -> list[str]:
    table = [tuple(one for at, one in enumerate(row) if at not in left_out) for row in table]
    widths = [max(len(row[at]) for row in table) for at in range(len(table[0]))]
    lines = []
    for row in table:
        left = [f"{cell:<{width}}" for cell, width in zip(row[:2], widths, strict=False)]
        right = [f"{cell:>{width}}" for cell, width in zip(row[2:], widths[2:], strict=True)]
        lines.append("  " + "  ".join([*left, *right]))
    return lines


def time_text(seconds: float) -> str:
    """A time with a unit that fits it."""
    if seconds >= 100:
        return f"{seconds:.0f} s"
    if seconds >= 0.1:
        return f"{seconds:.2f} s"
    if seconds >= 0.0001:
        return f"{seconds * 1e3:.2f} ms"
    return f"{seconds * 1e6:.1f} us" if seconds > 0 else "0 s"


def bytes_text(count: int) -> str:
    """A number of bytes with a unit that fits it."""
    for size, unit in _UNITS:
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} B"


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %" if whole > 0 else "0 %"


def fallen_text(module: str, pid: int, status: int | None) -> str:
    """How a replica has died by itself, in words."""
    process = f"a replica of {module} (process {pid})" if pid else f"a replica of {module}"
    if status is None:
        return f"{process} was gone"
    ended = status & 0x7F
    if not ended:
        return f"{process} ended with exit status {status >> 8}"
    try:
        name = signal.Signals(ended).name
    except ValueError:
        name = f"signal {ended}"
    hint = ", as when there is no memory left" if ended == signal.SIGKILL else ""
    return f"{process} was ended by {name}{hint}"
