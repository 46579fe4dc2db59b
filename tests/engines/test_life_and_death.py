"""However a client ends, nothing of it stays; and it ends without waiting for replicas."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

GRACE = 3.0  # seconds in which processes that should end must be gone

CLIENT = """
import atexit, os, signal, sys, time
from _pickle import dumps
from cord.engines.local import zygote
from cord.plan.model import RemotePlan
started = zygote.start([RemotePlan("napping")])
from cord import _core
session = _core.Session([_core.Module("napping", 2)], started.control)
atexit.register(session.close)
session.load(0, b"", False)
def issue(name, *args):
    return session.issue(0, True, dumps((name, args, {}), 5), [])
for ticket in [issue("nap", 0) for _ in range(2)]:
    ticket.wait(30)
busy = [issue("nap", 600), issue("nap_in_child", 600)]
time.sleep(0.2)
print("ready", flush=True)
"""

NAPPING = """
import subprocess, time
def nap(seconds): time.sleep(seconds)
def nap_in_child(seconds): subprocess.run(["sleep", str(seconds)])
"""


# The replicas load their module one by one, or are copies of the first that has.
PLAN = '("napping")'
COPIES = '("napping", replicas=2, pure=True, repeatable=True)'


class Client:
    """A client in a process of its own, whose descendants carry a marker in their environment."""

    def __init__(self, folder: Path, ending: str, plan: str) -> None:
        (folder / "napping.py").write_text(NAPPING)
        self._marker = f"CORD_TEST_CLIENT={folder}"
        name, _, value = self._marker.partition("=")
        self.process = subprocess.Popen(
            [sys.executable, "-c", CLIENT.replace(PLAN, plan) + ending],
            cwd=folder,
            env={**os.environ, name: value},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,  # what is read here must not take along what end() is to return
            start_new_session=True,
        )
        assert self.process.stdout is not None
        line = b""
        while not line.endswith(b"\n") and (byte := self.process.stdout.read(1)):
            line += byte
        assert line == b"ready\n"

    def end(self) -> tuple[int, str, str]:
        """Wait for the end of client and output; return code, stdout and stderr."""
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out.decode(), err.decode()

    def survivors(self, expected: int = 0) -> list[str]:
        """Command lines of living processes of this client, once only that many are left."""
        deadline = time.monotonic() + GRACE
        while len(found := self._alive()) > expected:
            assert time.monotonic() < deadline, found
            time.sleep(0.02)
        return list(found.values())

    def kill_all(self) -> None:
        """End what is left."""
        for pid in self._alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.communicate()

    def _alive(self) -> dict[int, str]:
        found = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    if self._marker.encode() in (entry / "environ").read_bytes():
                        found[int(entry.name)] = (entry / "cmdline").read_text()
                except OSError:
                    continue  # it has ended meanwhile
        return found


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Callable[..., Client]]:
    """Starts a client with two busy replicas, which then ends as the given code says."""
    started: list[Client] = []

    def start(ending: str, plan: str = PLAN) -> Client:
        started.append(Client(tmp_path, ending, plan))
        return started[-1]

    yield start
    for one in started:
        one.kill_all()


@pytest.mark.parametrize("plan", [PLAN, COPIES], ids=["one by one", "copies"])
@pytest.mark.parametrize(
    ("ending", "code"),
    [
        ("", 0),
        ("sys.exit(4)", 4),
        ("raise ValueError", 1),
        ("os._exit(5)", 5),
        ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
        ("os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM),
        ("os.abort()", -signal.SIGABRT),
    ],
)
def test_replicas_end_with_the_client(client, ending, code, plan):
    one = client(ending, plan)
    assert one.end()[0] == code
    assert one.survivors() == []


def test_ctrl_c_reaches_the_client_only(client):
    one = client("time.sleep(600)")
    time.sleep(0.1)
    os.killpg(one.process.pid, signal.SIGINT)
    code, _, err = one.end()
    assert code in (130, -signal.SIGINT)
    assert err.count("KeyboardInterrupt") == 1
    assert one.survivors() == []


@pytest.mark.parametrize("plan", [PLAN, COPIES], ids=["one by one", "copies"])
def test_closing_leaves_no_zombie_and_no_child(client, plan):
    one = client(
        """
