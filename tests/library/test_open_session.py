"""`cord.session`: replicas for a program that plain Python runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from remote_work import PLAN, WORK

if TYPE_CHECKING:
    from conftest import Project


@pytest.fixture
def run(project: Callable[..., Project]) -> Callable[..., list[str]]:
    """Runs a script with plain Python; gives the lines it printed."""

    def run(main: str, **modules: str) -> list[str]:
        files = {f"{name}.py": text for name, text in modules.items()}
        made = project({"cord.toml": PLAN, "work.py": WORK, "main.py": main, **files})
        result = made.run("main.py", cord=False)
        assert result.stderr == ""
        assert result.returncode == 0
        assert made.left_behind() == []
        return result.stdout.splitlines()

    return run


def test_functions_are_remote_in_the_block_and_local_around_it(run) -> None:
    assert run("""
import os, cord, work
here = os.getpid()
print(work.pid() == here)
with cord.session("cord.toml"):
    print(work.pid() == here, work.square(3), work.square.__doc__)
    inside = work.square
print(work.pid() == here, work.square is work.__dict__["square"], type(work).__name__)
print(inside(4), inside.__name__)
""") == ["True", "False 9 The square of x.", "True True module", "16 square"]


def test_a_module_that_is_first_imported_in_the_block(run) -> None:
    assert run("""
import os, cord
with cord.session():
    import work
    from work import pid
    print(work.pid() == os.getpid(), pid() == os.getpid())
print(work.pid() == os.getpid(), pid() == os.getpid())
""") == ["False False", "True True"]


def test_replicas_see_the_world_as_the_program_changes_it_and_call_other_modules(run) -> None:
    assert run(
        """
import os, cord, outer
with open("cord.toml", "w") as plan:
    plan.write("[remote.inner]\\n[remote.outer]\\n")
os.environ["STEP"] = "before"
with cord.session():
    print(*outer.look(), os.getpid() in outer.pids())
    os.environ["STEP"] = "later"
    os.makedirs("there")
    os.chdir("there")
    print(*outer.look(), len(set(outer.pids())))
""",
        outer="import os, inner\ndef look(): return inner.look()\n"
        "def pids(): return os.getpid(), inner.pid()\n",
        inner="import os\ndef pid(): return os.getpid()\n"
        "def look(): return os.environ['STEP'], os.path.basename(os.getcwd()) == 'there'\n",
    ) == ["before False False", "later True 2"]


AHEAD = {
    "a function given": ("", "ahead=[search]", ""),
    "a decorator": ("", "", "s.ahead(search)"),
    "a module": ("import main as own\n", "", "s.ahead(sys.modules['__main__'])"),
}


@pytest.mark.parametrize("how", AHEAD)
def test_calls_of_a_translated_function_are_made_ahead(run, how) -> None:
    _, given, later = AHEAD[how]
    assert run(f"""
import sys, cord, work
def search(n):
    return [work.together(x) for x in range(n)]
code = search.__code__
with cord.session("cord.toml", {given}) as s:
    {later or "pass"}
    print(min(search(2)) > 1, search.__code__ is code)
print(search.__code__ is code)
""") == ["True False", "True"]


def test_names_bound_before_the_session_lead_to_replicas_in_translated_functions(run) -> None:
    assert run("""
import os, cord
from work import pid as number, together
def search(n):
    return [together(x) for x in range(n)], number() == os.getpid()
def outer():
    from work import pid
    def inner():
        return pid() == os.getpid()
    return inner
inner = outer()
before = number
with cord.session() as s:
    s.ahead(search)
    s.ahead(inner)
    found, local = search(2)
    print(min(found) > 1, local, inner())
print(number is before, number() == os.getpid(), inner())
""") == ["True False False", "True True True"]


def test_helpers_methods_and_modules_of_the_project_come_along(run) -> None:
    assert run(
        """
import cord, helpers
from helpers import Search
def direct(n):
    return [helpers.one(x) for x in range(n)]
def by_method(n):
    search = Search("b")
    return [search.found(x) for x in range(n)]
codes = helpers.one.__code__, Search.found.__code__
with cord.session() as s:
    s.ahead(direct)
    s.ahead(by_method)
    print(min(direct(2)) > 1, min(by_method(2)) > 1)
print((helpers.one.__code__, Search.found.__code__) == codes)
""",
        helpers="""
import os
import work
for name in "ab":
    os.makedirs(name, exist_ok=True)
