"""Bad input, crashes and interrupts: a clear error, nothing lost, nothing left behind."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cord.cli.main import run_command

PLAN = "[remote.work]\nreplicas = 2\npure = true\n"
# Of functions that note in a file how often they were begun, or end their process.
REPEATABLE = PLAN + "repeatable = true\n"
IMPURE = "[remote.work]\nreplicas = 1\n"
FRESH = IMPURE + 'restart = "fresh"\n'
WORK = "def f(x):\n    return x + 1\n"
MAIN = "import work\n\nprint(work.f(1))\n"
MakeProject = Callable[[dict[str, str]], Any]
DIED_OF_SIGINT = (-signal.SIGINT, 128 + signal.SIGINT)


@pytest.fixture
def small(project: MakeProject) -> Callable[..., Any]:
    """Makes a project of the smallest good files, with some of them replaced."""

    def make(**files: str) -> Any:
        named = {"cord_toml": PLAN, "work_py": WORK, "main_py": MAIN, **files}
        return project({name.replace("_", "."): text for name, text in named.items()})

    return make


def attempts(one: Any) -> int:
    """How many times a remote function has noted that it began."""
    path = one.folder / "attempts"
    return len(path.read_text()) if path.exists() else 0


# The command line and the plan: told before the program starts, exit code 2.


def test_no_plan(project: MakeProject) -> None:
    one = project({"work.py": WORK, "main.py": "print('started')\n" + MAIN})
    done = one.run("--auto", "off", "main.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert "cord.toml" in done.stderr
    assert "hint: " in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        ("[remote.work\nreplicas = 2\n", ["cord.toml:1"]),
        ("[remote.wrok]\nreplicas = 2\n", ["cord.toml:1", "wrok", "work"]),
        (PLAN + 'only = ["g"]\n', ["cord.toml:4", "g"]),
        (PLAN + "[remote.work.functions.ff]\npure = true\n", ["cord.toml:4", "ff", "f"]),
        (PLAN + "replica = 3\n", ["cord.toml:4", "replica", "replicas"]),
        (PLAN.replace("2", '"two"'), ["cord.toml:2", "replicas", "two"]),
        (
            PLAN + 'callstyle = "asink"\nbatsh = 1\n',
            ["cord.toml:4", "async", "cord.toml:5", "batch"],
        ),
    ],
)
def test_wrong_plan(small: Callable[..., Any], plan: str, told: list[str]) -> None:
    done = small(cord_toml=plan).run("main.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert [text for text in told if text not in done.stderr] == [], done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "plan", ["[remote.wrok]\nreplicas = 2\n", PLAN + "[remote.work.functions.ff]\npure = false\n"]
)
def test_a_wrong_name_is_one_error(small: Callable[..., Any], plan: str) -> None:
    done = small(cord_toml=plan).run("main.py")
    assert done.stderr.count("cord.toml:") == 1, done.stderr


def test_program_that_does_not_exist(small: Callable[..., Any]) -> None:
    done = small().run("mian.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert "mian.py" in done.stderr
    assert "hint: did you mean main.py?" in done.stderr


def test_a_plan_in_the_programs_place(small: Callable[..., Any]) -> None:
    done = small().run("cord.toml")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "cord: cord.toml is a plan, not a program\n\nhint: cord run -c cord.toml PROGRAM\n"
    )


@pytest.mark.parametrize(
    ("name", "hint"), [("a.ipynb", "%load_ext cord"), ("a.ipy", "ipython --ext=cord a.ipy")]
)
def test_what_ipython_runs_in_the_programs_place(
    small: Callable[..., Any], name: str, hint: str
) -> None:
    made = small()
    (made.folder / name).write_text("{}")
    done = made.run(name)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"cord: {name} is a ")
    assert hint in done.stderr


@pytest.mark.parametrize("file", ["main.py", "work.py"])
def test_explain_of_what_is_not_python(
    small: Callable[..., Any], file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    one = small(**{file.replace(".", "_"): "def f(x:\n"})
    assert run_command(["explain", str(one.folder / "main.py")]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"cord: {one.folder / file}:1:6: '(' was never closed\n")


# The program's own mistakes: what plain Python says.


@pytest.mark.parametrize(
    "files",
    [
        {"main_py": "import work\nprint('no'\n"},
        {"work_py": "def f(x):\n    return x +\n"},
        {"main_py": "print('first')\nimport helper\n", "helper_py": "import work\nx = = 1\n"},
        {
            "main_py": "print('first')\nimport work\n",
            "work_py": "def f(x):\n    return x\n\n1 / 0\n",
        },
        {"main_py": "print('first')\nimport work\n", "work_py": "import missing_thing\n"},
        {"main_py": "import work\nprint(work.g(1))\n"},
        {"main_py": "from work import f, g\n"},
        {"main_py": "import work\nprint(work.f())\n"},
        {"main_py": "import work\nprint(undefined_name, work.f(1))\n"},
        {"main_py": "\ufeffimport work\nprint(work.f(1))\n"},
        {"main_py": ""},
    ],
)
def test_mistakes_of_the_program(small: Callable[..., Any], files: dict[str, str]) -> None:
    one = small(**files)
    plain, cord = one.run("main.py", cord=False), one.run("main.py")
    assert cord.stdout == plain.stdout
    assert cord.returncode == plain.returncode
    assert cord.stderr.splitlines()[-1:] == plain.stderr.splitlines()[-1:]
    assert cord.stderr.count("Traceback") == plain.stderr.count("Traceback")
    assert one.left_behind() == []


def test_import_failure_is_shown_as_plain_python_shows_it(small: Callable[..., Any]) -> None:
    one = small(work_py="import os\n\nraise RuntimeError('no model file')\n")
    plain, cord = one.run("main.py", cord=False), one.run("main.py")
    assert cord.stderr == plain.stderr
    assert cord.returncode == 1


def test_import_failure_that_the_program_catches(small: Callable[..., Any]) -> None:
    main = "try:\n    import work\nexcept ImportError as error:\n    print('without', error)\n"
    one = small(work_py="import missing_thing\n", main_py=main)
    plain, cord = one.run("main.py", cord=False), one.run("main.py")
    assert (cord.stdout, cord.stderr, cord.returncode) == (plain.stdout, "", 0)


def test_import_failure_in_replicas_only(small: Callable[..., Any]) -> None:
    # The test starts the client as the leader of a session; no replica is one.
    work = (
        "import os\n\n"
        "if os.getsid(0) != os.getpid():\n"
        "    raise RuntimeError('not in here')\n\n\n"
        "def f(x):\n    return x\n"
    )
    main = "import work\n\nprint('begun')\nprint([work.f(x) for x in range(5)])\n"
    one = small(work_py=work, main_py=main)
    done = one.run("main.py")
    assert (done.returncode, done.stdout) == (0, "begun\n[0, 1, 2, 3, 4]\n")
    assert done.stderr.count("RuntimeError: not in here") == 1
    assert "work.f is of a module that cannot be imported in another process" in done.stderr
    assert one.left_behind() == []


def test_import_failure_in_replicas_only_where_calls_have_effects(
    small: Callable[..., Any],
) -> None:
    work = "import os\n\nif os.getsid(0) != os.getpid():\n    raise RuntimeError('not in here')\n"
    work += "def f(x):\n    return x\n"
    main = "import work\n\nprint('begun')\nprint([work.f(x) for x in range(5)])\n"
    one = small(work_py=work, main_py=main, cord_toml="[remote.work]\n")
    done = one.run("main.py")
    assert (done.returncode, done.stdout) == (1, "begun\n")
    assert done.stderr.count("RuntimeError: not in here") == 1
    assert 'work.py", line 4' in done.stderr
    assert 'main.py", line 4' in done.stderr
    assert "main.py:4: no replica of work could start" in done.stderr
    assert one.left_behind() == []


# Values that cannot travel: the call site and the path of the object are named. (Pure calls with
# such are made by the program, see `semantics/cases/values/what_cannot_travel.py`.)


def test_argument_that_cannot_travel(small: Callable[..., Any]) -> None:
    main = """\
