"""What calls read besides their arguments: files, variables, the place; and what is never kept."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from keep.project import PLAN, Project

MAIN = "import work\nfor n in range(3):\n    print(work.f(n))\n"
HEAD = """\
import datetime, glob, os, random, socket, subprocess, sys, time, uuid
from time import perf_counter
from pathlib import Path
import logging
log = logging.getLogger("work")
STARTED = "never"


"""


def project_of(folder: Path, body: str, **files: str) -> Project:
    """A project whose function has this body."""
    text = HEAD + f"def f(n):\n    {body}\n"
    return Project(folder, {"work.py": text, "main.py": MAIN, **files})


READS = {
    "content": "return open('x').read() + str(n)",
    "a path": "return Path('x').read_text() * n",
    "whether it is there": "return os.path.exists('y')",
    "names": "return sorted(os.listdir('.'))[n:][:0] or len(glob.glob('*.t'))",
    "a link": "return open('link').read()",
}


@pytest.mark.parametrize("read", READS)
def test_what_was_read_counts(tmp_path: Path, read: str) -> None:
    """Where a file has changed, calls are made again; where it is as it was, they are not."""
    project = project_of(tmp_path, READS[read], x="one", z="two")
    os.symlink("x", tmp_path / "link")
    assert project.same()["work.f"][1] >= 3
    assert project.same()["work.f"][1] == 0
    os.utime(tmp_path / "x", (5, 5))
    project.write("z", "another")
    if read != "names":
        assert project.same()["work.f"][1] == 0, "its times do not count"
    for name in ("x", "y", "y.t"):
        project.write(name, "three")
    os.remove(tmp_path / "link")
    os.symlink("z", tmp_path / "link")
    assert project.same()["work.f"][1] >= 3


def test_times_count_where_they_are_asked_for(tmp_path: Path) -> None:
    """A file that was touched is another one for who looks at its times."""
    project = project_of(tmp_path, "return os.path.getmtime('x')", x="one")
    project.same()
    assert project.same()["work.f"][1] == 0
    os.utime(tmp_path / "x", (5, 5))
    assert project.same()["work.f"][1] >= 3


NEVER = {
    "a clock": "return time.time() * 0",
    "a clock by another name": "return 0 * perf_counter()",
    "today": "return datetime.date.today().year * 0",
    "random numbers of the system's": "return len(os.urandom(3))",
    "a name": "return len(str(uuid.uuid4()))",
    "random numbers without a seed": "return 0 * random.Random().random()",
    "a program": "return subprocess.run(['cat', 'x'], capture_output=True).stdout",
    "what the system tells": "return len(open('/proc/self/status').read()) * 0",
    "the network": "s = socket.socket(); s.settimeout(.1); return s.connect_ex(('127.0.0.1', 9))",
    "the process": "return 0 * os.getpid()",
}


@pytest.mark.parametrize("what", NEVER)
def test_what_differs_from_run_to_run_is_not_kept(tmp_path: Path, what: str) -> None:
    """It is said why."""
    project = project_of(tmp_path, NEVER[what], x="one")
    for _ in range(2):
        assert project.same()["work.f"] == (0, 0)
        assert project.notes()["work.f"]["unkept"]
    assert "no call of work.f was kept: " in project.cord().stderr


def test_time_that_does_not_tell_the_time(tmp_path: Path) -> None:
    """To sleep is to read no clock; what the user vouches for is none either."""
    project = project_of(tmp_path, "time.sleep(0.001); return n")
    assert project.same()["work.f"][1] >= 3
    project = project_of(tmp_path, "time.perf_counter(); return n")
    project.write("cord.toml", PLAN + "[assume]\npure = ['time.perf_counter']\n")
    assert project.same()["work.f"][1] >= 3


def test_the_place_counts(tmp_path: Path) -> None:
    """Variables, arguments of the command line, the salt, and settings that were changed."""
    body = "return (os.environ.get('MINE'), sys.argv[1:], f'{1/3:.{n}f}', sys.getrecursionlimit())"
    project = project_of(tmp_path, body)
    assert project.same()["work.f"][1] >= 3
    assert project.same()["work.f"][1] == 0
    assert project.same(MINE="1")["work.f"][1] >= 3
    assert project.same(MINE="2")["work.f"][1] >= 3
    assert project.same(CORD_KEEP_SALT="2")["work.f"][1] >= 3
    assert project.same(GITHUB_RUN_ID="5", TERM="vt")["work.f"][1] == 0, "nobody reads it"
    project.edit("main.py", "import work", "import sys\nimport work\nsys.setrecursionlimit(2000)")
    assert project.same()["work.f"][1] >= 3
    project.edit("main.py", "import work", "import work\nwork.STARTED = 'now'")
    assert project.same()["work.f"][1] == 0, "it does not read that"


VARIABLES = {
    "named": "return os.environ.get('TERM')",
    "by a computed name": "return os.environ['TE' + 'RM'], 'TERM' in os.environ",
    "inside a longer text": "return os.path.expandvars('a $TERM b')",
    "by bytes": "return os.environb[b'TERM']",
    "by a table that the module holds": "return STARTED and HELD['TERM']",
    "all of them": "return sorted(dict(os.environ).items())",
    "those with a prefix": "return [one for one in os.environ if one.startswith('TE')] and n",
    "by a library": "import string; return string.Template('$TERM').substitute(os.environ)",
}


@pytest.mark.parametrize("read", VARIABLES)
def test_a_variable_of_a_terminal_counts_for_who_reads_it(tmp_path: Path, read: str) -> None:
    """However that comes; else a login would be another place."""
    project = project_of(tmp_path, VARIABLES[read])
    project.edit("work.py", 'STARTED = "never"', 'STARTED, HELD = "never", os.environ')
    project.same(TERM="a", SLURM_JOB_ID="1")
    assert project.same(TERM="a", SLURM_JOB_ID="1")["work.f"][1] == 0
    assert project.same(TERM="b", SLURM_JOB_ID="1")["work.f"][1] >= 3
    again = project.same(TERM="b", SLURM_JOB_ID="2")["work.f"][1]
    assert again >= 3 if read in ("all of them", "those with a prefix") else again == 0


def test_who_looks_for_proxies_reads_no_other_variable(tmp_path: Path) -> None:
    """As all clients of services do."""
    project = project_of(tmp_path, "import urllib.request; return urllib.request.getproxies()")
    project.same(SLURM_JOB_ID="1")
    assert project.same(SLURM_JOB_ID="2")["work.f"][1] == 0
    assert project.same(http_proxy="http://here")["work.f"][1] >= 3


def test_the_program_sets_a_variable_between_calls(tmp_path: Path) -> None:
    """Each call has the value that it would read."""
    project = project_of(tmp_path, "return os.environ.get('TERM'), n % 2")
    project.write(
        "main.py",
        "import os, work\nfor n in range(8):\n"
        "    os.environ['TERM'] = 'abc'[n % 3]\n    print(work.f(n), work.f(1))\n",
    )
    for _ in range(3):
        project.same()


DATABASES = {
    "plainly": "sqlite3.connect('x.db')",
    "read only": "sqlite3.connect('file:x.db?mode=ro', uri=True)",
    "by a URI with an escape": "sqlite3.connect('file:%78.db?mode=ro&immutable=1', uri=True)",
    "attached": "attached('x.db')",
}


@pytest.mark.parametrize("how", DATABASES)
def test_databases_count(tmp_path: Path, how: str) -> None:
    """SQLite opens its files by itself."""
    project = project_of(tmp_path, f"return {DATABASES[how]}.execute(QUERY).fetchall(), n")
    own = """STARTED = "never"
