"""The plain runs: how long the program takes, whether it shows the same twice, its profile."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Callable, Collection
from statistics import fmean
from typing import TYPE_CHECKING, Any

from cord.tools.init.profile import Profile
from cord.tools.init.refusal import Refused, duration
from cord.tools.init.steady import Steady
from cord.tools.trials.differences import Shown, told
from cord.tools.trials.trials import Trials

if TYPE_CHECKING:
    from cord.plan.program import Program

LONGEST = 600.0  # seconds; some ten runs follow
SHORTEST = 0.2
MUCH = 0.25  # of the cores
_TERMINAL = ("curses", "termios", "Inappropriate ioctl", "not a terminal", "not a tty")


class Plain:
    """A program as plain Python runs it.

    Args:
        program: The program.
        args: Its own arguments.
        stdin: What it reads on standard input.
        scratch: A folder for what the runs need.
        say: Tells the user how far it is.
        terminal: Whether the user's standard input is a terminal, which the runs do not have.
        accept: What the user has said to do no harm: `network`, `files`.
        ask: Asks the user the same of a function, and gives the answer; None where nobody is there.

    Attributes:
        trials: How it is run; their plan is `plan`, in the scratch folder.
        shown: What the first run has shown.
        seconds: How long it took.
        steady: What is compared of later runs.
        others: How many cores other programs kept busy during each run, as far as that is known.

    Raises:
        Refused: It fails, takes too long, or shows something else each time.
    """

    def __init__(
        self,
        program: Program,
        args: list[str],
        stdin: bytes,
        scratch: str,
        say: Callable[[str], None],
        *,
        terminal: bool,
        accept: Collection[str] = (),
        ask: Callable[[str], bool] | None = None,
    ) -> None:
        self._accept = frozenset(accept)
        self._ask = ask
        self.program = program
        self.args = args
        self.scratch = scratch
        self.plan = os.path.join(scratch, "cord.toml")
        self.say = say
        self.trials = Trials(program, args, self.plan, [], stdin, scratch)
        self.trials.place.keeps = True
        self.steady = Steady()
        self.others: list[float] = []
        self.shown = self._run()
        self.seconds = self.shown.seconds
        say(f"plain Python: {duration(self.seconds)}")
        self._require_success(terminal=terminal)
        self._require_work()
        again = self._run()
        say(f"plain Python, once more: {duration(again.seconds)}")
        self.seconds = min(self.seconds, again.seconds)
        self.learn(again)

    @property
    def command(self) -> str:
        """What follows `cord run` to run it."""
        module, path = self.program.module, self.program.path
        words = [path] if module is None else ["-m", module]
        return shlex.join([*words, *self.args])

    @property
    def longest(self) -> float:
        """How many seconds a run may take that is thought to be much like a plain one."""
        return 3 * self.seconds + 10

    @property
    def folders(self) -> list[str]:
        """Where the project's files are: the copies, and what is imported from its own place."""
        place, folder = self.trials.place, self.program.folder
        return [place.path, place.inside(folder), os.getcwd(), os.path.abspath(folder)]

    @property
    def busy(self) -> float:
        """How many cores other programs have kept busy on average."""
        return fmean(self.others) if self.others else 0.0

    @property
    def is_disturbed(self) -> bool:
        """Whether that is so much that times say little."""
        return self.busy > MUCH * len(os.sched_getaffinity(0))

    def accepts(self, words: Collection[str], what: str) -> bool:
        """Whether the user says that early calls of a function do no harm.

        Args:
            words: What it does, as `--accept` names it.
            what: What it does, in words.
        """
        return self._accept.issuperset(words) or (self._ask is not None and self._ask(what))

    def note(self, shown: Shown) -> Shown:
        """Take note of what the machine did besides a run; the run itself."""
        if shown.others is not None:
            self.others.append(shown.others)
        return shown

    def _run(self) -> Shown:
        try:
            return self.note(self.trials.plain(LONGEST))
        except subprocess.TimeoutExpired:
            raise Refused(
                f"It runs for more than {LONGEST / 60:.0f} minutes in plain Python, and cord init "
                "runs it some ten times. Give it less to do; the plan holds for more, too."
            ) from None

    def _require_success(self, *, terminal: bool) -> None:
        shown = self.shown
        if not shown.status:
            return
        last = shown.last_line
        if last.startswith("EOFError") and terminal:
            raise Refused(
                "It reads standard input, which is a terminal here, and cord init runs it some "
                f"ten times: give it a file, as in cord init {self.program.name} < input.txt"
            )
        if any(word in last for word in _TERMINAL):
            raise Refused(f"It asks for a terminal, and cord init runs it without one: {last}")
        how = f"by signal {-shown.status}" if shown.status < 0 else f"with status {shown.status}"
        because = f": {last}" if last else "."
        more = []
        if "FileNotFoundError" in last:
            more = [
                f"It was run in a copy of the current folder, {os.getcwd()}. What it needs beside "
                "that folder is not there: change to one that holds all of it."
            ]
        raise Refused(f"In plain Python it ends {how}{because}", more)

    def _require_work(self) -> None:
        if self.seconds < SHORTEST:
            raise Refused(
                f"It takes {duration(self.seconds)} in plain Python, the start of Python included; "
                "replicas take about as long to start. Give it more to do, if there is more."
            )

    def learn(self, again: Shown) -> None:
        """Take note of another plain run.

        Raises:
            Refused: It differs from the first in more than the numbers of some lines.
        """
        found = self.steady.learn(self.shown, again)
        if found:
            raise Refused(
                "It does not show the same twice in plain Python, so nobody can tell whether it "
                "does under Cord. That depends on the clock, on chance or on something outside; "
                "a seed may help.",
                ["\n".join(told(found[:3], ("first", "then"))).strip()],
            )

    def request(self) -> dict[str, Any]:
        """The program as processes that run it are told of it."""
        program, place = self.program, self.trials.place
        is_module = program.module is not None
        return {
            "path": program.path if is_module else place.translate(program.path),
            "folder": place.inside(program.folder),
            "module": program.module,
            "args": self.args,
        }

    def write(self, name: str, data: dict[str, Any]) -> str:
        """Write what a process is told; the path."""
        path = os.path.join(self.scratch, name)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(data, file)
        return path

    def profile(self) -> Profile:
        """Run it under the profiler.

        Raises:
            Refused: It does not come to its end there.
        """
        written = os.path.join(self.scratch, "profile")
        request = {**self.request(), "profile": written, "folders": self.folders}
        try:
            words = ["-m", "cord.tools.init.profiler", self.write("profiled", request)]
            self.trials.run(words, 3 * self.longest)
            with open(written, encoding="utf-8") as file:
                profile = Profile.read(json.load(file), self.seconds)
        except (OSError, ValueError, subprocess.TimeoutExpired):
            raise Refused(
                "It cannot be profiled: it ends its process by itself, has a profiler of its own, "
                "or takes more than ten times as long under one."
            ) from None
        self.say(f"under a profiler: {duration(profile.seconds)}")
        return profile