import threading, work

print(work.f(1))
options = {"name": "x", "steps": [1, (2, threading.Lock())]}
for n in range(2):
    print("turn", n)
    print(work.g(n, options=options))
"""
    work = WORK + "\n\ndef g(n, options):\n    return n\n"
    one = small(work_py=work, main_py=main, cord_toml=IMPURE)
    done = one.run("main.py")
    assert (done.returncode, done.stdout) == (1, "2\nturn 0\n")
    assert "options['steps'][1][1]" in done.stderr.replace('"', "'")
    assert "main.py:7" in done.stderr
    assert 'main.py", line 7' in done.stderr


def test_result_that_cannot_travel(small: Callable[..., Any]) -> None:
    work = 'def f(x):\n    return {"open": [x, open(__file__)]}\n'
    main = "import work\n\nprint('begun')\nvalue = work.f(3)\nprint('never')\n"
    done = small(work_py=work, main_py=main, cord_toml=IMPURE).run("main.py")
    assert (done.returncode, done.stdout) == (1, "begun\n")
    assert re.search(r"\['open'\]\[1\]", done.stderr.replace('"', "'"))
    assert 'main.py", line 4' in done.stderr


def test_result_that_cannot_be_decoded(small: Callable[..., Any]) -> None:
    work = (
        "def boom():\n    raise ValueError('no way back')\n\n\n"
        "class Odd:\n    def __reduce__(self):\n        return boom, ()\n\n\n"
        "def f(x):\n    return [Odd()]\n"
    )
    main = "import work\n\nprint('begun')\nvalue = work.f(3)\nprint('made here')\n"
    done = small(work_py=work, main_py=main).run("main.py")
    assert (done.returncode, done.stdout) == (0, "begun\nmade here\n")


def test_session_survives_what_cannot_travel(small: Callable[..., Any]) -> None:
    main = """\
