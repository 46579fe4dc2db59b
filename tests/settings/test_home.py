"""What a call leaves changed of settings, where the program has changed the same meanwhile."""

from __future__ import annotations

import pytest

WORK = """
import os, time
def name(x):
    open("begun", "w").close()
    while not os.path.exists("go"):
        time.sleep(0.01)
    os.environ.update(NAME=x)
"""
MAIN = """
import os, threading, work
def call():
    try:
        work.name("theirs")
    except Exception as error:
        print(type(error).__name__, error)
thread = threading.Thread(target=call)
thread.start()
while not os.path.exists("begun"):
    pass
os.environ["{}"] = "mine"
open("go", "w").close()
thread.join()
print(os.environ["NAME"])
"""
CONFLICT = (
    "StateConflict a remote call sets the environment variable NAME, and so did others while it"
    " ran\n\nhint: let threads not change the same settings, or guard them by a lock\n"
)


@pytest.mark.parametrize(
    ("name", "printed"), [("NAME", CONFLICT + "mine\n"), ("OTHER", "theirs\n")]
)
def test_what_both_have_changed_is_not_overwritten(project, name, printed):
    made = project({"cord.toml": "[remote.work]\n", "work.py": WORK, "main.py": MAIN.format(name)})
    result = made.run("main.py")
    assert (result.stdout, result.stderr) == (printed, "")