session.close()
started.close()
started.close()
try:
    os.wait()
except ChildProcessError:
    print("no child")
""",
        plan,
    )
    assert one.end() == (0, "no child\n", "")
    assert one.survivors() == []


def test_the_programs_sigchld_handler_does_not_hear_of_the_zygote(client):
    one = client("signal.signal(signal.SIGCHLD, lambda *_: print('a child'))")
    assert one.end() == (0, "", "")
    assert one.survivors() == []


def test_the_program_cannot_wait_for_the_zygote(client):
    one = client(
        """
for wait in (os.wait, lambda: os.waitpid(-1, os.WNOHANG), lambda: os.waitpid(started.pid, 0)):
    try:
        wait()
    except ChildProcessError:
        print("no child")
"""
    )
    assert one.end() == (0, "no child\n" * 3, "")
    assert one.survivors() == []


def test_a_forked_child_that_outlives_the_client_keeps_no_replica(client):
    one = client(
        """
if os.fork() == 0:
    os.close(1)
    os.close(2)
    time.sleep(1.5)
os._exit(0)
"""
    )
    assert one.end()[0] == 0
    assert one.survivors(expected=1) != []  # the forked child itself, and nothing else
    assert one.survivors() == []


def test_replicas_end_with_the_zygote(client):
    one = client(
        "os.kill(started.pid, signal.SIGKILL)\nos.waitpid(started.pid, zygote.WALL)\ntime.sleep(1)"
    )
    assert one.end()[0] == 0
    # What the remote function itself started has nobody left to end it.
    (orphan,) = one.survivors(expected=1)
    assert orphan.startswith("sleep\0")


def test_a_client_without_standard_streams_works(tmp_path):
    (tmp_path / "napping.py").write_text(NAPPING)
    done = subprocess.run(
        ["sh", "-c", '"$0" -c "$1" <&- >&- 2>&-', sys.executable, CLIENT.replace("600", "0")],
        cwd=tmp_path,
        check=False,
        timeout=30,
    )
    assert done.returncode == 0


def test_nothing_waits_for_the_busy_replicas_of_a_pipeline(tmp_path):
    (tmp_path / "napping.py").write_text(NAPPING)
    done = subprocess.run(
        ["sh", "-c", '"$0" -c "$1" 2>&1 | cat', sys.executable, CLIENT + "print('end')"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert done.stdout == "ready\nend\n"


PARENT = """
import ctypes, os, subprocess, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # orphans become children of this process
ended = subprocess.run([sys.executable, "-c", sys.argv[1]], capture_output=True, text=True)
try:
    os.waitpid(-1, os.WNOHANG | 0x40000000)
    print("something is left")
except ChildProcessError:
    print(ended.returncode, ended.stdout.splitlines())
"""


@pytest.mark.parametrize(
    ("ending", "code"),
    [("", 0), ("sys.exit(3)", 3), ("1 / 0", 1), ("raise KeyboardInterrupt", -signal.SIGINT)],
)
def test_replicas_of_pure_modules_are_gone_when_the_interpreter_is(
    tmp_path: Path, ending: str, code: int
) -> None:
    (tmp_path / "napping.py").write_text(NAPPING)
    at_end = "\nclass Last:\n    def __del__(self): print('last')\nkept = Last()\n"
    client = CLIENT.replace(PLAN, '("napping", pure=True, repeatable=True)').replace(
        "nap_in_child", "nap"
    )
    ran = subprocess.run(
        [sys.executable, "-c", PARENT, client + at_end + ending],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ran.stdout, ran.stderr) == (f"{code} ['ready', 'last']\n", "")


KILLS_THE_ZYGOTE = """
import os, signal, sys
import {module}

