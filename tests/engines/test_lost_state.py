"""What calls have left in a replica is lost with it: the program is told, or says that it may be.

After each death a pure call is made. It may have been made early, so the program looks for itself
whether the process is gone.
"""

from __future__ import annotations

import re

import pytest

PLAN = """\
[remote.counter]
functions.ping.repeatable = true
functions.process.independent = true
functions.send.independent = true
"""
FRESH = PLAN + 'restart = "fresh"\n'

COUNTER = """
import os, threading, time

total = 100

def add(number):
    global total
    total += number
    return total

def send(number):
    return number

def ping():
    return "pong"

def process():
    return os.getpid()

def die():
    os._exit(3)

def die_when_told():
    def wait():
        while not os.path.exists("die"):
            time.sleep(0.002)
        os._exit(3)
    threading.Thread(target=wait).start()
"""

MAIN = """
import os, signal, sys, time
import counter
from cord.errors import ReplicaLost, StateLost

def end():
    victim = counter.process()
    os.kill(victim, signal.SIGKILL)
    while os.path.exists(f"/proc/{victim}"):
        time.sleep(0.001)

def kill():
    end()
    counter.ping()

def tell(call, *args):
    try:
        print(call(*args))
    except (ReplicaLost, StateLost) as error:
        print(type(error).__name__)
"""


@pytest.fixture
def run(project):
    """Runs a program that uses `counter.py`; gives what it wrote and how it ended."""

    def start(main: str, plan: str = PLAN, **others: str):
        more = {f"{name}.py": text for name, text in others.items()}
        files = {"cord.toml": plan, "counter.py": COUNTER, "main.py": MAIN + main, **more}
        made = project(files)
        result = made.run("main.py")
        assert made.left_behind() == []
        return result

    return start


def printed(result) -> list[str]:
    """The lines of a run that ended well."""
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout.splitlines()


def test_an_idle_replica_that_is_killed_takes_its_state_along(run):
    result = run("print(counter.add(10), counter.add(10))\nkill()\nprint(counter.add(10))\n")
    assert (result.returncode, result.stdout) == (1, "110 120\n")
    *_, message, _, hint = result.stderr.splitlines()
    assert re.sub(r"\d+", "N", message) == (
        "cord.errors.StateLost: main.py:N: counter.add() was not called: the replica of counter "
        "(process N) was killed by SIGKILL, and the state that earlier calls left in it is lost"
    )
    assert (
        hint == 'hint: set restart = "fresh" for the module in cord.toml if a new replica will do'
    )


def test_a_thread_that_ends_the_process_is_told_with_its_status(run):
    main = """
victim = counter.process()
counter.die_when_told()
open("die", "w").close()
while os.path.exists(f"/proc/{victim}"):
    time.sleep(0.002)
counter.ping()
counter.add(1)
"""
    result = run(main)
    assert result.returncode == 1
    assert "exited with status 3, and the state that earlier calls left" in result.stderr


def test_a_call_that_finds_the_replica_dead_is_told_that_it_was_not_made(run):
    main = """
for before in (), (counter.add,):
    for call in before:
        call(1)
    victim = counter.process()
    os.kill(victim, signal.SIGKILL)
    while os.path.exists(f"/proc/{victim}"):
        pass
    tell(counter.add, 1)  # maybe before the dispatcher knows
"""
    assert printed(run(main)) == ["101", "StateLost"]


def test_each_call_is_told_until_the_module_is_loaded_anew(run):
    main = """
from importlib import reload
tell(counter.add, 1)
kill()
for _ in range(3):
    tell(counter.add, 1)
reload(counter)
tell(counter.add, 1)
kill()
tell(counter.add, 1)
del sys.modules["counter"]
import counter
tell(counter.add, 1)
tell(counter.add, 1)
"""
    told = ["StateLost"]
    assert printed(run(main)) == ["101", *told * 3, "101", *told, "101", "102"]


def test_nothing_is_lost_with_a_replica_that_no_call_has_left_anything_in(run):
    main = """
tell(counter.ping)
tell(counter.send, 7)
kill()
tell(counter.add, 1)
tell(counter.add, 1)
"""
    assert printed(run(main)) == ["pong", "7", "101", "102"]


