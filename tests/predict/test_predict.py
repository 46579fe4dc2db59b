"""``cord predict TRACE``: a run that was written down, in simulated time."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from tests.plans import work_plan

from cord.errors import CordError
from cord.tools.predict.gains import attributes
from cord.tools.predict.simulated import Simulated
from cord.tools.predict.sweep import knee, limit, numbers_of, sweep
from cord.tools.trace.reading import Trace

if TYPE_CHECKING:
    from pathlib import Path

WORK = """\
import time

def nap(x):
    time.sleep(0.02)
    return x
"""
PLAN = (
    work_plan("inline = false")
    + """\
[variants.faster.remote.work]
speed = [1.0, 0.5]
[variants.demand.remote.work]
callstyle = "async-demand(1)"
"""
)
MAIN = """\
import work
for x in range(24):
    print(work.nap(x))
"""


def cord(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cord", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A program, and the trace of a run of it."""
    folder = tmp_path_factory.mktemp("predict")
    for name, text in {"main.py": MAIN, "work.py": WORK, "cord.toml": PLAN}.items():
        (folder / name).write_text(text)
    done = cord(folder, "run", "--trace", "a.trace", "main.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "".join(f"{x}\n" for x in range(24))
    (folder / "cut.trace").write_bytes((folder / "a.trace").read_bytes()[:-1])
    return folder


def test_more_replicas_take_less_time_until_nothing_is_left_to_do(folder):
    traced = Simulated(Trace.read(str(folder / "a.trace")), [])
    points = sweep(traced, [1, 2, 4, 24, 100])
    times = [point.predicted.seconds for point in points]
    assert times[0] > times[1] > times[2] > times[3]
    assert knee(points).replicas in (24, 100) or times[2] < times[3] * 1.1
    assert times[0] >= 24 * 0.02, "calls that sleep 20 ms take no less, one after the other"
    assert all(0 < point.efficiency <= 1.01 for point in points)
    assert "main.py:3" in limit(traced, points[0].predicted)


def test_the_page_shows_curve_limit_and_gains(folder):
    done = cord(folder, "predict", "a.trace", "--replicas", "1..8", "--svg", "curve.svg")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("main.py took ")
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith("   ")]
    assert [row[0] for row in rows[:6]] == ["1", "2", "3", "4", "6", "8"]
    assert "the limit" in done.stdout
    assert "main.py:3  work.nap(x)" in done.stdout
    assert "remote.work.callstyle=sync" in done.stdout
    picture = ElementTree.parse(folder / "curve.svg").getroot()
    circles = picture.findall("{http://www.w3.org/2000/svg}circle")
    assert len(circles) == 3 * 6


def test_the_same_as_data(folder):
    done = cord(folder, "predict", "--json", "--replicas", "2,4", "a.trace")
    data = json.loads(done.stdout)
    assert [one["replicas"] for one in data["curve"]] == [2, 4]
    assert data["knee"]["limit"] and data["predicted"]["replicas"] == 2
    assert {gain["change"] for gain in data["attributes"]} >= {"remote.work.callstyle=sync"}


def test_settings_change_the_plan_of_the_run(folder):
    trace = Trace.read(str(folder / "a.trace"))
    usual, sync = Simulated(trace, []), Simulated(trace, ["remote.work.callstyle=sync"])
    four = Simulated(trace, ["remote.work.replicas=4"])
    assert sync.predict(sync.plan).seconds > usual.predict(usual.plan).seconds
    assert four.predict(four.plan).replicas == 4
    assert four.variant(["remote.work.batch=16"]).remote["work"].replicas == 4
    assert Simulated(trace, [], "demand").plan.remote["work"].callstyle == "async-demand(1)"
    assert attributes(usual, usual.predict(usual.plan).seconds)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set", "remote.work.speed=[1.0]"], "cannot tell what --set remote.work.speed=[1.0]"),
        (["--set", "remote.work.priority=x"], "cannot tell what --set remote.work.priority=x"),
        (["--variant", "faster"], "cannot tell what another speed of work would do"),
        (["--replicas", "0..4"], "allowed: numbers from 1 to 10000"),
        (["--replicas", "8..4"], "no number of replicas"),
    ],
)
def test_what_the_simulation_does_not_know_is_refused(folder, words, message):
    done = cord(folder, "predict", *words, "a.trace")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("main.py", "main.py cannot be read as a trace"),
        ("cut.trace", "is cut off"),
        ("none.trace", "none.trace cannot be read: No such file"),
    ],
)
def test_what_is_no_whole_trace_is_refused(folder, name, message):
    with pytest.raises(CordError, match=message):
        Simulated(Trace.read(name if name == "none.trace" else str(folder / name)), [])


def test_numbers_of_replicas():
    assert numbers_of("1..10") == [1, 2, 3, 4, 6, 8, 10]
    assert numbers_of("7, 1..3,10000") == [1, 2, 3, 7, 10000]
    assert numbers_of(None)[-1] == 1000


def test_where_there_are_threads_they_are_what_is_counted(tmp_path):
    (tmp_path / "work.py").write_text(WORK)
    (tmp_path / "main.py").write_text(MAIN)
    (tmp_path / "cord.toml").write_text("[remote.work]\npure = true\nthreads = 4\n")
    assert cord(tmp_path, "run", "--trace", "a.trace", "main.py").returncode == 0
    told = cord(tmp_path, "predict", "--replicas", "1,4", "a.trace").stdout
    assert "; simulated with 4 threads it takes " in told
    assert "replica" not in told
    data = json.loads(cord(tmp_path, "predict", "--replicas", "4", "--json", "a.trace").stdout)
    assert data["predicted"]["seconds"] == data["curve"][0]["seconds"]
