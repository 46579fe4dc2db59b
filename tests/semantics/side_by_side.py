"""Programs of a corpus, each run plain and in another way, and compared.

The plain run of a program is made once: its outcome is kept under a digest of all that it depends
on, for the other tests that compare with it, in other processes too, and for later sessions.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from program_case import OWN_LINE, Case, Observed, run_plain

TRACEBACK = "Traceback (most recent call last):"

Run = Callable[[Case, Path], Observed]


def assert_same_as_plain(case: Case, folder: Path, kept: Path, run: Run) -> None:
    """Run ``case`` plain and by ``run``: nothing that a user sees of the program differs.

    Args:
        case: The program.
        folder: An empty folder to run it in.
        kept: Where outcomes of plain runs are kept.
        run: The other way to run it.
    """
    # in folders whose paths have the same length
    plain = plain_outcome(case, folder / "plain", kept)
    case.write(folder / "cords")
    assert_same(case, plain, run(case, folder / "cords"))


def plain_outcome(case: Case, folder: Path, kept: Path) -> Observed:
    """What the plain run of ``case`` showed, now in ``folder`` or once before."""
    there = kept / _digest(case, folder)
    if there.exists():
        outcome: Observed = pickle.loads(there.read_bytes())
        return outcome
    case.write(folder)
    outcome = run_plain(case, folder)
    made = there.with_name(f"{there.name}.{os.getpid()}")
    made.write_bytes(pickle.dumps(outcome))
    made.replace(there)
    return outcome


def _digest(case: Case, folder: Path) -> str:
    # programs may see how long the name of their folder is, by the size of their code
    place = len(str(folder))
    depends_on = (sys.version, sys.executable, place, sorted(case.options.items()), case.files)
    return hashlib.sha256(repr(depends_on).encode()).hexdigest()


def assert_same(case: Case, plain: Observed, cord: Observed) -> None:
    """Nothing that a user sees of the program differs, but for what a run says of itself."""
    if "told" in case.options:
        assert len(OWN_LINE.findall(cord.stderr)) == int(case.options["told"]), cord.stderr
        cord = replace(cord, stderr=OWN_LINE.sub("", cord.stderr))
    assert cord.stdout == plain.stdout, f"stdout differs ({case.about})\n{cord.stderr}"
    assert cord.code == plain.code, f"exit code differs ({case.about})\n{cord.stderr}"
    assert cord.last_line == plain.last_line, case.about
    assert cord.written == plain.written, f"written files differ ({case.about})"
    if TRACEBACK not in plain.stderr or case.options.get("stderr") == "whole":
        assert cord.stderr_lines == plain.stderr_lines, f"stderr differs ({case.about})"
