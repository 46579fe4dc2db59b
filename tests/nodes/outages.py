"""Programs on three nodes whose links are cut, and whose agents and machines stop and end.

`make outages N=200 SEED=1` runs the schedules 1 to 200, some at a time. A schedule is a program and
what happens when; its number says all of it. What must hold of each: the program ends, and prints
what it prints without Cord; calls with effects may be lost, and say so, but none runs twice;
whatever is lost is told in a line; and within five seconds nothing of it runs on any node.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import dedent

from network import PROGRAMS_NODE, Network, are_permitted, tell, wait_until_gone

LIMIT = 90.0  # seconds after which a run counts as hanging
GONE = 5.0  # seconds after which nothing may be left of it
NOTICED = 5.0  # seconds of silence after which a link counts as cut
CALLS = 120


@dataclass(frozen=True)
class Kind:
    """A kind of program.

    Attributes:
        name: What it is called.
        plan: The lines of its remote module.
        main: The program.
        is_pure: Whether its calls may run twice.
    """

    name: str
    plan: str
    main: str
    is_pure: bool


WORK = """
    import os, time

    def square(n):
        time.sleep(0.06)
        return n * n

    def grow(n):
        time.sleep(0.03)
        return [n] * 20_000

    def total(numbers, n):
        time.sleep(0.03)
        return sum(numbers) + n

    def look(table, n):
        time.sleep(0.06)
        return int(table[n])

    def shift(array, n):
        time.sleep(0.06)
        return array + n

    def note(n):
        time.sleep(0.04)
        file = os.open("noted", os.O_CREAT | os.O_APPEND | os.O_WRONLY)
        os.write(file, f"{n}\\n".encode())
        os.close(file)
        return n
"""
PURE = 'replicas = 6\nrepeatable = true\ncallstyle = "async"\ninline = false\n'
KINDS = (
    Kind(
        "pure",
        PURE,
        f"import work\nprint([work.square(n) for n in range({CALLS})])\n",
        is_pure=True,
    ),
    Kind(
        "passed",
        PURE,
        f"import work\nfor n in range({CALLS}):\n    print(work.total(work.grow(n), n))\n",
        is_pure=True,
    ),
    Kind(
        "resident",
        PURE + 'resident = ["table"]\n',
        "import numpy as np, work\n"
        "tables = np.arange(400_000), np.arange(400_000) * 3\n"
        f"print([work.look(tables[n % 2], n) for n in range({CALLS})])\n",
        is_pure=True,
    ),
    Kind(
        "large",
        PURE,
        "import numpy as np, work\n"
        f"for n in range({CALLS // 2}):\n"
        "    print(int(work.shift(np.arange(100_000 + n), n).sum()))\n",
        is_pure=True,
    ),
    Kind(
        "noting",
        "",
        f"import work\nfor n in range({CALLS // 2}):\n    print(work.note(n))\n",
        False,
    ),
    Kind(
        "catching",
        "",
        "import work\n"
        f"for n in range({CALLS // 2}):\n"
        "    try:\n        print(work.note(n))\n"
        "    except Exception as error:\n        print(n, type(error).__name__)\n",
        False,
    ),
    Kind(
        "independent",
        'replicas = 6\nindependent = true\ncallstyle = "async"\n',
        f"import work\nprint([work.note(n) for n in range({CALLS})])\n",
        False,
    ),
)
LOST = ("CallMayHaveRun", "ReplicaLost", "StateLost", "ReplicaUnavailable")
# What happens to a node, and whether it can end again.
HAPPENINGS = {
    "cut": True,  # nothing comes through, and nobody tells
    "down": True,  # the interface is put down
    "stop": True,  # the agent is stopped, and its link stays open
    "hang": True,  # and all other processes of the node with it
    "kill": False,  # the agent is killed
    "replica": False,  # a replica is
    "end": False,  # the whole node ends
}


@dataclass(frozen=True)
class Event:
    """Something happens to a node.

    Attributes:
        at: When, in seconds from the first call on.
        what: See `HAPPENINGS`.
        node: Its number.
        seconds: How long it lasts, where it ends again; None for good.
    """

    at: float
    what: str
    node: int
    seconds: float | None


@dataclass(frozen=True)
class Schedule:
    """A program, and what happens to the nodes that it runs on."""

    kind: Kind
    reconnect: int
    events: tuple[Event, ...]

    def __str__(self) -> str:
        events = "; ".join(
            f"at {event.at:.2f} {event.what} node {event.node}"
            + ("" if event.seconds is None else f" for {event.seconds:.2f}")
            for event in self.events
        )
        return f"{self.kind.name}, reconnect {self.reconnect}: {events}"


def make(seed: int) -> Schedule:
    """The schedule of this number."""
    dice = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    reconnect = dice.choice((1, 2, 4))
    events = []
    for _ in range(dice.choice((1, 1, 2, 3))):
        what = dice.choice(tuple(HAPPENINGS))
        node = (
            dice.choice((2, 2, 3, 3, 4, 4, PROGRAMS_NODE))
            if what == "cut"
            else dice.choice((2, 3, 4))
        )
        seconds = None
        if HAPPENINGS[what]:
            beyond = NOTICED + reconnect + dice.uniform(1, 4)
            seconds = dice.choice((dice.uniform(0.1, 2), dice.uniform(0.1, 2), beyond, None))
            if node == PROGRAMS_NODE:
                seconds = min(seconds or 2, dice.uniform(0.1, NOTICED))
        events.append(Event(dice.uniform(0, 2.5), what, node, seconds))
    return Schedule(kind, reconnect, tuple(sorted(events, key=lambda event: event.at)))


@cache
def plain(kind: Kind) -> str:
    """What a program prints without Cord."""
    with tempfile.TemporaryDirectory() as folder:
        lay_out(Path(folder), kind, "")
        return subprocess.run(
            [sys.executable, "main.py"],
            cwd=folder,
            env=_environment(),
            capture_output=True,
            text=True,
            check=True,
        ).stdout


def lay_out(folder: Path, kind: Kind, engine: str) -> None:
    """Write a program's files."""
    (folder / "work.py").write_text(dedent(WORK))
    begins = 'open("begun", "w").close()\n'
    (folder / "main.py").write_text(begins + kind.main)
    (folder / "cord.toml").write_text(f"{engine}\n[remote.work]\n{kind.plan}")


