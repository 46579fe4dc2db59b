"""Modules of the program's that are named as the library's: what Cord brings in before them."""

from __future__ import annotations

import subprocess
import sys

ALL = """
import sys
from contextlib import suppress
from importlib import import_module

from cord.tools import shadowing

before = set(sys.modules)
for name in shadowing._own_modules():
    with suppress(ImportError):
        import_module(name)
new = set(sys.modules) - before
print(sorted(shadowing._UNUSED & {name.partition(".")[0] for name in new}))
print(sorted(name for name in new if name.startswith(shadowing._ELSEWHERE)))
print(sorted(shadowing._UNUSED - sys.stdlib_module_names))
"""


def test_what_counts_as_unused_is_not_brought_in() -> None:
    command = [sys.executable, "-c", ALL]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout == "[]\n[]\n[]\n"
