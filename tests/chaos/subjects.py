"""The programs to which things happen: each with a plan, and with what its calls leave outside.

All use `work.py`. A call that has an effect notes its number in the file that the environment
names, which no full disk touches; so what has run, and how often, is seen from outside.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Effects(Enum):
    """What calls do besides giving a value."""

    NONE = "none"  # they may run again, or in vain
    ORDERED = "ordered"  # one after the other, each once
    INDEPENDENT = "independent"  # each once, in any order


@dataclass(frozen=True)
class Subject:
    """A program, and what must hold of it.

    Attributes:
        name: What it is called.
        main: The program.
        plan: The lines of its remote module that it cannot do without; None for no plan at all.
        effects: What its calls do.
        catches: Whether it shows what a call raises, as `NUMBER NAME`, and goes on.
        keeps: Whether calls leave something in the module that later ones read.
        varies: Whether the plan's other keys may be drawn by lot.
        more: Other tables of the plan.
        command: What runs it: `cord run`, or `python` where the program opens a session.
        makes: The first letters of names of files that it makes.
        is_many: Whether it makes too many calls to slow them down.
    """

    name: str
    main: str
    plan: str | None = ""
    effects: Effects = Effects.NONE
    catches: bool = False
    keeps: bool = False
    varies: bool = True
    more: str = ""
    command: str = "cord run"
    makes: str | None = None
    is_many: bool = False


WORK = """
import os, sys, time

def needed():
    # what a start waits for, and may lack; in the program's own process it is always there
    if os.environ.get("CHAOS_MAIN") != str(os.getpid()):
        with open(os.environ["CHAOS_NEEDED"]) as file:
            time.sleep(float(file.read() or "0"))
    else:
        os.environ.setdefault("CHAOS_MAIN", str(os.getpid()))

if "CHAOS_NEEDED" in os.environ:
    needed()

total = 0

def square(n):
    time.sleep(0.006)
    return n * n

def grow(n):
    time.sleep(0.003)
    return [n] * 20_000

def total_of(numbers, n):
    time.sleep(0.003)
    return sum(numbers) + n

def look(table, n):
    time.sleep(0.006)
    return int(table[n])

def shift(array, n):
    time.sleep(0.006)
    return array + n

def quick(n):
    return n + 1

def talk(n):
    print("call", n)
    sys.stderr.flush()
    return n

def step(n):
    time.sleep(0.006)
    return (n * 7 + 3) % 1009

def fails(n):
    time.sleep(0.003)
    if n % 5 == 4:
        raise ValueError(f"not {n}")
    return n

def child(n):
    import subprocess
    return subprocess.run(["printf", "%s", str(n)], capture_output=True, text=True).stdout

def read(name):
    time.sleep(0.003)
    with open(name) as file:
        return file.read()

def render(n):
    time.sleep(0.003)
    with open("frame.txt", "w") as file:
        file.write(f"frame {n}")
    os.rename("frame.txt", f"frame{n}.txt")
    return n

def note(n):
    time.sleep(0.004)
    file = os.open(os.environ["CHAOS_NOTED"], os.O_CREAT | os.O_APPEND | os.O_WRONLY)
    os.write(file, f"{n}\\n".encode())
    os.close(file)
    return n

def add(n):
    global total
    total += n
    note(n)
    return total

def start_over():
    global total
    total = 0
"""

OUTER = """
import work

def twice(n):
    return work.square(n) + work.square(n + 1)

def noted(n):
    return work.note(n)
