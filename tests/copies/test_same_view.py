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


@pytest.mark.parametrize("seed", range(12))
def test_copies_see_what_the_program_sees(seed: int, tmp_path: Path) -> None:
    case, about = program(seed), tmp_path / "about.json"
    calls = {side: tmp_path / f"{side}.txt" for side in ["plain", "cord"]}
    for side in calls:
        case.write(tmp_path / side, PLAN)
    plain = run_plain(case, tmp_path / "plain", {"NAP": "0", "TOLD": str(calls["plain"])})
    environment = {"NAP": "0.04", "TOLD": str(calls["cord"])}
    cord = run_script(case, tmp_path / "cord", [*PLANNED, str(about)], environment)
    assert (cord.stdout, cord.code, cord.stderr) == (plain.stdout, plain.code, plain.stderr)
    assert cord.written == plain.written
    wanted, made = (set(calls[side].read_text().splitlines()) for side in ["plain", "cord"])
    assert made - wanted == set(), about.read_text()
    assert json.loads(about.read_text())[2] > STEPS // 10, about.read_text()
