"""A program that is run several times, with what each run analysed."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

COUNTING = Path(__file__).parent / "counting.py"


class Ran(NamedTuple):
    """What a run showed, and how often each stage of the translator ran in it."""

    stdout: str
    stderr: str
    code: int
    counts: dict[str, int]

    @property
    def analysed(self) -> bool:
        return any(self.counts.values())


class Program:
    """A program in a folder of its own, whose results are kept there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._counted = folder.with_name(folder.name + ".counted")

    def write(self, **files: str) -> None:
        """Write ``name.py`` for each name (``a__b`` is a/b.py), and ``plan`` as cord.toml."""
        for name, text in files.items():
            path = self.folder / (name.replace("__", "/") + ".py")
            if name == "plan":
                path = self.folder / "cord.toml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text))

    def start(
        self, *words: str, flags: tuple[str, ...] = (), number: int = 0, **environment: str
    ) -> subprocess.Popen[str]:
        kept = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
        counted = f"{self._counted}{number}"
        Path(counted).unlink(missing_ok=True)
        return subprocess.Popen(
            [sys.executable, *flags, str(COUNTING), *(words or ("main.py",))],
            cwd=self.folder,
            env={**kept, "PYTHONHASHSEED": "0", "COUNTED": counted, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def end(self, process: subprocess.Popen[str], number: int = 0) -> Ran:
        stdout, stderr = process.communicate(timeout=60)
        counted = Path(f"{self._counted}{number}")
        lines = counted.read_text().splitlines() if counted.exists() else []
        counts = {stage: int(times) for stage, times in (line.split() for line in lines)}
        return Ran(stdout, stderr, process.returncode, counts)

    def run(self, *words: str, flags: tuple[str, ...] = (), **environment: str) -> Ran:
        """Run it under Cord to its end."""
        return self.end(self.start(*words, flags=flags, **environment))

    def warm(self, *words: str, flags: tuple[str, ...] = (), **environment: str) -> Ran:
        """Run it until a run has nothing left to analyse.

        Where scouts are born is a matter of timing, so the second run may still need one that the
        first did not; but there are only so many.
        """
        for _ in range(30):
            ran = self.run(*words, flags=flags, **environment)
            if not ran.analysed:
                return ran
        raise AssertionError(ran)

    def plain(self, *words: str, flags: tuple[str, ...] = (), **environment: str) -> Ran:
        """Run it as plain Python."""
        process = subprocess.run(
            [sys.executable, *flags, *(words or ("main.py",))],
            cwd=self.folder,
            env={
                **os.environ,
                "PYTHONHASHSEED": "0",
                "PYTHONDONTWRITEBYTECODE": "1",
                **environment,
            },
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return Ran(process.stdout, process.stderr, process.returncode, {})

    def kept(self) -> list[Path]:
        """The files with results."""
        return sorted(self.folder.rglob("*.cord"))