"""

_ON = "pure = true\ninline = false\n"
_EACH = "for n in range({count}):\n"
_CATCHING = (
    "for n in range({count}):\n"
    "    try:\n        print(n, {call}, flush=True)\n"
    "    except Exception as error:\n        print(n, type(error).__name__, flush=True)\n"
)

PURE = (
    Subject("square", "import work\nprint([work.square(n) for n in range(60)])\n", _ON),
    Subject(
        "loop", "import work\nfor n in range(50):\n    print(work.square(n), flush=True)\n", _ON
    ),
    Subject(
        "passed",
        "import work\nfor n in range(40):\n    print(work.total_of(work.grow(n), n))\n",
        _ON,
    ),
    Subject(
        "resident",
        "import numpy as np, work\n"
        "tables = np.arange(400_000), np.arange(400_000) * 3\n"
        "print([work.look(tables[n % 2], n) for n in range(50)])\n",
        _ON + 'resident = ["table"]\n',
    ),
    Subject(
        "large",
        "import numpy as np, work\n"
        "for n in range(30):\n"
        "    print(int(work.shift(np.arange(100_000 + n), n).sum()))\n",
        _ON,
    ),
    Subject(
        "quick",
        "import work\nprint(sum(work.quick(n) for n in range(20_000)))\n",
        _ON,
        is_many=True,
    ),
    Subject(
        "talking",
        "import work\nfor n in range(300):\n    print(work.talk(n))\n",
        _ON,
        is_many=True,
    ),
    Subject(
        "chain",
        "import work\n"
        "ends = []\n"
        "for first in range(4):\n"
        "    n = first\n"
        "    for _ in range(12):\n"
        "        n = work.step(n)\n"
        "        if n % 2:\n"
        "            print(n)\n"
        "    ends.append(n)\n"
        "print(ends)\n",
        _ON,
        more="[run]\ncopies = true\n",
    ),
    Subject(
        "failing",
        "import work\n"
        "for n in range(40):\n"
        "    try:\n        print(work.fails(n))\n"
        "    except ValueError as error:\n        print(error)\n",
        _ON,
    ),
    Subject(
        "children",
        "import work\nprint([work.child(n) for n in range(30)])\n",
        "repeatable = true\ninline = false\n",
    ),
    Subject(
        "reading",
        "import work\n"
        "for n in range(30):\n"
        '    with open("text", "w") as file:\n        file.write(str(n // 3))\n'
        '    print(work.read("text"))\n',
        _ON,
        makes="text",
    ),
    Subject(
        "threads",
        "import work\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "with ThreadPoolExecutor(4) as pool:\n"
        "    print(list(pool.map(work.square, range(60))))\n",
        _ON,
    ),
    Subject(
        "threaded",
        "import work\nprint([work.square(n) for n in range(80)])\n",
        _ON + "threads = 3\n",
    ),
    Subject(
        "nested",
        "import outer\nprint([outer.twice(n) for n in range(25)])\n",
        _ON,
        more="[remote.outer]\npure = true\ninline = false\nreplicas = 2\n",
    ),
    Subject(
        "unplanned",
        "import work\nprint([work.square(n) for n in range(60)])\n",
        None,
        varies=False,
    ),
    Subject(
        "session",
        "import contextlib, os, work\n"
        'if "CHAOS_PLAIN" in os.environ:\n'
        "    session = contextlib.nullcontext\n"
        "else:\n"
        "    from cord import session\n"
        "for _ in range(2):\n"
        "    with session():\n"
        "        print([work.square(n) for n in range(25)])\n",
        _ON,
        command="python",
    ),
    Subject(
        "rendering",
        "import work\nprint([work.render(n) for n in range(25)])\n",
        "scratch = true\ninline = false\n",
        makes="frame",
    ),
    Subject(
        "script",
        "import time\n"
        "def square(n):\n    time.sleep(0.006)\n    return n * n\n"
        'if __name__ == "__main__":\n'
        "    print([square(n) for n in range(60)])\n",
        None,
        more="[remote.main]\npure = true\ninline = false\n",
    ),
    Subject(
        "independent",
        "import work\nprint([work.note(n) for n in range(40)])\n",
        "independent = true\n",
        Effects.INDEPENDENT,
    ),
    Subject(
        "independent, one by one",
        "import work\nfor n in range(40):\n    print(work.note(n), flush=True)\n",
        "independent = true\n",
        Effects.INDEPENDENT,
    ),
)

KEEPING = (
    Subject(
        "noting",
        "import work\nfor n in range(40):\n    print(work.note(n), flush=True)\n",
        "",
        Effects.ORDERED,
    ),
    Subject(
        "catching",
        "import work\n" + _CATCHING.format(count=40, call="work.note(n)"),
        "",
        Effects.ORDERED,
        catches=True,
    ),
    Subject(
        "adding",
        "import work\nfor n in range(40):\n    print(n, work.add(n), flush=True)\n",
        "",
        Effects.ORDERED,
        keeps=True,
    ),
    Subject(
        "adding, catching",
        "import work\n" + _CATCHING.format(count=40, call="work.add(n)"),
        "",
        Effects.ORDERED,
        catches=True,
        keeps=True,
    ),
    Subject(
        "adding beside pure ones",
        "import work\n"
        "for n in range(30):\n"
        "    try:\n        print(n, work.add(n), flush=True)\n"
        "    except Exception as error:\n        print(n, type(error).__name__, flush=True)\n"
        "    work.square(n)\n",
        "functions.square.pure = true\n",
        Effects.ORDERED,
        catches=True,
        keeps=True,
    ),
    Subject(
        "nested, noting",
        "import outer\nfor n in range(40):\n    print(outer.noted(n), flush=True)\n",
        "",
        Effects.ORDERED,
        more="[remote.outer]\n",
    ),
    Subject(
        "session, adding",
        "import contextlib, os, work\n"
        'if "CHAOS_PLAIN" in os.environ:\n'
        "    session = contextlib.nullcontext\n"
        "else:\n"
        "    from cord import session\n"
        "with session():\n"
        "    for n in range(40):\n        print(n, work.add(n), flush=True)\n",
        "",
        Effects.ORDERED,
        keeps=True,
        command="python",
    ),
)
# Those that run on nodes too: what they need is there, and nothing of them is this machine's.
ON_NODES = tuple(
    subject
    for subject in (*PURE, *KEEPING)
    if subject.name
    in {
        "square",
        "passed",
        "resident",
        "large",
        "noting",
        "catching",
        "independent",
        "adding, catching",
        "nested",
    }
)
