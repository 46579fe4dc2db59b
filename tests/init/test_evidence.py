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