def one(x):
    return two(x)
def two(x):
    return work.together(x, "a")
class Search:
    def __init__(self, folder):
        self.folder = folder
    def found(self, x):
        return work.together(x, self.folder)
""",
    ) == ["True True", "True"]


def test_functions_of_every_kind(run) -> None:
    assert run("""
import asyncio, functools, sys, cord, work
from work import square
def deco(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)
    return wrapper
class Base:
    def run(self, n):
        return [square(x) for x in range(n)]
class Child(Base):
    def run(self, n):
        return super().run(n) + [square(n)]
    @classmethod
    def made(cls, n):
        return [work.square(x) for x in range(n)]
    @staticmethod
    def loose(n):
        return [work.square(x) for x in range(n)]
    @property
    def nine(self):
        return square(3)
    @functools.lru_cache
    def cached(self, n):
        return square(n)
async def waiting(n):
    return [square(x) for x in range(n)]
def lines(n):
    for x in range(n):
        yield square(x)
short = lambda n: [square(x) for x in range(n)]
@deco
def decorated(n):
    return [square(x) for x in range(n)]
def everything():
    c = Child()
    return (c.run(3), c.made(3), c.loose(3), c.nine, c.cached(4), asyncio.run(waiting(3)),
        list(lines(3)), short(3), decorated(3))
plain = everything()
with cord.session(ahead=[sys.modules["__main__"]]) as session:
    print(everything() == plain)
    Child.cached.cache_clear()
    for one in (Child, Child().run, Child.made, Child.loose, lines, short, decorated):
        session.ahead(one)
    print(everything() == plain)
print(everything() == plain)
""") == ["True", "True", "True"]


def test_an_exception_passes_and_closes_the_session(run) -> None:
    assert run("""
import os, cord, work
def search():
    return [work.fail(x) if x == 3 else work.square(x) for x in range(9)]
try:
    with cord.session() as s:
        s.ahead(search)
        search()
except ValueError as error:
    import traceback
    names = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
    print(error, "search" in names, names[-1])
print(work.pid() == os.getpid())
try:
    with cord.session() as s:
        1 / 0
except ZeroDivisionError as error:
    print(error)
with cord.session() as s:
    print(work.pid() == os.getpid())
""") == [
        "remote 3 True fail",
        "True",
        "division by zero",
        "False",
    ]


def test_output_of_remote_functions_goes_through_the_programs_streams(run) -> None:
    assert run("""
import contextlib, io, cord, work
def search():
    for x in range(3):
        work.show(x)
text = io.StringIO()
with cord.session(ahead=[search]), contextlib.redirect_stdout(text):
    search()
print(text.getvalue().split())
""") == ["['shown', '0', 'shown', '1', 'shown', '2']"]


def test_threads_that_exist_before_do_no_harm(run) -> None:
    assert run("""
import threading, cord, work
from concurrent.futures import ThreadPoolExecutor
def search(n):
    return sum(work.square(x) for x in range(n))
stop = threading.Event()
others = [threading.Thread(target=stop.wait) for _ in range(8)]
for one in others:
    one.start()
def in_thread():
    with cord.session(ahead=[search]):
        with ThreadPoolExecutor(4) as pool:
            print(list(pool.map(search, range(6))))
one = threading.Thread(target=in_thread)
one.start()
one.join()
stop.set()
""") == ["[0, 0, 1, 5, 14, 30]"]


def test_a_forked_child_is_local_and_may_open_a_session_of_its_own(run) -> None:
    assert run("""
import os, sys, warnings, cord, work
warnings.simplefilter("ignore", DeprecationWarning)  # forking with threads
def search(n):
    return [work.square(x) for x in range(n)], work.pid() == os.getpid()
with cord.session(ahead=[search]) as s:
    print(search(3), flush=True)
    if os.fork() == 0:
        print(search(3))
        s.close()
        with cord.session(ahead=[search]):
            print(search(3), flush=True)
        os._exit(0)
    os.wait()
    print(search(3))
""") == [f"([0, 1, 4], {local})" for local in ("False", "True", "False", "False")]


def test_generators_and_objects_outlive_the_session(run) -> None:
    assert run("""
import cord, work
def squares(n):
    for x in range(n):
        yield work.square(x)
with cord.session(ahead=[squares]):
    left = squares(6)
    print(next(left), next(left))
    kept = squares
