"""How long a replica that plays a slower machine rests after a call."""

from __future__ import annotations

import pytest

from cord.engines.local import pacing


class Clock:
    """Time that passes only when told; ``waited`` is the part of it without a core."""

    def __init__(self) -> None:
        self.now = 100.0
        self.waited = 7.0
        self.rests: list[float] = []

    def pass_by(self, worked: float, waited: float = 0.0) -> None:
        self.now += worked + waited
        self.waited += waited


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(pacing, "perf_counter", lambda: clock.now)
    monkeypatch.setattr(pacing, "_waited", lambda: clock.waited)
    monkeypatch.setattr(pacing, "sleep", clock.rests.append)
    return clock


@pytest.mark.parametrize(
    ("stretch", "worked", "waited", "rest"),
    [
        (1.0, 2.0, 0.0, 2.0),
        (3.0, 2.0, 0.0, 6.0),
        (3.0, 2.0, 1.5, 4.5),  # the wait for a core is part of the rest
        (1.0, 2.0, 5.0, 0.0),  # it has waited longer than it was to rest
    ],
)
def test_a_call_takes_its_work_stretched(
    clock: Clock, stretch: float, worked: float, waited: float, rest: float
) -> None:
    pace = pacing.Pacing(stretch)
    began = pace.begin()
    clock.pass_by(worked, waited)
    pace.rest(began)
    assert clock.rests == [rest]


def test_the_kernel_says_how_long_this_thread_waited() -> None:
    first = pacing._waited()
    assert 0.0 <= first <= pacing._waited()