def _environment() -> dict[str, str]:
    kept = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1"}


class Stage:
    """A network on which a schedule is played."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def begin(self, event: Event) -> Callable[[], None] | None:
        """Have it happen; gives what ends it again."""
        network, node = self._network, event.node
        match event.what:
            case "cut":
                network.cut(node)
                return lambda: network.mend(node)
            case "down":
                network.set_interface(node, "down")
                return lambda: network.set_interface(node, "up")
            case "stop" | "hang":
                stopped = network.agents(node) if event.what == "stop" else network.processes(node)
                tell(stopped, signal.SIGSTOP)
                return lambda: tell(stopped, signal.SIGCONT)
            case "kill":
                tell(network.agents(node), signal.SIGKILL)
            case "replica":
                tell(network.processes(node)[-1:], signal.SIGKILL)
            case "end":
                network.end(node)
        return None

    def play(self, events: tuple[Event, ...], process: subprocess.Popen[str]) -> str:
        """Have it all happen while a program runs; what is wrong with its end."""
        began = time.monotonic()
        to_do: list[tuple[float, Event | Callable[[], None]]] = [(one.at, one) for one in events]
        for_good: list[Callable[[], None]] = []
        while to_do and process.poll() is None:
            to_do.sort(key=lambda one: one[0])
            at, do = to_do[0]
            if (left := began + at - time.monotonic()) > 0:
                time.sleep(min(left, 0.05))
                continue
            del to_do[0]
            if not isinstance(do, Event):
                do()
            elif (undo := self.begin(do)) is not None:
                if do.seconds is None:
                    for_good.append(undo)
                else:
                    to_do.append((at + do.seconds, undo))
        hangs = ""
        try:
            process.wait(max(0.0, began + LIMIT - time.monotonic()))
        except subprocess.TimeoutExpired:
            hangs = "it hangs"
        for undo in [*for_good, *(do for _, do in to_do if not isinstance(do, Event))]:
            undo()
        return hangs


def examine(schedule: Schedule, seed: int, keep: Path | None = None) -> str:
    """What is wrong with a schedule's run; "" for nothing."""
    folder = Path(tempfile.mkdtemp(prefix="outage"))
    network = Network(seed=seed)
    try:
        engine = (
            f'[engine]\nkind = "command"\nnodes = {len(network.nodes)}\nlisten = "10.77.0.1"\n'
            f'reconnect = {schedule.reconnect}\nlaunch = """{network.launch()}"""\n'
        )
        lay_out(folder, schedule.kind, engine)
        with (folder / "stdout").open("w+") as stdout, (folder / "stderr").open("w+") as stderr:
            process = subprocess.Popen(
                [*network.inside(PROGRAMS_NODE), sys.executable, "-m", "cord", "run", "main.py"],
                cwd=folder,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                text=True,
                start_new_session=True,
            )
            wrong = run(schedule, network, folder, process)
        if wrong and keep is not None:
            network.said.seek(0)
            (folder / "said").write_bytes(network.said.read())
            (folder / "wrong").write_text(f"{schedule}\n{wrong}\n")
            shutil.copytree(folder, keep / str(seed), dirs_exist_ok=True)
        return wrong
    finally:
        network.close()
        shutil.rmtree(folder)


