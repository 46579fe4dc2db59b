"""Remote functions that call other remote modules, when something goes wrong."""

from __future__ import annotations

import os
import signal

import pytest

from needs import skip_without

IMPURE = "[remote.outer]\n\n[remote.inner]\n"
PURE = "[remote.outer]\nrepeatable = true\n\n[remote.inner]\nrepeatable = true\n"


@pytest.fixture
def run(project):
    """Runs a program of `outer.py`, `inner.py` and `main.py`; gives its project and result."""

    def start(outer: str, inner: str, main: str, plan: str = IMPURE):
        files = {"cord.toml": plan, "outer.py": outer, "inner.py": inner, "main.py": main}
        made = project(files)
        result = made.run("main.py")
        assert made.left_behind() == []
        return result

    return start


def printed(result) -> str:
    """What a run that ended well wrote."""
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def test_a_pure_call_is_made_again_when_its_replica_dies(run):
    result = run(
        outer="import inner\ndef ask(): return inner.answer() + 1\n",
        inner="""
import os
def answer():
    if not os.path.exists("died"):
        open("died", "w").close()
        os._exit(3)
    return 41
""",
        main="import outer\nprint(outer.ask())\n",
        plan=PURE,
    )
    assert printed(result) == "42\n"


def test_a_pure_call_is_made_again_when_it_dies_waiting(run):
    result = run(
        outer="import inner, os\ndef ask(): return inner.answer(os.getpid()) + 1\n",
        inner="""
import os, signal, time
def answer(caller):
    if not os.path.exists("died"):
        open("died", "w").close()
        os.kill(caller, signal.SIGKILL)
        time.sleep(600)
    return 41
""",
        main="import outer\nprint(outer.ask())\n",
        plan=PURE,
    )
    assert printed(result) == "42\n"


def test_a_loss_is_raised_where_the_call_was_made(run):
    result = run(
        outer="""
import inner
from cord.errors import ReplicaLost
def ask():
    try:
        inner.die()
    except ReplicaLost as error:
        return str(error).split(" (process")[0], inner.alive()
""",
        inner="import os\ndef die(): os._exit(3)\ndef alive(): return True\n",
        main="import outer\nprint(outer.ask())\n",
        plan=IMPURE + 'restart = "fresh"\n',
    )
    assert printed(result) == "('outer.py:6: the replica that ran inner.die()', True)\n"


def test_an_impure_call_whose_caller_died_runs_once(run):
    result = run(
        outer="import inner, os\ndef ask(): return inner.add(os.getpid())\n",
        inner="""
import os, signal
calls = 0
def add(caller):
    global calls
    calls += 1
    os.kill(caller, signal.SIGKILL)
def count():
    return calls
""",
        main="""
import inner, outer
from cord.errors import ReplicaLost
for _ in range(3):
    try:
        outer.ask()
    except ReplicaLost:
        print("lost")
print(inner.count())
""",
        plan='[remote.outer]\nrestart = "fresh"\n\n[remote.inner]\n',
    )
    assert printed(result) == "lost\nlost\nlost\n3\n"


def test_an_argument_that_cannot_travel_is_named(run):
    result = run(
        outer="import inner, _thread\n"
        "def ask():\n    return inner.apply({'key': [_thread.allocate_lock()]})\n",
        inner="def apply(options): return options\n",
        main="import outer\nouter.ask()\n",
    )
    assert "outer.py:3: argument 'options' of apply(): options['key'][0] is a lock" in result.stderr


def test_what_is_written_to_buffers_comes_home_as_in_plain_python(run):
    result = run(
        outer="""
import inner
from pickle import PickleBuffer
def ask(size):
    mine = bytearray(size)
    first, back = inner.change(PickleBuffer(mine))
    view = memoryview(back)
    view[1] = 5
    return first, bytes(view[:3]), len(view), mine[0], inner.again()
""",
        inner="""
from pickle import PickleBuffer
def change(buffer):
    global kept
    kept = bytearray(buffer)
    view = memoryview(buffer)
    view[0] = 7
    return view[0], PickleBuffer(view)
def again(): return kept[:2]
""",
        main="import outer\nfor size in (10, 1 << 20): print(outer.ask(size))\n",
    )
    lines = [f"(7, b'\\x07\\x05\\x00', {n}, 7, bytearray(b'\\x00\\x00'))" for n in (10, 1 << 20)]
    assert printed(result).splitlines() == lines


