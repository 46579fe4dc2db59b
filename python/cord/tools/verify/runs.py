"""The runs that find out why a program is not the same under Cord."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cord.plan.model import Plan
    from cord.plan.program import Program
    from cord.tools.trials.differences import Shown
    from cord.tools.trials.trials import Trials


class Runs:
    """Runs of one program, under Cord in place, and watched.

    Args:
        plan: The plan.
        variant: The variant that made it.
        program: The program.
        args: Its own arguments.
        trials: How it is run.
        scratch: A folder for what the runs need.
    """

    def __init__(
        self,
        plan: Plan,
        variant: str,
        program: Program,
        args: list[str],
        trials: Trials,
        scratch: str,
    ) -> None:
        self._plan = plan
        self._variant = variant
        self._program = program
        self._args = args
        self._trials = trials
        self._scratch = scratch

    def in_place(self) -> Shown:
        """Run it under Cord with every call in place, made by one replica."""
        settings = []
        for name, remote in self._plan.remote.items():
            key = f'remote."{name}"'
            settings += ["--set", f"{key}.callstyle=sync", "--set", f"{key}.replicas=1"]
            for function in remote.functions:
                settings += ["--set", f"{key}.functions.{function}.callstyle=sync"]
        return self._trials.cord(self._variant, *settings)

    def findings(self) -> list[dict[str, str]]:
        """Run it plain with its remote functions watched, then make the calls elsewhere."""
        paths = {name: os.path.join(self._scratch, name) for name in ("findings", "calls", "else")}
        request = os.path.join(self._scratch, "request")
        with open(request, "w", encoding="utf-8") as file:
            json.dump(self._request(paths), file)
        self._trials.run(["-m", "cord.tools.verify.probe", request])
        self._trials.run(["-m", "cord.tools.verify.replay", request])
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
        program, place = self._program, self._trials.place
        return {
            "remote": remote,
            "path": program.path if program.module is not None else place.translate(program.path),
            "folder": place.inside(program.folder),
            "module": program.module,
            "args": self._args,
            "findings": paths["findings"],
            "calls": paths["calls"],
            "elsewhere": paths["else"],
        }


def _read(path: str) -> list[dict[str, str]]:
    """What a watching process wrote; nothing if the program ended it before."""
    try:
        with open(path, encoding="utf-8") as file:
            found: list[dict[str, str]] = json.load(file)
    except (OSError, ValueError):
        return []
    return found
