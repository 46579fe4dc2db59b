"""Running a program in copies of the working directory, plain and under Cord."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from cord.plan.words import BASE
from cord.tools.trials.copies import Workplace
from cord.tools.trials.differences import Shown
from cord.tools.trials.processors import Meter

if TYPE_CHECKING:
    from cord.plan.program import Program


class Trials:
    """Runs of one program, each from the same files, input and hash seed.

    Args:
        program: The program.
        args: Its own arguments.
        plan: The path of the plan.
        settings: The settings given with `--set`.
        stdin: What each run reads on standard input.
        scratch: A folder for what the runs need.

    Raises:
        CordError: The working directory is too large to be copied.
    """

    def __init__(
        self,
        program: Program,
        args: list[str],
        plan: str,
        settings: list[str],
        stdin: bytes,
        scratch: str,
    ) -> None:
        self.place = Workplace(os.getcwd(), os.path.realpath(scratch))
        self._stdin = stdin
        if program.module is not None:
            self._words = ["-m", program.module, *args]
        else:
            self._words = [self.place.translate(program.path), *args]
        self._cord = ["-m", "cord", "run", "-c", self.place.translate(plan)]
        self._cord += ["--set", "report.stats=false"]  # stderr is compared
        for setting in settings:
            self._cord += ["--set", setting]

    def plain(self, longest: float | None = None) -> Shown:
        """Run it with plain Python.

        Args:
            longest: As for `run`.
        """
        return self.run(self._words, longest)

    def cord(self, variant: str = BASE, *options: str, longest: float | None = None) -> Shown:
        """Run it under Cord.

        Args:
            variant: The variant of the plan.
            options: More options of `cord run`.
            longest: As for `run`.
        """
        choice = [] if variant == BASE else ["--variant", variant]
        return self.run([*self._cord, *choice, *options, *self._words], longest)

    def audited(
        self, variant: str = BASE, longest: float | None = None
    ) -> tuple[Shown, dict[str, Any] | None]:
        """Run it under Cord with all calls made again that may be.

        Args:
            variant: The variant of the plan.
            longest: As for `run`.

        Returns:
            What it shows; and what `cord run --stats` has written, None if the program came to no
            end at which it could.
        """
        told = f"{self.place.path}.told"
        with suppress(FileNotFoundError):
            os.unlink(told)
        options = ("--set", "run.audit=all", f"--stats={told}")
        shown = self.cord(variant, *options, longest=longest)
        try:
            with open(told, encoding="utf-8") as file:
                said: dict[str, Any] = json.load(file)
        except (OSError, ValueError):
            return shown, None
        return shown, said

    def explained(self, longest: float) -> Shown:
        """Run it under Cord, which tells on stderr how its calls were made."""
        words = ["-m", "cord", "explain", "--run", *self._cord[3:], *self._words]
        return self.run(words, longest)

    def run(self, words: list[str], longest: float | None = None) -> Shown:
        """Run Python with these words after its flags, in a new copy of the working directory.

        Args:
            words: The words.
            longest: After so many seconds it is ended; None for never.

        Raises:
            subprocess.TimeoutExpired: It was.
        """
        self.place.fill()
        flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
        environment = self._environment()
        # what is kept of a copy is of no use to the next; nor does a run tell of it
        kept = [] if self.place.keeps else ["-B"]
        meter = Meter()
        begin = time.perf_counter()
        ended = subprocess.run(
            [sys.executable, *flags, *kept, *words],
            cwd=self.place.path,
            env=environment,
            input=self._stdin,
            capture_output=True,
            check=False,
            timeout=longest,
        )
        seconds = time.perf_counter() - begin
        shown = ended.stdout, ended.stderr, ended.returncode
        used = meter.read()
        return Shown(*shown, self.place.files(), seconds, *used)

    def _environment(self) -> dict[str, str]:
        """One hash seed for all runs, so that sets come in one order in all of them."""
        environment = {**os.environ, "PWD": self.place.path}
        if environment.get("PYTHONHASHSEED", "random") == "random":
            environment["PYTHONHASHSEED"] = "0"
        return environment


def standard_input() -> bytes:
    """What the runs read: all of Cord's own input, or nothing if that is a terminal."""
    if sys.stdin is None or sys.stdin.isatty():
        return b""
    return sys.stdin.buffer.read()
