"""A call that was made early counts only if it has read of files what the program would read.

In each program a pure function reads, in a way of its own, what the program changes between calls.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PLAN = "[remote.work]\nreplicas = 3\npure = true\ncallstyle = 'async'\n"
READS = {
    "content": "open('data/x').read()",
    "lines of a path": "Path('data/x').read_text()",
    "bytes by a descriptor": "read('data/x')",
    "size": "os.path.getsize('data/x')",
    "whether it is there": "os.path.exists('data/x')",
    "times": "os.stat('data/x').st_mtime",
    "times of a folder": "os.path.getmtime('data')",
    "mode": "os.access('data/x', os.X_OK)",
    "names": "sorted(os.listdir('data'))",
    "names that match": "sorted(glob.glob('data/*'))",
    "names and sizes": "sorted((e.name, e.stat().st_size) for e in os.scandir('data'))",
    "where a link leads": "os.readlink('data/link')",
    "what a link leads to": "open('data/link').read()",
    "whether a folder is there": "os.path.isdir('data/sub')",
    "a row": "sqlite3.connect('data/db').execute('select max(n) from t').fetchone()",
    "a row by a connection that is kept": "kept().execute('select max(n) from t').fetchone()",
    "what a program prints": "subprocess.run(['cat', 'data/x'], capture_output=True).stdout",
    "what a shell prints": "subprocess.getoutput('cat <data/x | tr a-z A-Z')",
    "what a program elsewhere prints": "subprocess.run(['wc', 'x'], cwd='data', stdout=-1).stdout",
    "what cannot be made": "made('data/sub')",
    "what cannot be opened": "open('data/y', 'x') if os.path.exists('data/y') else None",
}
CHANGES = {
    "replaced": "write('data/new', i); os.replace('data/new', 'data/x')",
    "renamed": "os.rename('data/x', 'data/y') if i % 2 else write('data/x', i)",
    "appended": "open('data/x', 'a').write('.')",
    "kept open": "log.write('.'); log.flush()",
    "truncated": "os.truncate('data/x', i % 3)",
    "same size": "write('data/x', i % 10)",
    "removed": "os.remove('data/x') if i == 6 else None",
    "touched": "os.utime('data/x', (i, i)); os.utime('data', (i, i))",
    "mode": "os.chmod('data/x', 0o700 if i % 2 else 0o600)",
    "linked": "os.remove('data/link'); os.symlink(f'f{i % 2}', 'data/link')",
    "folders": "os.mkdir('data/sub') if i % 2 else os.rmdir('data/sub')",
    "rows": "c.execute('insert into t values (?)', (i,)); c.commit()",
    "another program": "subprocess.run(['cp', f'data/f{i % 2}', 'data/x'], check=True)",
}
WORK = """\
import glob, os, sqlite3, subprocess, time
from pathlib import Path

connection = None

def kept():
    global connection
    connection = connection or sqlite3.connect("data/db")
    return connection

def read(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 99)
    finally:
        os.close(descriptor)

def made(path):
    os.mkdir(path) if os.path.isdir(path) else os.rename(path, "other")

def f(x):
    time.sleep(0.002)
    try:
        return {read}
    except OSError as error:
        return str(error), error.filename, error.filename2
"""
MAIN = """\
import os, sqlite3, subprocess
import work

def write(path, text):
    with open(path, "w") as file:
        file.write(str(text))

os.makedirs("data/sub")
for name in ["x", "f0", "f1"]:
    write("data/" + name, name)
os.symlink("f0", "data/link")
c = sqlite3.connect("data/db")
c.execute("create table t (n)")
c.commit()
log = open("data/x", "a")
for i in range(12):
    {change}
    print(i, work.f(i))
