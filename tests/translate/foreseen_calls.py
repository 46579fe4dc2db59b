"""Programs, and which calls a scout issues that starts at one of their calls.

``rest`` is ALL where the scout foresees every call that the program makes afterwards, in order;
else the calls that it issues. The program imports f, g (pure) and h (not declared pure) from the
remote module work; f gives its first argument back, g ten times it.
"""

from __future__ import annotations

from typing import NamedTuple

ALL = "all"


class Row(NamedTuple):
    about: str
    text: str
    rest: str = ALL
    start: int = 1


STRAIGHT = [
    Row("one call after another", "f(1)\nf(2)\ng(3)\n"),
    Row("arguments inside arguments of no call", "x = 3\nf(x)\nf((x, [x + 1], {'a': x}))\n"),
    Row("keywords", "f(1)\nf(2, k=3)\nf(*[4, 5], **{'k': 6})\n"),
    Row("results that nobody reads", "a = f(1)\nb = f(2)\nc = f(3)\n"),
    Row("a value that is a result", "a = f(1)\nf(a)\nf(2)\n"),
    Row("a call inside a call", "f(g(1))\nf(2)\n"),
    Row("what is computed from results", "a = f(1)\nb = [g(2), a + 1]\nf(b[0])\nf(b)\nf(5)\n"),
    Row(
        "a chain through each turn",
        "for i in range(3):\n    a = f(i)\n    b = g(a + 1)\n    f((a, b))\n",
    ),
    Row("a fold", "n = 1\nfor i in range(4):\n    n = f(n + i)\nf(n)\n"),
    Row(
        "results kept in a list that another loop reads",
        "kept = []\nfor i in range(3):\n    kept.append(f(i))\n"
        "for i, x in enumerate(kept):\n    g(x + i)\n",
    ),
    Row(
        "two lists that change places",
        "old, new = [1, 2, 3], [0, 0, 0]\nfor _ in range(2):\n    for i in range(3):\n"
        "        new[i] = f(old[i] + 1)\n    old, new = new, old\n",
    ),
    Row(
        "continue on a result",
        "for i in range(4):\n    a = f(i)\n    if a == 2:\n        continue\n    g(a)\n",
    ),
    Row(
        "a while on a result",
        "for i in range(3):\n    n = i\n    while n < 3:\n        n = f(n + 1)\n",
    ),
    Row("unpacking", "a, (b, *c) = 1, (2, 3, 4)\nf(a)\nf(b)\nf(c)\n"),
    Row("unpacking after the start", "f(0)\na, (b, *c) = 1, (2, 3, 4)\nf(a)\nf(b)\nf(c)\n"),
    Row("walrus", "f(0)\nf(n := 5)\nf(n + 1)\n"),
    Row("f-strings", "f(0)\nname = 'x'\nf(f'{name!r:>5}|{3:02d}')\n"),
    Row("slices and subscripts", "f(0)\nw = 'abcdef'\nf(w[1:3])\nf(w[-1])\nf([1, 2, 3][::2])\n"),
    Row(
        "chained comparisons and conditional values",
        "f(0)\nx = 2\nf(1 < x < 3)\nf(x if x else 9)\n",
    ),
    Row("short circuits of values", "f(0)\nx = 0\nf(x or 7)\nf(x and 7)\nf(not x)\n"),
    Row("a short circuit around a call", "f(0)\nx = 0\nx and f(1)\nx or f(2)\n"),
    Row("chained assignment", "f(0)\na = b = 3\nf(a)\nf(b)\n"),
    Row("augmented assignment", "n = 1\nf(n)\nn += 4\nf(n)\nn *= 2\nf(n)\n"),
    Row(
        "pure builtins and methods", "f(0)\nf(sorted([3, 1, 2]))\nf('a b'.split())\nf(len('abc'))\n"
    ),
    Row("library functions", "import math\nf(0)\nf(math.gcd(12, 18))\n"),
    Row("an unknown function hides only what it returns", "f(0)\nx = id(f)\nf(x)\nf(1)\n", "f(1)"),
    Row("print is left to the program", "f(0)\nprint(end='')\nf(1)\n"),
    Row("a call that is not declared pure is left to the program", "f(0)\nh(1)\nf(2)\n", "f(2)"),
    Row("a scout that starts later sees the rest only", "f(1)\nf(2)\nf(3)\n", ALL, 2),
    Row("the last call", "f(1)\n", ""),
]

