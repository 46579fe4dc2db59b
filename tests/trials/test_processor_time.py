"""What a run costs: children that have lost their parents are counted, others are not."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

from cord.tools.trials import processors
from cord.tools.trials.processors import Meter

BURN = """
import os, time
def burn():
    until = time.process_time() + {}
    while time.process_time() < until:
        pass
"""
ORPHAN = BURN + "if os.fork() == 0:\n    burn()\n"
PRINTS = """
import subprocess, sys
from cord.tools.trials.processors import Meter
meter = Meter()
subprocess.run([sys.executable, "-c", sys.argv[1]])
print(meter.read()[0])
"""


def used(source: str) -> float:
    """The processor seconds of a program, as a process of its own tells them."""
    words = [sys.executable, "-c", PRINTS, source]
    return float(subprocess.run(words, capture_output=True, check=True).stdout)


def test_a_child_that_outlives_its_parent_is_counted() -> None:
    assert used(ORPHAN.format(0.3)) - used("pass") > 0.25


def test_a_child_of_its_own_is_left_alone() -> None:
    own = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])
    meter = Meter()
    time.sleep(0.1)
    meter.read()
    assert own.wait() == 3


def test_the_load_of_others(monkeypatch: Any) -> None:
    busy, spent = iter([10.0, 13.0]), iter([1.0, 2.0])
    times = iter([100.0, 104.0])
    monkeypatch.setattr(processors, "_busy", lambda: next(busy))
    monkeypatch.setattr(processors, "_used_by_children", lambda: next(spent))
    monkeypatch.setattr(processors, "_wait_for_the_rest", lambda _: None)
    monkeypatch.setattr(processors, "adopt_orphans", lambda: None)
    monkeypatch.setattr(processors.time, "monotonic", lambda: next(times))
    assert Meter().read() == (1.0, 0.5)


def test_a_kernel_that_does_not_tell(monkeypatch: Any) -> None:
    monkeypatch.setattr(processors, "_busy", lambda: None)
    monkeypatch.setattr(processors, "_wait_for_the_rest", lambda _: None)
    monkeypatch.setattr(processors, "adopt_orphans", lambda: None)
    assert Meter().read()[1] is None
