"""A call that is given a file finds in it what the program has written, not what a copy has.

Where a copy would give a call a file of its own, it ends, and the program makes the call.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from program_case import Case, run_plain, run_script

FORCED = [str(Path(__file__).parent / "told_run.py"), "forced"]
WORK = """\
import os
import time

def size(path):
    time.sleep(0.01)
    return os.path.getsize(path) if os.path.exists(path) else -1

def sizes(folder):
    time.sleep(0.01)
    return sum(os.path.getsize(f"{folder}/{name}") for name in os.listdir(folder))
"""
WRITES = {
    "a_file": "open(f'page{i}.txt', 'w').write('x' * i); found.append(work.size(f'page{i}.txt'))",
    "the_same_file": "open('page.txt', 'a').write('x'); found.append(work.size('page.txt'))",
    "a_path": (
        "os.makedirs(f'out/{i}'); open(f'out/{i}/notes', 'w').write('x' * i); "
        "found.append(work.size(os.path.abspath(f'out/{i}/notes')))"
    ),
    "a_folder": (
        "os.makedirs(f'out/round{i}'); open(f'out/round{i}/notes', 'w').write('x' * i); "
        "found.append(work.sizes(f'out/round{i}'))"
    ),
    "a_file_in_place": (
        "open('t', 'w').write('x' * i); os.replace('t', 'page.txt'); "
        "found.append(work.size('./page.txt'))"
    ),
}
PROGRAM = """\
import os
import work

found = []
for i in range(12):
    {writes}
print(found)
"""
PLAN = """\
[remote.work]
replicas = 4
callstyle = "async"
repeatable = true
"""


@pytest.mark.parametrize("what", WRITES)
def test_a_call_finds_what_the_program_has_written(what: str, tmp_path: Path) -> None:
    text = PROGRAM.format(writes=WRITES[what])
    case = Case(what, what, {}, {"work.py": WORK, "main.py": text})
    told = tmp_path / "told.json"
    for side in ["plain", "cord"]:
        case.write(tmp_path / side, PLAN)
    plain = run_plain(case, tmp_path / "plain")
    cord = run_script(case, tmp_path / "cord", [*FORCED, str(told)])
    assert (cord.stdout, cord.code, cord.stderr) == (plain.stdout, plain.code, plain.stderr)
    assert cord.written == plain.written
    assert json.loads(told.read_text())[0] > 0
