"""Functions with a view of their own of the working folder: their calls run ahead."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

PLAN = """
[run]
copies = false
[remote.work]
replicas = 2
callstyle = "async"
scratch = true
inline = false
"""
WORK = """
import os
import subprocess

def tool(x):
    with open("input.dat", "w") as given:
        given.write(f"{x}\\n{x + 2}\\n{x + 1}\\n")
    subprocess.run(["sh", "-c", "sort -rn input.dat > output.dat"], check=True)
    with open("output.dat") as result:
        found = result.read().split()
    os.remove("input.dat")
    os.remove("output.dat")
    return found, os.getpid()

def waits(x):
    with open("begun", "w"):
        pass
    while x:
        subprocess.run(["sleep", "0.1"])

def many(x):
    with open("left", "w") as file:
        file.write(str(x))
    return os.getpid()
"""


def run(folder: Path, main: str, plan: str = PLAN) -> tuple[str, str, list[str]]:
    """Run a program under Cord: what it shows, and what it leaves among the temporary files."""
    program, temporary = folder / "program", folder / "temporary"
    program.mkdir()
    temporary.mkdir()
    (program / "cord.toml").write_text(plan)
    (program / "work.py").write_text(WORK)
    (program / "main.py").write_text(dedent(main))
    done = subprocess.run(
        [sys.executable, "-m", "cord", "run", "main.py"],
        cwd=program,
        env={**os.environ, "TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    left = [name for name in os.listdir(temporary) if name.startswith("cord-view")]
    return done.stdout, done.stderr, left


def test_calls_of_wrapped_programs_run_ahead(tmp_path: Path):
    main = """
        import os
        import work
        found = [work.tool(x) for x in range(12)]
        print(os.getpid() in {pid for _, pid in found}, found[3][0])
        print(sorted(name for name in os.listdir() if name.endswith(".dat")))
    """
    assert run(tmp_path, main) == ("False ['5', '4', '3']\n[]\n", "", [])


def test_calls_that_nobody_waits_for_leave_nothing(tmp_path: Path):
    main = """
        import os
        import work
        for x in range(10):
            work.waits(x)
            if os.path.exists("begun"):
                break
        print(sorted(os.listdir()))
    """
    out, err, left = run(tmp_path, main)
    assert "begun" in out
    assert (err, left) == ("", [])


def test_views_are_cleared_where_who_would_do_that_was_killed(tmp_path: Path):
    main = """
        import os, signal, time
        import work
        for x in range(8):
            if x == 2:
                children = open(f"/proc/self/task/{os.getpid()}/children").read().split()
                os.kill(min(map(int, children)), signal.SIGKILL)
            print(work.tool(x)[0][0])
    """
    out, _, left = run(tmp_path, main)
    assert (out, left) == ("".join(f"{x + 2}\n" for x in range(8)), [])


def test_a_folder_with_too_much_in_it_has_no_view(tmp_path: Path):
    main = """
        import os
        import work
        with open("large", "w") as file:
            file.truncate(100 << 20)
        print({work.many(x) == os.getpid() for x in range(4)}, open("left").read())
    """
    out, err, _ = run(tmp_path, main)
    assert out == "{True} 3\n"
    assert err.startswith(
        "cord: work.many has too much in its working folder for a view of its own"
    )


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("threads = 2", "all threads of a process are in one working folder"),
        ("repeatable = true", "remote.work.scratch is true, but so is remote.work.repeatable"),
        ("independent = true", "remote.work.independent is true, but so is remote.work.scratch"),
    ],
)
def test_what_scratch_cannot_be_with(tmp_path: Path, more: str, says: str):
    _, err, _ = run(tmp_path, "import work\n", PLAN + more + "\n")
    assert says in err
