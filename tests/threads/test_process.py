"""What becomes of a process that serves several calls at once, and of its calls."""

from __future__ import annotations


def test_a_process_that_dies_is_replaced_and_its_pure_calls_are_made_again(run):
    result = run(
        """
        def fragile(n):
            _meet(4, "first") if not os.path.exists("died") else None
            if n == 2 and not os.path.exists("died"):
                open("died", "w").close()
                os.kill(os.getpid(), 9)
            time.sleep(0.01)
            return n
        """,
        """
        import work
        print([work.fragile(n) for n in range(12)])
        """,
        plain=False,
    )
    assert result.stdout == f"{list(range(12))}\n"


def test_a_call_that_kills_its_process_whenever_it_is_made_is_the_only_one_that_is_lost(run):
    result = run(
        """
        def fragile(n):
            if n == 2:
                os.kill(os.getpid(), 9)
            time.sleep(0.01)
            return n
        """,
        """
        import work
        for n in range(8):
            try:
                print(work.fragile(n))
            except Exception as error:
                print(n, type(error).__name__, str(error).split(":")[0][:40])
        """,
        plain=False,
    )
    lines = result.stdout.splitlines()
    assert [line for line in lines if line.isdecimal()] == ["0", "1", "3", "4", "5", "6", "7"]
    assert lines[2].startswith("2 PoisonCall")


def test_independent_calls_of_a_process_that_died_may_have_run(run):
    result = run(
        """
        def fragile(n):
            _meet(4) if n < 4 else None
            if n == 3:
                os.kill(os.getpid(), 9)
            time.sleep(60 if n < 4 else 0)
            return n
        """,
        """
        import work
        got = []
        def ask(n):
            try:
                return work.fragile(n)
            except Exception as error:
                return type(error).__name__, "may have run" in str(error)
        import threading
        def note(n):
            got.append((n, ask(n)))
        threads = [threading.Thread(target=note, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(sorted(got))
        print(ask(5))
        """,
        more="independent = true",
        plain=False,
    )
    lost = [(n, ("CallMayHaveRun", True)) for n in range(4)]
    assert result.stdout == f"{lost}\n5\n"


def test_a_call_in_vain_is_not_ended_while_another_one_runs_in_its_process(run):
    result = run(
        """
        def look(n):
            if n == 1:
                while not os.path.exists("enough"):
                    time.sleep(0.01)
            return os.getpid()
        """,
        """
        import work
        for n in range(100):
            pid = work.look(n)
            if n == 0:
                break
        others = {work.look(n) for n in range(2, 40)}
        open("enough", "w").close()
        print(others == {pid})
        """,
        threads=2,
        plain=False,
    )
    assert result.stdout == "True\n"


def test_calls_in_vain_do_not_keep_others_waiting_for_ever(run):
    result = run(
        """
        def look(n):
            if 0 < n < 100:
                time.sleep(3600)
            return n
        """,
        """
        import work
        for n in range(100):
            if work.look(n) == 0:
                break
        print(sum(work.look(n) for n in range(100, 110)))
        """,
        plain=False,
    )
    assert result.stdout == f"{sum(range(100, 110))}\n"


def test_calls_of_different_worlds_wait_for_one_another(run):
    run(
        """
        def look(round, n):
            seen = os.path.basename(os.getcwd()), os.environ.get("COLOUR"), sys.path[-1]
            time.sleep(0.001)
            now = os.path.basename(os.getcwd()), os.environ.get("COLOUR"), sys.path[-1]
            assert now == seen
            return seen
        """,
        """
        import os, sys, work
        for round in range(5):
            folder = f"folder{round % 2}"
            os.makedirs(folder, exist_ok=True)
            os.chdir(folder)
            os.environ["COLOUR"] = f"colour{round}"
            sys.path.append(f"path{round}")
            got = []
            for n in range(6):
                got.append(work.look(round, n))
            print(got)
            os.chdir("..")
        """,
        more='pure = true\ncallstyle = "sync"',
    )


def test_threads_of_the_program_may_be_in_calls_of_different_worlds(run):
    result = run(
        """
        def look(n):
            folder = os.getcwd()
            time.sleep(0.005)
            assert os.getcwd() == folder
            return os.path.basename(folder)
        """,
        """
        import os, threading, work
        here = os.getcwd()
        got = []
        def ask(n):
            got.append(work.look(n))
        threads = []
        for n in range(24):
            os.makedirs(f"folder{n % 3}", exist_ok=True)
            os.chdir(os.path.join(here, f"folder{n % 3}"))
            os.chdir(here) if n % 4 == 0 else None
            threads.append(threading.Thread(target=ask, args=(n,)))
            threads[-1].start()
            os.chdir(here)
        for thread in threads:
            thread.join()
        print(len(got))
        """,
        plain=False,
    )
    assert result.stdout == "24\n"


