"""What pure functions do outside their process: which calls the program makes itself for that."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent, indent

import pytest

PLAN = """
[remote.work]
replicas = 2
pure = true
callstyle = 'async'
[run]
copies = false
audit = false
"""
# what each call writes is nobody else's
OWN = PLAN.replace("pure", "repeatable")
HEAD = "import contextlib, os, shutil, sqlite3, subprocess, tempfile, time\n"
MAIN = "import os, work\nprint(sorted({work.f(i) == os.getpid() for i in range(6)}))\n"

# what stays with replicas
KEPT = {
    "temporary folder": """
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "deep", "file")
            os.makedirs(os.path.dirname(path))
            with open(path, "w") as file:
                file.write("x")
            os.rename(path, path + "2")
            os.chmod(path + "2", 0o600)
            shutil.copy(path + "2", path)
    """,
    "temporary files": """
        with tempfile.NamedTemporaryFile("w") as one, tempfile.TemporaryFile("w") as other:
            one.write("x")
            other.write("x")
        descriptor, path = tempfile.mkstemp()
        os.close(descriptor)
        os.remove(path)
    """,
    "nowhere": """
        with open(os.devnull, "w") as file:
            print("x", file=file)
    """,
    "what fails": """
        with contextlib.suppress(OSError):
            os.remove("nothing")
        os.makedirs(".", exist_ok=True)
    """,
    "reading": """
        with open("work.py") as file:
            file.read()
        os.listdir()
    """,
    "a child process": """
        child = subprocess.Popen(["sleep", "60"])
        child.terminate()
        child.wait()
    """,
    "a folder that is put back": """
        before = os.getcwd()
        os.chdir("/")
        os.chdir(before)
    """,
    "a database in memory": """
        sqlite3.connect(":memory:").execute("create table t (x)")
    """,
    "a database that is read": """
        sqlite3.connect("there.db").execute("select * from t").fetchall()
    """,
}
# what the program makes itself, with what is said of it
MADE = {
    "opens out.txt for writing": 'open("out.txt", "w").close()',
    "opens deep.txt for writing": 'os.close(os.open("deep.txt", os.O_WRONLY | os.O_CREAT))',
    "opens cord.toml for writing": 'open("cord.toml", "r+").close()',
    "changes the times of work.py": 'os.utime("work.py")',
    "changes the mode of work.py": 'os.chmod("work.py", 0o644)',
    "makes link.txt": 'os.symlink("work.py", "link.txt"); os.remove("link.txt")',
    "writes to a database": 'c = sqlite3.connect("there.db"); c.execute("insert into t values (1)")'
    "; c.close()",
    "makes the database new.db": 'sqlite3.connect("new.db").execute("create table t (x)")'
    '; os.remove("new.db")',
    "changes the working folder": 'os.chdir("..") if os.path.exists("cord.toml") else None',
    "sends a signal to another process": "os.kill(os.getppid(), 18)",
}


def run(folder: Path, body: str) -> tuple[str, str]:
    """Run a program whose pure function does this; gives what it shows on stdout and stderr."""
    text = indent(dedent(body).strip(), "    ")
    function = f"def f(x):\n{text}\n    time.sleep(0.001)\n    return os.getpid()\n"
    make = "import sqlite3\nc = sqlite3.connect('there.db')\nc.execute('create table t (x)')\n"
    subprocess.run([sys.executable, "-c", make], cwd=folder, check=True)
    return shown(folder, HEAD + function)


def shown(folder: Path, work: str, plan: str = PLAN) -> tuple[str, str]:
    """What a program whose functions are these shows on stdout and stderr."""
    for name, text in {"cord.toml": plan, "work.py": work, "main.py": MAIN}.items():
        (folder / name).write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "cord", "run", "main.py"],
        cwd=folder,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.mark.parametrize("what", KEPT)
def test_what_nobody_sees_is_left_to_replicas(tmp_path: Path, what: str) -> None:
    assert run(tmp_path, KEPT[what]) == ("[False]\n", "")


@pytest.mark.parametrize("said", MADE)
def test_what_others_see_the_program_does_and_that_is_told(tmp_path: Path, said: str) -> None:
    out, err = run(tmp_path, MADE[said])
    assert out == "[True]\n" or (said.endswith("folder") and "True" in out)
    assert err.startswith(f"cord: work.f {said} (work.py:2): ")
    assert err.endswith('made in the program; see "cord check"\n')


def test_functions_that_write_only_their_own_are_not_looked_at(tmp_path: Path) -> None:
    work = "import os\ndef f(x):\n    open(f'{x}.txt', 'w').close()\n    return os.getpid()\n"
    assert shown(tmp_path, work, OWN) == ("[False]\n", "")
    assert len(list(tmp_path.glob("*.txt"))) >= 6


def test_they_may_write_to_databases_in_files(tmp_path: Path) -> None:
    work = (
        "import os, sqlite3\ndef f(x):\n    c = sqlite3.connect(f'{x}.db')\n"
        "    c.execute('create table if not exists t (n)')\n    c.commit()\n"
        "    return os.getpid()\n"
    )
    assert shown(tmp_path, work, OWN) == ("[False]\n", "")


def test_replicas_that_are_renewed_are_no_crash(tmp_path: Path) -> None:
    _, err = run(tmp_path, 'open("out.txt", "w").close()')
    assert "died" not in err
    assert err.count("\n") == 1
