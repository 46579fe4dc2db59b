"""``cord run --trace`` writes a run down, and changes nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.plans import work_plan
from tests.trace.protobuf import COUNTER, END, INSTANT, Exported

from cord import _core

WORK = """\
import time

def nap(x):
    time.sleep(0.005)
    return x

def double(x):
    return 2 * x
"""
PLAN = work_plan("inline = false", copies=True)
LOOP = """\
import work
total = 0
for x in range(20):
    total += work.nap(x)
print(total)
"""
CALLS = 20


def run(folder: Path, main: str, *options: str, plan: str = PLAN) -> Any:
    for name, text in {"main.py": main, "work.py": WORK, "cord.toml": plan}.items():
        (folder / name).write_text(text)
    return cord(folder, "run", "--trace", "run.trace", *options, "main.py")


def cord(folder: Path, *words: str) -> Any:
    words = (sys.executable, "-m", "cord", *words)
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


def end_of(folder: Path) -> Any:
    end = _core.Traced((folder / "run.trace").read_bytes()).end
    return None if end is None else json.loads(end)


def exported(folder: Path) -> Exported:
    done = cord(folder, "trace", "run.trace", "--perfetto", "out.pftrace")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return Exported(folder / "out.pftrace")


def test_each_call_is_found_where_it_was_issued_run_and_taken(tmp_path):
    done = run(tmp_path, LOOP)
    assert (done.returncode, done.stdout, done.stderr) == (0, "190\n", "")
    found = exported(tmp_path)
    issued = {flow: at for _, at, flow in found.on("issued", INSTANT)}
    began = {flow: at for _, at, flow in found.on("replica")}
    taken = {flow: at for _, at, flow in found.on("program")}
    assert len(taken) == CALLS
    assert taken.keys() <= issued.keys() == began.keys()
    assert all(issued[call] <= began[call] for call in began)
    names = {name for name, _, _ in found.on("replica")}
    assert names == {"main.py:4 work.nap(x)"}
    assert len(found.on("replica", END)) == len(began)
    assert found.on("calls waiting", COUNTER)
    assert {"main.py", "work", "scouts"} <= set(found.tracks.values())


def test_totals_stand_at_the_end(tmp_path):
    run(tmp_path, LOOP)
    end = end_of(tmp_path)
    (place,) = [one for one in end["places"] if one["remote"]]
    assert sum(place["tally"][:-1]) == CALLS
    assert (place["lines"], place["call"]) == ([4, 4], "work.nap(x)")
    assert Path(place["file"]) == tmp_path / "main.py"
    assert place["sums"][2] >= CALLS
    assert place["sums"][1] >= CALLS * 4_000_000  # without waiting for a core
    assert end["sources"][str(tmp_path / "main.py")] == LOOP
    assert end["seconds"] > 0


def test_calls_that_are_not_sent_are_told_too(tmp_path):
    main = "import work\nprint(sum(work.double(x) for x in range(3000)))\n"
    done = run(tmp_path, main, plan=PLAN.replace("inline = false\n", ""))
    assert done.stdout == "8997000\n"
    assert len(exported(tmp_path).on("program")) == 3000
    (place,) = [one for one in end_of(tmp_path)["places"] if one["remote"]]
    assert sum(place["tally"][:-1]) == 3000


def test_where_the_program_computes_it_is_seen(tmp_path):
    main = "import work\nwork.nap(1)\nfor x in range(4_000_000):\n    x * x\n"
    run(tmp_path, main)
    lines = {line for _, line, _ in end_of(tmp_path)["lines"]}
    assert lines & {3, 4}


def test_calls_from_threads_have_tracks_of_their_own(tmp_path):
    main = """\
import threading, work
work.nap(0)
threads = [threading.Thread(target=work.nap, args=(x,)) for x in (1, 2)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""
    run(tmp_path, main)
    found = exported(tmp_path)
    assert {"thread 1", "thread 2"} <= set(found.tracks.values())


def test_children_of_the_program_write_nothing(tmp_path):
    main = """\
import os, work
print(work.nap(1), flush=True)
pid = os.fork()
for x in range(20000 if not pid else 3):
    work.double(x)
if pid:
    os.waitpid(pid, 0)
print(work.nap(2))
"""
    done = run(tmp_path, main)
    assert (done.stdout, done.stderr) == ("1\n2\n2\n", "")
    assert len(exported(tmp_path).on("program")) == 5


def test_copies_of_the_program_write_nothing(tmp_path):
    main = """\
import work
def step(values, x):
    values.append(work.nap(values[-1] + x))
values = [0]
for x in range(30):
    getattr(work, "nap")(x)
    step(values, x)
print(values[-1])
"""
    done = run(tmp_path, main)
    assert (done.stdout, done.stderr) == ("435\n", "")
    assert len(exported(tmp_path).on("program")) == 60


def test_what_a_killed_program_has_done_so_far_can_be_read(tmp_path):
    run(tmp_path, LOOP + "import os\nos._exit(3)\n")
    assert end_of(tmp_path) is None
    exported(tmp_path)


def test_a_program_that_raises_is_written_down_whole(tmp_path):
    done = run(tmp_path, LOOP + "raise ValueError('at the end')\n")
    assert done.stderr.endswith("ValueError: at the end\n")
    assert len(exported(tmp_path).on("program")) == CALLS


def test_replicas_on_other_nodes_are_told_of(tmp_path):
    run(tmp_path, LOOP, plan=f'[engine]\nkind = "command"\nlaunch = "{{agent}}"\nnodes = 1\n{PLAN}')
    found = exported(tmp_path)
    assert len(found.on("program")) == CALLS
    assert len({flow for _, _, flow in found.on("replica")}) >= CALLS


def test_nothing_runs_where_the_trace_cannot_be_written(tmp_path):
    done = run(tmp_path, "print('it runs')\n", "--trace", "nowhere/run.trace")
    assert (done.returncode, done.stdout) == (2, "")
    assert "the trace nowhere/run.trace cannot be written: No such file" in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk_is_told_of_when_the_program_has_ended(tmp_path):
    done = run(tmp_path, "print('it runs')\n", "--trace", "/dev/full")
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot be written: No space left" in done.stderr


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"print(1)\n", "it is no trace of Cord's"),
        (b"cordtrc\x07", "its version is 7, and this Cord reads version 1"),
        (b"cordtrc\x01\x09\0\0\0\0", "it has a part of the unknown kind 9"),
    ],
)
def test_what_is_no_trace_is_refused(tmp_path, content, said):
    (tmp_path / "run.trace").write_bytes(content)
    done = cord(tmp_path, "trace", "run.trace", "--perfetto", "out")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"run.trace cannot be read as a trace: {said}" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_trace_is_made_into_what_is_asked_for(tmp_path):
    run(tmp_path, LOOP)
    done = cord(tmp_path, "trace", "run.trace")
    assert done.returncode == 2
    assert "hint: cord trace run.trace --perfetto run.pftrace" in done.stderr
