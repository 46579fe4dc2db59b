"""Calls that take less time than sending them are made in the program: where calls were made."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from counted_run import run_counted

WHERE = """
    import os

    def here(*args):
        return os.getpid()
"""
TELL = "print(sum(pid == os.getpid() for pid in pids), len(pids))"
SHORT_CALLS = {
    "in a loop": "pids = []\nfor x in range(600): pids.append(work.here(x))",
    "in a helper": "def h(x): return work.here(x)\npids = [h(x) for x in range(600)]",
    "with names": "pids = [work.here(*[x]) for x in range(600)]",
    "by library code": "pids = list(itertools.starmap(work.here, [(x,) for x in range(600)]))",
    "by a table": "t = {'f': work.here}\npids = [t['f'](x) for x in range(600)]",
    "one by one": "pids = [0]\nfor x in range(600): pids.append(work.here(pids[-1]))",
    "values that decide about rare ones": (
        "pids = []\n"
        "def h(x):\n"
        "    p = work.here(x)\n"
        "    pids.append(p)\n"
        "    return p > 0 and x % 200 == 0 and work.here(-x)\n"
        "for x in range(2000): h(x)"
    ),
    "large arguments": "b = [[0]] * 2000\npids = [work.here(b, x) for x in range(150)]",
}


def where(folder, body: str, replicas: int = 2, **options) -> tuple[int, int]:
    main = f"import os, itertools, work\n{body}\n{TELL}\n"
    ran = run_counted(folder, main, work=WHERE, replicas=replicas, inline=True, **options)
    inlined, calls = map(int, ran.lines[-1].split())
    return inlined, calls


@pytest.mark.parametrize("body", SHORT_CALLS.values(), ids=SHORT_CALLS.keys())
def test_short_calls_are_soon_made_in_the_program(tmp_path, body):
    inlined, calls = where(tmp_path, body)
    assert inlined > calls / 2


@pytest.mark.parametrize("body", SHORT_CALLS.values(), ids=SHORT_CALLS.keys())
def test_none_is_with_inline_off(tmp_path, body):
    assert where(tmp_path, body, plan="inline = false\n")[0] == 0


@pytest.mark.parametrize("inline", [True, False])
def test_a_replica_makes_short_calls_of_other_modules_by_itself_soon(tmp_path, inline):
    (tmp_path / "outer.py").write_text(
        "import os, work\n"
        "def count(n):\n"
        "    return sum(work.here(x) == os.getpid() for x in range(n)), os.getpid()\n"
    )
    main = "import os, outer\ninlined, pid = outer.count(600)\nprint(pid != os.getpid(), inlined)\n"
    outer = '\n[remote.outer]\npure = true\ncallstyle = "sync"\n'
    plan = f"inline = {str(inline).lower()}\n{outer}"
    ran = run_counted(tmp_path, main, work=WHERE, inline=True, plan=plan)
    is_elsewhere, inlined = ran.lines[-1].split()
    assert is_elsewhere == "True"
    assert int(inlined) > 300 if inline else int(inlined) == 0


def test_none_is_in_experiments_with_unequal_replicas(tmp_path):
    assert where(tmp_path, SHORT_CALLS["in a loop"], plan="speed = [1, 1]\n")[0] == 0


def test_a_module_of_the_program_may_have_its_own_way(tmp_path):
    plan = "\n[client.other.remote.work]\ninline = false\n"
    other = "import work\ndef run(): return [work.here(x) for x in range(600)]\n"
    body = "import other\npids = other.run()"
    assert where(tmp_path, body, plan=plan, other=other)[0] == 0
    body = "import other\nother.run()\npids = [work.here(x) for x in range(6000)]"
    assert where(tmp_path, body, plan=plan, other=other)[0] > 0  # they are tried at least


def test_calls_with_effects_are_never_made_in_the_program(tmp_path):
    plan = "\n[remote.work.functions.here]\npure = false\nindependent = true\n"
    assert where(tmp_path, SHORT_CALLS["in a loop"], plan=plan)[0] == 0


def test_another_run_begins_as_one_has_ended_with_as_many_replicas(tmp_path):
    (tmp_path / "work.py").write_text("import os\ndef here(x): return os.getpid()\n")
    (tmp_path / "main.py").write_text(
        f"import os, work\n{SHORT_CALLS['in a loop']}\n"
        "print(sum(pid == os.getpid() for pid in pids))\n"
    )
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def inlined(replicas: int) -> int:
        plan = f'[remote.work]\nreplicas = {replicas}\ncallstyle = "async"\npure = true\n'
        (tmp_path / "cord.toml").write_text(plan)
        command = [sys.executable, "-m", "cord", "run", "main.py"]
        return int(subprocess.check_output(command, cwd=tmp_path, env=environment, text=True))

    assert inlined(2) < 600
    assert inlined(2) == 600
    assert inlined(3) < 600
