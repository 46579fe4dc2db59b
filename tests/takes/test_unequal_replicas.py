"""Replicas of a program pass calls on, and keep to their speeds."""

from __future__ import annotations

from collections.abc import Callable

from counted_run import Ran

Run = Callable[..., Ran]

WORK = """
import os, time

def f(x):
    time.sleep(0.002)
    with open(os.environ["SERVED"], "a") as log:
        log.write(f"{os.getpid()}\\n")
    return x
"""
# Waits until all replicas are there, so that none starts too late to serve.
ALL_THERE = """
import os, time
def is_one(process):
    try:
        name = open(f"/proc/{process}/comm").read()
        return name.startswith("cord work") and own in open(f"/proc/{process}/environ").read()
    except OSError:
        return False
own, end = os.environ["SERVED"], time.monotonic() + 60
while sum(map(is_one, filter(str.isdigit, os.listdir("/proc")))) < 3 and time.monotonic() < end:
    time.sleep(0.01)
"""
SLOW = WORK.replace("0.002", "0.01")  # so slow that calls move along a line on a busy machine
MAIN = """
import work
for i in range(300):
    print(work.f(i))
"""


def test_all_replicas_of_a_line_serve(cord_run: Run) -> None:
    ran = cord_run(
        "import work" + ALL_THERE + MAIN, work=SLOW, replicas=3, plan='topology = "line"\n'
    )
    assert ran.lines == [str(i) for i in range(300)]
    assert len(set(ran.served)) == 3


def test_a_fast_replica_of_a_ring_helps_the_slow_ones(cord_run: Run) -> None:
    plan = 'topology = "ring"\nspeed = [1, 10]\n'
    ran = cord_run(MAIN, work=WORK, replicas=2, plan=plan)
    assert ran.lines == [str(i) for i in range(300)]
    shares = sorted(ran.served.count(pid) for pid in set(ran.served))
    assert shares[1] > 2 * shares[0]


def test_without_migration_equal_shares_stay_equal(cord_run: Run) -> None:
    plan = 'loadratio = "1:1"\nspeed = [1, 10]\n'
    ran = cord_run(MAIN, work=WORK, replicas=2, plan=plan)
    assert [ran.served.count(pid) for pid in set(ran.served)] == [150, 150]


def test_calls_that_move_find_their_content(cord_run: Run) -> None:
    work = SLOW.replace("f(x)", "f(data, x)").replace("return x", "return data[0], x")
    main = f"""import work{ALL_THERE}
contents = [bytearray([number]) * 20_000 for number in range(3)]
for i in range(300):
    print(*work.f(contents[i % 3], i))
"""
    plan = 'topology = "line"\nresident = ["data"]\n'
    ran = cord_run(main, work=work, replicas=3, plan=plan)
    assert ran.lines == [f"{i % 3} {i}" for i in range(300)]
    assert len(set(ran.served)) == 3
