"""`cord init` as a user sees it: little programs, and what becomes of them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project

Make = Callable[[dict[str, str]], "Project"]

WAITS = """
import time

def answer(question):
    time.sleep(0.06)
    return question[::-1]
"""
ASKS = """
import time
import service

began = time.time()
for number in range(14):
    print(number, service.answer(f"question {number}"))
print(f"took {time.time() - began:.0f} s")
"""


def init(made: Project, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run `cord init WORDS`; nothing of it may be left."""
    kept = {key: text for key, text in os.environ.items() if not key.startswith("PYTHON")}
    ended = subprocess.run(
        [sys.executable, "-m", "cord", "init", *words],
        cwd=made.folder,
        env={**kept, "TMPDIR": str(made.scratch)},
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert made.left_behind() == []
    assert "Traceback" not in ended.stderr
    return ended


def refused(made: Project, *words: str, stdin: str = "") -> str:
    """What it says where it writes no plan, in one line."""
    ended = init(made, *words, stdin=stdin)
    assert ended.returncode == 1
    assert not list(made.folder.rglob("cord.toml"))
    said = " ".join(ended.stdout.split())
    assert f"no plan is written. {said.partition('written. ')[2]}" in said
    return said.partition("no plan is written. ")[2]


def test_a_plan_that_pays(project: Make) -> None:
    made = project({"service.py": WAITS, "main.py": ASKS})
    ended = init(made, "main.py")
    if ended.returncode == 3 and "This machine is busy" in ended.stdout:
        pytest.skip("the machine is too busy for a gain to be measured")
    assert ended.returncode == 0, ended.stdout
    assert "times as fast" in ended.stdout
    assert ended.stdout.endswith("Now: cord run main.py\n")
    assert ended.stderr.startswith("cord init: plain Python: ")
    text = (made.folder / "cord.toml").read_text()
    [(name, plan)] = tomllib.loads(text)["remote"].items()
    # of the two, measurements decide
    assert plan.pop("replicas", None) == 8 or plan.pop("threads") == 8
    assert (name, plan) == ("service", {"pure": True, "only": ["answer"]})
    said = " ".join(text.replace("#", "").split())
    assert re.search(
        r"surely pure by its text; [0-9]+ calls, made again in another process, gave the same", said
    )
    assert "but for the numbers in 1 line" in said
    run = made.run("main.py")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("0 0 noitseuq\n1 1 noitseuq\n")
    assert sorted(path.name for path in made.folder.glob("*.*")) == [
        "cord.toml",
        "main.py",
        "service.py",
    ]


def test_nothing_is_overwritten(project: Make) -> None:
    made = project({"main.py": ASKS, "service.py": WAITS, "cord.toml": "# mine\n"})
    ended = init(made, "main.py")
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr == (
        "cord: cord.toml is there already, and cord init overwrites nothing\n\n"
        "hint: cord compare main.py measures it; to begin anew, move it away\n"
    )
    assert (made.folder / "cord.toml").read_text() == "# mine\n"


NOT_PURE = """
import time

asked = []

def answer(question):
    time.sleep(0.03)
    asked.append(question)
    return len(asked)
"""
# What the text does not show, and a run under Cord does.
UNSTEADY = """
import time
import other

def answer(question):
    time.sleep(0.03)
    return getattr(other, "ne" + "xt")()
"""
OTHER = "numbers = iter(range(10**6))\ndef next():\n    return numbers.__next__()\n"


@pytest.mark.parametrize(
    ("service", "said"),
    [
        (NOT_PURE, "service.py:8: answer changes the global asked"),
        (UNSTEADY, "it changes other.numbers"),
    ],
)
def test_a_function_that_is_not_pure(project: Make, service: str, said: str) -> None:
    made = project({"main.py": ASKS, "service.py": service, "other.py": OTHER})
    why = refused(made, "main.py")
    assert why.startswith("Calls can start early only where they are pure, and the function ")
    assert "answer (service.py:" in why
    assert "14 calls of " in why
    assert said in why


INLINE = """
import time

lines = []
for number in range(10):
    text = ""
    for part in range(3):
        time.sleep(0.01)
        text += str(number * part)
    lines.append(text)
print(lines)
"""


def test_a_loop_without_a_function(project: Make) -> None:
    why = refused(project({"main.py": INLINE}), "main.py")
    assert (
        "of the time is in the loop at main.py:5. Put lines 6 to 9 into a top-level function" in why
    )
    assert "of number that returns what they put into text" in why


def test_programs_that_cannot_be_planned_for(project: Make) -> None:
    made = project(
        {
            "short.py": "print(1)\n",
            "fails.py": "import time\ntime.sleep(0.3)\nraise ValueError('no such gene')\n",
            "chance.py": "import time, uuid\ntime.sleep(0.3)\nprint(uuid.uuid4())\n",
            "asks.py": "import time\ntime.sleep(0.3)\nprint(input())\n",
        }
    )
    assert "the start of Python included" in refused(made, "short.py")
    assert "ends with status 1: ValueError: no such gene" in refused(made, "fails.py")
    assert "does not show the same twice" in refused(made, "chance.py")
    assert "EOFError" in refused(made, "asks.py")


WRITES = """
import time
import importlib

def answer(question):
    time.sleep(0.03)
    importlib.import_module("other").note(question)
    return question[::-1]
"""
NOTES = "def note(text):\n    with open('notes.txt', 'a') as file:\n        file.write(text)\n"


def test_what_a_function_does_outside_is_seen(project: Make) -> None:
    made = project({"main.py": ASKS, "service.py": WRITES, "other.py": NOTES})
    assert "answer (service.py:5), 14 calls of " in (why := refused(made, "main.py"))
    assert "it writes the file notes.txt" in why
    assert not (made.folder / "notes.txt").exists()


# Its calls wait for a service beside the program, which answers who comes.
ASKS_SERVICE = """
import socket
import threading
import time

class Client:
    def __init__(self, port):
        self.port = port

    def answer(self, question):
        with socket.create_connection(("127.0.0.1", self.port)) as line:
            line.sendall(question.encode())
            return line.recv(100).decode()
"""
SERVES = """
import os
import socket
import threading
import time

def serve(listening):
    def answer(line):
        text = line.recv(100)
        time.sleep(0.06)
        line.sendall(text[::-1])
        line.close()
    while True:
        threading.Thread(target=answer, args=(listening.accept()[0],), daemon=True).start()

listening = socket.create_server(("127.0.0.1", 0), backlog=64)
port = listening.getsockname()[1]
parent = os.getpid()
if os.fork() == 0:
    os.closerange(0, 3)
    threading.Thread(target=serve, args=(listening,), daemon=True).start()
    while os.getppid() == parent:
        time.sleep(0.05)
    os._exit(0)
listening.close()

import service

client = service.Client(port)
for number in range(14):
    print(number, client.answer(f"question {number}"))
"""


def test_what_the_user_accepts(project: Make) -> None:
    made = project({"service.py": ASKS_SERVICE, "main.py": SERVES})
    why = refused(made, "main.py")
    assert "answer uses the network" in why
    assert why.endswith("early, again, or in vain: cord init --accept network main.py")
    ended = init(made, "--accept", "network", "main.py")
    if ended.returncode == 3 and "This machine is busy" in ended.stdout:
        pytest.skip("the machine is too busy for a gain to be measured")
    assert ended.returncode == 0, ended.stdout
    plan = tomllib.loads((made.folder / "cord.toml").read_text())["remote"]["service"]
    assert plan.pop("only") == ["Client.answer"]
    assert plan in ({"threads": 8, "repeatable": True}, {"replicas": 8, "repeatable": True})


def test_what_a_run_without_a_plan_has_found_becomes_one(project: Make) -> None:
    made = project({"service.py": WAITS, "main.py": ASKS})
    said = refused(made, "--from-last-run", "main.py")
    assert said.startswith("No run of it as its files are now has found a function that gains.")
    words = [sys.executable, "-m", "cord", "run", "--repeatable", "service.answer", "main.py"]
    environment = {key: text for key, text in os.environ.items() if not key.startswith("PYTHON")}
    ran = subprocess.run(words, cwd=made.folder, env=environment, capture_output=True, check=True)
    assert ran.stderr == b""
    ended = init(made, "--from-last-run", "main.py")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.endswith("Now: cord run main.py\n")
    assert tomllib.loads((made.folder / "cord.toml").read_text()) == {
        "remote": {
            "service": {"threads": 8, "repeatable": True, "only": ["answer"], "inside": True}
        }
    }
