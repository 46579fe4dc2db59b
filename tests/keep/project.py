"""A project with calls that are kept: run plainly and under Cord, edited and run again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

RUN = "[run]\naudit = false\nspeculate = 'exact'\n"
PLAN = f"[remote.work]\npure = true\nkeep = true\nreplicas = 2\n{RUN}"


class Project:
    """Some files, and a plan.

    Args:
        folder: Where they are.
        files: Their content by name; `cord.toml` has one of its own if it is not among them.
    """

    def __init__(self, folder: Path, files: dict[str, str]) -> None:
        self.folder = folder
        for name, text in {"cord.toml": PLAN, **files}.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        """Write a file."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def edit(self, name: str, before: str, after: str) -> None:
        """Change a file in one place."""
        text = (self.folder / name).read_text()
        assert before in text, (name, before)
        self.write(name, text.replace(before, after, 1))

    def plain(self, **variables: str) -> str:
        """What the plain program prints."""
        return self._run([sys.executable, "main.py"], variables).stdout

    def cord(self, **variables: str) -> subprocess.CompletedProcess[str]:
        """The run under Cord."""
        return self._run([sys.executable, "-m", "cord", "run", "main.py"], variables)

    def _run(self, words: list[str], variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words,
            cwd=self.folder,
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def same(self, **variables: str) -> dict[str, tuple[int, int]]:
        """Run it both ways; both must show the same.

        Returns:
            By function, how many calls were answered from the store, and how many were kept.
        """
        run, plain = self.cord(**variables), self.plain(**variables)
        assert run.stdout == plain, run.stderr
        return self.told()

    def told(self) -> dict[str, tuple[int, int]]:
        """By function, of the last run: calls answered from the store, and calls kept."""
        return {name: (note["hits"], note["kept"]) for name, note in self.notes().items()}

    def notes(self) -> dict[str, dict[str, object]]:
        """By function, what its last run has written down."""
        path = self.folder / ".cord" / "kept" / "notes.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        return {note["function"]: note for note in map(json.loads, lines)}
