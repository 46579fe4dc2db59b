"""Much of everything: calls, values, replicas, sessions; and memory and descriptors stay flat.

    python -m benchmarks.load --share 0.1

Each program tells its own memory and descriptors, and those of the processes below it, after the
first tenth of what it does and at its end. With `--share` it does so much of it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

WORK = """
def small(x):
    return x + 1

def nap(x):
    import time
    time.sleep(0.001)
    return x

def large(data):
    return bytes(len(data))
"""
SEEN = """
import json, os, sys
import work

def below(pid):
    found = []
    for child in open(f"/proc/{pid}/task/{pid}/children").read().split():
        found += [int(child), *below(int(child))]
    return found

def seen():
    figures = []
    for pids in [os.getpid()], below(os.getpid()):
        memory = descriptors = 0
        for pid in pids:
            try:
                status = open(f"/proc/{pid}/smaps_rollup").read()
                memory += int(status.partition("Pss:")[2].split()[0])
                descriptors += len(os.listdir(f"/proc/{pid}/fd"))
            except OSError:
                continue
        figures += [memory // 1024, descriptors]
    return figures

N = int(sys.argv[1])

def tell(first):
    print(json.dumps([first, seen()]))
"""


@dataclass(frozen=True)
class Load:
    """One kind of load.

    Attributes:
        name: What there is much of.
        count: How much.
        main: What the program does behind `SEEN`; it calls `tell` at its end.
        plan: The lines of its module; None where it opens sessions by itself.
    """

    name: str
    count: int
    main: str
    plan: str


PURE = "pure = true\ninline = false\n"
LOADS = (
    Load(
        "small calls",
        10_000_000,
        "first = None\n"
        "for n in range(N):\n"
        "    work.small(n)\n"
        "    if n == N // 10:\n        first = seen()\n"
        "tell(first)\n",
        PURE + "replicas = 2\n",
    ),
    Load(
        "values of 8 MiB",
        10_000,
        "first, data = None, bytes(8 << 20)\n"
        "for n in range(N):\n"
        "    work.large(data)\n"
        "    if n == N // 10:\n        first = seen()\n"
        "tell(first)\n",
        PURE + "replicas = 2\n",
    ),
    Load(
        "calls outstanding",
        1_000_000,
        "made = [work.small(n) for n in range(N // 10)]\n"
        "first = seen()\n"
        "made = [work.small(n) for n in range(N)]\n"
        "assert sum(made) == N * (N + 1) // 2\n"
        "del made\n"
        "tell(first)\n",
        PURE + 'replicas = 2\nlookahead = { calls = 1000000, bytes = "4GiB" }\n',
    ),
    Load(
        "replicas",
        256,
        "made = [work.nap(n) for n in range(20 * N)]\n"
        "first = seen()\n"
        "made = [work.nap(n) for n in range(200 * N)]\n"
        "tell(first)\n",
        PURE + "replicas = COUNT\n",
    ),
    Load(
        "sessions",
        3_000,
        "import cord\n"
        "first = None\n"
        "for n in range(N):\n"
        "    with cord.session():\n        assert work.small(n) == n + 1\n"
        "    if n == N // 10:\n        first = seen()\n"
        "tell(first)\n",
        PURE + "replicas = 1\n",
    ),
)


def run(load: Load, count: int) -> list[list[int]]:
    """The figures of a load after the first tenth, and at its end."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "work.py").write_text(WORK)
        (folder / "main.py").write_text(SEEN + load.main)
        plan = load.plan.replace("COUNT", str(count))
        (folder / "cord.toml").write_text(f"[run]\ncopies = false\n[remote.work]\n{plan}")
        command = [sys.executable, "main.py"]
        if "import cord" not in load.main:
            command[1:1] = ["-m", "cord", "run"]
        done = subprocess.run(
            [*command, str(count)], cwd=folder, stdout=subprocess.PIPE, text=True, check=True
        )
        first, last = json.loads(done.stdout)
        return [first, last]


def main() -> int:
    """Run them all, and show a table."""
    parser = argparse.ArgumentParser(description="much of everything")
    parser.add_argument("--share", type=float, default=1.0, help="how much of each (1.0)")
    parser.add_argument("--only", default="", help="names of loads that are run")
    given = parser.parse_args()
    print("| what | how many | program, MiB | descriptors | replicas, MiB | descriptors |")
    print("|---|--:|--:|--:|--:|--:|")
    for load in LOADS:
        if given.only and load.name not in given.only.split(","):
            continue
        count = max(10, round(load.count * given.share))
        first, last = run(load, count)
        cells = " | ".join(f"{one} → {other}" for one, other in zip(first, last, strict=True))
        print(f"| {load.name} | {count:,} | {cells} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