CONDITIONS = [
    Row(
        "both branches",
        "for i in range(6):\n    if i % 2:\n        f(i)\n    else:\n        g(i)\n",
    ),
    Row("elif", "for i in range(5):\n    if i < 2: f(i)\n    elif i < 4: g(i)\n    else: f(-i)\n"),
    Row("an if on a result", "if f(1):\n    f(2)\nf(3)\n"),
    Row("what an if on a result may change", "x = 1\nif f(1):\n    x = 2\nf(x)\nf(3)\n"),
    Row("from inside a branch", "x = 1\nif x:\n    f(1)\n    f(2)\nelse:\n    f(3)\nf(4)\n"),
    Row(
        "match",
        """
        for v in [0, 1, (2, 3), [4], {"k": 5}, "s"]:
            match v:
                case 0: f("zero")
                case int(): f("int")
                case (a, b): f(a, b)
                case [a]: g(a)
                case {"k": k}: f(k)
                case _: f("other")
        """,
    ),
    Row("assert", "f(0)\nx = 1\nassert x == 1\nf(x)\n"),
]

LOOPS = [
    Row("for", "for i in range(5):\n    f(i)\n"),
    Row("for, from the middle", "for i in range(5):\n    f(i)\n", ALL, 3),
    Row("two calls in a turn", "for i in range(3):\n    f(i)\n    g(i)\n", ALL, 2),
    Row("nested for", "for i in range(3):\n    for j in range(i):\n        f(i, j)\n", ALL, 2),
    Row("for else", "for i in range(3):\n    f(i)\nelse:\n    g(i)\nf(9)\n"),
    Row("continue", "for i in range(6):\n    if i % 2: continue\n    f(i)\n"),
    Row("break", "for i in range(6):\n    f(i)\n    if i == 2: break\nelse:\n    f(-1)\nf(7)\n"),
    Row(
        "break on a result that is there",
        "for i in range(4):\n    if f(i) == 2: break\nf(9)\n",
    ),
    Row(
        "variables as they are at a break",
        "hit = None\nfor i in range(5):\n    if f(i) == 2:\n        hit = i * 3\n        break\n"
        "f(hit, i)\n",
    ),
    Row(
        "a loop that was not left",
        "hit = None\nfor i in range(3):\n    if f(i) == 7:\n        hit = i\n        break\n"
        "else:\n    hit = 5\nf(hit)\n",
    ),
    Row(
        "a loop inside a loop, left by a result",
        "for n in range(3):\n    hit = None\n    for i in range(5):\n        if f(n, i) == n:\n"
        "            hit = i\n            break\n    f(hit)\n",
    ),
    Row(
        "while with a break on a result",
        "i = 0\nwhile True:\n    if f(i) > 3: break\n    i += 1\nf(i * 10)\n",
    ),
    Row(
        "a break out of try and finally",
        "n = 0\nfor i in range(4):\n    try:\n        if f(i) == 1: break\n"
        "    finally:\n        n = i\nf(n)\n",
    ),
    Row(
        "a continue on a result",
        "for i in range(4):\n    if f(i) % 2: continue\n    f(i, i)\n",
    ),
    Row(
        "continues on results, one behind another",
        "for i in range(9):\n    a = f(i)\n    if a % 2:\n        continue\n    b = f(i, a)\n"
        "    if b > 4:\n        b = 1\n    else:\n        continue\n    f(a + b)\n",
    ),
    Row(
        "a continue before what the next turn reads is not expected",
        "last = 0\nfor i in range(4):\n    if f(i, last) == 1: continue\n    last = f(i + 10)\n",
        "f(10) f(1, 10) f(11) f(2, 11) f(12) f(3, 12) f(13)",
    ),
    Row("while with a call in its condition", "x = 0\nwhile f(x) < 3:\n    x += 1\nf(x * 10)\n"),
    Row(
        "while whose condition's call needs the one before",
        "x = 1\nwhile (y := g(x)) < 5000:\n    x = y\nf(x)\n",
    ),
    Row("any", "f(9)\nif any(f(x) == 2 for x in range(5)):\n    f(7)\nf(8)\n"),
    Row("all", "f(9)\nif not all(f(x) < 2 for x in range(5) if x != 1):\n    f(7)\nf(8)\n"),
    Row("all that holds", "f(9)\nif all(map(f, [1, 2, 3])):\n    f(7)\n"),
    Row("next", "f(9)\nf(next((x * 2 for x in range(5) if f(x) == 2), None))\n"),
    Row("next that finds nothing", "f(9)\nf(next((x for x in range(3) if f(x) == 9), 'none'))\n"),
    Row("in a map", "f(9)\nfor wanted in (1, 3):\n    f(wanted in map(f, range(5)))\n"),
    Row("not in a generator expression", "f(9)\nf(2 not in (f(x) for x in range(5)))\n"),
    Row(
        "any over two loops",
        "f(9)\nif any(f(x + y) == 3 for x in range(4) for y in (0, 10)):\n    f(7)\n",
    ),
    Row("pairs", "for k, v in {'a': 1, 'b': 2, 'c': 3}.items():\n    f(k, v)\n"),
    Row("enumerate of zip", "for i, (a, b) in enumerate(zip('abc', range(9))):\n    f(i, a, b)\n"),
    Row("while", "n = 0\nwhile n < 4:\n    f(n)\n    n += 1\nf(9)\n"),
    Row("while, from the middle", "n = 0\nwhile n < 4:\n    f(n)\n    n += 1\n", ALL, 3),
    Row("while else", "n = 2\nwhile n:\n    f(n)\n    n -= 1\nelse:\n    g(n)\n"),
    Row("while true", "n = 0\nwhile True:\n    n += 1\n    if n > 4: break\n    f(n)\nf(0)\n"),
    Row("a call in the test", "n = 3\nwhile n and f(n) is not None:\n    n -= 1\n"),
    Row("a loop over a result", "for x in f([1, 2]):\n    g(x)\nf(3)\n"),
    Row("a while on results", "n = 3\nwhile n:\n    n = f(n) - 1\nf(9)\n"),
    Row(
        "batches",
        "batch = []\nfor i in range(5):\n    batch.append(i)\n    if len(batch) == 2:\n"
        "        f(batch)\n        batch = []\nf(batch)\n",
    ),
    Row(
        "batches that are cleared",
        "batch = []\nfor i in range(5):\n    batch.append(i)\n"
        "    if len(batch) == 2:\n        f(batch)\n        batch.clear()\nf(batch)\n",
    ),
    Row(
        "a dictionary that grows",
        "seen = {}\nfor w in 'abac':\n    seen[w] = seen.get(w, 0) + 1\n    f(w, seen[w])\n",
    ),
    Row(
        "a queue",
        "todo = [3]\nwhile todo:\n    n = todo.pop()\n    f(n)\n    if n:\n"
        "        todo.append(n - 1)\n",
    ),
    Row("a result put away", "out = []\nfor i in range(3):\n    out.append(f(i))\nf(9)\n"),
    Row(
        "a list that grows while it is walked",
        "todo = [3]\nfor n in todo:\n    f(n)\n    if n:\n        todo.append(n - 1)\n",
        "",
    ),
]

