"""A copy finds in its files what the program will find: random steps, each told to a remote call.

The copy comes to the steps first, and sends what it found. So a call that plain Python does not
make is one where the copy saw something else.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from program_case import Case, run_plain, run_script

HERE = Path(__file__).parent
PLANNED = [str(HERE / "told_run.py"), "planned"]
STEPS = 60
WORK = """\
import os
import time

def tell(number, found):
    time.sleep(float(os.environ["NAP"]))
    with open(os.environ["TOLD"], "a") as file:
        file.write(f"{number} {found!r}\\n")
    return number
"""
MAIN = """\
import random
import sys

sys.path.append("lib")
import file_steps
import work

file_steps.lay_out()
print("\\n".join(file_steps.each(work.tell, random.Random({seed}), {count})))
"""
PLAN = """\
[remote.work]
replicas = 8
callstyle = "async"
repeatable = true

[run]
copies = true
"""


def program(seed: int) -> Case:
    steps = (HERE / "file_steps.py").read_text()
    main = MAIN.format(seed=seed, count=STEPS)
    files = {"work.py": WORK, "main.py": main, "lib/file_steps.py": steps}
    return Case(f"seed {seed}", "random steps", {}, files)


def compared(seed: int, nap: str, folder: Path) -> tuple[set[str], list[object]]:
    """What calls of the copy found that the program does not find, and what is told of copies."""
    folder.mkdir()
    case, about = program(seed), folder / "about.json"
    calls = {side: folder / f"{side}.txt" for side in ["plain", "cord"]}
    for side in calls:
        case.write(folder / side, PLAN)
    plain = run_plain(case, folder / "plain", {"NAP": "0", "TOLD": str(calls["plain"])})
    environment = {"NAP": nap, "TOLD": str(calls["cord"])}
    cord = run_script(case, folder / "cord", [*PLANNED, str(about)], environment)
    assert (cord.stdout, cord.code, cord.stderr) == (plain.stdout, plain.code, plain.stderr)
    assert cord.written == plain.written
    wanted, made = (set(calls[side].read_text().splitlines()) for side in ["plain", "cord"])
    return made - wanted, json.loads(about.read_text())


@pytest.mark.parametrize("seed", range(12))
def test_copies_see_what_the_program_sees(seed: int, tmp_path: Path) -> None:
    # a copy that comes to a step only after the program finds what that has made: on a busy machine
    # calls must take longer for copies to be first
    for nap in ("0.04", "0.2", "0.5"):
        others, about = compared(seed, nap, tmp_path / nap)
        ahead = about[2]
        assert isinstance(ahead, int)
        if not others and ahead > STEPS // 10:
            return
    raise AssertionError((others, about))
