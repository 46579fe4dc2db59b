"""What the text says of functions that `cord init` may propose."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cord.plan.program import script
from cord.tools.init.choice import Candidate
from cord.tools.init.evidence import read
from cord.tools.init.profile import Function

PROGRAM = """\
import numpy as np

def fitted(xs, ys):
    return np.linalg.solve(xs.T @ xs, xs.T @ ys).shape

print(fitted(np.eye(3), np.ones(3)))
"""


def test_a_library_does_not_speak_against_the_functions_that_call_it(tmp_path: Path) -> None:
    main = tmp_path / "main.py"
    main.write_text(PROGRAM)
    solve = np.linalg.solve
    found = [
        Function("__main__", "fitted", str(main), 3, "function", "project", 9, 9.0, 9.0),
        Function(solve.__module__, "solve", "", 1, "function", "installed", 9, 9.0, 9.0),
    ]
    known = read(script(str(main)), [Candidate(0, one, False, 9, 9.0) for one in found])
    assert known["__main__.fitted"].against == ""
    assert len(known) == 2


SERVICE = """\
import random
import time
import urllib.request

def fetch(url):
    began = time.time()
    with urllib.request.urlopen(url) as reply:
        return reply.read(), time.time() - began

def save(url, path):
    with open(path, "wb") as file:
        file.write(fetch(url)[0])

asked = []

def note(url):
    asked.append(url)
    return fetch(url)

def walk(rng):
    return sum(rng.random() for _ in range(100))

def words(path):
    with open(path) as file:
        return len(file.read().split())
"""


def test_what_only_the_user_knows_is_asked_and_what_a_run_sees_is_no_reason(
    tmp_path: Path,
) -> None:
    main = tmp_path / "main.py"
    main.write_text(SERVICE)
    names = ("fetch", "save", "note", "walk", "words")
    found = [
        Function("__main__", name, str(main), 1, "function", "project", 9, 9.0, 9.0)
        for name in names
    ]
    known = read(script(str(main)), [Candidate(0, one, False, 9, 9.0) for one in found])
    asks = [known[f"__main__.{name}"].asks for name in names]
    assert asks == [{"network"}, {"network", "files"}, set(), set(), set()]
    assert known["__main__.fetch"].against == "main.py:7: fetch uses the network"
    assert known["__main__.note"].against == "main.py:17: note changes the global asked"
    assert "a generator of its own" in known["__main__.walk"].hint
    assert known["__main__.words"].against == ""
