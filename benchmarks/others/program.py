"""One program of others: where it is, and how it is run once in one way."""

from __future__ import annotations

import json
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.places import BIN
from benchmarks.rounds import Failed
from benchmarks.running import environment_of_users, timed

# In a folder, what follows `python` on the command line, if that is not main.py.
COMMAND = "command"
LONGEST = 600.0
_BARE = str(Path(__file__).with_name("bare.py"))
_NO_COPIES = "\n[run]\ncopies = false\n"


@dataclass(frozen=True)
class Ran:
    """What one run showed.

    Attributes:
        seconds: How long the whole process took.
        shown: Its output and exit status.
        calls: How many remote calls the program made.
        vain: How many more were made for nobody.
        service: How long replicas were busy with them, in seconds.
        replicas: How many there were.
    """

    seconds: float
    shown: tuple[bytes, int]
    calls: int = 0
    vain: int = 0
    service: float = 0.0
    replicas: int = 1


class Program:
    """A program and its plan, `cord.toml`: each run finds its folder as new as the first, but warm.

    Attributes:
        name: What it is called in tables.

    Args:
        folder: The folder. Nothing is written there.
        place: An empty folder to run it in.

    Raises:
        Failed: It has no plan.
    """

    def __init__(self, folder: Path, place: Path) -> None:
        if not (folder / "cord.toml").is_file():
            raise Failed(f"{folder} has no cord.toml")
        self.name = folder.name
        self._new, self._here = place / "new", place / folder.name
        self._told = place / "told.json"
        shutil.copytree(folder, self._new)

    def run(self, way: str) -> Ran:
        """Run it once.

        Args:
            way: "plain"; "copies" only, "slices" only, or "both".

        Raises:
            Failed: It took too long.
        """
        shutil.copytree(self._new, self._here)
        self._told.unlink(missing_ok=True)
        if way == "slices":
            plan = self._here / "cord.toml"
            plan.write_text(_without_copies(plan.read_text()))
        try:
            ended = timed(
                [*self._starter(way), *self._command()],
                self._here,
                {**environment_of_users(), "PYTHONHASHSEED": "0"},
                LONGEST,
            )
            self._keep_bytecode()
        finally:
            shutil.rmtree(self._here)
        sums = _sums(json.loads(self._told.read_text())) if self._told.exists() else {}
        return Ran(ended.seconds, (ended.output, ended.status), **sums)

    def _starter(self, way: str) -> list[str]:
        python = str(BIN / "python")
        if way == "plain":
            return [python]
        cord = [python, _BARE] if way == "copies" else [str(BIN / "cord")]
        return [*cord, "run", f"--stats={self._told}"]

    def _command(self) -> list[str]:
        written = self._new / COMMAND
        return shlex.split(written.read_text()) if written.exists() else ["main.py"]

    def _keep_bytecode(self) -> None:
        for kept in self._here.rglob("__pycache__"):
            there = self._new / kept.relative_to(self._here)
            shutil.copytree(kept, there, dirs_exist_ok=True)


def _without_copies(plan: str) -> str:
    if "[run]" in plan:
        return plan.replace("[run]", _NO_COPIES.strip(), 1)
    return plan + _NO_COPIES


def _sums(stats: dict[str, Any]) -> dict[str, Any]:
    calls = stats["calls"]
    replicas = sum(len(one["busy"]) * one["threads"] for one in stats["replicas"])
    return {
        "calls": sum(one["calls"] for one in calls),
        "vain": sum(one["in_vain"] for one in calls),
        "service": sum(one["service"] for one in calls),
        "replicas": max(replicas, 1),
    }
