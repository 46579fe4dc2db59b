"""The runs that find out why a program is not the same under Cord."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cord.tools.verify.probe import KEEPS

if TYPE_CHECKING:
    from cord.plan.model import Plan
    from cord.plan.program import Program
    from cord.tools.trials.differences import Shown
    from cord.tools.trials.trials import Trials


@dataclass(frozen=True, slots=True)
class Watched:
    """What was seen of the remote functions.

    Attributes:
        findings: What was found: its kind, the function, where it was called, and more in words.
        calls: How many calls of functions that are declared pure the program makes.
        replayed: How many of them were made again.
        complete: Whether the watched program came to an end at which its calls could be looked at.
    """

    findings: list[dict[str, str]]
    calls: int
    replayed: int
    complete: bool

    def lasting(self) -> list[dict[str, str]]:
        """The findings that speak against the functions themselves, whatever the program does."""
        return [finding for finding in self.findings if finding["kind"] != KEEPS]


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
        self._script = os.path.splitext(os.path.basename(program.path))[0]

    def in_place(self) -> Shown:
        """Run it under Cord with every call in place, made by one replica."""
        settings = []
        for name, remote in self._plan.remote.items():
            key = f'remote."{name}"'
            settings += ["--set", f"{key}.callstyle=sync", "--set", f"{key}.replicas=1"]
            for function in remote.functions:
                settings += ["--set", f"{key}.functions.{function}.callstyle=sync"]
        return self._trials.cord(self._variant, *settings)

    def with_all_threads(self) -> Shown:
        """Run it under Cord with numerical libraries that use as many threads as in the program."""
        settings = []
        for name in self._plan.remote:
            settings += ["--set", f'remote."{name}".blas_threads=all']
        return self._trials.cord(self._variant, *settings)

    def watch(self, seconds: float, *, differs: bool) -> Watched:
        """Run it plain with its remote functions watched, then make the calls elsewhere.

        Args:
            seconds: How long making them again may take.
            differs: Whether the run under Cord shows something else. Only then functions that are
                not pure are called again too.
        """
        names = ("findings", "calls", "elsewhere")
        paths = {name: os.path.join(self._scratch, name) for name in names}
        request = os.path.join(self._scratch, "request")
        with open(request, "w", encoding="utf-8") as file:
            json.dump({**self._request(), **paths, "patience": seconds, "all": differs}, file)
        self._trials.run(["-m", "cord.tools.verify.probe", request])
        self._trials.run(["-m", "cord.tools.verify.replay", request])
        seen, again = _read(paths["findings"]), _read(paths["elsewhere"])
        complete = seen is not None and again is not None
        again = again or {"findings": [], "calls": 0, "replayed": 0}
        findings = (seen or []) + again["findings"]
        for finding in findings:  # as the plan and tracebacks name it
            finding["function"] = finding["function"].replace("__main__.", f"{self._script}.")
        return Watched(findings, again["calls"], again["replayed"], complete)

    def _request(self) -> dict[str, Any]:
        main = next((one for one in self._plan.remote.values() if one.is_program), None)
        outlines, path = self._program.outlines, self._program.path
        remote = {
            "__main__" if one.is_program else name: {
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
            "main": [] if main is None else outlines.of(path).remote_functions(main),
            "args": self._args,
            "assumed": sorted(self._plan.assume_pure),
        }


def _read(path: str) -> Any:
    """What a watching process wrote; None if the program ended it before."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None