COMPREHENSIONS = [
    Row("list", "[f(i) for i in range(4)]\nf(9)\n"),
    Row("list, from the middle", "[f(i) for i in range(4)]\n", ALL, 3),
    Row("set and dict", "{f(i) for i in range(2)}\n{i: f(i) for i in range(3)}\n"),
    Row(
        "with conditions and two loops", "[f(i, j) for i in range(4) if i % 2 for j in range(i)]\n"
    ),
    Row("a generator expression read at once", "sum(f(i) for i in range(4))\nf(9)\n"),
    Row("one that makes arguments", "f(0)\nf([i * i for i in range(4) if i != 2])\n"),
    Row("names inside hide those outside", "i = 7\n[f(i) for i in range(2)]\nf(i)\n"),
]

FUNCTIONS = [
    Row("a function", "def main():\n    for i in range(3):\n        f(i)\nmain()\n"),
    Row(
        "a helper, seen from outside",
        "def one(x):\n    return f(x)\nfor i in range(4):\n    one(i)\n",
    ),
    Row(
        "a helper that takes keywords and defaults",
        "def one(x, y=2, *, z=3):\n    f(x, y, z)\none(1)\none(1, 5)\none(2, z=9)\n",
    ),
    Row(
        "a helper that takes stars",
        "def one(x, *y, **z):\n    f(x, y, z)\none(1)\none(1, 5, k=6)\n",
    ),
    Row(
        "a helper that only computes",
        "def double(x):\n    return x * 2\nfor i in range(4):\n    f(double(i))\n",
    ),
    Row(
        "a helper with loops and returns",
        "def first_over(n):\n    for i in range(99):\n        if i * i > n:\n            return i\n"
        "    return -1\nfor n in (5, 50, 99999):\n    f(first_over(n))\n",
    ),
    Row(
        "helpers in helpers",
        "def low(x):\n    f(x)\ndef high(x):\n    low(x)\n    low(x + 1)\nhigh(0)\nhigh(10)\n",
    ),
    Row(
        "recursion",
        "def walk(n):\n    f(n)\n    if n > 0:\n        walk(n - 1)\n        walk(n - 2)\n"
        "walk(3)\n",
    ),
    Row(
        "what a recursive function returns",
        "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n"
        "for i in range(6):\n    f(fib(i))\n",
    ),
    Row(
        "divide and conquer",
        "def solve(a, b):\n    if b - a < 2:\n        return f(a)\n    c = (a + b) // 2\n"
        "    x = solve(a, c)\n    y = solve(c, b)\n    return g(x + y)\nf(solve(0, 5))\n",
    ),
    Row(
        "early return in a helper",
        "def one(x):\n    if x == 1:\n        return\n    f(x)\nfor i in range(3):\n    one(i)\n",
    ),
    Row(
        "a return on a result that is there",
        "def main():\n    for i in range(4):\n        if f(i) == 1:\n            return\nmain()\n",
    ),
    Row(
        "a helper that returns when a result says so",
        "def first(n):\n    for i in range(9):\n        if f(n, i) == n:\n            return i\n"
        "    return None\nfor n in range(3):\n    f(n, first(n))\n",
    ),
    Row(
        "a helper that returns out of two loops",
        "def first(n):\n    for i in range(3):\n        for j in range(3):\n"
        "            if f(i * 3 + j) == n:\n                return i, j\n    return None\n"
        "f(0)\nfor n in (4, 2, 10):\n    f(first(n))\n",
    ),
    Row(
        "what a helper returns of a result",
        "def one(x):\n    return f(x)\nf(0)\na = one(1)\nf(a)\nf(2)\n",
    ),
    Row(
        "a helper that decides by results",
        "def one(x):\n    a = f(x)\n    if a == 1:\n        return None\n    return g(a)\n"
        "f(0)\nfor i in range(3):\n    one(i)\n",
    ),
]

