"""Runs that are killed at any moment, alone or two at once: what the next one finds of them.

`.venv/bin/python tests/keep/kills.py 200` is a campaign of so many kills.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from keep.project import Project

CALLS = 300
WORK = "import time\n\n\ndef f(n):\n    time.sleep(0.003)\n    return 'x' * 99 + str(n)\n"
MAIN = f"import work\nfor n in range({CALLS}):\n    print(work.f(n), flush=True)\n"
# So many calls may be on their way to the disk when a run is killed.
ON_THEIR_WAY = 16


def campaign(folder: Path, kills: int, seed: int) -> int:
    """Kill runs, and look what the next one makes of what they have left.

    Args:
        folder: Where the program is put.
        kills: How many runs are killed.
        seed: Chooses moments.

    Returns:
        How many calls were made again at most that a killed run had shown.
    """
    dice = random.Random(seed)
    project = Project(folder, {"work.py": WORK, "main.py": MAIN})
    plain, most = project.plain(), 0
    while kills > 0:
        shown = 0
        salt = {"CORD_KEEP_SALT": str(kills)}
        for _ in range(min(kills, dice.randint(1, 4))):
            runs = [_started(project, salt) for _ in range(dice.choice((1, 1, 2)))]
            if dice.random() < 0.5:
                time.sleep(dice.random() * 0.6)
            else:
                _lines(runs[0], dice.randrange(CALLS))
            for run in runs:
                run.send_signal(signal.SIGKILL)
            shown = max([shown, *(_rest(run) for run in runs)])
            kills -= 1
        time.sleep(0.3)  # replicas hear of it
        hits, kept = project.same(**salt)["work.f"]
        assert hits + kept >= CALLS, (hits, kept)
        most = max(most, shown - hits)
        assert most <= ON_THEIR_WAY, (shown, hits)
        assert project.same(**salt)["work.f"][1] == 0
        assert plain == project.plain()
    return most


def _started(project: Project, variables: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "cord", "run", "main.py"],
        cwd=project.folder,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _lines(run: subprocess.Popen[bytes], count: int) -> None:
    assert run.stdout is not None
    run.seen = sum(1 for _ in zip(range(count), run.stdout, strict=False))  # type: ignore[attr-defined]


def _rest(run: subprocess.Popen[bytes]) -> int:
    """How many lines a run has shown."""
    assert run.stdout is not None
    seen: int = getattr(run, "seen", 0)
    seen += run.stdout.read().count(b"\n")
    run.wait()
    run.stdout.close()
    return seen


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
        again = campaign(Path(name), int(sys.argv[1]), seed)
        print(f"at most {again} calls that were shown were made again")