QUERY = "select v from t"
def attached(name):
    made = sqlite3.connect('file:y.db?mode=ro', uri=True)
    made.execute(f"attach '{name}' as other")
    return made
"""
    project.edit("work.py", 'STARTED = "never"\n', own)
    project.edit("work.py", "import datetime", "import sqlite3, datetime")
    sqlite3.connect(tmp_path / "y.db").execute("create table other(v)").connection.close()
    for row in range(2):
        with sqlite3.connect(tmp_path / "x.db") as made:
            made.execute("create table if not exists t(v)")
            made.execute("insert into t values (?)", (row,))
        made.close()
        project.same()
        assert project.same()["work.f"][1] == 0


def test_generator_functions_are_not_kept(tmp_path: Path) -> None:
    """They run in the program; it is said."""
    project = project_of(tmp_path, "yield n")
    project.edit("main.py", "work.f(n)", "list(work.f(n))")
    assert project.same()["work.f"] == (0, 0)
    assert "generator function" in project.cord().stderr
    project.write("work.py", "def g(n):\n    yield n\n\n\ndef f(n):\n    return list(g(n))\n")
    project.edit("main.py", "list(work.f(n))", "work.f(n)")
    assert project.same()["work.f"][1] >= 3
    assert "generator function" not in project.cord().stderr


def test_what_the_program_has_put_into_modules_counts(tmp_path: Path) -> None:
    """By what it is, however it came there."""
    project = project_of(tmp_path, "return (STARTED, time.strptime('1', '%d').tm_mday, n)")
    project.same()
    project.edit("main.py", "import work", "import work\nwork.STARTED = [1]")
    assert project.same()["work.f"][1] >= 3
    assert project.same()["work.f"][1] == 0
    project.edit("main.py", "[1]", "[1, 2]")
    assert project.same()["work.f"][1] >= 3


def test_lines_count_where_they_show(tmp_path: Path) -> None:
    """A log record says where it was made; what is returned does not."""
    form = "format='%(lineno)d %(message)s', stream=sys.stdout"
    setup = f"import logging, sys\nlogging.basicConfig({form})\n"
    project = project_of(tmp_path, "log.warning('%d', n); return n")
    project.write("main.py", setup + MAIN)
    assert project.same()["work.f"][1] >= 3
    assert project.same()["work.f"][1] == 0
    project.edit("work.py", "STARTED", "# more\nSTARTED")
    assert project.same()["work.f"][1] >= 3


def test_exceptions_are_kept_if_the_plan_says_all(tmp_path: Path) -> None:
    """With their tracebacks, which tell of lines."""
    caught = (
        "    try:\n        work.f(n)\n    except ValueError:\n"
        "        import traceback; print(traceback.format_exc())"
    )
    main = MAIN.replace("    print(work.f(n))", caught)
    project = project_of(tmp_path, "raise ValueError(n)")
    project.write("main.py", main)
    assert project.same()["work.f"] == (0, 0)
    project.write("cord.toml", PLAN.replace("keep = true", "keep = 'all'"))
    assert project.same()["work.f"][1] >= 3
    assert project.same()["work.f"][1] == 0
    project.edit("work.py", "STARTED", "# more\nSTARTED")
    assert project.same()["work.f"][1] >= 3
