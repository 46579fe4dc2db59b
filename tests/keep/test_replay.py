"""`cord replay`: recorded calls made again, one or all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from keep.project import PLAN, Project

FILES = {
    "work.py": "import os\n\nRATE = 2\n\n\ndef scaled(n, extra=0):\n"
    "    return n * RATE + extra\n\n\ndef parse(text):\n    amount, unit = text.split()\n"
    "    return float(amount), unit\n",
    "main.py": "import work\nfor n in range(6):\n    print(work.scaled(n, extra=1))\n"
    "for line in ['1 EUR', '2 USD', '3']:\n    print(work.parse(line))\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A program that has run once, and ended with an exception."""
    project = Project(tmp_path, FILES)
    assert project.cord().returncode == 1
    return project


def replay(
    project: Project, *words: str, typed: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    """What the command prints."""
    return subprocess.run(
        [sys.executable, "-m", "cord", "replay", *words],
        cwd=project.folder,
        env={**os.environ, **variables},
        input=typed,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def rows(project: Project, *words: str) -> list[dict[str, object]]:
    """The list, as data."""
    found: list[dict[str, object]] = json.loads(replay(project, *words, "--json").stdout)
    return found


def test_the_list_has_what_went_wrong_first(project: Project) -> None:
    """With arguments, and what came of each."""
    run = replay(project)
    lines = run.stdout.splitlines()
    assert lines[0].split()[:3] == ["key", "function", "arguments"], run.stderr
    assert len(lines) == 10
    assert "work.parse" in lines[1]
    assert "'3'" in lines[1]
    assert "raised ValueError: not enough values to unpack" in lines[1]
    assert [one["raised"] for one in rows(project)].count(True) == 1
    assert len(rows(project, "scaled")) == 6
    assert "extra=1" in replay(project, "work.scaled").stdout


def test_a_failed_call_is_made_again(project: Project) -> None:
    """Here: its traceback is shown, and that it is the same; after an edit it is not."""
    (failed,) = [one for one in rows(project) if one["raised"]]
    run = replay(project, str(failed["key"])[:8])
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("work.parse('3')\nrecorded ")
    assert run.stdout.endswith(
        "now: raised ValueError: not enough values to unpack (expected 2, got 1), the same\n"
    )
    assert "in parse\n    amount, unit = text.split()" in run.stderr
    assert "cord/tools" not in run.stderr
    project.edit("work.py", "text.split()", "(text + ' EUR').split()[:2]")
    run = replay(project, str(failed["key"]))
    assert run.returncode == 1
    assert run.stdout.endswith("now: returned (3.0, 'EUR'), something else\n")
    told = json.loads(replay(project, str(failed["key"]), "--json").stdout)
    assert told["was"]["how"] == "raised"
    assert told["is"] == {"how": "returned", "text": "(3.0, 'EUR')"}
    assert told["same"] is False


def test_the_debugger_stops_where_it_fails(project: Project) -> None:
    """Without a key, at the exception of the last call that raised."""
    run = replay(project, "--pdb", typed="p text\nq\n")
    assert "-> amount, unit = text.split()" in run.stdout, run.stderr
    assert "(Pdb) '3'" in run.stdout
    assert "ValueError: not enough values" in run.stderr


def test_the_debugger_stops_at_the_first_line(project: Project) -> None:
    """Of a call that has not raised."""
    key = str(rows(project, "scaled")[0]["key"])
    run = replay(project, "--pdb", key, typed="p n, extra\nc\n")
    assert "-> return n * RATE + extra" in run.stdout, run.stderr
    assert ", the same" in run.stdout
    run = replay(project, "--pdb", key, typed="q\n")
    assert run.returncode == 0
    assert run.stderr == ""


def test_all_are_made_again_after_an_edit(project: Project) -> None:
    """Those that give something else are told, and the exit status says so."""
    run = replay(project, "--all")
    assert (run.stdout, run.returncode) == ("0 of 9 differ\n", 0), run.stderr
    project.edit("work.py", "n * RATE", "max(n, 2) * RATE")
    run = replay(project, "--all")
    lines = run.stdout.splitlines()
    assert (lines[0], lines[1], run.returncode) == ("2 of 9 differ", "", 1), run.stderr
    assert sorted(line.split()[1:] for line in lines[3:]) == [
        ["work.scaled", "0,", "extra=1", "1", "5"],
        ["work.scaled", "1,", "extra=1", "3", "5"],
    ]
    assert replay(project, "--all", "parse").stdout == "0 of 3 differ\n"
    told = json.loads(replay(project, "--all", "--json").stdout)
    assert (told["calls"], len(told["differ"]), told["stuck"]) == (9, 2, [])
    assert {one["was"]["text"] for one in told["differ"]} == {"1", "3"}
    project.edit("work.py", "def parse", "def read")
    run = replay(project, "--all")
    assert run.returncode == 1
    assert run.stdout.startswith("2 of 9 differ, 3 cannot be made again\n")
    assert run.stdout.endswith(
        "3 calls of work.parse cannot be made again: there is no parse in work any more\n"
    )
    listed = replay(project, "parse").stdout.splitlines()
    assert listed[-1] == (
        "?: 3 of work.parse cannot be made again: there is no parse in work any more"
    )
    run = replay(project, "--pdb")
    assert run.stderr.endswith(
        "hint: if such calls are of no use any more: cord kept clear work.parse\n"
    )


def test_the_last_of_equal_calls_counts(tmp_path: Path) -> None:
    """What a run has given before an edit is nothing to compare with, once it was run anew."""
    project = Project(tmp_path, FILES)
    project.cord()
    project.edit("work.py", "n * RATE", "max(n, 2) * RATE")
    project.cord()
    assert len(rows(project, "scaled")) == 12
    assert replay(project, "--all").stdout == "0 of 9 differ\n"
    project.edit("work.py", "max(n, 2)", "max(n, 1)")
    run = replay(project, "--all")
    assert run.stdout.startswith("2 of 9 differ\n"), run.stdout


def test_equal_arguments_in_another_state(tmp_path: Path) -> None:
    """These are two calls."""
    main = "import work\nprint(work.scaled(1))\nwork.RATE = 7\nprint(work.scaled(1))\n"
    project = Project(tmp_path, {**FILES, "main.py": main})
    project.cord()
    project.cord()
    assert replay(project, "--all").stdout == "0 of 2 differ\n"


FAILS = """\
import io, itertools

COUNT = itertools.count()


class Odd(Exception):
    pass


def f(n):
    error = Odd("no answer")
    error.body = io.TextIOWrapper(io.BytesIO())
    error.date = open("date").read()
    raise error
"""


@pytest.mark.parametrize("place", ["here", "replica"])
def test_what_exceptions_have_besides(tmp_path: Path, place: str) -> None:
    """What differs of those that say the same is named; what could not be sent is no difference."""
    main = "import work\ntry:\n    work.f(1)\nexcept work.Odd as exc:\n    print(exc)\n"
    project = Project(tmp_path, {"work.py": FAILS, "main.py": main, "date": "today"})
    project.cord()
    run = replay(project, "--in", place)
    assert run.stdout.endswith("now: raised Odd: no answer, the same\n"), run.stdout
    project.write("date", "tomorrow")
    run = replay(project, "--in", place)
    assert run.returncode == 1
    assert "now: raised Odd: no answer, the same but for date\n" in run.stdout
    assert "raised Odd: no answer (differs in date)\n" in replay(project, "--all").stdout


def test_what_fails_before_its_first_line(project: Project) -> None:
    """Nothing of Cord's own is shown, nor stopped at."""
    project.edit("work.py", "def parse(text)", "def parse(text, unit)")
    run = replay(project, "--pdb", typed="q\n")
    assert "(Pdb)" not in run.stdout
    assert run.stderr.startswith("TypeError: parse() missing 1 required")


def test_what_raises_no_more(project: Project) -> None:
    """The debugger has nowhere to stop, and says so."""
    project.edit("work.py", "text.split()", "(text + ' EUR').split()[:2]")
    run = replay(project, "--pdb", typed="q\n")
    assert "It has raised nothing now, so there was nowhere to stop.\n" in run.stdout
    assert run.returncode == 1


def test_settings_and_variants(project: Project) -> None:
    """They are those of the plan by which calls are made again."""
    assert replay(project, "--all", "--set", "remote.work.threads=2").returncode == 0
    run = replay(project, "--all", "--set", "remote.work.thraeds=2")
    assert 'did you mean "threads"?' in run.stderr
    run = replay(project, "--set", "run.kept=other")
    assert f"no call is recorded in {project.folder / 'other'}" in run.stderr


def test_it_is_made_in_a_replica(project: Project) -> None:
    """As a run makes it."""
    project.edit("work.py", "    return n * RATE", "    print(os.getpid())\n    return n * RATE")
    key = str(rows(project, "scaled")[0]["key"])
    here, there = replay(project, key), replay(project, "--in", "replica", key)
    assert here.returncode == there.returncode == 0, there.stderr
    assert there.stdout.endswith(", the same\n")
    assert len(there.stdout.splitlines()) == 4


WORLD = {
    "work.py": "import decimal, os\n\nUNIT = 'm'\n\n\ndef third():\n"
    "    where = os.path.basename(os.getcwd())\n"
    "    return str(decimal.Decimal(1) / 3), os.environ.get('MINE'), UNIT, where\n",
    "main.py": "import decimal, os, work\nprint(work.third())\ndecimal.getcontext().prec = 4\n"
    "os.environ['MINE'] = 'two'\nwork.UNIT = 'km'\nos.mkdir('inner')\nos.chdir('inner')\n"
    "print(work.third())\n",
}


@pytest.mark.parametrize("place", ["here", "replica"])
def test_each_call_has_its_world(tmp_path: Path, place: str) -> None:
    """Settings, variables, folder, and what the program has changed in modules."""
    project = Project(tmp_path, WORLD)
    assert project.cord(MINE="one", MY_API_KEY="hidden").returncode == 0
    for one in rows(project):
        run = replay(project, "--in", place, str(one["key"]), MINE="other")
        assert run.returncode == 0, (run.stdout, run.stderr)
    assert replay(project, "--all", MINE="other").stdout == "0 of 2 differ\n"
    for path in (project.folder / ".cord" / "kept").iterdir():
        assert b"hidden" not in path.read_bytes()


def test_modules_named_as_those_of_the_debugger(tmp_path: Path) -> None:
    """The program has its own, and the debugger the library's."""
    own = {name: f"NAME = '{name[:-3]}'\n" for name in ("code.py", "queue.py", "cmd.py")}
    work = "import cmd, code, queue\n\n\ndef f(n):\n    return code.NAME + queue.NAME + cmd.NAME\n"
    project = Project(tmp_path, {**own, "work.py": work, "main.py": "import work\nwork.f(1)\n"})
    assert project.cord().returncode == 0
    run = replay(project, "--pdb", "f", typed="c\n")
    assert run.stdout.endswith("now: returned 'codequeuecmd', the same\n"), run
    assert replay(project, "--all").stdout == "0 of 1 differ\n"


def test_a_call_that_ends_its_process(tmp_path: Path) -> None:
    """It is recorded with its arguments, too."""
    work = "import os\n\n\ndef f(n):\n    return n if n < 2 else os._exit(3)\n"
    files = {"work.py": work, "main.py": "import work\nfor n in range(3):\n    work.f(n)\n"}
    project = Project(tmp_path, files)
    assert project.cord().returncode == 1
    assert "its process was lost" in replay(project).stdout.splitlines()[1]
    assert replay(project, "--all").stdout == "0 of 3 differ\n"
    project.edit("work.py", "os._exit(3)", "-1")
    assert "returned -1, something else" in replay(project, "--in", "replica", "f").stdout


@pytest.mark.parametrize("ends", ["KeyboardInterrupt", "SystemExit(3)"])
def test_a_call_that_wants_the_program_to_end(tmp_path: Path, ends: str) -> None:
    """It is made like others; only who has asked for the command ends that."""
    main = (
        f"import work\ntry:\n    work.f(1)\nexcept {ends.partition('(')[0]}:\n    print('ended')\n"
    )
    work = f"def f(n):\n    raise {ends}\n"
    project = Project(tmp_path, {"work.py": work, "main.py": main})
    project.same()
    for words in (
        ["--all"],
        [str(rows(project)[0]["key"])],
        ["--pdb", str(rows(project)[0]["key"])],
    ):
        assert replay(project, *words).returncode == 0, words


def test_what_a_result_has_of_its_arguments(tmp_path: Path) -> None:
    """Such a result is not kept, but it is compared."""
    main = "import work\n\n\nclass P:\n    pass\n\n\np = P()\np.x = 3\nprint(work.f(p)[0] is p)\n"
    files = {"work.py": "def f(x):\n    return [x, x.x]\n", "main.py": main}
    project = Project(tmp_path, files)
    assert project.cord().stdout == "True\n"
    assert replay(project, "--all").stdout == "0 of 1 differ\n"
    project.edit("work.py", "x.x]", "x.x + 1]")
    assert replay(project, "--all").stdout.startswith("1 of 1 differ\n")


SCRIPT = {
    "cord.toml": PLAN.replace("work", "main").replace(
        "replicas = 2\n", "replicas = 2\nonly = ['f']\n"
    ),
    "main.py": "import collections\n\nBASE = 10\nfound = {}\nPair = collections.namedtuple("
    "'Pair', 'left right')\n\n\nclass Point:\n    def __init__(self, x):\n        self.x = x\n\n"
    "    def twice(self):\n        return 2 * self.x\n\n\ndef helper(point):\n"
    "    return point.twice() + BASE + len(found)\n\n\ndef f(point):\n"
    "    if point.x == 3:\n        raise KeyError(point.x)\n"
    "    return Pair(helper(point), point)\n\n\nfound['a'] = 1\n"
    "for x in range(4):\n    print(f(Point(x)).left)\n",
}


def test_functions_of_the_main_script(tmp_path: Path) -> None:
    """Code is as it is now, what was computed as it was; nothing of the script runs."""
    project = Project(tmp_path, SCRIPT)
    assert project.cord().returncode == 1
    assert replay(project, "--all").stdout == "0 of 4 differ\n"
    failed = replay(project, "--in", "here", "f")
    assert failed.returncode == 0, failed.stderr
    assert "raised KeyError: 3, the same" in failed.stdout
    project.edit("main.py", "2 * self.x", "(2 if self.x < 2 else 3) * self.x")
    told = json.loads(replay(project, "--all", "--json").stdout)
    assert len(told["differ"]) == 1, told
    project.edit("main.py", "BASE = 10", "BASE = 11")
    told = json.loads(replay(project, "--all", "--json").stdout)
    assert (len(told["differ"]), told["calls"]) == (3, 4), told


def test_what_asks_others_is_not_asked_again_by_the_way(tmp_path: Path) -> None:
    """Calls of a repeatable function are made again only if it is named."""
    plan = PLAN.replace("pure = true", "repeatable = true")
    project = Project(tmp_path, {**FILES, "cord.toml": plan})
    project.cord()
    run = replay(project, "--all")
    assert run.stdout == (
        "0 of 0 differ\n9 calls of work.parse, work.scaled left out: a repeatable function asks "
        "others, so it has to be named: cord replay --all work.parse\n"
    )
    told = json.loads(replay(project, "--all", "--json").stdout)
    assert told["left_out"] == {"work.parse": 3, "work.scaled": 6}
    assert replay(project, "--all", "parse").stdout == "0 of 3 differ\n"


def test_what_is_cleared_is_not_there(project: Project) -> None:
    """Calls go with outcomes."""
    words = [sys.executable, "-m", "cord", "kept", "clear", "work.parse"]
    subprocess.run(words, cwd=project.folder, check=True, capture_output=True)
    assert {one["function"] for one in rows(project)} == {"work.scaled"}
    assert replay(project, "--all").stdout == "0 of 6 differ\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("zz",), "there are calls of work.parse and work.scaled"),
        (("work.prase",), 'did you mean "work.parse"?'),
        (("--in", "replica", "--all"), "--in is for one call"),
        (("--pdb", "--json"), "not for --json"),
        (("parse", "scaled"), "scaled stands after CALL"),
        (("--in", "there", "parse"), "allowed: here or replica"),
        (("--pdb", "--all"), "--pdb is for one call"),
        (("--pdb", "--in", "replica"), "--pdb is for calls that are made here"),
        (("-c", "none.toml"), "the plan none.toml cannot be read"),
        (("--all", "nobody"), "no call is recorded of a function nobody"),
    ],
)
def test_bad_words(project: Project, words: tuple[str, ...], said: str) -> None:
    """Each is told in a sentence, with a hint."""
    run = replay(project, *words)
    assert run.returncode == 2
    assert said in run.stderr
    assert "\n\nhint: " in run.stderr


def test_nothing_is_recorded_yet(tmp_path: Path) -> None:
    """That is told."""
    run = replay(Project(tmp_path, FILES))
    assert run.returncode == 2
    assert "a run records the calls of functions with keep = true" in run.stderr
