"""`cord report FILE` names the line that a run waits at, or is busy with, and why."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from traced import cord, told, trace

from cord.tools.predict import at_lines
from cord.tools.trace.facts import facts_of
from cord.tools.trace.reading import Trace

# What limits a run is told from times.
pytestmark = pytest.mark.alone

FEW = """\
import work
for x in range(24):
    print(work.nap(x))
"""
CHAIN = """\
import work
x = 1
for _ in range(20):
    x = work.after(x)
print(x)
"""
OWN = """\
import time
import work
def local():
    until = time.process_time() + 0.03
    while time.process_time() < until: pass
for x in range(16):
    print(work.sleep(0.001))
    local()
"""
LARGE = """\
import work
data = bytes(8_000_000)
for x in range(40):
    print(work.size(data + bytes(x)))
"""


Traced = Callable[[str], Path]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Traced:
    """What is written down of the only run of a program, which several tests look at."""
    made: dict[str, Path] = {}

    def of(main: str) -> Path:
        if main not in made:
            made[main] = trace(tmp_path_factory.mktemp("traced"), main)
        return made[main]

    return of


@pytest.fixture
def traced(first: Traced, tmp_path: Path) -> Traced:
    """The same, with the program, in a folder of the test's own."""

    def of(main: str) -> Path:
        path = first(main)
        shutil.copytree(path.parent, tmp_path, dirs_exist_ok=True)
        return tmp_path / path.name

    return of


def found(path: Path, words: str) -> dict[str, Any]:
    """What is found that says this; a busy machine may have more to say of the run."""
    findings = told(path)["findings"]
    one = next((one for one in findings if words in one["text"]), None)
    assert one is not None, findings
    return one


def test_too_few_replicas(traced: Traced) -> None:
    one = found(traced(FEW), "wait because all 2 replicas are at other calls")
    assert one["about"] == "main.py:3", one


def test_calls_in_place(tmp_path: Path) -> None:
    one = found(trace(tmp_path, FEW, style="sync"), 'its callstyle is "sync"')
    assert one["about"] == "main.py:3", one
    assert "only when it comes to them: in place " in one["text"]
    assert one["change"] == 'callstyle = "async" in [remote.work]'


def test_calls_that_need_each_others_values(traced: Traced) -> None:
    one = found(traced(CHAIN), "calls wait for the values of others made here")
    assert one["about"] == "main.py:4", one
    assert one["change"].startswith("more replicas do not help")


def test_the_programs_own_work(traced: Traced) -> None:
    one = found(traced(OWN), "while time.process_time() < until: pass")
    assert one["about"] == "main.py:5", one
    assert one["change"].startswith("more replicas do not help")


def test_large_arguments(tmp_path: Path) -> None:
    findings = told(trace(tmp_path, LARGE))["findings"]
    assert any(one["change"].startswith("remote.work.resident") for one in findings), findings


def test_lines_times_and_counts_add_up(traced: Traced) -> None:
    facts = told(traced(OWN))
    assert sum(spent for *_, spent in facts["path"]) == pytest.approx(facts["length"])
    assert sum(spent for *_, spent in facts["own_lines"]) == pytest.approx(facts["own"])
    (place,) = facts["places"]
    assert (place["name"], place["call"]) == ("main.py:7", "work.sleep(0.001)")
    assert place["ahead"] + place["just_then"] + place["in_place"] + place["unsent"] == 16
    assert place["numbers"]["takes"] == 16
    # its calls ran while the program was busy
    assert place["hidden"] > 0


def test_text_and_page(tmp_path: Path, traced: Traced) -> None:
    path = traced(FEW)
    done = cord(tmp_path, "report", "run.trace")
    assert done.returncode == 0
    assert "1. main.py:3: " in done.stdout
    row = next(line for line in done.stdout.splitlines() if line.startswith("main.py:3  "))
    assert row.endswith("print(work.nap(x))")
    assert done.stderr == f"cord: {path}.html tells the same, and more, as a page\n"
    assert Path(f"{path}.html").read_text().startswith("<!doctype html>")
    cord(tmp_path, "report", "-o", "elsewhere.html", "run.trace")
    assert (tmp_path / "elsewhere.html").exists()


def test_a_run_that_was_cut_off(tmp_path: Path, traced: Traced) -> None:
    path = traced(FEW)
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.rindex(b'{"seconds"') + 20])
    done = cord(tmp_path, "report", "run.trace")
    assert done.returncode == 0
    assert "the trace was cut off" in done.stdout


THROUGH_A_LIBRARY = """\
import work
def each(values):
    return list(map(getattr(work, "nap"), values))
print(sum(each(range(24))))
"""


def test_a_call_that_the_text_does_not_show_has_a_line_by_samples(tmp_path: Path) -> None:
    found = told(trace(tmp_path, THROUGH_A_LIBRARY, style="sync"))["findings"]
    one = next(one for one in found if "work.nap" in one["about"])
    assert one["about"] == "main.py:3, work.nap"
    assert "is sampled" in one["text"]


def test_what_each_line_would_gain(traced: Traced) -> None:
    path = traced(FEW)
    gains = told(path)["gains"]
    assert gains["why_not"] == "" and gains["left_out"] == 0
    (shorter,) = gains["shorter"]
    (more,) = gains["more"]
    assert shorter["saved"] > 0
    assert (more["module"], more["replicas"]) == ("work", 4)
    text = cord(path.parent, "report", path.name).stdout
    assert "more: with more replicas (4 of work); both simulated (cord predict)." in text
    page = Path(f"{path}.html").read_text()
    assert '<td data-of="half">-' in page


THREADS = """\
import threading
import work
def some():
    for x in range(4):
        work.nap(x)
threads = [threading.Thread(target=some) for _ in range(2)]
for one in threads: one.start()
for one in threads: one.join()
"""


def test_what_cannot_be_simulated_is_told(tmp_path: Path) -> None:
    path = trace(tmp_path, THREADS)
    text = cord(path.parent, "report", path.name).stdout
    assert "would gain is not known: the run of run.trace cannot be simulated: calls were" in text


def test_of_very_many_calls_only_what_matters_most_is_simulated(traced: Traced) -> None:
    read = Trace.read(str(traced(FEW)))
    facts = facts_of(read)
    (number,) = [place.number for place in facts.places if place.number]
    few = at_lines.gains(read, [number], ["work"], calls=at_lines.MOST)
    assert (len(few.more), few.shorter, few.left_out) == (1, {}, 1)


def test_sync_calls_that_need_one_another_are_not_to_be_async(tmp_path: Path) -> None:
    one = found(trace(tmp_path, CHAIN, style="sync"), 'its callstyle is "sync"')
    assert "each call needs what the turn before gave" in one["text"]
    assert one["change"] == ""
