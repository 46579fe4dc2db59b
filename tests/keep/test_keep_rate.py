"""A rate that several runs keep together."""

from __future__ import annotations

import struct
import subprocess
import sys
import time
from pathlib import Path

from keep.project import RUN, Project

PLAN = f"[remote.work]\nrepeatable = true\nkeep = true\nreplicas = 2\nrate = '10/s'\n{RUN}"
MAIN = "import sys, work\nfor n in range(10):\n    print(work.f(n + int(sys.argv[1])))\n"


def test_runs_that_share_a_store_share_its_rates(tmp_path: Path) -> None:
    """Twenty calls at ten in a second: the next one is due two seconds after the first."""
    work = "def f(n):\n    return n + 1\n"
    project = Project(tmp_path, {"work.py": work, "main.py": MAIN, "cord.toml": PLAN})
    began = time.time_ns()
    runs = [
        subprocess.Popen(
            [sys.executable, "-m", "cord", "run", "main.py", first],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            text=True,
        )
        for first in ("0", "100")
    ]
    shown = [run.communicate()[0].splitlines() for run in runs]
    assert shown == [[str(n + first + 1) for n in range(10)] for first in (0, 100)]
    rates = (project.folder / ".cord" / "kept" / "rates").read_bytes()
    (due,) = filter(None, struct.unpack(f"{len(rates) // 8}Q", rates))
    assert due - began >= 2 * 10**9