def children(pid):
    return list(map(int, open(f"/proc/{{pid}}/task/{{pid}}/children").read().split()))

zygote = min(children(os.getpid()))

def name(pid):
    return open(f"/proc/{{pid}}/comm").read().strip()

def heir():
    while True:
        for pid in children(zygote):
            if name(pid) == "cord heir":
                return pid

for number in range(8):
    if number == 3:
        {kill}
    print({module}.nap(0.02), flush=True)
"""


def run_without_the_zygote(folder, plan, kill="os.kill(zygote, signal.SIGKILL)", after=""):
    (folder / "napping.py").write_text("import time\ndef nap(seconds):\n    time.sleep(seconds)\n")
    text = KILLS_THE_ZYGOTE.format(module="napping", kill=kill) + after
    (folder / "main.py").write_text(text)
    (folder / "cord.toml").write_text(plan)
    command = [sys.executable, "-m", "cord", "run", "main.py"]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )


def test_pure_calls_are_made_in_the_program_when_the_zygote_was_killed(tmp_path):
    plan = "[remote.napping]\nrepeatable = true\ninline = false\n[run]\ncopies = false\n"
    done = run_without_the_zygote(tmp_path, plan)
    assert (done.returncode, done.stdout) == (0, "None\n" * 8)
    assert done.stderr.startswith(f"cord: {ENDED}")  # it may have an heir already


ENDED = "the process of Cord's that starts replicas was ended, and they with it"
KILL = "os.kill(zygote, signal.SIGKILL)"
# Then what has taken its place, too, once that has an heir of its own.
KILL_TWICE = f"next_one = heir(); {KILL}; zygote = next_one; next_one = heir(); {KILL}"


def test_a_zygote_that_was_killed_has_an_heir(tmp_path):
    plan = "[remote.napping]\nrepeatable = true\ninline = false\n[run]\ncopies = false\n"
    after = "while all(name(pid) != 'cord napping' for pid in children(next_one)): pass\n"
    done = run_without_the_zygote(tmp_path, plan, KILL_TWICE, after)
    assert (done.returncode, done.stdout) == (0, "None\n" * 8)
    assert done.stderr == f"cord: {ENDED}; it is started again\n" * 2


def test_other_calls_say_that_the_zygote_was_killed(tmp_path):
    done = run_without_the_zygote(tmp_path, "[remote.napping]\n[run]\ncopies = false\n")
    assert (done.returncode, done.stdout) == (1, "None\n" * 3)
    # whether the call had begun in the replica, or what it kept is lost before
    lost = " is lost: the process of Cord's that starts replicas was ended"
    assert lost in done.stderr or "cord.errors.StateLost: " in done.stderr
    assert "closed descriptors" not in done.stderr


STARTS = """
import subprocess
def start():
    null = subprocess.DEVNULL
    return subprocess.Popen(["sleep", "600"], stdin=null, stdout=null, stderr=null).pid
"""


@pytest.mark.parametrize("pure", ["", "pure = true\ninline = false\n"], ids=["keeps state", "pure"])
@pytest.mark.parametrize("ending", ["", "os._exit(0)", "os.kill(os.getpid(), signal.SIGKILL)"])
def test_a_process_that_a_function_has_started_lives_on(tmp_path, ending, pure):
    (tmp_path / "starts.py").write_text(STARTS)
    (tmp_path / "main.py").write_text(
        f"import os, signal, starts\nprint(starts.start(), flush=True)\n{ending}\n"
    )
    (tmp_path / "cord.toml").write_text(f"[remote.starts]\n{pure}[run]\ncopies = false\n")
    command = [sys.executable, "-m", "cord", "run", "main.py"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    pid = int(done.stdout)
    time.sleep(0.7)  # in which replicas have ended
    assert Path(f"/proc/{pid}/cmdline").read_text() == "sleep\x00600\x00"
    os.kill(pid, signal.SIGKILL)
