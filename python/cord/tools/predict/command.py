"""`cord predict TRACE`."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from cord.errors import CordError
from cord.tools.predict.curve import svg
from cord.tools.predict.gains import attributes, lines
from cord.tools.predict.simulated import Simulated
from cord.tools.predict.sweep import knee, limit, numbers_of, sweep
from cord.tools.report.table import time_text
from cord.tools.trace.reading import Trace

if TYPE_CHECKING:
    from cord.tools.predict.gains import Gain
    from cord.tools.predict.sweep import Point

# Changes that save less than such a part of the time are not worth telling.
_WORTH = 0.01
_MOST = 8
# From such a part of the calls' time on it is told that they waited for cores.
_HELD_UP = 0.1


class _Told:
    """All that is told of a trace."""

    def __init__(self, traced: Simulated, numbers: list[int]) -> None:
        self.traced = traced
        self.own = traced.predict(traced.plan)
        self.points = sweep(traced, numbers)
        self.knee = knee(self.points)
        self.limit = limit(traced, self.points[-1].predicted)
        self.attributes = attributes(traced, self.own.seconds)
        self.lines = lines(traced, self.own.seconds)

    def data(self) -> dict[str, object]:
        """As data; all times in seconds."""
        return {
            "program": self.traced.program,
            "measured": self.traced.seconds,
            "predicted": asdict(self.own),
            "alone": self.traced.alone,
            "curve": [
                {
                    "replicas": point.replicas,
                    "seconds": point.predicted.seconds,
                    "speedup": point.speedup,
                    "efficiency": point.efficiency,
                }
                for point in self.points
            ],
            "knee": {"replicas": self.knee.replicas, "limit": self.limit},
            "attributes": [asdict(gain) for gain in self.attributes],
            "lines": [asdict(gain) for gain in self.lines],
        }

    def text(self) -> list[str]:
        """As a page of text."""
        traced, own = self.traced, self.own
        told = [
            f"{traced.program} took {time_text(traced.seconds)}; simulated with "
            f"{self._many(own.replicas)} it takes {time_text(own.seconds)}, and without Cord "
            f"about {time_text(traced.alone)}.",
            *self._doubts(),
            "",
            f"  {f'{traced.noun}s':>8}  {'time':>9}  {'speed-up':>8}  {'efficiency':>10}",
            *(_row(point) for point in self.points),
            "",
            self.sentence(),
        ]
        told += _gains(
            f"With {self._many(own.replicas)}, another plan:", self.attributes, own.seconds
        )
        told += _gains("With calls half as long:", self.lines, own.seconds)
        return told

    def _doubts(self) -> list[str]:
        """What is to be known of the figures."""
        traced, doubts = self.traced, []
        if traced.held_up >= _HELD_UP:
            doubts.append(
                f"Its calls waited for a core for {traced.held_up:.0%} of their time. If other "
                f"programs had it, more {traced.noun}s may gain less than is told: a trace from a "
                "machine that does nothing else tells more."
            )
        varied = [name for name in traced.called if traced.may_vary(traced.plan, name)]
        if len(varied) > 1:
            doubts.append(f"So many {traced.noun}s of each of these: {', '.join(varied)}.")
        return doubts

    def sentence(self) -> str:
        """From how many replicas on what is the limit."""
        if len(self.points) == 1:
            return f"The limit is {self.limit}."
        last = self.points[-1].replicas
        if self.knee.replicas == last:
            many = f"{last} {self.traced.noun}s"
            return f"Up to {many}, each one more gains; the limit there is {self.limit}."
        return f"From {self._many(self.knee.replicas)} on, the limit is {self.limit}."

    def _many(self, count: int) -> str:
        return f"{count} {self.traced.noun}{'' if count == 1 else 's'}"


def _row(point: Point) -> str:
    time = time_text(point.predicted.seconds)
    return f"  {point.replicas:>8}  {time:>9}  {point.speedup:>8.2f}  {point.efficiency:>10.4f}"


def _gains(title: str, gains: list[Gain], seconds: float) -> list[str]:
    worth = [gain for gain in gains if abs(gain.saved) >= seconds * _WORTH]
    if not worth:
        return ["", f"{title} nothing would change by 1 % or more."]
    rows = [
        f"  {time_text(gain.seconds):>9}  {-gain.saved / seconds:>+7.1%}  {gain.change}"
        for gain in worth[:_MOST]
    ]
    return ["", title, *rows]


def predict(
    path: str,
    replicas: str | None,
    settings: list[str],
    variant: str | None,
    picture: str | None,
    *,
    as_data: bool,
) -> int:
    """Simulate the run of a trace, and say what comes of that.

    Args:
        path: The trace.
        replicas: Numbers of replicas, as `numbers_of` reads them.
        settings: What is to be other than in the run's plan.
        variant: The variant of its plan, if it is to be another one.
        picture: The file that the curves are drawn in, or None.
        as_data: Whether to print JSON.

    Returns:
        The exit status.
    """
    numbers = numbers_of(replicas)
    told = _Told(Simulated(Trace.read(path), settings, variant), numbers)
    print(json.dumps(told.data(), indent=2) if as_data else "\n".join(told.text()))
    if picture is not None:
        title = f"{told.traced.program}, predicted from {path}"
        try:
            with open(picture, "w", encoding="utf-8") as file:
                file.write(svg(title, told.points, told.knee.replicas, f"{told.traced.noun}s"))
        except OSError as error:
            raise CordError(f"{picture} cannot be written: {error.strerror}") from None
    return 0