EXCEPTIONS = [
    Row(
        "try", "for i in range(3):\n    try:\n        f(i)\n    except ValueError:\n        f(-1)\n"
    ),
    Row("finally", "for i in range(3):\n    try:\n        f(i)\n    finally:\n        g(i)\n"),
    Row(
        "an exception of an argument",
        "for w in ['1', 'x', '3']:\n    try:\n        n = int(w)\n    except ValueError:\n"
        "        g(w)\n        continue\n    f(n)\n",
    ),
    Row(
        "else",
        "for i in range(2):\n    try:\n        n = int('4')\n    except ValueError:\n"
        "        f('no')\n    else:\n        f(n)\n",
    ),
    Row(
        "from inside a handler",
        "try:\n    int('x')\nexcept ValueError:\n    f(1)\n    f(2)\nf(3)\n",
    ),
    Row(
        "raise ends the scout",
        "def one(i):\n    f(i)\n    if i == 2:\n        raise KeyError\n"
        "try:\n    for i in range(9):\n        one(i)\nexcept KeyError:\n    f('end')\n",
        "f(1) f(2)",
    ),
    Row(
        "with",
        "import contextlib\nwith contextlib.nullcontext(5) as x:\n    f(1)\n    f(2)\n"
        "    f(x)\nf(3)\n",
    ),
    Row(
        "what a with that is still to come gives is unknown",
        "import contextlib\nf(1)\nwith contextlib.nullcontext(5) as x:\n    f(x)\n    f(2)\nf(3)\n",
        "f(2) f(3)",
    ),
]

