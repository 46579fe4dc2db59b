"""Running a program in a copy of the working directory: plain, under Cord, watched."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from cord.tools.verify.copies import Workplace
from cord.tools.verify.differences import Shown

if TYPE_CHECKING:
    from cord.plan.model import Plan
    from cord.plan.program import Program


class Runs:
    """Runs of one program, each from the same files, input and hash seed.

    Args:
        plan: The plan.
        program: The program.
        args: Its own arguments.
        settings: The settings given with `--set`.
        stdin: What each run reads on standard input.
        scratch: A folder for what the runs need.
    """

    def __init__(
        self,
        plan: Plan,
        program: Program,
        args: list[str],
        settings: list[str],
        stdin: bytes,
        scratch: str,
    ) -> None:
        self._plan = plan
        self._program = program
        self._args = args
        self._stdin = stdin
        self._scratch = scratch
        self._place = Workplace(os.getcwd(), scratch)
        if program.module is not None:
            self._words = ["-m", program.module, *args]
        else:
            self._words = [self._place.translate(program.path), *args]
        self._cord = ["-m", "cord", "run", "-c", self._place.translate(plan.path)]
        for setting in settings:
            self._cord += ["--set", setting]

    def plain(self) -> Shown:
        """Run it with plain Python."""
        return self._run(self._words)

    def cord(self) -> Shown:
        """Run it under Cord."""
        return self._run([*self._cord, *self._words])

    def in_place(self) -> Shown:
        """Run it under Cord with every call in place, made by one replica."""
        settings = []
        for name, remote in self._plan.remote.items():
            key = f'remote."{name}"'
            settings += ["--set", f"{key}.callstyle=sync", "--set", f"{key}.replicas=1"]
            for function in remote.functions:
                settings += ["--set", f"{key}.functions.{function}.callstyle=sync"]
        return self._run([*self._cord, *settings, *self._words])

    def findings(self) -> list[dict[str, str]]:
        """Run it plain with its remote functions watched, then make the calls elsewhere."""
        paths = {name: os.path.join(self._scratch, name) for name in ("findings", "calls", "else")}
        request = os.path.join(self._scratch, "request")
        with open(request, "w", encoding="utf-8") as file:
            json.dump(self._request(paths), file)
        self._run(["-m", "cord.tools.verify.probe", request])
        self._run(["-m", "cord.tools.verify.replay", request])
        return _read(paths["findings"]) + _read(paths["else"])

    def _request(self, paths: dict[str, str]) -> dict[str, Any]:
        remote = {
            name: {
                "only": one.only,
                "pure": one.pure,
                "functions": {f.name: f.pure for f in one.functions.values()},
            }
            for name, one in self._plan.remote.items()
        }
        program = self._program
        return {
            "remote": remote,
            "path": program.path if program.module is not None else self._words[0],
            "folder": self._place.inside(program.folder),
            "module": program.module,
            "args": self._args,
            "findings": paths["findings"],
            "calls": paths["calls"],
            "elsewhere": paths["else"],
        }

    def _run(self, words: list[str]) -> Shown:
        self._place.fill()
        flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
        ended = subprocess.run(
            [sys.executable, *flags, *words],
            cwd=self._place.path,
            env=self._environment(),
            input=self._stdin,
            capture_output=True,
            check=False,
        )
        return Shown(ended.stdout, ended.stderr, ended.returncode, self._place.files())

    def _environment(self) -> dict[str, str]:
        """One hash seed for all runs, so that sets come in one order in all of them."""
        environment = {**os.environ, "PWD": self._place.path}
        if environment.get("PYTHONHASHSEED", "random") == "random":
            environment["PYTHONHASHSEED"] = "0"
        return environment


def _read(path: str) -> list[dict[str, str]]:
    """What a watching process wrote; nothing if the program ended it before."""
    try:
        with open(path, encoding="utf-8") as file:
            found: list[dict[str, str]] = json.load(file)
    except (OSError, ValueError):
        return []
    return found
