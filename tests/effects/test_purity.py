"""Which functions are surely pure, which are not, and which cannot be told."""

from __future__ import annotations

import pytest
from effects_lab import analyse, is_sure, report, warnings

PURE = {
    "arithmetic": "def f(x):\n    return x * x + 1",
    "names that are rebound": "def f(x):\n    x = sorted(x)\n    x.append(1)\n    return x",
    "lists of its own": "def f(n):\n    a = [0]\n    a.append(n)\n    a[0] = 2\n    return a",
    "groups of arguments": """
        def f(rows):
            groups = {}
            for row in rows:
                groups.setdefault(len(row), []).append(row)
            return groups
        """,
    "nested lists of its own": """
        def f(n):
            grid = [[0] * n for _ in range(n)]
            for i in range(n):
                grid[i][i] = 1
            return grid
        """,
    "a queue": """
        from collections import deque
        def f(start, edges):
            seen, queue = {start}, deque([start])
            while queue:
                for other in edges[queue.popleft()]:
                    if other not in seen:
                        seen.add(other)
                        queue.append(other)
            return seen
        """,
    "printing": "def f(x):\n    print(x)\n    return x",
    "printing to a text of its own, and to stderr": """
        import io, sys
        def f(x):
            out = io.StringIO()
            print(x, file=out)
            print(x, file=None)
            print(x, file=sys.stderr)
            return out.getvalue()
        """,
    "raising": "def f(x):\n    if x < 0:\n        raise ValueError(f'{x} is negative')",
    "countdown": "def f(n):\n    while n > 1:\n        n -= 1\n    return n",
    "reading a constant": "LIMITS = {'a': 1}\ndef f(x):\n    return LIMITS[x]",
    "a table filled at import": """
        TABLE = []
        def fill():
            for i in range(9):
                TABLE.append(i)
        fill()
        def f(i):
            return TABLE[i]
        """,
    "objects of its own": """
        class Counter:
            def __init__(self, words):
                self.words = words
                self.counts = {}
            def count(self):
                for word in self.words:
                    self.counts[word] = self.counts.get(word, 0) + 1
                return self.counts
        def f(words):
            return Counter(words).count()
        """,
    "closures of its own": """
        def counter():
            n = 0
            def step():
                nonlocal n
                n += 1
                return n
            return step
        def f(x):
            step = counter()
            return x + step()
        """,
    "inner functions": """
        def f(tree):
            leaves = []
            def visit(node):
                if isinstance(node, int):
                    leaves.append(node)
                else:
                    for child in node:
                        visit(child)
            visit(tree)
            return leaves
        """,
    "decorators of the project": """
        import functools
        def logged(function):
            @functools.wraps(function)
            def wrapper(*args):
                print(args)
                return function(*args)
            return wrapper
        @logged
        def f(x):
            return x
        @logged
        def g(x):
            x.append(1)
        """,
    "caches of what cannot change": """
        from functools import lru_cache
        @lru_cache(None)
        def f(n):
            return n if n < 2 else f(n - 1) + f(n - 2)
        """,
    "generators": "def rows(n):\n    for i in range(n):\n        yield i\ndef f(n):\n"
    "    return sum(rows(n))",
    "tables of functions": "def a(x):\n    return x\nWAYS = {'a': a}\ndef f(x):\n"
    "    return WAYS['a'](x)",
    "partial functions": "from functools import partial\ndef a(x, y):\n    return x + y\n"
    "add = partial(a, 1)\ndef f(x):\n    return add(x)",
    "methods as values": "def f(rows):\n    out = []\n    add = out.append\n"
    "    for row in rows:\n        add(row)\n    return out",
    "libraries": """
        import math, re, json, hashlib, heapq, itertools, statistics
        from datetime import timedelta
        WORD = re.compile('[a-z]+')
        def f(text: str, n):
            heap = []
            heapq.heappush(heap, n)
            words = WORD.findall(text.lower())
            pairs = list(itertools.combinations(words, 2))
            digest = hashlib.sha256(text.encode()).hexdigest()
            return json.dumps([math.sqrt(n), statistics.mean([n]), digest, pairs]), timedelta(n)
        """,
    "random numbers with a seed": "import random\ndef f(seed):\n"
    "    return random.Random(seed).random()",
    "arrays of its own": "import numpy as np\ndef f(a):\n    b = np.zeros(3)\n    b += a\n"
    "    b[0] = 1\n    return b",
    "match": "def f(x):\n    match x:\n        case [a, *rest]:\n            return a\n"
    "        case {'k': v}:\n            return v",
    "named tuples": "from collections import namedtuple\nP = namedtuple('P', 'x y')\ndef f(x):\n"
    "    return P(x, x)",
    "dataclasses": "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: list\n"
    "def f(x):\n    p = P([])\n    p.x.append(1)\n    return p",
    "defaults of fields": """
        from dataclasses import dataclass, field
        @dataclass
        class P:
            tags: list = field(default_factory=list)
            def add(self, tag):
                self.tags.append(tag)
        def f(x):
            p = P()
            p.add(x)
            return p
        """,
    "a decimal context of its own": """
        import decimal
        def f(x):
            with decimal.localcontext() as context:
                context.prec = 50
                return decimal.Decimal(x).sqrt()
        """,
    "copies of rows": """
        import numpy
        def f(grid):
            grid = [row[:] for row in grid]
            def solve(i):
                grid[i][0] = 1
                return i == 0 or solve(i - 1)
            solve(8)
            return grid
        """,
    "inherited methods": """
        class Base:
            def run(self, x):
                return self.step(x)
        class Double(Base):
            def step(self, x):
                return 2 * x
        def f(x):
            return Double().run(x)
        """,
}


