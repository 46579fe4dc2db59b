"""``inside = true``: a remote module's own code, where the program runs it, calls replicas too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

AGENTS = """
    import os, time

    def ask(prompt):
        time.sleep(0.03)
        with open("asked", "a") as log:
            log.write(f"{time.monotonic() - 0.03} {time.monotonic()} {os.getpid()}\\n")
        return f"an answer to {prompt}"

    def depth(n):
        return 0 if n == 0 else 1 + depth(n - 1)

    def all_of(count):
        return [ask(f"question {n}") for n in range(count)]

    class Agent:
        def __init__(self, name):
            self.name = name

        def run(self, count):
            said = []
            for n in range(count):
                said.append(_asked_by(self.name, n))
            return said

    def _asked_by(name, n):
        return ask(f"{name}: {n}")
    """
PLAN = """
    [remote.agents]
    only = ["ask", "depth"]
    repeatable = true
    replicas = 4
    callstyle = "async"
    """
INSIDE = "    inside = true\n"


def run(folder: Path, main: str, plan: str, *command: str) -> subprocess.CompletedProcess[str]:
    """What is said by `cord run`, or another command, of a program that imports `agents`."""
    texts = {"agents.py": AGENTS, "cord.toml": plan, "main.py": main}
    for name, text in texts.items():
        (folder / name).write_text(dedent(text))
    return subprocess.run(
        [sys.executable, "-m", "cord", *(command or ("run",)), "main.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )


def at_once(folder: Path) -> int:
    """How many calls of `ask` were under way at one time."""
    lines = [line.split() for line in (folder / "asked").read_text().splitlines()]
    spans = [(float(began), float(ended)) for began, ended, _ in lines]
    return max(sum(began <= at < ended for began, ended in spans) for at, _ in spans)


@pytest.mark.parametrize("called", ["agents.all_of(24)", "agents.Agent('me').run(24)"])
def test_calls_of_the_modules_own_code_run_beside_each_other(called: str, tmp_path: Path) -> None:
    ran = run(tmp_path, f"import agents\nprint({called})", PLAN + INSIDE)
    assert ran.stdout.count("an answer to") == 24
    assert ran.stderr == ""
    assert at_once(tmp_path) > 1


def test_without_it_they_are_the_programs(tmp_path: Path) -> None:
    main = "import agents, os\nagents.all_of(3)\nprint(os.getpid())"
    ran = run(tmp_path, main, PLAN)
    asked = (tmp_path / "asked").read_text().splitlines()
    assert {line.split()[2] for line in asked} == {ran.stdout.strip()}


def test_what_the_program_binds_goes_before(tmp_path: Path) -> None:
    main = """
        import importlib
        from unittest import mock
        import agents

        print(agents.depth(30), agents.ask.__name__)
        with mock.patch("agents.ask", lambda prompt: "mocked"):
            print(agents.all_of(2), agents.ask(1))
        print(agents.all_of(1))
        importlib.reload(agents)
        print(agents.all_of(1))
        agents.ask = len
        print(agents.all_of(1))
        """
    ran = run(tmp_path, main, PLAN + INSIDE)
    assert ran.stdout.splitlines() == [
        "30 ask",
        "['mocked', 'mocked'] mocked",
        "['an answer to question 0']",
        "['an answer to question 0']",
        "[10]",
    ]


def test_the_end_of_a_session_gives_the_module_its_own_functions_back(tmp_path: Path) -> None:
    main = """
        import types
        import cord

        with cord.session("cord.toml"):
            import agents
            own = type(vars(agents)["ask"])
        print(own is types.FunctionType, type(vars(agents)["ask"]) is types.FunctionType)
        """
    texts = {"agents.py": AGENTS, "cord.toml": PLAN + INSIDE, "main.py": main}
    for name, text in texts.items():
        (tmp_path / name).write_text(dedent(text))
    ran = subprocess.run(
        [sys.executable, "main.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ran.stdout == "False True\n"


def test_explain_tells_of_such_calls(tmp_path: Path) -> None:
    main = "import agents\nprint(agents.Agent('me').run(2))"
    told = run(tmp_path, main, PLAN, "explain").stdout
    assert "agents.py:14: ask(f'question {n}')\n  in place: agents makes it, and" in told
    assert "agents.py:27: ask(f'{name}: {n}')" in told
    assert "agents.py:11" not in told, "a remote function's calls are its replica's"
    assert "remedy: inside = true in [remote.agents]" in told
    assert "ahead by a copy" in run(tmp_path, main, PLAN + INSIDE, "explain").stdout


def test_so_does_explain_after_a_run_that_called_nothing(tmp_path: Path) -> None:
    told = run(tmp_path, "import agents\nagents.all_of(2)", PLAN, "explain", "--run").stderr
    assert "No call of a remote function was sent to a replica.\n  agents.py:14: ask(" in told