import threading, work

for x in (1, threading.Lock(), 2, (i for i in "ab"), 3):
    try:
        print(work.f(x))
    except Exception as error:
        print(type(error).__name__)
"""
    done = small(main_py=main, cord_toml=IMPURE).run("main.py")
    assert done.stdout.split() == ["2", "EncodeError", "3", "EncodeError", "4"], done.stderr
    assert done.returncode == 0


def test_remote_function_that_reads_stdin(small: Callable[..., Any]) -> None:
    main = "import work\n\nprint('begun')\nwork.f(1)\n"
    done = small(work_py="def f(x):\n    return input()\n", main_py=main).run("main.py")
    assert (done.returncode, done.stdout) == (1, "begun\n")
    assert "RemoteInputError" in done.stderr
    assert "hint: " in done.stderr


# Replicas that die.

NOTE_ATTEMPT = """\
import os
import signal
import time


def noted():
    with open("attempts", "a") as file:
        file.write("x")
    return os.path.getsize("attempts")


"""


@pytest.mark.parametrize("death", ["os._exit(3)", "os.kill(os.getpid(), signal.SIGKILL)"])
def test_pure_call_is_repeated_when_its_replica_dies(small: Callable[..., Any], death: str) -> None:
    work = (
        NOTE_ATTEMPT + f"def f(x):\n    if x == 4 and noted() < 2:\n        {death}\n    return x\n"
    )
    main = "import work\n\nfor x in range(8):\n    print(work.f(x))\n"
    one = small(cord_toml=REPEATABLE, work_py=work, main_py=main)
    done = one.run("main.py")
    assert done.stdout.split() == [str(x) for x in range(8)], done.stderr
    assert done.returncode == 0
    assert attempts(one) == 2
    assert one.left_behind() == []


def test_call_that_always_kills_is_given_up_after_three(small: Callable[..., Any]) -> None:
    work = (
        NOTE_ATTEMPT
        + "def f(x):\n    if x == 4:\n        noted()\n        os._exit(7)\n    return x\n"
    )
    main = "import work\n\nfor x in range(8):\n    print(work.f(x))\n"
    one = small(cord_toml=REPEATABLE, work_py=work, main_py=main)
    done = one.run("main.py")
    assert (done.returncode, done.stdout.split()) == (1, ["0", "1", "2", "3"])
    assert attempts(one) == 3
    assert "PoisonCall" in done.stderr and "work.f(4)" in done.stderr
    assert re.search(r"\b(three|3)\b", done.stderr)
    assert 'main.py", line 4' in done.stderr
    assert one.left_behind() == []


@pytest.mark.parametrize("death", ["os._exit(3)", "os.kill(os.getpid(), signal.SIGKILL)"])
def test_impure_call_is_not_repeated(small: Callable[..., Any], death: str) -> None:
    work = (
        NOTE_ATTEMPT
        + f"def f(x):\n    if x == 4:\n        noted()\n        {death}\n    return x\n"
    )
    main = "import work\n\nfor x in range(8):\n    print(work.f(x))\n"
    one = small(cord_toml=IMPURE, work_py=work, main_py=main)
    done = one.run("main.py")
    assert (done.returncode, done.stdout.split()) == (1, ["0", "1", "2", "3"])
    assert attempts(one) == 1
    assert "CallMayHaveRun" in done.stderr and "work.f(4)" in done.stderr
    assert "may have" in done.stderr
    assert one.left_behind() == []


@pytest.mark.parametrize(("plan", "rest"), [(IMPURE, ["StateLost"] * 2), (FRESH, ["3", "4"])])
def test_program_may_catch_the_loss_and_go_on(
    small: Callable[..., Any], plan: str, rest: list[str]
) -> None:
    work = "import os\n\n\ndef f(x):\n    return x if x != 2 else os._exit(1)\n"
    main = """\