print(list(left), list(kept(3)))
""") == ["0 1", "[4, 9, 16, 25] [0, 1, 4]"]


def test_translated_code_walks_constant_sets_in_the_same_order(run) -> None:
    first, second = run("""
import cord, work
def walk():
    return [(c, work.square(3)) for c in {"red", "green", "blue", "black", "white", "pink"}]
print(walk())
with cord.session(ahead=[walk]):
    print(walk())
""")
    assert first == second


def test_the_hash_seed_is_kept_where_it_is_set(run) -> None:
    assert run("""
import cord, work
with cord.session():
    print(work.seed() == hash("red"))
""") == ["True"]


def test_everything_ends_with_a_program_that_closes_nothing(run) -> None:
    assert run("""
import os, cord, work
session = cord.session()
print(work.pid() == os.getpid())
""") == ["False"]


REFUSED = {
    "no plan": ("cord.session('no.toml')", "no.toml"),
    "two sessions": ("cord.session(), cord.session()", "has a session already"),
    "no function": ("cord.session(ahead=[3])", "3 is not a function"),
    "builtin": ("cord.session(ahead=[len])", "is not a function that is written in Python"),
    "no source": (
        "exec('def made(): return work.square(2)'); cord.session(ahead=[made])",
        "the source of made is not there (<string>)",
    ),
    "remote itself": (
        "cord.session(ahead=[work.square])",
        "square belongs to the remote module work",
    ),
    "closed": ("s = cord.session(); s.close(); s.ahead(f)", "this session is closed"),
    "changed": (
        "p = __import__('pathlib').Path('late.py'); import late; "
        "p.write_text(p.read_text().replace('2', '3')); cord.session(ahead=[late.f])",
        "f is not what its source says",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_is_refused_in_a_sentence(run, what) -> None:
    code, said = REFUSED[what]
    lines = run(
        f"""
import os, cord, work
from cord.errors import CordError
def f():
    return work.square(2)
try:
    {code}
except CordError as error:
    print(error.message)
print(work.pid() == os.getpid())
""",
        late="import work\ndef f():\n    return work.square(2)\n",
    )
    assert said in lines[0]
    assert lines[1] == ("False" if what == "two sessions" else "True")


def test_cord_run_of_a_program_that_opens_a_session(project: Callable[..., Project]) -> None:
    main = "import cord\ncord.session()\n"
    made = project({"cord.toml": PLAN, "work.py": WORK, "main.py": main})
    result = made.run("main.py")
    assert result.returncode == 1
    assert "cord.errors.CordError: this process has a session already" in result.stderr
    assert made.left_behind() == []


def test_importing_cord_is_cheap(run) -> None:
    assert run("""
import sys
before = set(sys.modules)
import cord
print(sorted(set(sys.modules) - before))
""") == ["['__future__', 'cord']"]


def test_a_session_outlives_the_thread_that_opened_it(run) -> None:
    assert run("""
import os, threading, time, cord, work
def open_it():
    global session, replica
    session = cord.session()
    replica = work.pid()
one = threading.Thread(target=open_it)
one.start()
one.join()
time.sleep(0.3)  # for what might end it
print(os.path.exists(f"/proc/{replica}"), work.pid() == os.getpid())
session.close()
print(work.pid() == os.getpid())
""") == ["True False", "True"]


def test_replicas_end_with_a_killed_program_whose_child_lives(project) -> None:
    main = """
import os, signal, threading, time, cord, work
one = threading.Thread(target=cord.session)
one.start()
one.join()
replica = work.pid()
if os.fork():
    os.kill(os.getpid(), signal.SIGKILL)
until = time.monotonic() + 20
while os.path.exists(f"/proc/{replica}") and time.monotonic() < until:
    time.sleep(0.01)
print("left" if os.path.exists(f"/proc/{replica}") else "gone")
"""
    made = project({"cord.toml": PLAN, "work.py": WORK, "main.py": main})
    assert made.run("main.py", cord=False).stdout == "gone\n"
    assert made.left_behind() == []


def test_ctrl_c_while_a_session_starts_is_for_the_program_alone(run) -> None:
    assert run("""
import os, signal, cord, work
start = os.posix_spawn
def interrupted(*args, **options):
    pid = start(*args, **options)
    os.kill(pid, signal.SIGINT)  # as a terminal does, to all that runs in it
    return pid
os.posix_spawn = interrupted
with cord.session():
    print(work.square(3), work.pid() == os.getpid())
""") == ["9 False"]