@pytest.mark.parametrize("source", PURE.values(), ids=PURE)
def test_surely_pure(source: str) -> None:
    found = report(source)
    assert is_sure(found), (found.reasons, found.warnings)


IMPURE = {
    "global statement": (
        "count = 0\ndef f():\n    global count\n    count += 1",
        "4: f is declared pure, but writes the global count",
    ),
    "item of a global": (
        "CACHE = {}\ndef f(x):\n    CACHE[x] = 1",
        "3: f is declared pure, but changes the global CACHE",
    ),
    "deleted item": (
        "CACHE = {}\ndef f(x):\n    del CACHE[x]",
        "3: f is declared pure, but changes the global CACHE",
    ),
    "alias": (
        "LOG = []\ndef f(x):\n    log = LOG\n    log.append(x)",
        "4: f is declared pure, but changes the global LOG",
    ),
    "part of a global": (
        "TABLE = {'a': []}\ndef f(x):\n    TABLE['a'].append(1)",
        "3: f is declared pure, but changes the global TABLE",
    ),
    "given to a helper": (
        "LOG = []\ndef put(log, x):\n    log.append(x)\ndef f(x):\n    put(LOG, x)",
        "3: f is declared pure, but changes the global LOG, through put() at line 5",
    ),
    "two calls away": (
        "n = 0\ndef a():\n    global n\n    n = 1\ndef b():\n    a()\ndef f():\n    b()",
        "4: f is declared pure, but writes the global n, through b() at line 8, a() at line 6",
    ),
    "method of a global object": (
        """
        class Store:
            def __init__(self):
                self.rows = []
            def add(self, row):
                self.rows.append(row)
        STORE = Store()
        def f(row):
            STORE.add(row)
        """,
        "6: f is declared pure, but changes the global STORE, through Store.add() at line 9",
    ),
    "attribute of a class": (
        "class C:\n    made = 0\n    def __init__(self):\n        C.made += 1\ndef f():\n    C()",
        "4: f is declared pure, but writes the global C.made, through C.__init__() at line 6",
    ),
    "list of a class": (
        "class C:\n    all = []\n    def add(self):\n        self.all.append(1)\n"
        "def f():\n    C().add()",
        "4: f is declared pure, but changes the global C.all, through C.add() at line 6",
    ),
    "attribute of a function": (
        "def f():\n    f.calls = 1",
        "2: f is declared pure, but writes calls of f()",
    ),
    "attribute of a module": (
        "import config\ndef f():\n    config.LIMIT = 1",
        "3: f is declared pure, but changes config.LIMIT",
    ),
    "property": (
        "n = 0\nclass C:\n    @property\n    def size(self):\n        global n\n        n = 1\n"
        "def f(c: 'C'):\n    return c.size",
        "6: f is declared pure, but writes the global n, through C.size() at line 8",
    ),
    "operator": (
        "LOG = []\nclass C:\n    def __add__(self, other):\n        LOG.append(other)\n"
        "def f(x):\n    return C() + x",
        "4: f is declared pure, but changes the global LOG, through C.__add__() at line 6",
    ),
    "closure that lives on": (
        "def counter():\n    n = 0\n    def step():\n        nonlocal n\n        n += 1\n"
        "        return n\n    return step\nnext_id = counter()\ndef f():\n    return next_id()",
        "5: f is declared pure, but changes n of counter(), through step() at line 10",
    ),
    "generator": (
        "LOG = []\ndef rows():\n    LOG.append(1)\n    yield 1\ndef f():\n    return list(rows())",
        "3: f is declared pure, but changes the global LOG, through rows() at line 6",
    ),
    "key function": (
        "LOG = []\ndef key(x):\n    LOG.append(x)\ndef f(rows):\n    return sorted(rows, key=key)",
        "3: f is declared pure, but changes the global LOG, through key() at line 5",
    ),
    "iterator of a global": (
        "import itertools\nIDS = itertools.count()\ndef f():\n    return next(IDS)",
        "4: f is declared pure, but changes the global IDS",
    ),
}