IDIOMS = [
    Row(
        "a pair that moves on",
        "a, b = 1, 2\nfor i in range(3):\n    f(a, b)\n    a, b = b, a + b\n",
    ),
    Row("the first and the rest", "first, *rest = range(5)\nf(first)\nfor r in rest: f(r)\n"),
    Row("keys of a dict", "d = {'a': 1, 'b': 2}\nfor k in d:\n    f(d[k])\n"),
    Row("sorted by a builtin key", "for w in sorted(['b', 'A'], key=str.lower):\n    f(w)\n"),
    Row(
        "a list in chunks",
        "data = list(range(10))\nfor i in range(0, len(data), 3):\n    f(data[i:i+3])\n",
    ),
    Row(
        "attributes of data classes",
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n"
        "ps = [P(1), P(2), P(3)]\nfor p in ps: f(p.x)\n",
    ),
    Row("a dict comprehension as argument", "f(0)\nf({k: v for k, v in zip('ab', [1, 2])})\n"),
    Row("comprehensions in comprehensions", "[[f(i, j) for j in range(2)] for i in range(3)]\n"),
    Row("the largest result", "max(f(i) for i in range(4))\n"),
    Row("a sum of results", "total = 0\nfor i in range(4):\n    total += f(i)\nf(99)\n"),
    Row(
        "the best result",
        "best = None\nfor i in range(4):\n    s = f(i)\n"
        "    if best is None or s > best: best = s\nf(5)\n",
    ),
    Row(
        "two ways to count down",
        "n = 5\nwhile n > 0:\n    f(n)\n    n = n - 2 if n % 2 else n - 1\n",
    ),
    Row("one loop after another", "for i in range(3): f(i)\nfor i in range(3): g(i)\n"),
    Row(
        "three ways to format",
        "for i in range(3):\n    f('x%d' % i, '{:03}'.format(i), f'{i:>4}')\n",
    ),
    Row(
        "a global read in a function",
        "N = 3\ndef main():\n    for i in range(N): f(i + N)\nmain()\n",
    ),
    Row("arguments that are computed", "for i in range(3): f(max(i, 1), abs(-i), *range(i))\n"),
    Row(
        "a list whose items are replaced",
        "xs = [0] * 3\nfor i in range(3):\n    f(xs)\n    xs[i] = i\n",
    ),
    Row(
        "a counter in a dict", "d = {'n': 0}\nfor i in range(3):\n    f(d['n'])\n    d['n'] += 1\n"
    ),
    Row("a string that grows", "s = ''\nfor c in 'abc':\n    s += c\n    f(s)\n"),
    Row(
        "words of lines",
        "text = 'a b\\nc d'\nfor line in text.splitlines():\n    for w in line.split():\n"
        "        f(w)\n",
    ),
    Row("stars in a loop", "pairs = [(1, 2), (3, 4)]\nfor p in pairs: f(*p)\n"),
    Row(
        "a helper that catches exceptions",
        "def safe(x):\n    try:\n        return f(x)\n    except Exception:\n"
        "        return None\nfor i in range(4): safe(i)\n",
    ),
    Row(
        "a helper that searches",
        "def find(xs):\n    for x in xs:\n        if x == 2: break\n        f(x)\n    else:\n"
        "        return None\n    return x\nfor i in range(3): find([i, 2])\nf(9)\n",
    ),
    Row("a list that shrinks", "xs = [1, 2, 3]\nfor i in range(3):\n    f(xs)\n    del xs[0]\n"),
    Row(
        "walking a tree",
        "def walk(t):\n    f(t[0])\n    for c in t[1]: walk(c)\n"
        "walk((1, [(2, []), (3, [(4, [])])]))\n",
    ),
    Row(
        "keyword-only parameters", "def go(*, a, b=2): return f(a, b)\nfor i in range(3): go(a=i)\n"
    ),
    Row("positional-only parameters", "def go(a=5, /): return f(a)\ngo()\ngo(1)\ngo()\n"),
    Row("a while with a walrus", "it = [3, 2, 1, 0]\nwhile (n := it.pop(0)):\n    f(n)\n"),
    Row("a comprehension with a walrus", "[y := f(i) for i in range(3)]\n"),
    Row(
        "rows of rows",
        "f(0)\nrows = []\nfor i in range(3):\n    row = []\n    row.append(i)\n"
        "    rows.append(row)\n    f(rows)\n",
    ),
]

# Guesses that are wrong today: their takes find that out, so they cost work and no more.
CHANGES = [
    Row(
        "finally after continue",
        "for i in range(4):\n    try:\n        if i == 1: continue\n        f(i)\n"
        "    finally:\n        g(i)\n",
    ),
    Row(
        "lists in a dict are changed out of sight",
        "f(0)\nd = {}\nfor i in range(4):\n    d.setdefault(i % 2, []).append(i)\nf(d)\n",
        "",
    ),
    Row("a list with two names from the start", "f(0)\na = b = []\na.append(1)\nf(a)\n", ALL),
    Row("a change under another name", "f(0)\na = []\nb = a\na.append(1)\nf(b)\n", ALL),
    Row(
        "a change under another name before the start",
        "a = []\nb = a\nf(0)\na.append(1)\nf(b)\n",
        ALL,
    ),
    Row("a change inside a list", "a = [[1], [2]]\nf(0)\na[1].append(3)\nf(a)\nf(a[1])\n", ALL),
    Row("a change by a function", "a = []\ndef add(x): a.append(x)\nf(0)\nadd(1)\nf(a)\n", ALL),
]

