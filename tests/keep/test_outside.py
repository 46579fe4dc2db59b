"""What calls read besides their arguments: files, variables, the place; and what is never kept."""

from __future__ import annotations

import os
import sqlite3
import subprocess
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
import functools


@functools.lru_cache
def remembered(path):
    with open(path) as file:
        return file.read()


"""


def project_of(folder: Path, body: str, **files: str) -> Project:
    """A project whose function has this body."""
    text = HEAD + f"def f(n):\n    {body}\n"
    return Project(folder, {"work.py": text, "main.py": MAIN, **files})


READS = {
    "by a loader": "return __loader__.get_data('x'), n",
    "and remembers it": "return remembered('x'), n",
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
    body = "with open('x') as file: return file.name, os.fstat(file.fileno()).st_mtime"
    project = project_of(tmp_path, body, x="one")
    project.same()
    os.utime(tmp_path / "x", (4, 4))
    assert project.same()["work.f"][1] >= 3
    project = project_of(tmp_path, "return os.path.getmtime('x')", x="one")
    project.same()
    assert project.same()["work.f"][1] == 0
    os.utime(tmp_path / "x", (5, 5))
    assert project.same()["work.f"][1] >= 3


REMEMBERED = {
    "for each path": ("return remembered(f'x{n}')", 1),
    "when the module was loaded": ("return LOADED and remembered('x0'), n", 3),
    "by others that remember": ("return (remembered('x0') if n == 0 else twice()), n", 3),
}


@pytest.mark.parametrize("how", REMEMBERED)
def test_what_is_remembered_counts_for_who_is_given_it(tmp_path: Path, how: str) -> None:
    """A function with an `lru_cache` reads a file for one call, and gives it to many."""
    body, least = REMEMBERED[how]
    project = project_of(tmp_path, body, x0="one", x1="one", x2="one")
    more = "LOADED = len(remembered('x0'))\n\n\n@functools.cache\ndef twice():\n"
    project.edit("work.py", "\n\ndef f", f"\n\n{more}    return remembered('x0') * 2\n\n\ndef f")
    project.same()
    project.write("x0", "two")
    if least == 1:
        project.edit("work.py", "LOADED = len(remembered('x0'))\n", "")
        project.same()
        project.write("x0", "one")
    made = project.same()["work.f"][1]
    assert made == 1 if least == 1 else made >= least


CLOCKS = """CLOCKS = [time.time, functools.partial(time.monotonic), datetime.datetime.now]


class Timed:
    now = staticmethod(time.time)
"""
NEVER = {
    "a clock": "return time.time() * 0",
    "a clock that a table holds": "return 0 * CLOCKS[0]()",
    "a clock that a class holds": "return 0 * Timed.now()",
    "a clock in a partial function": "return 0 * CLOCKS[1]()",
    "a method of a clock's": "return 0 * CLOCKS[2]().year",
    "a seed that is none": "return 0 * random.Random(None).random()",
    "attributes of a file": "return len(os.listxattr('x')) * 0",
    "room on a disk": "import shutil; return shutil.disk_usage('.').total * 0",
    "which modules there are": "import importlib.util; return importlib.util.find_spec('none')",
    "a file that the library remembers": "import linecache; return linecache.getline('x', 1)",
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
    if "CLOCKS" in NEVER[what] or "Timed" in NEVER[what]:
        project.edit("work.py", "STARTED", f"import functools\n{CLOCKS}STARTED")
    for _ in range(2):
        assert project.same()["work.f"] == (0, 0)
        assert project.notes()["work.f"]["unkept"]
    assert "no call of work.f was kept: " in project.cord().stderr


MODULES = {
    "given to a function": "return use(other)",
    "in a list": "return use([other][0])",
    "in an object": "return Holder(other).go()",
    "by a computed name": "return tools.named(other, 'A')",
}


@pytest.mark.parametrize("how", MODULES)
def test_a_module_that_is_held_as_a_value_counts(tmp_path: Path, how: str) -> None:
    """What is read of it counts, whoever reads it; what is not does not."""
    more = """import other, tools


def use(module):
    return module.A


class Holder:
    def __init__(self, module):
        self.module = module

    def go(self):
        return self.module.A


