"""Calls that the program is interrupted in, where plain Python would do something else."""

from __future__ import annotations

import pytest

PLAN = "[remote.work]\n"

ALARM = """
import signal, work
alarms = []
def on_alarm(number, frame):
    alarms.append(TimeoutError(f"alarm {len(alarms) + 1}"))
    raise alarms[-1]
signal.signal(signal.SIGALRM, on_alarm)
def alarm(*seconds):
    signal.setitimer(signal.ITIMER_REAL, *seconds)
"""

DEAF = """
import os, signal, time
count = 0
def deaf(seconds):
    # by its name, the program would make the calls
    mask = getattr(signal, "_".join(["pthread", "sigmask"]))
    mask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(0.01)
    finally:
        mask(signal.SIG_UNBLOCK, signal.valid_signals())
    return "has ended"
def add():
    global count
    count += 1
    return count
"""


@pytest.fixture
def run(project):
    """Runs a program that uses `work`; gives what it printed."""

    def start(work: str, main: str, plan: str = PLAN) -> str:
        made = project({"cord.toml": plan, "work.py": work, "main.py": ALARM + main})
        result = made.run("main.py")
        assert (result.returncode, result.stderr) == (0, "")
        assert made.left_behind() == []
        return result.stdout

    return start


def test_another_interrupt_of_a_function_that_does_not_notice_gives_it_up(run):
    printed = run(
        DEAF,
        """
work.add()
alarm(0.3, 0.3)
try:
    work.deaf(600)
except TimeoutError as error:
    alarm(0)
    lost = error.__context__
    print(error is alarms[-1], type(lost).__name__, lost.__context__ is alarms[0])
try:
    work.add()
except Exception as error:
    print(type(error).__name__)
""",
    )
    assert printed == "True CallMayHaveRun True\nStateLost\n"


def test_a_function_that_notices_late_is_waited_for(run):
    printed = run(
        DEAF,
        """
print(work.add())
alarm(0.3)
try:
    print(work.deaf(1.5))
except TimeoutError as error:
    print(error)
print(work.add())
""",
    )
    assert printed == "1\nalarm 1\n2\n"


def test_a_pure_function_that_does_not_notice_is_dropped(run):
    printed = run(
        DEAF,
        """
alarm(0.3)
try:
    work.deaf(600)
except TimeoutError as error:
    print(error)
print(work.deaf(0))
""",
        plan=PLAN + "repeatable = true\n",
    )
    assert printed == "alarm 1\nhas ended\n"


def test_a_call_that_has_not_begun_does_not(run):
    printed = run(
        """
import os, time
def hold():
    open("held", "w").close()
    while not os.path.exists("go"):
        time.sleep(0.01)
def leave(name):
    open(name, "w").close()
""",
        """
import os, threading
holder = threading.Thread(target=work.hold)
holder.start()
while not os.path.exists("held"):
    pass
alarm(0.2)
try:
    work.leave("never")
except TimeoutError as error:
    print(error)
open("go", "w").close()
holder.join()
work.leave("later")
print(os.path.exists("never"), os.path.exists("later"))
""",
    )
    assert printed == "alarm 1\nFalse True\n"


def test_nobody_is_interrupted_by_what_comes_too_late(run):
    """Alarms come at whatever moment of short calls: each is raised once, and all calls count."""
    printed = run(
        """
count = 0
def add(x):
    global count
    try:
        count += 1
    except TimeoutError:
        return "caught"
    return count
def total():
    return count
""",
        """
made = caught = 0
while len(alarms) < 60:
    try:
        alarm(0.005)
        while True:
            made += 1
            if work.add(made) == "caught":
                caught += 1
    except TimeoutError:
        caught += 1
alarm(0)
print(caught == len(alarms), made - work.total() <= caught, work.total() <= made)
""",
    )
    assert printed == "True True True\n"


def test_a_signal_in_a_remote_function_interrupts_what_it_has_called(project):
    made = project(
        {
            "cord.toml": "[remote.outer]\n\n[remote.inner]\n",
            "outer.py": """
import inner, signal
def on_alarm(number, frame):
    raise TimeoutError("enough")
def ask():
    signal.signal(signal.SIGALRM, on_alarm)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    return inner.nap(600), inner.nap(0)
""",
            "inner.py": """
import time
def nap(seconds):
    try:
        time.sleep(seconds)
    except TimeoutError as error:
        return f"inner had {error}"
""",
            "main.py": "import outer\nprint(outer.ask())\n",
        }
    )
    result = made.run("main.py")
    assert (result.stdout, result.stderr) == ("('inner had enough', None)\n", "")


def test_what_comes_while_arguments_are_encoded_is_no_refusal(run):
    printed = run(
        """
import time
def wait(told):
    time.sleep(600)
""",
        """
import os
class Told:
    def __reduce__(self):
        os.kill(os.getpid(), signal.SIGALRM)
        return int, (1,)
try:
    work.wait(Told())
except TimeoutError as error:
    print(error, error is alarms[0])
""",
    )
    assert printed == "alarm 1 True\n"


def test_what_comes_at_whatever_moment_of_nested_calls_is_raised_once(project):
    made = project(
        {
            "cord.toml": "[remote.work]\n\n[remote.inner]\n",
            "work.py": """
import inner
caught = 0
def ask(x):
    global caught
    try:
        return inner.add(x)
    except TimeoutError:
        caught += 1
def report(): return caught, *inner.report()
""",
            "inner.py": """
caught = count = 0
def add(x):
    global caught, count
    count += 1
    try:
        for _ in range(2000): pass
    except TimeoutError:
        caught += 1
def report(): return caught, count
""",
            "main.py": ALARM
            + """
made = caught = 0
def ask():  # what comes at the end of a loop is caught outside of it, in all versions of Python
    global made
    alarm(0.005)
    before = len(alarms)
    while len(alarms) == before:  # what was caught inside is not raised here
        work.ask(made)
        made += 1
while len(alarms) < 60:
    try:
        ask()
    except TimeoutError:
        caught += 1
alarm(0)
outside, inside, count = work.report()
print(caught + outside + inside, made <= count + caught + outside)
""",
        }
    )
    result = made.run("main.py")
    assert (result.stdout, result.stderr) == ("60 True\n", "")


def test_what_comes_while_the_world_is_encoded_is_no_reason_for_it_not_to_travel(project):
    made = project(
        {
            "cord.toml": PLAN,
            "work.py": "def twice(x): return 2 * x\n",
            "told.py": """
import contextvars, os, signal
VARIABLE = contextvars.ContextVar("VARIABLE")
class Told:
    def __reduce__(self):
        os.kill(os.getpid(), signal.SIGALRM)
        return int, (1,)
""",
            "main.py": ALARM
            + """
import told
print(work.twice(1))
before = told.VARIABLE.set(told.Told())
try:
    print(work.twice(2))
except TimeoutError as error:
    told.VARIABLE.reset(before)
    print(error)
print(work.twice(3))
""",
        }
    )
    result = made.run("main.py")
    assert (result.stdout, result.stderr) == ("2\nalarm 1\n6\n", "")
