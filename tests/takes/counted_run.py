"""One run of a small program over real replicas: what its scouts and replicas did."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

# What the scouts of the text do is counted: a copy of the program would be counted, too.
PLAN = """
[run]
copies = false

[remote.work]
replicas = {replicas}
callstyle = "{style}"
repeatable = true
"""

WORK = """
import os

def f(*args, **named):
    said = [*map(repr, args), *(f"{name}={value!r}" for name, value in named.items())]
    with open(os.environ["SERVED"], "a") as log:
        log.write("f(" + ", ".join(said) + ")\\n")
    return args[0] if args else None

g = f

def h(*args):
    return f(*args)
"""


class Ran(NamedTuple):
    """What a run printed, what its scouts did, and which calls replicas served."""

    lines: list[str]
    events: list[str]
    served: list[str]

    @property
    def births(self) -> int:
        return self.events.count("birth")

    @property
    def issued(self) -> list[str]:
        return [event.removeprefix("issue ") for event in self.events if event != "birth"]


def run_counted(
    folder: Path,
    main: str,
    *,
    plain: bool = False,
    replicas: int = 1,
    style: str = "async",
    plan: str = "",
    stderr: str = "",
    inline: bool = False,
    **modules: str,
) -> Ran:
    """Run ``main`` in ``folder`` under Cord, or plain; ``plan`` is added to the plan.

    Unless ``inline`` is true, all calls are sent, however short.

    It writes just ``stderr`` to stderr.
    """
    files = {"main": main, "work": WORK, **modules}
    for name, text in files.items():
        (folder / f"{name}.py").write_text(textwrap.dedent(text))
    sent = "" if inline else "inline = false\n"
    (folder / "cord.toml").write_text(PLAN.format(replicas=replicas, style=style) + sent + plan)
    spied, served = folder / "spied", folder / "served"
    for log in (spied, served):
        log.touch()
    command = [] if plain else [str(Path(__file__).parent / "spy.py")]
    done = subprocess.run(
        [sys.executable, *command, "main.py"],
        cwd=folder,
        env={**os.environ, "SPY": str(spied), "SERVED": str(served), "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stderr == stderr, done.stderr
    return Ran(
        done.stdout.splitlines(),
        spied.read_text().splitlines(),
        served.read_text().splitlines(),
    )
