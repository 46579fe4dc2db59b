"""One program of others: where it is, and how it is run once in one way."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.places import BIN
from benchmarks.rounds import Failed

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


@dataclass(frozen=True)
class Program:
    """A folder with a program and its plan, `cord.toml`."""

    folder: Path

    @property
    def name(self) -> str:
        """What it is called in tables."""
        return self.folder.name

    @property
    def command(self) -> list[str]:
        """What follows `python`."""
        written = self.folder / COMMAND
        return shlex.split(written.read_text()) if written.exists() else ["main.py"]

    def run(self, way: str) -> Ran:
        """Run it once, in a copy of its folder, as new as the first.

        Args:
            way: "plain"; "copies" only, "slices" only, or "both".

        Raises:
            Failed: There is no plan, or it took too long.
        """
        if not (self.folder / "cord.toml").is_file():
            raise Failed(f"{self.folder} has no cord.toml")
        with tempfile.TemporaryDirectory(prefix="cord-others-") as place:
            there = Path(place) / self.name
            shutil.copytree(self.folder, there)
            told = Path(place) / "told.json"
            return self._run(way, there, told)

    def _run(self, way: str, there: Path, told: Path) -> Ran:
        if way == "slices":
            plan = there / "cord.toml"
            plan.write_text(_without_copies(plan.read_text()))
        python, cord = str(BIN / "python"), [str(BIN / "cord")]
        if way == "copies":
            cord = [python, _BARE]
        command = [python] if way == "plain" else [*cord, "run", f"--stats={told}"]
        began = time.monotonic()
        try:
            done = subprocess.run(
                [*command, *self.command],
                cwd=there,
                env={**os.environ, "PYTHONHASHSEED": "0"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=LONGEST,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise Failed(f"{self.name} was not done in {LONGEST:.0f} s") from None
        seconds = time.monotonic() - began
        shown = done.stdout, done.returncode
        if not told.exists():
            return Ran(seconds, shown)
        stats = json.loads(told.read_text())
        return Ran(seconds, shown, **_sums(stats))


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
