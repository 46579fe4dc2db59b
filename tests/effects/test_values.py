"""Arguments that are changed, and what functions keep and hand out."""

from __future__ import annotations

import pytest
from effects_lab import is_sure, report, warnings


@pytest.mark.parametrize(
    "body",
    [
        "x.append(1)",
        "x.sort()",
        "x[0] = 1",
        "x[0][1] = 1",
        "del x[0]",
        "x.field = 1",
        "x += [1]",
        "x.field += [1]",
        "y = x; y.append(1)",
        "y = [x]; y[0].append(1)",
        "y = {'a': x}; y['a'].append(1)",
        "y, z = x, 1; y.append(1)",
        "y = x if len(x) else []; y.append(1)",
        "y = x or []; y.append(1)",
        "[y.append(1) for y in x]",
        "for i, y in enumerate(x): y.append(1)",
        "for y, z in zip(x, x): z.append(1)",
        "for k, v in x.items(): v.append(1)",
        "x.get(1).append(1)",
        "max(x).append(1)",
        "next(iter(x)).append(1)",
        "first, *rest = x; rest[0].append(1)",
        "match x:\n        case [y, *_]: y.append(1)",
        "import random as r; r.shuffle(x)",
        "import heapq; heapq.heapify(x)",
        "import bisect; bisect.insort(x, 1)",
        "import operator; operator.setitem(x, 0, 1)",
        "setattr(x, 'a', 1)",
        "(lambda y: y.append(1))(x)",
        "list(map(lambda y: y.append(1), x))",
        "import copy; copy.copy(x)[0].append(1)",
        "list(x)[0].append(1)",
        "(x + [])[0].append(1)",
        "import numpy as np; np.add(x, 1, out=x)",
        "import numpy as np; np.asarray(x)[0] = 1",
        "import numpy as np; x.shape; x[1:][0] = 1",
        "import numpy as np; x[1:, :][0] = 1",
        "import numpy as np; x.reshape(2, 2)[0] = 1",
        "import numpy as np; np.fill_diagonal(x, 0)",
        "while True:\n        y = x\n        if y: break\n    y.append(1)",
        "try:\n        y = x\n    except KeyError:\n        y = []\n    y.append(1)",
    ],
)
def test_arguments_that_are_changed(body: str) -> None:
    found = warnings(f"def f(x):\n    {body}", declared=False)
    assert len([text for text in found if "f changes its argument x" in text]) == 1, found


@pytest.mark.parametrize(
    "body",
    [
        "x = list(x); x.append(1)",
        "y = x[:]; y.append(1)",
        "y = sorted(x); y[0] = 1",
        "y = [*x]; y.append(1)",
        "y = {**x}; y['a'] = 1",
        "import copy; copy.deepcopy(x)[0].append(1)",
        "y = x + [1]; y.append(2)",
        "y = dict(x); y.update(a=1)",
        "y = [x]; y.append(1)",
        "y = [[x]]; y[0].append(1)",
        "x = x + 1",
        "import numpy; y = [row[:] for row in x]; y[0][0] = 1",
        "y = 0\n    for z in x: y += z",
        "y = str(x); y += 'a'",
        "y = len(x); y += 1",
    ],
)
def test_arguments_that_are_not_changed(body: str) -> None:
    assert is_sure(report(f"def f(x):\n    {body}"))


@pytest.mark.parametrize("annotation", ["int", "float", "str", "tuple[int, ...]", "bool | None"])
def test_types_that_cannot_change(annotation: str) -> None:
    source = f"import numpy\ndef f(x: {annotation}):\n    x += x\n    return x"
    assert report(source).verdict == "pure"


def test_what_may_be_an_array() -> None:
    found = report("import numpy\ndef f(x):\n    x *= 2\n    return x")
    assert (found.verdict, found.warnings) == ("unknown", [])
    assert found.reasons == ["x *= 2 (line 3) may change x"]
    assert warnings("import numpy\ndef f(x):\n    x *= 2\n    return x.shape") != []


def test_the_slice_of_what_may_be_an_array() -> None:
    found = report("import numpy\ndef f(x):\n    y = x[1:]\n    y[0] = 1")
    assert (found.verdict, found.warnings) == ("unknown", [])


def test_the_line_and_the_way_there() -> None:
    source = "def g(y):\n    y.sort()\ndef h(y):\n    g(y)\ndef f(x):\n    h(x)"
    assert warnings(source) == [
        "2: f changes its argument x, through h() at line 6, g() at line 4: "
        "such calls do not start early"
    ]


def test_defaults_that_are_kept() -> None:
    source = "def f(x, seen=[]):\n    seen.append(x)\n    return len(seen)"
    assert warnings(source) == [
        "2: f changes its argument seen, whose default value is kept from call to call"
    ]
    caller = source.replace("f(", "g(") + "\ndef f(x):\n    return g(x)"
    assert warnings(caller) == [
        "2: f is declared pure, but changes the default value of seen of g(), through g() at line 5"
    ]
    given = source.replace("f(", "g(") + "\ndef f(x):\n    return g(x, [])"
    assert warnings(given) == []


def test_what_a_cache_hands_out() -> None:
    source = "from functools import cache\n@cache\ndef f(n):\n    return [n]"
    [text] = warnings(source)
    assert text.endswith(
        "hands out a list that its cache keeps: what the program changes in the result does not "
        "reach it"
    )


@pytest.mark.parametrize(
    "source",
    [
        "TABLE = {'a': 1}\ndef f(k):\n    return TABLE[k]",
        "NAME = 'x'\ndef f():\n    return NAME",
        "TABLE = [1]\ndef f():\n    return TABLE",
        "TABLE = {'a': [1]}\ndef f(k):\n    return TABLE[k]",
        "from functools import cache\n@cache\ndef f(n):\n    return (n, n)",
    ],
)
def test_what_is_not_handed_out(source: str) -> None:
    assert warnings(source) == []


def test_what_is_kept() -> None:
    source = "ROWS = []\ndef f(row):\n    ROWS.append(row)"
    found = report(source, declared=False)
    assert "it keeps its argument row in the global ROWS (line 3)" in found.reasons


def test_keys_are_not_kept() -> None:
    found = report("SEEN = {}\ndef f(word):\n    SEEN[word] = 1", declared=False)
    assert not [reason for reason in found.reasons if "keeps" in reason]


@pytest.mark.parametrize(
    "lines",
    [
        "x = x.convert('RGB').resize((8, 8))",
        "x = x.resize((8, 8))",
        "x = x.convert('L')\n    x.paste(1)\n    x[0] = 1",
        "x = x.assign(b=2).reset_index()\n    x['a'] = 1\n    x.name = 'b'",
        "x = x.dropna()\n    x += 1",
        "x = x.evolve().add(4)\n    x.update(3)",
        "return x.insert(0, 1)",
    ],
)
def test_what_a_call_gives_may_be_another_object(lines: str) -> None:
    assert warnings(f"def f(x):\n    {lines}\n    return x") == []


@pytest.mark.parametrize(
    "lines",
    [
        "x.append(1)",
        "x.resize((8, 8))",
        "x.sort()",
        "x['a'] = 1",
        "[x.append(n) for n in range(3)]",
        "y = x\n    y.update(a=1)",
        "x = x.reshape(-1)\n    x[0] = 1",
    ],
)
def test_what_changes_an_argument(lines: str) -> None:
    found = warnings(f"def f(x):\n    {lines}\n    return x")
    assert [text.partition(": ")[2].partition(":")[0] for text in found] == [
        "f changes its argument x"
    ]