def f"""
    project = project_of(tmp_path, f"{MODULES[how]}, n", **{"other.py": "A = 1\nB = 1\n"})
    project.write("tools.py", "def named(module, name):\n    return getattr(module, name)\n")
    project.edit("work.py", "def f", more)
    project.same()
    assert project.same()["work.f"][1] == 0
    project.edit("other.py", "A = 1", "A = 2")
    assert project.same()["work.f"][1] >= 3
    if how != "by a computed name":
        project.edit("other.py", "B = 1", "B = 2")
        assert project.same()["work.f"][1] == 0


ARGUMENTS = {"a clock": "time.time", "a module": "other", "an object with one": "Holder()"}


@pytest.mark.parametrize("given", ARGUMENTS)
def test_arguments_that_cannot_be_told(tmp_path: Path, given: str) -> None:
    """It is said what they are."""
    files = {"work.py": "def f(given):\n    return str(given)[:1]\n", "other.py": ""}
    head = "import time, work, other\nclass Holder:\n    module = other\n"
    project = Project(tmp_path, {**files, "main.py": f"{head}print(work.f({ARGUMENTS[given]}))\n"})
    project.edit("main.py", "    module = other", "    def __init__(self):\n        self.m = other")
    assert project.same()["work.f"] == (0, 0)
    assert "an argument is or holds" in next(iter(project.notes()["work.f"]["unkept"]))


def test_libraries_in_c_count_by_their_files(tmp_path: Path) -> None:
    """Those that `ctypes` loads by a path."""
    source, library = tmp_path / "own.c", tmp_path / "own.so"
    for inside in (False, True):
        made = "ctypes.CDLL('./own.so')"
        project = project_of(tmp_path, f"return {made if inside else 'OWN'}.own(), n")
        head = f"import ctypes\nOWN = {None if inside else made}\nimport datetime"
        project.edit("work.py", "import datetime", head)
        for number in (1, 2):
            source.write_text(f"int own(void) {{ return {number}; }}\n")
            library.unlink(missing_ok=True)
            subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
            project.same()
            assert project.same()["work.f"][1] == 0


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
    "attached": "attached('file:y.db?mode=ro')",
    "attached to memory": "attached('file::memory:')",
}


@pytest.mark.parametrize("how", DATABASES)
def test_databases_count(tmp_path: Path, how: str) -> None:
    """SQLite opens its files by itself."""
    project = project_of(tmp_path, f"return {DATABASES[how]}.execute(QUERY).fetchall(), n")
    own = """STARTED = "never"
QUERY = "select v from t"
def attached(name):
    made = sqlite3.connect(name, uri=True)
    made.execute("attach 'x.db' as other")
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


WRITES = {
    "attached": "attach 'x{n}.db' as other; create table other.t(v); insert into t values (1)",
    "copied": "create table t(v); vacuum into 'x{n}.db'",
}


@pytest.mark.parametrize("how", WRITES)
def test_what_is_written_by_way_of_memory_is_the_programs(tmp_path: Path, how: str) -> None:
    """A database in memory leads to others: the program writes these, in each run."""
    body = (
        f"import sqlite3; sqlite3.connect(':memory:').executescript(f\"{WRITES[how]}\"); return n"
    )
    project = project_of(tmp_path, body)
    project.edit(
        "main.py",
        "    print",
        "    os.path.exists(f'x{n}.db') and os.remove(f'x{n}.db')\n    print",
    )
    project.edit("main.py", "work.f(n)", "work.f(n), os.path.exists(f'x{n}.db')")
    project.edit("main.py", "import work", "import os, work")
    for _ in range(2):
        assert project.same()["work.f"] == (0, 0)


def test_coroutines_beside_others_are_not_kept(tmp_path: Path) -> None:
    """The program runs them; it is said. Those that are awaited one by one are kept."""
    work = "import asyncio\n\n\nasync def f(n):\n    await asyncio.sleep(0)\n    return n\n"
    main = (
        "import asyncio, work\n\n\nasync def main():\n"
        "    print(await asyncio.gather(*[work.f(n) for n in range(40)]))\n\n\n"
        "asyncio.run(main())\n"
    )
    project = Project(tmp_path, {"work.py": work, "main.py": main})
    assert project.same()["work.f"] == (0, 0)
    assert "its loop had more to do" in project.cord().stderr
    project.edit("main.py", "await asyncio.gather(*[", "[await ")
    project.edit("main.py", "range(40)])", "range(40)]")
    assert project.same()["work.f"][1] >= 40
    assert project.same()["work.f"] == (40, 0)


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
