"""Replicas that end in the midst of calls: nothing is lost in silence, nothing runs twice."""

from __future__ import annotations

import pytest

PURE = '[remote.work]\nreplicas = 2\nrepeatable = true\ncallstyle = "async"\ninline = false\n'
ENDS = {"killed": "os.kill(os.getpid(), signal.SIGKILL)", "exits": "os._exit(3)"}


@pytest.mark.parametrize("how", ENDS)
def test_pure_calls_of_a_replica_that_ends_are_made_again(program, how: str):
    work = f"""
import os, signal
def square(n):
    if n == 5:
        try:
            os.close(os.open("ended", os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return "again"
        {ENDS[how]}
    return n * n
"""
    main = "import work\nprint([work.square(n) for n in range(9)])\n"
    result = program(PURE, main, work=work).run()
    assert (result.stdout, result.returncode) == ("[0, 1, 4, 9, 16, 'again', 36, 49, 64]\n", 0)


def test_a_call_that_ends_every_replica_is_given_up(program):
    work = "import os\ndef end(n):\n    open('ended', 'a').write('.')\n    os._exit(1)\n"
    main = """
import work
try:
    work.end(1)
except Exception as error:
    print(type(error).__name__, "3 replicas ended" in str(error))
"""
    made = program(PURE, main, work=work)
    assert made.run().stdout == "PoisonCall True\n"
    assert (made.folder / "ended").read_text() == "..."


def test_a_call_that_needs_too_much_memory_is_named(program):
    work = "import time\ndef hold(mib):\n    held = b'x' * (mib << 20)\n    time.sleep(60)\n"
    main = """
import work
try:
    work.hold(300)
except Exception as error:
    print(type(error).__name__, "work.hold(300)" in str(error), "than 128 MiB" in str(error))
"""
    plan = f'{PURE}memory = "128MiB"\nretries = 1\n'
    assert program(plan, main, work=work).run().stdout == "PoisonCall True True\n"


def test_other_calls_of_a_replica_that_ends_are_not_made_twice(program):
    work = """
import os
def note(n):
    open("noted", "a").write(f"{n} ")
    if n == 2:
        os._exit(1)
    return n
"""
    main = """
import work
for n in range(5):
    try:
        print(work.note(n))
    except Exception as error:
        print(type(error).__name__)
        break
"""
    made = program("[remote.work]\n", main, work=work)
    assert made.run().stdout == "0\n1\nCallMayHaveRun\n"
    assert (made.folder / "noted").read_text() == "0 1 2 "