def test_functions_of_a_module_that_cannot_be_loaded_are_the_programs(run):
    result = run(
        """
        import __main__
        def look(n):
            return n
        if not hasattr(__main__, "__file__"):
            raise RuntimeError("not here")
        """,
        """
        import work
        for n in range(8):
            print(work.look(n))
        """,
        prints=True,
    )
    assert "that cannot be imported in another process (RuntimeError: not here)" in result.stderr


def test_functions_of_the_main_script_run_with_the_globals_of_their_call(project):
    made = project(
        {
            "cord.toml": "[remote.__main__]\nthreads = 4\npure = true\nonly = ['wait']\n",
            "main.py": """\
import os, time
factor = 2
class Point:
    def __init__(self, x):
        self.x = x * factor
def wait(n):
    time.sleep(0.01)  # calls of the next version may be there, and wait for those of this one
    return Point(n), os.getpid()
for factor in (2, 3):
    got = [wait(n) for n in range(8)]
    print([type(point) is Point and point.x for point, _ in got], len({pid for _, pid in got}))
""",
        }
    )
    result = made.run("main.py")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == ("[0, 2, 4, 6, 8, 10, 12, 14] 1\n[0, 3, 6, 9, 12, 15, 18, 21] 1\n")
    assert made.left_behind() == []


NESTED_PLAN = """\
[remote.outer]
threads = 3
pure = true
[remote.inner]
threads = 2
pure = true
"""


def test_calls_that_call_other_modules_and_back(project):
    made = project(
        {
            "cord.toml": NESTED_PLAN,
            "outer.py": """\
import threading
import inner
def fibonacci(n):
    if n < 2:
        return n
    return inner.fibonacci(n - 1) + inner.fibonacci(n - 2)
def in_threads(n):
    got = []
    some = [threading.Thread(target=lambda k=k: got.append(inner.fibonacci(k))) for k in range(n)]
    for one in some:
        one.start()
    for one in some:
        one.join()
    return sorted(got)
def noisy(n):
    print("outer", n)
    inner.say(n)
    print("again", n)
""",
            "inner.py": """\
import outer
def fibonacci(n):
    if n < 2:
        return n
    return outer.fibonacci(n - 1) + outer.fibonacci(n - 2)
def say(n):
    print("inner", n)
""",
            "main.py": """\
import os, outer
print([outer.fibonacci(n) for n in range(9)])
print([outer.in_threads(n) for n in range(5)])
for n in range(6):
    os.environ["N"] = str(n // 2)
    outer.noisy(n)
""",
        }
    )
    result = made.run("main.py")
    plain = made.run("main.py", cord=False)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == plain.stdout
    assert made.left_behind() == []


def test_a_child_that_a_call_forks_ends_where_the_call_does(run):
    run(
        """
        import warnings
        warnings.simplefilter("ignore")
        def fork(n):
            if waits:
                _meet(4)
            pid = os.fork()
            if pid == 0:
                return n
            return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        waits = "cord" in sys.modules
        """,
        """
        import work
        print([work.fork(n) for n in range(4)])
        """,
        plain=False,
    )


def test_a_module_is_loaded_anew_once_for_all_threads(run):
    run(
        """
        def look(n):
            if waits:
                _meet(4, loads)
            return loads
        waits = "cord" in sys.modules
        loads = globals().get("loads", 0) + 1
        """,
        """
        import importlib, threading, work
        def ask_all():
            got = []
            threads = [threading.Thread(target=lambda: got.append(work.look(0))) for n in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            return got
        print(ask_all())
        importlib.reload(work)
        print(ask_all())
        """,
        more='pure = true\ncallstyle = "sync"',
    )


def test_what_a_signal_raises_is_raised_where_the_program_waits_for_a_pure_call(run):
    result = run(
        """
        def sleep(n):
            time.sleep(3600)
        """,
        """
        import signal, work
        def handle(number, frame):
            raise TimeoutError("enough")
        signal.signal(signal.SIGALRM, handle)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        try:
            for n in range(4):
                work.sleep(n)
        except TimeoutError as error:
            print(error)
        """,
        plain=False,
    )
    assert result.stdout == "enough\n"


def test_an_independent_call_is_given_up_at_the_second_interrupt(run):
    result = run(
        """
        def sleep(n):
            time.sleep(3600)
        """,
        """
        import signal, work
        def handle(number, frame):
            raise KeyboardInterrupt
        signal.signal(signal.SIGALRM, handle)
        signal.setitimer(signal.ITIMER_REAL, 0.3, 0.3)
        try:
            work.sleep(0)
        except KeyboardInterrupt:
            signal.setitimer(signal.ITIMER_REAL, 0)
            print("interrupted")
        """,
        more="independent = true",
        plain=False,
    )
    assert result.stdout == "interrupted\n"
