"""Programs whose replicas live on nodes: agents that a command starts, here on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest
from clusters import without_waiting
from standing_agents import Agent
from test_nodes_that_fail import assert_all_gone

PATIENCE = 60.0
TWO = "sh -c '{agent} & {agent} & wait'"
BESIDE = Path(__file__).parent / "beside"


@dataclass
class Far:
    """A folder with a program and a plan, and how it is run."""

    folder: Path

    def write(self, plan: str = "", engine: str = "", **files: str) -> Far:
        """Lay out files, by name without suffix, and the plan: two agents, unless it says more."""
        for name, text in files.items():
            (self.folder / f"{name}.py").write_text(dedent(text))
        engine = dedent(engine) or f'kind = "command"\nnodes = 2\nlaunch = """{TWO}"""\n'
        plan = (
            dedent(plan) or '[remote.work]\nreplicas = 4\nrepeatable = true\ncallstyle = "async"\n'
        )
        (self.folder / "cord.toml").write_text(f"[engine]\n{engine}\n{plan}")
        return self

    def plain(self) -> str:
        """What the program prints without Cord."""
        done = subprocess.run(
            [sys.executable, "main.py"],
            cwd=self.folder,
            env=self._environment({}),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
        return done.stdout

    def start(self, **environment: str) -> subprocess.Popen[str]:
        """Start the program under Cord."""
        return subprocess.Popen(
            [sys.executable, "-m", "cord", "run", "main.py"],
            cwd=self.folder,
            env=self._environment(environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, **environment: str) -> tuple[int, str, str]:
        """Run it; exit code, stdout, and stderr but for what it says of waiting."""
        process = self.start(**environment)
        try:
            stdout, stderr = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return process.returncode, stdout, without_waiting(stderr)

    def _environment(self, more: dict[str, str]) -> dict[str, str]:
        kept = {name: text for name, text in os.environ.items() if name != "PYTHONHASHSEED"}
        return {**kept, "PYTHONDONTWRITEBYTECODE": "1", **more}


@pytest.fixture
def far(tmp_path: Path) -> Far:
    """A folder to lay a program out in."""
    return Far(tmp_path)


@pytest.fixture
def through() -> Callable[[str], str]:
    """What starts an agent by way of a script of `beside/`, which is given its command."""

    def command(script: str) -> str:
        return f"{sys.executable} {BESIDE / script} {{agent}}"

    return command


@pytest.fixture
def stand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Agent]]:
    """Starts standing agents, which end with the test."""
    folder = tmp_path_factory.mktemp("service")
    agents: list[Agent] = []

    def start(*more: str, name: str = "lab", files: dict[str, str] | None = None) -> Agent:
        for file, text in (files or {}).items():
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_text(text)
        agents.append(Agent(folder, *more, name=name))
        return agents[-1]

    yield start
    for agent in agents:
        if agent.process.poll() is None:
            agent.process.kill()
        agent.process.communicate()
    assert_all_gone(folder)
