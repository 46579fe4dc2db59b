"""Arguments that an undeclared call changes, and another thread of the program meanwhile.

The call has changed its own copy. Neither change is lost in silence: whoever comes last is told.
"""

from __future__ import annotations

import pytest

WORK = """
import os, time

def add(rows, wait):
    open("begun", "w").close()
    while wait and not os.path.exists("changed"):
        time.sleep(0.001)
    rows["own"] = rows.get("own", 0) + 1
    return len(rows)
"""
MAIN = """
import os, threading, time
import work
from cord.errors import StateConflict

rows = {}
print(work.add(rows, False), rows)
os.unlink("begun")

def change():
    while not os.path.exists("begun"):
        time.sleep(0.001)
    CHANGE
    open("changed", "w").close()

thread = threading.Thread(target=change)
thread.start()
try:
    print(work.add(rows, True), rows)
except StateConflict as error:
    print(str(error).splitlines()[0])
thread.join()
print(rows)
"""
TOLD = "the arguments of a remote call were changed while it ran, by the call and by others"


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ('rows["others"] = 5', [TOLD, "{'own': 1, 'others': 5}"]),
        ('rows["own"] = 7', [TOLD, "{'own': 7}"]),
        ("rows.clear()", [TOLD, "{}"]),
        ("pass", ["1 {'own': 2}", "{'own': 2}"]),
    ],
)
def test_no_change_is_lost(project, change: str, shown: list[str]) -> None:
    made = project(
        {
            "cord.toml": "[remote.work]\n",
            "work.py": WORK,
            "main.py": MAIN.replace("CHANGE", change),
        }
    )
    done = made.run("main.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["1 {'own': 1}", *shown]
