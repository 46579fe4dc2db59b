"""Programs with modules named as some of the library's: `ast.py`, `token.py`, `inspect.py`.

Such a program imports its own. What Cord needs of the library must be the library's, and must not
stand in the way of the program's. So all of Cord that a run may need is imported before the
program's folder is on `sys.path`, and Cord forgets which modules of the library these names stand
for: its own hold them.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module

from cord.errors import CordError

_OWN = os.path.dirname(os.path.dirname(__file__))

# What neither Cord nor what it needs of the library imports: the program may have it for itself.
_UNUSED = frozenset(
    "argparse cmd code colorsys configparser curses doctest fileinput fractions getopt graphlib "
    "mailbox netrc optparse pprint profile queue sched shelve sqlite3 statistics this timeit "
    "tkinter trace turtle unittest venv wave webbrowser wsgiref xml xmlrpc zoneinfo".split()
)

# What the interpreter and the library look for by these names at any time, on Cord's behalf, too.
_BELOW = ("collections", "copyreg", "importlib", "warnings")

# Commands that run no program in their own process, and what notebooks or `cord trace` load.
_ELSEWHERE = (
    "cord.tools.compare",
    "cord.tools.init",
    "cord.tools.library.magics",
    "cord.tools.replay",
    "cord.tools.trace.batches",
    "cord.tools.tune",
    "cord.tools.verify",
)


def find_first(folder: str) -> None:
    """Let modules in a folder be found first, as Python does for a script there; not under `-P`."""
    if not sys.flags.safe_path:
        keep_apart(folder)
        sys.path[:] = [folder, *sys.path[1:]]


def keep_apart(folder: str) -> None:
    """Let the program find its own modules, and Cord the library's.

    Args:
        folder: The folder that Python puts first on `sys.path` for the program.

    Raises:
        CordError: There is one that cannot be kept apart.
    """
    names = _shadows(folder)
    if not names:
        return  # as nearly always
    names -= _at_start()
    if taken := sorted(names.intersection(_BELOW)):
        raise CordError(
            f"{folder} has a module {taken[0]}, and Cord needs that of Python's library under that "
            "name",
            "rename it; Python itself runs the program as it is",
        )
    from cord import stdlib

    path = sys.path[:]
    sys.path[:] = [place for place in path if os.path.realpath(place) != os.path.realpath(folder)]
    try:
        for name in _own_modules():
            with suppress(ImportError):  # it needs what is not installed
                import_module(name)
        stdlib.hold_all()
    finally:
        sys.path[:] = path
    for name in list(sys.modules):
        if name.partition(".")[0] in names:
            del sys.modules[name]


def _shadows(folder: str) -> set[str]:
    """The names of the library's modules that lead to other modules in a folder."""
    with suppress(OSError):
        found = {name.removesuffix(".py") for name in os.listdir(folder)}
        free = _UNUSED - sys.modules.keys()  # a debugger needs some of them
        return (found & sys.stdlib_module_names) - set(sys.builtin_module_names) - free
    return set()


def _at_start() -> set[str]:
    """The modules that Python itself imports before a program: no program finds others there."""
    import subprocess

    # the flags have no say in that, but for those that leave out the site's own
    command = [sys.executable, "-c", "import sys; print(*sys.modules)"]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return set(told.split())


def _own_modules() -> list[str]:
    """Cord's modules for a run, in an order that does not depend on the file system's."""
    found = []
    for folder, _, names in os.walk(_OWN):
        package = os.path.relpath(folder, os.path.dirname(_OWN)).replace(os.sep, ".")
        for name in names:
            stem, ending = os.path.splitext(name)
            if ending == ".py" and stem != "__main__":
                found.append(package if stem == "__init__" else f"{package}.{stem}")
    return sorted(name for name in found if not name.startswith(_ELSEWHERE))