def run(schedule: Schedule, network: Network, folder: Path, process: subprocess.Popen[str]) -> str:
    """Play a schedule while its program runs; what is wrong."""
    until = time.monotonic() + LIMIT
    while not (folder / "begun").exists():
        if time.monotonic() > until or process.poll() is not None:
            return "it has not begun"
        time.sleep(0.02)
    hangs = Stage(network).play(schedule.events, process)
    if hangs:
        process.kill()
        return hangs
    left = wait_until_gone(network, GONE)
    texts = [(folder / name).read_text() for name in ("stdout", "stderr")]
    noted = folder / "noted"
    numbers = [int(line) for line in noted.read_text().split()] if noted.exists() else []
    problems = [
        *judge(schedule, process.returncode, *texts, numbers),
        *(f"node {number} still runs {some}" for number, some in left.items()),
    ]
    return "; ".join(problems)


def judge(schedule: Schedule, code: int, stdout: str, stderr: str, noted: list[int]) -> list[str]:
    """What is wrong with what a run has shown."""
    kind, problems = schedule.kind, []
    shown = plain(kind)
    told, _, raised = stderr.partition("Traceback (most recent call last)")
    losses = re.findall(r"^cord: the node (node\d) is lost: .+$", told, re.M)
    if len(losses) != len(set(losses)):
        problems.append("a loss is told twice")
    for line in told.splitlines():
        if not re.match(r"cord: (the node node\d is lost: |waiting for )", line):
            problems.append(f"stderr has {line!r}")
    if [number for number, count in Counter(noted).items() if count > 1]:
        problems.append(f"calls have run twice: {noted}")
    if kind.is_pure:
        if (code, stdout) != (0, shown):
            problems.append(f"it ends with {code} and another output")
        return problems
    if code == 0 and stdout == shown:
        return problems
    is_told = any(name in stdout + raised for name in LOST)
    if not is_told:
        problems.append(f"it ends with {code}, shows something else, and names no loss")
    elif not losses and all(event.what != "replica" for event in schedule.events):
        problems.append("no line tells which node is lost")
    lines = stdout.splitlines()
    if kind.name == "catching":
        came = {int(line) for line in lines if line.isdigit()}
        if [int(line.split()[0]) for line in lines] != list(range(CALLS // 2)) or code != 0:
            problems.append("calls are missing")
    else:
        came = {int(line) for line in lines if line.isdigit()}
        if not shown.startswith(stdout):
            problems.append("it shows something else")
    if came - set(noted):
        problems.append(f"of {sorted(came - set(noted))} nothing is noted")
    return problems


def main() -> int:
    """Run schedules; returns the exit status."""
    parser = argparse.ArgumentParser(description="programs on nodes that fail")
    parser.add_argument("--count", type=int, default=200, help="how many schedules (200)")
    parser.add_argument("--seed", type=int, default=1, help="number of the first one (1)")
    parser.add_argument("--jobs", type=int, default=4, help="how many at a time (4)")
    parser.add_argument("--output", type=Path, default=Path("build/outages"), help="folder")
    options = parser.parse_args()
    if not are_permitted():
        print("outages: namespaces are not permitted here", file=sys.stderr)
        return 2
    failed = 0
    options.output.mkdir(parents=True, exist_ok=True)

    def one(seed: int) -> tuple[int, Schedule, str, float]:
        began, schedule = time.monotonic(), make(seed)
        try:
            wrong = examine(schedule, seed, options.output)
        except Exception as error:
            wrong = f"{type(error).__name__}: {error}"
        return seed, schedule, wrong, time.monotonic() - began

    with ThreadPoolExecutor(options.jobs) as pool:
        for seed, schedule, wrong, took in pool.map(
            one, range(options.seed, options.seed + options.count)
        ):
            failed += bool(wrong)
            print(f"{seed} ({took:.0f} s) {schedule}: {wrong or 'as it should be'}", flush=True)
    print(f"{failed} of {options.count} went wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