@pytest.mark.parametrize(("source", "said"), IMPURE.values(), ids=IMPURE)
def test_writes(source: str, said: str) -> None:
    assert warnings(source, config="LIMIT = 0") == [said]
    assert report(source, config="LIMIT = 0").verdict == "impure"


@pytest.mark.parametrize(
    ("imported", "expression", "said"),
    [
        ("import time", "time.time()", "reads the clock"),
        ("from datetime import datetime", "datetime.now()", "reads the clock"),
        ("import random", "random.choice([1])", "uses random numbers"),
        ("from random import random", "random()", "uses random numbers"),
        ("import random", "random.Random()", "uses random numbers"),
        ("import numpy as np", "np.random.rand(3)", "uses random numbers"),
        ("import uuid", "uuid.uuid4()", "uses random numbers"),
        ("import os", "os.environ['HOME']", "reads the environment"),
        ("import os", "os.environ.get('HOME')", "reads the environment"),
        ("from os import environ", "environ['HOME']", "reads the environment"),
        ("import os", "os.getcwd()", "reads the environment"),
        ("", "open('x').name", "reads files"),
        ("", "open('x', 'w')", "writes files"),
        ("", "print(1, file=open('x', 'w'))", "writes files"),
        ("import os", "os.listdir('.')", "reads files"),
        ("from pathlib import Path", "Path('x').read_text()", "reads files"),
        ("import os", "os.remove('x')", "writes files"),
        ("", "input()", "reads standard input"),
        ("import sys", "sys.stdin.readline()", "reads standard input"),
        ("import os", "os.getpid()", "depends on its process"),
        ("import subprocess", "subprocess.run(['ls'])", "depends on its process"),
        ("import requests", "requests.get('http://x')", "uses the network"),
        ("import requests; S = requests.Session()", "S.get('http://x').text", "uses the network"),
        ("import httpx; C = httpx.Client()", "C.get('http://x')", "uses the network"),
        ("import decimal", "decimal.setcontext(None)", "changes the settings of decimal"),
        ("import os", "os.environ.update(a='b')", "changes the settings of the environment"),
    ],
)
def test_libraries_with_effects(imported: str, expression: str, said: str) -> None:
    found = warnings(f"{imported}\ndef f():\n    return {expression}")
    assert f"3: f is declared pure, but {said}" in found


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            "import lib\ndef f(x):\n    return lib.run(x)",
            "it calls lib.run (line 3), which is not known",
        ),
        (
            "def f(x):\n    return x.frobnicate()",
            "it calls x.frobnicate (line 2), which is not known",
        ),
        ("def f(g, x):\n    return g(x)", "it calls g, which it is given (line 2)"),
        (
            "def f(x: int, out=None):\n    print(x, file=out)",
            "it calls out.write (line 2), which is not known",
        ),
        ("def f(x):\n    return eval(x)", "it calls eval (line 2), which is not known"),
        (
            "import lib\nclient = lib.Client()\ndef f(x):\n    return client.get(x)",
            "it calls client.get (line 4), which is not known",
        ),
        (
            "import lib\n@lib.retry(times=3)\ndef f(x):\n    return x",
            "it calls its decorator lib.retry (line 2), which is not known",
        ),
        (
            "import lib\nretry = lib.Retry()\n@retry\ndef f(x):\n    return x",
            "it calls its decorator retry (line 3), which is not known",
        ),
    ],
)
def test_what_cannot_be_told(source: str, reason: str) -> None:
    found = report(source)
    assert (found.verdict, found.reasons, found.warnings) == ("unknown", [reason], [])


