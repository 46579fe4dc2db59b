"""Random programs whose effects stand between their remote calls: a number gives one program.

Each takes some of the things of `effect_things.txt`, and does steps with them in any order, in
loops, branches, functions and threads, with a remote call behind most steps. A copy of the program
comes to all of them before the program does. At its end a program tells what it can see of itself
(`effect_seen.py`): what is open, files, locks, children, signals.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

from effect_things import THINGS
from program_case import Case

Lines = list[str]

SEEN = Path(__file__).with_name("effect_seen.py")  # a module of each program's

WORK = """\
import time


def nap(x):
    time.sleep(0.001 + x % 4 * 0.0007)
    return (x * 7 + 3) % 50


def quick(x):
    return (x * 5 + 1) % 40


def say(x):
    time.sleep(0.001)
    print("say", x)
    return x % 6


def boom(x):
    time.sleep(0.001)
    if x % 3 == 1:
        raise ValueError(x)
    return x % 9


def text(x):
    time.sleep(0.002)
    return "t" * (x % 5 + 1)


def length(x):
    time.sleep(0.001)
    return len(str(x))
"""

MODULES = """
asyncio atexit concurrent.futures contextlib csv ctypes dbm.dumb decimal faulthandler fcntl
filecmp fileinput gc glob gzip importlib io json linecache locale logging mmap multiprocessing os
pathlib pickle queue random resource select selectors shelve shutil signal socket sqlite3 stat
subprocess sys tarfile tempfile termios threading time traceback warnings weakref zipfile
""".split()
LIBC = "libc = ctypes.CDLL(None, use_errno=True)"

PATHS = "a b real.txt d1/a d1/b to_d1/a d2/a d2 link data.txt".split()
FOLDERS = "d1 d2 d3 to_d1 d1/in".split()
CALLS = (
    "t = work.nap($x)",
    "t = work.nap($x)",
    "t = work.nap(t)",
    "t += work.quick(t)",
    "print(work.nap($x), work.text($n))",
    "t = work.say($x)",
    "t = work.boom($x)",
    "t = work.length(work.text($x))",
    "t = sum(work.nap(u) for u in range($n % 4))",
    "print([work.nap(u + t) for u in range($n % 3)])",
    "work.nap($x)",
)
# How programs end, most of them by coming to their end.
ENDS = (
    *[""] * 12,
    "sys.exit(3)",
    "os._exit(4)",
    "1 / 0",
    "os.kill(os.getpid(), signal.SIGKILL)",
    "os.kill(os.getpid(), signal.SIGTERM); time.sleep(9)",
    "sys.stdout.flush(); os.execlp('echo', 'echo', 'another program')",
    "work.boom(1)",
    "raise KeyboardInterrupt",
    "os.abort()",
    "sys.stdout.close()",
)
PLAN = """\
[remote.work]
replicas = {replicas}
callstyle = "{callstyle}"
pure = true
"""


def inside(lines: Lines) -> Lines:
    """The lines, one level deeper."""
    return ["    " + line for line in lines]


class EffectClient:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"effects {seed}")
        self.names: list[str] = []
        self.count = 0

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def filled(self, template: str) -> str:
        """A template, with something for each of its marks."""
        given = {
            "n": lambda: str(self.random.randrange(10)),
            "x": lambda: self.random.choice(["t", "t + 1", "t * 2", "i", "i + t", "5"]),
            "path": lambda: repr(self.random.choice(PATHS)),
            "other": lambda: repr(self.random.choice(PATHS)),
            "folder": lambda: repr(self.random.choice(FOLDERS)),
            "buffer": lambda: self.random.choice(["1", "-1", "200"]),
            "buffer0": lambda: self.random.choice(["0", "-1", "16"]),
            "append": lambda: self.random.choice(["0", "os.O_APPEND"]),
            "umask": lambda: self.random.choice(["22", "77", "27"]),
            "filter": lambda: self.random.choice(["always", "ignore", "error"]),
        }
        kept: dict[str, str] = {}

        def fill(mark: re.Match[str]) -> str:
            if mark[1] in ("path", "other", "folder", "n"):  # the same throughout a step
                return kept.setdefault(mark[1], given[mark[1]]())
            return given[mark[1]]()

        return re.sub(r"\$(buffer0|[a-z]+)", fill, template)

    def call(self) -> Lines:
        line = self.filled(self.random.choice(CALLS))
        return self.survived([line]) if "boom" in line else [line]

    def survived(self, lines: Lines) -> Lines:
        told = "print(type(error).__name__, getattr(error, 'errno', None))"
        return ["try:", *inside(lines), "except Exception as error:", f"    {told}"]

    def step(self) -> Lines:
        """A step, and most often a call behind it."""
        thing = THINGS[self.random.choice(self.names)]
        lines = self.survived([self.filled(self.random.choice(thing.steps))])
        return [*lines, *self.call()] if self.chance(0.7) else lines

    def steps(self, least: int, most: int) -> Lines:
        return [line for _ in range(self.random.randrange(least, most)) for line in self.step()]

    def block(self, depth: int) -> Lines:
        shape = self.random.randrange(12) if depth else 0
        if shape < 5:
            return self.steps(1, 4)
        inner = [*self.block(depth - 1), *self.steps(1, 3)]
        if shape < 7:
            return [f"for i in range({self.random.randrange(2, 4)}):", *inside(inner)]
        if shape == 7:
            head = f"if t % 3 == {self.random.randrange(3)}:"
            return [head, *inside(inner), "else:", *inside(self.steps(1, 3))]
        if shape == 8:
            return ["try:", *inside(inner), "finally:", *inside(self.steps(1, 2))]
        if shape == 9:
            failing = self.filled("t = work.boom($x)")
            last = ["except ValueError as error:", "    print('failed', error)"]
            return ["try:", *inside([*inner, failing, *self.steps(1, 2)]), *last]
        self.count += 1
        name = f"part{self.count}"
        bound = sorted(set(re.findall(r"\b(\w+)(?:, (\w+))? = ", "\n".join(inner))))
        names = {name for pair in bound for name in pair if name} - {"flags", "t1", "kid", "thread"}
        head = [f"def {name}(i):", f"    global {', '.join(sorted(names | {'t'}))}"]
        head += inside(inner)
        if shape == 10:
            return [*head, f"{name}({self.random.randrange(5)})"]
        thread = (
            f"thread = threading.Thread(target={name}, args=(1,)); thread.start(); thread.join()"
        )
        return [*head, thread]

    def program(self) -> str:
        self.names = self.random.sample(list(THINGS), self.random.randrange(1, 5))
        firsts = [self.filled(THINGS[name].first).splitlines() for name in self.names]
        body = [line for _ in range(self.random.randrange(3, 7)) for line in self.block(2)]
        end = self.random.choice(ENDS)
        lines = [
            "t, i = 3, 1",
            *[line for first in firsts for line in first],
            *body,
            "print('end', t)",
            "seen.report()",
            *([end] if end else []),
        ]
        return "\n".join([*imports(lines), *lines]) + "\n"


def imports(lines: Lines) -> Lines:
    """What these lines need."""
    words = set(re.findall(r"\w+", "\n".join(lines)))
    names = [name for name in MODULES if name.partition(".")[0] in words]
    if "libc" in words and "ctypes" not in names:
        names.append("ctypes")
    shared = ["from multiprocessing import shared_memory"] if "shared_memory" in words else []
    libc = [LIBC] if "libc" in words else []
    return [f"import {', '.join([*names, 'seen', 'work'])}", *shared, *libc]


def make_case(seed: int) -> Case:
    """The program of this number."""
    client = EffectClient(seed)
    main = client.program()
    plan = PLAN.format(
        replicas=client.random.choice([1, 2, 2, 3]),
        callstyle=client.random.choice(["async", "async", "async-demand(2)"]),
    )
    files = {
        "data.txt": "one\ntwo\nthree\n",
        "stdin.txt": "".join(f"{n} in\n" for n in range(9)),
        "real.txt": "real\n" * 9,
        "work.py": WORK,
        "seen.py": SEEN.read_text("utf-8"),
        "main.py": main,
        "cord.toml": plan,
    }
    return Case(f"effects {seed}", f"Random program {seed} with effects.", {}, files)
