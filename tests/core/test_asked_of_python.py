"""The native core asks Cord's Python for names, which must be there."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from cord import _core

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "crates" / "cord-py" / "src"

ASKED = _core.asked_of_python()

WITHOUT_ONE = """
from cord import _core
from cord.runtime.travel import watched

del watched.looks_of
try:
    _core.Watch([type("Some", (), {})()])
except ImportError as error:
    print(error, "because of", type(error.__cause__).__name__)
"""


@pytest.mark.parametrize(("module", "name"), ASKED)
def test_what_is_asked_for_is_there(module: str, name: str) -> None:
    assert callable(getattr(import_module(module), name))


def test_one_file_names_all_of_it() -> None:
    assert len(set(ASKED)) == len(ASKED)
    named = re.compile(r'"cord\.(?!_core")')
    files = [path.name for path in NATIVE.rglob("*.rs") if named.search(path.read_text())]
    assert sorted(files) == ["library.rs", "python.rs"]


def test_what_is_missing_is_said() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_ONE], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == (
        "cord.runtime.travel.watched has no looks_of, which Cord's native core asks for: "
        "it is of another version because of AttributeError"
    )