import work

for x in range(5):
    try:
        print(work.f(x))
    except Exception as error:
        print(type(error).__name__)
"""
    done = small(cord_toml=plan, work_py=work, main_py=main).run("main.py")
    assert done.stdout.split() == ["0", "1", "CallMayHaveRun", *rest], done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize("plan", [PLAN + 'callstyle = "sync"\n', FRESH])
def test_replica_killed_between_calls_is_replaced(small: Callable[..., Any], plan: str) -> None:
    work = WORK + "\n\ndef pid():\n    import os\n\n    return os.getpid()\n"
    main = """\
import os
import signal
import time

import work

for turn in range(3):
    victim = work.pid()
    os.kill(victim, signal.SIGKILL)
    while os.path.exists(f"/proc/{victim}"):
        time.sleep(0.01)
    time.sleep(0.1)
    print([work.f(x) for x in range(4)], work.pid() != victim)
"""
    one = small(cord_toml=plan, work_py=work, main_py=main)
    done = one.run("main.py")
    assert done.stdout == "[1, 2, 3, 4] True\n" * 3, done.stderr
    assert one.left_behind() == []


def test_remote_exit_ends_the_program_cleanly(small: Callable[..., Any]) -> None:
    work = "import sys\n\n\ndef f(x):\n    if x == 3:\n        sys.exit('enough')\n    return x\n"
    main = "import work\n\nfor x in range(100):\n    print(work.f(x))\n"
    one = small(work_py=work, main_py=main)
    plain, cord = one.run("main.py", cord=False), one.run("main.py")
    assert (cord.stdout, cord.returncode) == (plain.stdout, 1)
    assert cord.stderr == "enough\n"
    assert one.left_behind() == []


# Interrupts.

SLEEPER = "import time\n\n\ndef f(x):\n    time.sleep(60 if x > 1 else 0)\n    return x\n"
WAITING = "import work\n\nfor x in range(9):\n    print('call', x, flush=True)\n    work.f(x)\n"
COMPUTING = """\
import work

for x in range(9):
    work.f(0)
    print("call", x, flush=True)
    while x > 1:
        pass