"""
PAIRS = [
    (read, change)
    for read, changes in {
        "content": ["replaced", "renamed", "appended", "truncated", "same size", "removed"],
        "lines of a path": ["kept open", "another program"],
        "bytes by a descriptor": ["replaced", "same size"],
        "size": ["replaced", "appended", "truncated", "removed"],
        "whether it is there": ["renamed", "removed"],
        "times": ["touched"],
        "times of a folder": ["touched"],
        "mode": ["mode"],
        "names": ["renamed", "folders"],
        "names that match": ["renamed"],
        "names and sizes": ["appended", "removed"],
        "where a link leads": ["linked"],
        "what a link leads to": ["linked"],
        "whether a folder is there": ["folders"],
        "a row": ["rows"],
        "a row by a connection that is kept": ["rows"],
        "what a program prints": ["replaced", "kept open"],
        "what a shell prints": ["replaced"],
        "what a program elsewhere prints": ["appended"],
        "what cannot be made": ["folders"],
        "what cannot be opened": ["renamed"],
    }.items()
    for change in changes
]


def run(folder: Path, *command: str) -> tuple[str, str]:
    """Run the program; gives what it shows on stdout and stderr."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def write(folder: Path, work: str, main: str, plan: str = PLAN) -> None:
    """Write a program."""
    folder.mkdir()
    (folder / "cord.toml").write_text(plan)
    (folder / "work.py").write_text(work)
    (folder / "main.py").write_text(main)


@pytest.mark.parametrize(("read", "change"), PAIRS)
def test_what_is_read_early_counts_only_if_it_is_so_still(
    tmp_path: Path, read: str, change: str
) -> None:
    plain, cord = tmp_path / "plain", tmp_path / "cord"
    for folder in [plain, cord]:
        write(folder, WORK.replace("{read}", READS[read]), MAIN.format(change=CHANGES[change]))
    expected = run(plain, "main.py")
    if read != "times of a folder":
        assert len({line.split(" ", 1)[1] for line in expected[0].splitlines()}) > 1
    stdout, stderr = run(cord, "-m", "cord", "run", "main.py")
    if read == "what cannot be made":  # in a call that is made again later it can, which is told
        stderr = "".join(line for line in stderr.splitlines(True) if "cord: work.f " not in line)
    assert (stdout, stderr) == expected


MEANWHILE = """\
import os, shutil, time
import work

os.mkdir("data")
print(work.twice(0))
{come}
time.sleep(0.6)
{go}
print(work.twice(1))
"""


@pytest.mark.parametrize(
    ("come", "go"),
    [
        ("open('data/x', 'w').close()", "os.remove('data/x')"),
        ("os.mkdir('data/x')", "os.rmdir('data/x')"),
        ("os.makedirs('data/x/y')", "shutil.rmtree('data/x')"),
    ],
)
def test_what_came_and_went_while_a_call_ran_is_not_what_the_program_would_see(
    tmp_path: Path, come: str, go: str
) -> None:
    work = """\
import os, time

def twice(x):
    first = os.path.exists("data/x")
    time.sleep(0.3 * x)
    return first, os.path.exists("data/x")
"""
    write(tmp_path / "cord", work, MEANWHILE.format(come=come, go=go))
    told = run(tmp_path / "cord", "-m", "cord", "run", "main.py")
    assert told == ("(False, False)\n" * 2, "")


QUIET = """\
import os, tempfile, time
from pathlib import Path

def f(x):
    time.sleep(0.002)
    assert os.path.isdir("out") and os.path.exists("data.txt")
    assert not os.path.exists("cache.txt")
    text = Path("data.txt").resolve().read_text()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "copy")
        path.write_text(text)
        assert [one.name for one in path.parent.iterdir()] == ["copy"]
        return os.getpid(), path.read_text()
"""


