"""A session is closed and opened again; its plan may be a dict; it says what it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from remote_work import PLAN, WORK

if TYPE_CHECKING:
    from conftest import Project


@pytest.fixture
def run(project: Callable[..., Project]) -> Callable[[str], list[str]]:
    """Runs a script with plain Python; gives the lines it printed."""

    def run(main: str) -> list[str]:
        made = project({"cord.toml": PLAN, "work.py": WORK, "main.py": main})
        result = made.run("main.py", cord=False)
        assert (result.stderr, result.returncode) == ("", 0)
        assert made.left_behind() == []
        return result.stdout.splitlines()

    return run


def test_a_session_is_opened_again(run) -> None:
    assert run("""
import glob, os, cord, work
def search(n):
    return min(work.together(x) for x in range(n)) > 1, work.pid() == os.getpid()
session = cord.session(ahead=[search])
print(search(2))
session.close()
print(search(0 or 1)[1], session.is_open)
for mark in glob.glob("mark*"):
    os.remove(mark)
with session:
    print(search(2))
session.open()
session.open()
print(search(1)[1])
session.close()
print(search(1)[1])
""") == ["(True, False)", "True False", "(True, False)", "False", "True"]


def test_the_plan_is_read_again(run) -> None:
    assert run("""
import cord, work
session = cord.session()
print(repr(session))
session.close()
with open("cord.toml", "a") as plan:
    plan.write("[variants.more.remote.work]\\nreplicas = 3\\n")
with session:
    print(repr(session))
print(repr(cord.session(variant="more")))
""") == [
        "<cord session, open: cord.toml; work: 2 replicas, async>",
        "<cord session, open: cord.toml; work: 2 replicas, async>",
        "<cord session, open: cord.toml, variant more; work: 3 replicas, async>",
    ]


def test_a_plan_is_a_dict(run) -> None:
    assert run("""
import os, cord, work
plan = {"remote": {"work": {"repeatable": True, "callstyle": "async", "replicas": 2}}}
def search(n):
    return [work.together(x) for x in range(n)]
with cord.session({**plan, "run": {"copies": False}}, ahead=[search]) as session:
    print(min(search(2)) > 1, session)
plan["variants"] = {"one": {"remote": {"work": {"replicas": 1}}}}
with cord.session(plan, variant="one") as session:
    print(session)
""") == [
        "True <cord session, open: a dict; work: 2 replicas, async; 2 calls, 1 ahead>",
        "<cord session, open: a dict, variant one; work: 1 replica, async>",
    ]


WRONG = {
    "an unknown key": ({"remote": {"work": {"replica": 2}}}, "replica is not a key"),
    "a wrong value": (
        {"remote": {"work": {"replicas": "x"}}},
        'remote.work.replicas is "x"; allowed: a whole number',
    ),
    "no module": ({"remote": {"wrok": {}}}, "wrok"),
    "nothing": ({}, "the plan makes no module remote"),
    "what TOML has not": ({"remote": {"work": {"pure": None}}}, "remote.work.pure is a NoneType"),
    "a key of another kind": ({"remote": {3: {}}}, "the key 3 of remote is not a string"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_dict_is_refused_in_a_sentence(run, what) -> None:
    plan, said = WRONG[what]
    (line,) = run(f"""
import cord
try:
    cord.session({plan!r})
except cord.errors.CordError as error:
    print(error.message.splitlines()[0])
""")
    assert said in line


def test_coroutines_are_refused_and_what_they_call_is_not(run) -> None:
    assert run("""
import asyncio, cord, work
async def waits(n):
    return search(n)
async def gives(n):
    yield search(n)
def search(n):
    return [work.together(x) for x in range(n)]
with cord.session() as session:
    for one in (waits, gives):
        try:
            session.ahead(one)
        except cord.errors.CordError as error:
            print(error.message)
    session.ahead(search)
    print(min(asyncio.run(waits(2))) > 1)
""") == [
        "waits is a coroutine function, whose calls are made in place",
        "gives is a coroutine function, whose calls are made in place",
        "True",
    ]


def test_a_closed_session_says_how_to_go_on(run) -> None:
    assert run("""
import cord, work
session = cord.session()
session.close()
try:
    session.ahead(lambda: work.square(2))
except cord.errors.CordError as error:
    print(error.message, "-", error.hint)
    session.open()
    session.ahead(lambda: work.square(2))
print(session.is_open)
""") == ["this session is closed - open it again: session.open()", "True"]


def test_a_closed_session_leaves_no_descriptors_and_no_objects(run) -> None:
    assert run("""
import gc, os, cord, work
def search(n):
    return [work.together(x) for x in range(n)]
def left():
    gc.collect()
    held = [type(one).__module__ for one in gc.get_objects()]
    return len(os.listdir("/proc/self/fd")), sum(one.startswith("cord.") for one in held)
for i in range(6):
    with cord.session(ahead=[search]):
        search(2)
    if i == 2:
        before = left()
print(left()[0] - before[0], left()[1] - before[1])
""") == ["0 0"]


@pytest.mark.full
def test_three_thousand_sessions_leave_the_memory_as_it_is(run) -> None:
    assert run("""
import gc, os, cord, work
def size():
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE") >> 20
for i in range(3_000):
    with cord.session():
        work.pid()
    if i == 100:
        before = size()
print(size() - before < 8)
""") == ["True"]


def test_threads_go_on_while_sessions_are_closed_and_opened(run) -> None:
    assert run("""
import threading, time, cord, work
over, told = False, []
def loop(k):
    return [work.square(k + i) for i in range(10)]
def go(k):
    while not over:
        try:
            assert loop(k) == [(k + i) ** 2 for i in range(10)]
        except BaseException as error:
            told.append(repr(error))
            raise
threads = [threading.Thread(target=go, args=(k,)) for k in range(4)]
for thread in threads:
    thread.start()
plan = {"remote": {"work": {"pure": True, "replicas": 2, "inline": False}}}
for _ in range(8):
    with cord.session(plan, ahead=[loop]):
        time.sleep(0.05)
over = True
for thread in threads:
    thread.join()
print(told)
""") == ["[]"]