COUNTED = """
    import functools
    calls = 0
    def counted(function):
        @functools.wraps(function)
        def wrapper(*args):
            global calls
            calls += 1
            return function(*args)
        return wrapper
    """
FACTORY = """
    seen = {}
    def memo(size):
        def decorate(function):
            def wrapper(x):
                seen[x] = True
                return function(x)
            return wrapper
        return decorate
    """
AS_A_CLASS = """
    class Counted:
        made = 0
        def __init__(self, function):
            self.function = function
        def __call__(self, x):
            Counted.made += 1
            return self.function(x)
    """


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            f"{COUNTED}@counted\n    def f(x):\n        return x",
            "8: f is declared pure, but writes the global calls, through wrapper() at line 11",
        ),
        (
            f"{COUNTED}@counted\n    def g(x):\n        return x\n"
            "    def f(x):\n        return g(x)",
            "8: f is declared pure, but writes the global calls, through g() at line 15, "
            "wrapper() at line 11",
        ),
        (
            f"{FACTORY}@memo(3)\n    def f(x):\n        return x",
            "6: f is declared pure, but changes the global seen, through wrapper() at line 10",
        ),
        (
            f"{AS_A_CLASS}@Counted\n    def f(x):\n        return x",
            "7: f is declared pure, but writes the global Counted.made, "
            "through Counted.__call__() at line 9",
        ),
    ],
)
def test_what_a_decorator_puts_around_a_function_is_done_by_its_calls(
    source: str, said: str
) -> None:
    assert warnings(source) == [said]


def test_what_a_decorator_puts_around_a_method_is_done_by_its_calls() -> None:
    cls = "class C:\n        @counted\n        def g(self, x):\n            return x\n"
    source = f"{COUNTED}{cls}    def f(x):\n        return C().g(x)"
    assert warnings(source) == [
        "8: f is declared pure, but writes the global calls, through C.g() at line 16, "
        "wrapper() at line 12"
    ]


def test_what_the_user_assumes_is_known() -> None:
    source = "import lib\ndef f(x):\n    return lib.run(x)"
    assert report(source, assumed=("lib.run",)).verdict == "pure"


def test_a_function_passed_to_a_helper_is_what_it_calls() -> None:
    source = "def apply(g, x):\n    return g(x)\ndef change(x):\n    x.sort()\ndef f(x):\n"
    assert report(source + "    return apply(len, x)").verdict == "pure"
    assert warnings(source + "    return apply(change, x)") == [
        "4: f changes its argument x, through change() at line 6: such calls do not start early"
    ]


def test_effects_of_functions_that_nobody_calls() -> None:
    source = "def p(x):\n    print(x)\ndef f(x):\n    return [x]\ndef g(x):\n    x.sort()\n"
    known = analyse(source)
    assert all(known.is_known("work", name) for name in "pfg")
    assert not known.summary("work", "f").effects
    assert known.summary("work", "p").effects
    assert known.summary("work", "g").effects


def test_a_method_is_not_what_its_name_means_in_the_module() -> None:
    work = """
        class Rows:
            seen = []
            def map(self, x): self.seen.append(x)
        def f(xs): return list(map(str, xs))
    """
    assert is_sure(report(work))
