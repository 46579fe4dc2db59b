"""The memory of all processes of a contender."""

import os
import time
from collections import defaultdict
from pathlib import Path

HARNESS = "BENCH_HARNESS"


def idle_bytes() -> int:
    """The memory of all processes under the one that measures, after a second of rest.

    Pages that several processes share count once (PSS: each process has its part of them).
    """
    time.sleep(1)
    return sum(_proportional(process) for process in descendants(int(os.environ[HARNESS])))


def descendants(ancestor: int) -> list[int]:
    """The processes that a process has started, and those that they have started."""
    children = defaultdict(list)
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (parent := _parent(entry)) is not None:
            children[parent].append(int(entry.name))
    found = list(children[ancestor])
    for process in found:  # grows
        found += children[process]
    return found


def _parent(entry: Path) -> int | None:
    try:
        stat = (entry / "stat").read_text()
    except OSError:
        return None  # it has ended
    state, parent = stat.rpartition(")")[2].split()[:2]
    return None if state == "Z" else int(parent)  # who has ended and was not waited for is no more


def _proportional(process: int) -> int:
    try:
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0
    found = [line for line in rollup.splitlines() if line.startswith("Pss:")]
    return int(found[0].split()[1]) * 1024 if found else 0