def test_a_module_that_fails_in_replicas_only(run):
    result = run(
        outer="""
import inner
def ask():
    try:
        inner.apply()
    except Exception as error:
        return type(error).__name__, repr(error.__cause__)
""",
        inner="""
if open("/proc/self/comm").read().startswith("cord inner"):
    raise LookupError("not here")
def apply(): return 1
""",
        main="import outer\nprint(outer.ask())\n",
    )
    assert printed(result) == "('ReplicaUnavailable', \"LookupError('not here')\")\n"


def test_a_signal_ends_the_wait(run):
    result = run(
        outer="""
import inner, signal
def on_alarm(number, frame):
    raise TimeoutError("enough")
def ask():
    signal.signal(signal.SIGALRM, on_alarm)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        inner.nap(600)
    except TimeoutError as error:
        return str(error), inner.nap(0)
""",
        inner="import time\ndef nap(seconds): time.sleep(seconds)\n",
        main="import outer\nprint(outer.ask())\n",
        plan="[remote.outer]\n\n[remote.inner]\nrepeatable = true\n",
    )
    assert printed(result) == "('enough', None)\n"


def test_a_thread_that_outlives_its_call_goes_on_calling(run):
    result = run(
        outer="""
import inner, threading
def work():
    for number in range(100):
        inner.add(number)
def start():
    global thread
    thread = threading.Thread(target=work)
    thread.start()
def finish():
    thread.join()
    return inner.get()
""",
        inner="""
total = 0
def add(number):
    global total
    total += number
def get(): return total
""",
        main="""
import inner, outer
outer.start()
for _ in range(20):
    inner.get()
print(outer.finish(), inner.get())
""",
    )
    assert printed(result) == "4950 4950\n"


def test_a_forked_child_calls_locally(run):
    skip_without("locks")
    result = run(
        outer="""
import inner, multiprocessing, os
def is_here(x): return inner.where() == os.getpid()
def ask(n):
    with multiprocessing.get_context("fork").Pool(2) as pool:
        return is_here(0), pool.map(is_here, range(n))
""",
        inner="import os\ndef where(): return os.getpid()\n",
        main="import outer\nprint(outer.ask(3))\n",
    )
    assert printed(result) == "(False, [True, True, True])\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_stays_when_the_program_ends_meanwhile(project, number):
    made = project(
        {
            "cord.toml": IMPURE,
            "outer.py": "import inner\ndef ask(n): return inner.back(n)\ndef nap(): inner.nap()\n",
            "inner.py": """
import outer, time
def back(n): return outer.ask(n - 1) if n else outer.nap()
def nap():
    print("napping")
    open("napping", "w").close()
    time.sleep(600)
""",
            "main.py": "import outer\nouter.ask(3)\n",
        }
    )
    process = made.start("main.py")
    while not (made.folder / "napping").exists():
        assert process.poll() is None
    os.kill(process.pid, number)
    process.communicate(timeout=30)
    assert process.returncode == -number
    assert made.left_behind() == []


def test_a_guess_that_never_ends_in_another_module_is_ended_when_that_is_needed(run):
    result = run(
        outer="import inner\ndef ask(n): return inner.answer(n)\n",
        inner="""
import time
def answer(n):
    while n > 2:
        time.sleep(1)
    return n
""",
        main="""
import inner, outer
for n in range(100):
    if outer.ask(n) == 2:
        break
print([inner.answer(n) for n in range(3)], outer.ask(1))
""",
        plan=PURE.replace("pure", 'callstyle = "async"\npure'),
    )
    assert printed(result) == "[0, 1, 2] 1\n"