def test_what_others_write_beside_it_and_what_is_its_own_does_not_matter(tmp_path: Path) -> None:
    main = """\
import os, work
os.mkdir("out")
open("data.txt", "w").write("data")
pids = set()
for i in range(12):
    pid, text = work.f(i)
    open(f"out/{i}.txt", "w").write(text)
    open(f"{i}.txt", "w").write(text)
    pids.add(pid)
print(os.getpid() in pids)
"""
    write(tmp_path / "program", QUIET, main, PLAN + "[run]\ncopies = false\naudit = false\n")
    assert run(tmp_path / "program", "-m", "cord", "run", "main.py") == ("False\n", "")


def test_a_repeatable_function_may_look_whether_what_it_makes_is_there(tmp_path: Path) -> None:
    work = """\
import os, subprocess, time

def by_itself(name):
    time.sleep(0.002)
    if os.path.exists(name):
        return "there"
    with open(name, "w") as file:
        file.write(name)
    return "made", sorted(os.listdir("out"))[:0], open(name).read()

def by_another(name):
    if os.path.exists(name):
        return "there"
    subprocess.run(["cp", "work.py", name], check=True)
    return "made"
"""
    main = """\
import os, work
os.mkdir("out")
for i in range(8):
    print(work.by_itself(f"out/{i}"), work.by_another(f"out/{i}.py"))
"""
    plain, cord = tmp_path / "plain", tmp_path / "cord"
    for folder in [plain, cord]:
        write(folder, work, main, PLAN.replace("pure", "repeatable"))
    expected = run(plain, "main.py")
    assert run(cord, "-m", "cord", "run", "main.py") == expected


def test_what_a_call_inside_a_call_reads_counts_too(tmp_path: Path) -> None:
    inner = "import time\n\ndef g(x):\n    time.sleep(0.002)\n    return open('x').read()\n"
    work = "import inner\n\ndef f(x):\n    return inner.g(x)\n"
    main = """\
import work
for i in range(8):
    open("x", "w").write(str(i))
    print(work.f(i))
"""
    plan = PLAN + PLAN.replace("work", "inner")
    folder = tmp_path / "program"
    write(folder, work, main, plan)
    (folder / "inner.py").write_text(inner)
    out, err = run(folder, "-m", "cord", "run", "main.py")
    assert (out.split(), err) == ([str(i) for i in range(8)], "")


def test_threads_of_a_replica_note_what_their_own_calls_read(tmp_path: Path) -> None:
    work = """\
import os, time

def f(x):
    time.sleep(0.002)
    return x, open("data/x").read(), sorted(os.listdir("data"))

def still(x):
    time.sleep(0.002)
    return open("still").read()
"""
    main = """\
import os, work
os.mkdir("data")
open("still", "w").write("still")
for i in range(12):
    with open("data/x", "w") as file:
        file.write(str(i))
    print([work.f(j) for j in range(i % 3)], work.still(i))
    os.rename("data/x", "data/y")
    os.rename("data/y", "data/x")
"""
    plan = PLAN.replace("replicas = 3", "replicas = 4\nthreads = 4")
    plain, cord = tmp_path / "plain", tmp_path / "cord"
    for folder in [plain, cord]:
        write(folder, work, main, plan)
    expected = run(plain, "main.py")[0]
    assert run(cord, "-m", "cord", "run", "main.py")[0] == expected


def test_what_a_program_of_a_repeatable_call_writes_anew_is_its_own(tmp_path: Path) -> None:
    work = """\
import os, subprocess, time

def f(x):
    time.sleep(0.002)
    subprocess.run(["cp", "data", f"out/{x}"], check=True)
    return os.getpid(), open(f"out/{x}").read()
"""
    main = """\
import os, work
os.mkdir("out")
open("data", "w").write("data")
for i in range(8):
    open(f"out/{i}", "w").write("old")
print(os.getpid() in {work.f(i)[0] for i in range(8)})
"""
    plan = PLAN.replace("pure", "repeatable") + "[run]\ncopies = false\n"
    write(tmp_path / "program", work, main, plan)
    assert run(tmp_path / "program", "-m", "cord", "run", "main.py") == ("False\n", "")
