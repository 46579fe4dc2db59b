"""What code reads in ways that are easily overlooked: after an edit the output is the plain one."""

from __future__ import annotations

from pathlib import Path

import pytest

from keep.project import Project

MAIN = "import work\nfor n in range(3):\n    print(work.f(n))\n"
NUMPY = "import numpy\nK = numpy.array([[1, 2], [3, 4]])\n"
# What the module holds, what its function gives, and the edit.
CASES: dict[str, tuple[str, str, tuple[str, str]]] = {
    "documentation of a class": ("class A:\n    'one'\n", "A.__doc__", ("'one'", "'two'")),
    "a name that a getter holds": (
        "import operator, other\nget = operator.attrgetter('K')\n",
        "get(other) + n",
        ("K = 1", "K = 2"),
    ),
    "classes that are registered": (
        "import abc\n\n\nclass A(abc.ABC):\n    pass\n\n\nclass B:\n    pass\n\n\nA.register(B)\n",
        "isinstance(B(), A)",
        ("A.register(B)", "A.register(int)"),
    ),
    "the most that a deque holds": (
        "import collections\nK = collections.deque([1], 5)\n",
        "K.maxlen",
        ("5", "6"),
    ),
    "what is local to a thread": (
        "import threading\nK = threading.local()\nK.x = 1\n",
        "getattr(K, 'x', 0)",
        ("x = 1", "x = 2"),
    ),
    "a namespace that is no module": (
        "d = {'K': 1}\nexec('def g(n):\\n    return n + K', d)\ng = d['g']\n",
        "g(n)",
        ("'K': 1", "'K': 2"),
    ),
    "a function with globals of its own": (
        "import types\n\n\ndef h(n):\n    return n + K\n\n\n"
        "g = types.FunctionType(h.__code__, {'K': 1})\n",
        "g(n)",
        ("'K': 1", "'K': 2"),
    ),
    "whether two names are one object": ("a = [1]\nb = a\n", "a is b", ("b = a", "b = [1]")),
    "what a weak reference leads to": (
        "import weakref\n\n\nclass A:\n    pass\n\n\na = A()\na.k = 1\nr = weakref.ref(a)\n",
        "r().k",
        ("a.k = 1", "a.k = 2"),
    ),
    "a pattern": (
        "import re\nK = re.compile('a+')\n",
        "K.sub(str(n), 'aabb')",
        ("'a+'", "'b+'"),
    ),
    "the flags of a pattern": (
        "import re\nK = re.compile('A+')\n",
        "K.sub(str(n), 'aabb')",
        ("'A+')", "'A+', re.I)"),
    ),
    "a format": ("import struct\nK = struct.Struct('<i')\n", "K.pack(n + 1)", ("'<i'", "'>i'")),
    "a buffer": ("import io\nK = io.BytesIO(b'1')\n", "K.getvalue()", ("b'1'", "b'2'")),
    "the order of an array in memory": (
        NUMPY,
        "K.flags.c_contiguous",
        ("4]])", "4]], order='F')"),
    ),
    "whether an array can be written to": (
        NUMPY,
        "K.flags.writeable",
        ("4]])\n", "4]])\nK.flags.writeable = False\n"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_it_counts(tmp_path: Path, case: str) -> None:
    """Calls are kept, and made again after the edit."""
    head, gives, (before, after) = CASES[case]
    if "numpy" in head:
        pytest.importorskip("numpy")
    work = f"{head}\n\ndef f(n):\n    return {gives}\n"
    project = Project(tmp_path, {"work.py": work, "other.py": "K = 1\n", "main.py": MAIN})
    assert project.same()["work.f"][1] >= 3
    assert project.same()["work.f"][0] >= 3
    project.edit("other.py" if before == "K = 1" else "work.py", before, after)
    assert project.same()["work.f"][1] >= 3
