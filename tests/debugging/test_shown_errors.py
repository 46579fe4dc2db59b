"""What a program shows of errors and of its stack: under Cord, byte for byte, what Python shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

PLANS = {
    "ahead": '[remote.work]\nreplicas = 2\ncallstyle = "async"\npure = true\n',
    "in place": "[remote.work]\nreplicas = 1\n",
}
WORK = """\
import logging
import sys
import traceback


def ok(x):
    return x + 1


def fails(x):
    if x >= 2:
        raise ValueError(f"bad value {x}")
    return x


def chained(x):
    try:
        fails(x)
    except ValueError as error:
        raise RuntimeError("wrapped") from error
    return x


def group(x):
    found = []
    for n in range(2):
        try:
            fails(x + n)
        except ValueError as error:
            error.add_note("a note")
            found.append(error)
    if found:
        raise ExceptionGroup("all of them", found)
    return x


def misnamed(x):
    score = 3
    return scores + x


def logs(x):
    try:
        fails(x)
    except ValueError:
        logging.exception("in a remote function")
        traceback.print_exc()
    return x


def evaluated(x):
    return eval("x + undefined")


def interrupts(x):
    if x >= 2:
        raise KeyboardInterrupt
    return x


def leaves(x):
    if x >= 2:
        sys.exit(f"enough of {x}")
    return x


class Odd(Exception):
    def __init__(self, number, word):
        super().__init__(number)
        self.word = word

    def __str__(self):
        return f"odd {self.args} {self.word}"


def odd(x):
    raise Odd(x, "bee")
"""
LOOP = (
    "import work\n\n\ndef main():\n    for x in range(4):\n        print(work.{0}(x))\n\n\nmain()\n"
)
PROGRAMS = {
    **{
        name: LOOP.format(name)
        for name in "fails chained group misnamed logs evaluated interrupts leaves odd".split()
    },
    "in a comprehension": "import work\nprint([work.fails(x) for x in range(4)])\n",
    "as a key": "import work\nprint(sorted(range(4), key=work.fails))\n",
    "raised from": (
        "import work\n\ntry:\n    work.fails(3)\nexcept ValueError as error:\n"
        "    raise RuntimeError('outer') from error\n"
    ),
    "while handling": (
        "import work\n\ntry:\n    work.fails(3)\nexcept ValueError as error:\n"
        "    error.add_note('more')\n    print({}['missing'])\n"
    ),
    "collected in a group": (
        "import work\n\nerrors = []\nfor x in range(4):\n    try:\n        work.fails(x)\n"
        "    except ValueError as error:\n        errors.append(error)\n"
        "raise ExceptionGroup('all', errors)\n"
    ),
    "logged": (
        "import logging, work\n\nfor x in range(4):\n    try:\n        work.fails(x)\n"
        "    except ValueError:\n        logging.exception('at %s', x)\n"
    ),
    "of its own": (
        "import work\n\n\ndef main():\n    for x in range(4):\n        if work.ok(x) > 3:\n"
        "            raise ValueError('own')\n\n\nmain()\n"
    ),
    "a hook": (
        "import sys, traceback, work\n\n\ndef hook(kind, value, where):\n"
        "    print('hook', kind, value, file=sys.stderr)\n    traceback.print_tb(where)\n\n\n"
        "sys.excepthook = hook\nwork.fails(3)\n"
    ),
    "a task group": (
        "import asyncio, work\n\n\nasync def one(x):\n    return work.fails(x)\n\n\n"
        "async def main():\n    async with asyncio.TaskGroup() as group:\n"
        "        for x in range(4):\n            group.create_task(one(x))\n\n\n"
        "asyncio.run(main())\n"
    ),
    "no Python": "import work\nprint(work.ok(1)\n",
    "no Python in a function": "import work\n\n\ndef f():\n    return = 3\n",
    "a name that is not there": "import work\nvalue = work.ok(1)\nprint(valu, work.okk(1))\n",
    "interrupted": "import work\nprint(work.ok(1))\nraise KeyboardInterrupt\n",
    "its stack": (
        "import faulthandler, inspect, logging, sys, traceback, work\n\n\ndef f(x):\n"
        "    traceback.print_stack()\n    logging.warning('here', stack_info=True)\n"
        "    print([(frame.function, frame.lineno) for frame in inspect.stack()])\n"
        "    faulthandler.dump_traceback(all_threads=False)\n    return work.ok(x)\n\n\n"
        "for x in range(3):\n    print(f(x))\nprint(sys._getframe().f_back)\n"
    ),
    "the level of a warning": (
        "import warnings, work\n\nfor x in range(3):\n    work.ok(x)\n"
        "    warnings.warn('inside')\n    warnings.warn('above', stacklevel=2)\n"
    ),
    "recursion without end": (
        "import work\n\nprint(work.ok(1))\n\n\ndef f(n):\n    return f(n + 1)\n\n\nf(0)\n"
    ),
    "the depth of recursion": (
        "import sys, work\n\nprint(work.ok(1))\nsys.setrecursionlimit(500)\ndepth = 0\n\n\n"
        "def f():\n    global depth\n    depth += 1\n    f()\n\n\ntry:\n    f()\n"
        "except RecursionError:\n    print(depth, sys.getrecursionlimit())\nprint(work.ok(2))\n"
    ),
}


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_shown(project: Callable[..., Any], name: str, plan: str) -> None:
    files = {"work.py": WORK, "main.py": PROGRAMS[name]}
    report = "[report]\nwarn = false\n"  # functions that log and leave are not pure, to be sure
    one = project({**files, "cord.toml": PLANS[plan] + report})
    plain, cord = one.run("main.py", cord=False), one.run("main.py")
    assert (cord.returncode, cord.stdout, cord.stderr) == (
        plain.returncode,
        plain.stdout,
        plain.stderr,
    )