"""


def start_and_wait(one: Any, line: str) -> subprocess.Popen[str]:
    """Start the program under Cord and return when it has printed ``line``."""
    process = one.start("main.py")
    for printed in process.stdout:
        if printed == line:
            return process
    raise AssertionError(f"the program ended early:\n{process.stderr.read()}")


def send_to_group(process: subprocess.Popen[str]) -> None:
    """Send what a terminal sends for Ctrl-C: SIGINT to the foreground process group."""
    os.killpg(process.pid, signal.SIGINT)


def send_to_client(process: subprocess.Popen[str]) -> None:
    """Send SIGINT to the client alone."""
    os.kill(process.pid, signal.SIGINT)


@pytest.mark.parametrize("main", [WAITING, COMPUTING], ids=["waiting", "computing"])
@pytest.mark.parametrize("send", [send_to_group, send_to_client])
def test_interrupt(small: Callable[..., Any], main: str, send: Callable[..., None]) -> None:
    one = small(work_py=SLEEPER, main_py=main)
    process = start_and_wait(one, "call 2\n")
    send(process)
    stderr = process.communicate(timeout=30)[1]
    assert process.returncode in DIED_OF_SIGINT
    assert stderr.splitlines()[-1] == "KeyboardInterrupt"
    assert stderr.count("KeyboardInterrupt") == 1
    assert "cord" not in stderr.replace(str(one.folder), "")
    assert one.left_behind() == []
    assert list(Path("/dev/shm").glob("*cord*")) == []


def test_interrupt_that_the_program_catches(small: Callable[..., Any]) -> None:
    main = """\
import work

try:
    print("call", work.f(1), flush=True)
    work.f(2)
except KeyboardInterrupt:
    print("caught", work.f(0))
print([work.f(x) for x in (0, 1)])
"""
    one = small(work_py=SLEEPER, main_py=main)
    process = start_and_wait(one, "call 1\n")
    send_to_group(process)
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout, stderr) == (0, "caught 0\n[0, 1]\n", "")
    assert one.left_behind() == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_killed_client_leaves_no_replica(small: Callable[..., Any], number: int) -> None:
    one = small(work_py=SLEEPER, main_py=WAITING)
    process = start_and_wait(one, "call 2\n")
    assert len(one.processes()) >= 3  # the client and two replicas
    process.send_signal(number)
    process.wait(timeout=30)
    assert process.returncode == -number
    assert one.left_behind() == []


def test_killed_client_with_a_child_of_its_own(small: Callable[..., Any]) -> None:
    # The child inherits the client's descriptors and outlives it.
    main = (
        "import os\n\nimport work\n\nif os.fork() == 0:\n    os.execvp('sleep', ['sleep', '30'])\n"
    )
    one = small(work_py=SLEEPER, main_py=main + WAITING)
    process = start_and_wait(one, "call 2\n")
    process.kill()
    process.wait(timeout=30)
    deadline = time.monotonic() + 3.0
    while (names := names_of_processes(one)) != {"sleep"} and time.monotonic() < deadline:
        time.sleep(0.02)
    assert names == {"sleep"}


def names_of_processes(one: Any) -> set[str]:
    """Names of the processes that are left of a project's runs."""
    names = set()
    for pid in one.processes():
        with contextlib.suppress(OSError):  # it has ended meanwhile
            names.add(Path(f"/proc/{pid}/comm").read_text().strip())
    return names


def test_reader_of_stdout_that_goes_away(small: Callable[..., Any]) -> None:
    # line by line: a pipe may take a part of more, and the rest would decide the exit code
    line = "    print('line', x, flush=True)\n"
    main = f"import work\n\nfor x in range(20000):\n{line}print(work.f(1))\n"
    one = small(main_py=main)
    codes = []
    for cord in (False, True):
        process = one.start("main.py", cord=cord)
        assert process.stdout.readline() == "line 0\n"
        process.stdout.close()
        stderr = process.stderr.read()
        process.stderr.close()
        codes.append((process.wait(timeout=30), stderr.splitlines()[-1:]))
    assert codes[0] == codes[1]
    assert one.left_behind() == []
