"""Equal calls under way at once are made once: in one run, and in several that share a store."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from keep.project import PLAN, Project

WORK = "import time\n\n\ndef f(n):\n    time.sleep(0.05)\n    return 'x' * n\n"
SLOW = "import time\n\n\ndef f(n):\n    time.sleep(3)\n    return n + 1\n"
THREADS = """\
import threading
import work

told = []


def call():
    try:
        told.append(work.f(3))
    except ValueError as exc:
        told.append(repr(exc))


threads = [threading.Thread(target=call) for _ in range(4)]
for one in threads:
    one.start()
for one in threads:
    one.join()
print(told)
"""


def started(project: Project) -> subprocess.Popen[str]:
    """A run of the program, under way."""
    return subprocess.Popen(
        [sys.executable, "-m", "cord", "run", "main.py"],
        cwd=project.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def notes(project: Project) -> list[dict[str, int]]:
    """What all runs have written down, each in a line."""
    path = project.folder / ".cord" / "kept" / "notes.jsonl"
    return list(map(json.loads, path.read_text().splitlines()))


def is_claimed(project: Project) -> bool:
    """Whether a run is at a call."""
    path = project.folder / ".cord" / "kept" / "claims"
    if not path.exists():
        return False
    with open(path, "r+b") as file:
        asked = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
        found = struct.unpack("hhqqi4x", fcntl.fcntl(file, fcntl.F_GETLK, asked))
    return bool(found[0] != fcntl.F_UNLCK)


def at_a_call(project: Project) -> subprocess.Popen[str]:
    """A run that is at a call."""
    run = started(project)
    until = time.monotonic() + 30
    while not is_claimed(project) and time.monotonic() < until:
        time.sleep(0.02)
    assert is_claimed(project)
    return run


def test_threads_of_a_run(tmp_path: Path) -> None:
    """One call is made, and its outcome is for all of them, an object of its own for each."""
    work = "import time\n\n\ndef f(n):\n    time.sleep(0.5)\n    return [n]\n"
    project = Project(tmp_path, {"work.py": work, "main.py": THREADS})
    project.write("cord.toml", PLAN + "copies = false\n")
    assert project.same()["work.f"] == (3, 1)
    project.edit("main.py", "print(told)", "told[0].append(1); print(sorted(map(len, told)))")
    project.edit("work.py", "0.5", "0.4")
    assert project.same()["work.f"] == (3, 1)


def test_what_is_not_kept_is_not_shared(tmp_path: Path) -> None:
    """An exception, say: each makes its own call, and none waits for ever."""
    work = "import time\n\n\ndef f(n):\n    time.sleep(0.2)\n    raise ValueError(n)\n"
    project = Project(tmp_path, {"work.py": work, "main.py": THREADS})
    assert project.same()["work.f"] == (0, 0)
    project.write("cord.toml", PLAN.replace("keep = true", "keep = 'all'") + "copies = false\n")
    assert project.same()["work.f"] == (3, 1)


def test_two_runs_share_their_calls(tmp_path: Path) -> None:
    """What one is at the other one does not begin."""
    main = "import work\nfor n in range(60):\n    print(work.f(n))\n"
    project = Project(tmp_path, {"work.py": WORK, "main.py": main})
    runs = [started(project) for _ in range(2)]
    plain = project.plain()
    assert [run.communicate()[0] for run in runs] == [plain] * 2
    told = notes(project)
    assert len(told) == 2
    assert 60 <= sum(one["kept"] for one in told) < 64
    assert sum(one["hits"] for one in told) > 50
    assert project.same()["work.f"][1] == 0


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGSTOP])
def test_a_run_that_waits_for_one_that_has_ended(tmp_path: Path, end: signal.Signals) -> None:
    """It makes the call itself; also where the other one has stopped."""
    project = Project(tmp_path, {"work.py": SLOW, "main.py": "import work\nprint(work.f(1))\n"})
    first = at_a_call(project)
    second = started(project)
    time.sleep(1)
    first.send_signal(end)
    assert second.communicate()[0] == "2\n"
    assert [one["kept"] for one in notes(project)] == [1]
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()


def test_a_run_that_waits_can_be_interrupted(tmp_path: Path) -> None:
    """By Ctrl-C, as it is at any call."""
    main = "import work\ntry:\n    work.f(1)\nexcept KeyboardInterrupt:\n    print('stopped')\n"
    project = Project(tmp_path, {"work.py": SLOW.replace("3", "30"), "main.py": main})
    first = at_a_call(project)
    second = started(project)
    time.sleep(2)
    second.send_signal(signal.SIGINT)
    assert second.communicate()[0] == "stopped\n"
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()