VALUES = [
    Row("map", "for r in map(f, range(4)):\n    g(7)\n"),
    Row("map of a lambda, from the middle", "list(map(lambda x: f(x + 1), range(4)))\n", ALL, 2),
    Row("map over two lists", "list(map(f, [1, 2, 3], (4, 5, 6)))\n", ALL, 2),
    Row("a map that is kept", "f(0)\nm = map(f, range(3))\ng(1)\nfor r in m: g(2)\n"),
    Row("map of map and filter", "list(map(f, filter(lambda x: x % 2, map(abs, range(-5, 5)))))\n"),
    Row("filter by results", "list(filter(lambda x: f(x), range(4)))\n"),
    Row("starmap", "from itertools import starmap\nlist(starmap(f, zip('abc', range(3))))\n"),
    Row("reduce", "from functools import reduce\nreduce(lambda a, x: a + f(x), range(4), 0)\n"),
    Row("sorted by results", "sorted([3, 1, 2], key=f)\nf(9)\n", ALL, 2),
    Row(
        "the largest by results",
        "from heapq import nlargest\nnlargest(2, [3, 1, 2], key=f)\nf(9)\n",
        ALL,
        2,
    ),
    Row(
        "arguments in the order of a heap",
        "import heapq\nf(0)\nfor x in heapq.nsmallest(2, [3, 1, 2], key=lambda x: -x):\n    f(x)\n"
        "f(heapq.nlargest(1, ['a', 'ccc'], key=len))\n",
        "f(3) f(2) f(['ccc'])",
    ),
    Row(
        "arguments in the order of a key",
        "f(0)\nfor x in sorted([3, 1, 2], key=lambda x: -x):\n"
        "    f(x)\nf(max('a', 'ccc', key=len))\n",
        "f(3) f(2) f(1)",
    ),
    Row("the greatest by a key", "f(0)\nf(max(['a', 'ccc', 'bbb'], key=lambda w: len(w)))\n"),
    Row("a lambda in a variable", "one = lambda x, y=2: f(x, y)\none(1)\none(3, 4)\none(5)\n"),
    Row(
        "a closure",
        "def main(k):\n    def one(x):\n        return f(x, k)\n"
        "    for i in range(3):\n        one(i)\n    k = 9\n    one(k)\nmain(4)\n",
    ),
    Row(
        "closures that call each other",
        "def main():\n    def even(n):\n        f(n)\n"
        "        if n: odd(n - 1)\n    def odd(n):\n        g(n)\n        if n: even(n - 1)\n"
        "    f(0)\n    even(3)\nmain()\n",
    ),
    Row(
        "a function as an argument",
        "def each(one, xs):\n    for x in xs: one(x)\n"
        "f(0)\neach(f, [1, 2])\neach(lambda x: g(x), [3])\n",
    ),
    Row("functions in a table", "table = {'f': f, 'g': g}\nfor k in 'fgf':\n    table[k](k)\n"),
    Row(
        "a decorated function",
        "def deco(one):\n    def inner(*args, **kwargs):\n"
        "        return one(*args, **kwargs)\n    return inner\n"
        "@deco\ndef one(x, k=0): return f(x, k)\nfor i in range(3):\n    one(i, k=i)\n",
    ),
    Row(
        "super()",
        "class A:\n    def run(self, x): return f(x)\nclass B(A):\n"
        "    def run(self, x): return super().run(x + 1)\nb = B()\n"
        "for i in range(3):\n    b.run(i)\n",
    ),
    Row("a class body", "class A:\n    k = 3\n    xs = [f(i) for i in range(3)]\n    g(k)\n"),
]

ROWS = [
    *VALUES,
    *STRAIGHT,
    *CONDITIONS,
    *LOOPS,
    *COMPREHENSIONS,
    *FUNCTIONS,
    *EXCEPTIONS,
    *IDIOMS,
    *CHANGES,
]