def test_calls_that_need_no_state_go_on(run):
    main = """
tell(counter.add, 1)
kill()
tell(counter.send, 7)
tell(counter.ping)
tell(counter.add, 1)
"""
    assert printed(run(main)) == ["101", "7", "pong", "StateLost"]


@pytest.mark.parametrize(
    ("plan", "after"), [(PLAN, ["StateLost", "StateLost"]), (FRESH, ["101", "102"])]
)
def test_a_call_that_ends_its_replica_takes_the_state_along(run, plan, after):
    main = """
tell(counter.add, 1)
tell(counter.die)
tell(counter.add, 1)
tell(counter.add, 1)
"""
    assert printed(run(main, plan)) == ["101", "CallMayHaveRun", *after]


def test_a_plan_may_say_that_a_fresh_replica_will_do(run):
    main = "tell(counter.add, 1)\nkill()\ntell(counter.add, 1)\ntell(counter.add, 1)\n"
    assert printed(run(main, FRESH)) == ["101", "101", "102"]


def test_a_replica_that_calls_the_module_is_told(run):
    outer = """
import counter
from cord.errors import StateLost
def add(number):
    return counter.add(number)
def try_add(number):
    try:
        return counter.add(number)
    except StateLost as error:
        return str(error).split(" (process")[0]
"""
    main = """
import outer
tell(outer.add, 1)
kill()
tell(outer.try_add, 1)
tell(outer.add, 1)
tell(counter.add, 1)
"""
    told = "outer.py:8: counter.add() was not called: the replica of counter"
    lines = printed(run(main, PLAN + '[remote.outer]\nrestart = "fresh"\n', outer=outer))
    assert lines == ["101", told, "StateLost", "StateLost"]


def test_a_replica_that_has_called_the_module_leaves_its_state_behind(run):
    outer = """
import counter, os
def add_and_die(number):
    counter.add(number)
    os._exit(1)
"""
    twice = "tell(outer.add_and_die, 1)\n" * 2
    main = f"import outer\n{twice}tell(counter.add, 1)\n"
    lines = printed(run(main, PLAN + "[remote.outer]\n", outer=outer))
    assert lines == ["CallMayHaveRun", "StateLost", "102"]


@pytest.mark.parametrize("last", ["kill()", "end()"])
def test_what_no_call_has_found_is_told_at_the_end(run, last):
    main = f"print(counter.add(1))\n{last}\n"
    told = run(main)
    assert (told.returncode, told.stdout) == (0, "101\n")
    assert re.sub(r"\d+", "N", told.stderr) == (
        "cord: the replica of counter (process N) was killed by SIGKILL after its last call; "
        "the state that calls left in it (files that are not flushed, say) is lost\n"
    )
    assert printed(run(main, FRESH)) == ["101"]
    assert printed(run("kill()\n")) == []


def test_in_a_session_too(project):
    main = (
        MAIN.replace("import counter\n", "import counter, cord\n")
        + """
with cord.session():
    tell(counter.add, 1)
    kill()
    tell(counter.add, 1)
tell(counter.add, 5)
with cord.session():
    tell(counter.add, 1)
"""
    )
    made = project({"cord.toml": PLAN, "counter.py": COUNTER, "main.py": main})
    assert printed(made.run("main.py", cord=False)) == ["101", "StateLost", "105", "101"]


def test_a_program_that_is_its_own_remote_module_loses_none(project):
    main = """
import os, signal
from cord.errors import StateLost

total = 100

def add(number):
    global total
    total += number
    return total

def process():
    return os.getpid()

print(add(1))
os.kill(process(), signal.SIGKILL)
process()
try:
    print(add(1))
except StateLost:
    print("told")
print(total)
"""
    plan = "[remote.main]\nfunctions.process.repeatable = true\n"
    files = {"cord.toml": plan, "main.py": main}
    # calls of its functions that are not declared pure are its own
    assert printed(project(files).run("main.py")) == ["101", "102", "102"]
    files["cord.toml"] += 'restart = "fresh"\n'
    assert printed(project(files).run("main.py")) == ["101", "102", "102"]
