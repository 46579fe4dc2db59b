"""When calls of ``napping_work`` ran, as it says itself, and how many did so at one time."""

from __future__ import annotations

from pathlib import Path

from program_case import Case

WORK = (Path(__file__).parent / "napping_work.py").read_text()

Span = tuple[float, float]


def read_spans(folder: Path) -> list[Span]:
    """Start and end of each call that was recorded in ``folder``."""
    texts = [path.read_text() for path in folder.iterdir()]
    # A call in vain may be ended while it writes.
    whole = [text.split() for text in texts if text.endswith("\n")]
    return [(float(start), float(end)) for start, end in whole]


def most_at_once(spans: list[Span]) -> int:
    """The largest number of calls that ran at one time."""
    changes = sorted([(start, 1) for start, _ in spans] + [(end, -1) for _, end in spans])
    running = most = 0
    for _, change in changes:
        running += change
        most = max(most, running)
    return most


def alone(spans: list[Span]) -> int:
    """How many calls ran without any other beside them."""
    return sum(
        not any(start < other_end and other_start < end for other_start, other_end in others)
        for i, (start, end) in enumerate(spans)
        for others in [spans[:i] + spans[i + 1 :]]
    )


def lay_out(case: Case, folder: Path, plan: str, nap: float) -> tuple[Path, dict[str, str]]:
    """Write ``case`` below ``folder``; return where, and the environment that its calls need."""
    program, spans = folder / "program", folder / "spans"
    spans.mkdir(parents=True)
    case.write(program, plan)
    (program / "work.py").write_text(WORK)
    return program, {"SPANS": str(spans), "NAP": str(nap)}
