"""Rows of other libraries: entry points of the group `cord.settings`.

An entry point has the name of the module that the rows are of. What it leads to is loaded when that
module is, and is to be another module.
"""

from __future__ import annotations

import os
import sys

from cord.plan.modules import INSTALLED, is_installed
from cord.runtime.travel.settings.rows import Row

_GROUP = "[cord.settings]"


# The modules that were there when it was last asked whether one of them may have rows.
_looked_at: set[str] = set()
# By the module that they are of: where rows are, as `library_rows:ROWS`. None: nobody has looked.
_left: list[dict[str, str]] = []


def rows(everything: bool = False) -> list[Row]:
    """The rows of those libraries that are loaded by now and were not before; or of all others."""
    if not _left:
        if not everything and not _are_there_libraries():
            return []
        _left.append({name: where for folder in _folders() for name, where in _named_in(folder)})
    left = _left[0]
    return [
        row
        for name in list(left)
        if everything or name in sys.modules
        for row in _loaded(left.pop(name))
    ]


def _are_there_libraries() -> bool:
    """Whether a library is loaded that may have rows: neither Python's own, nor loaded by Cord."""
    own = ("cord", "cloudpickle")
    new = sys.modules.keys() - _looked_at
    _looked_at.update(new)
    return any(
        name.partition(".")[0] not in own and is_installed(_file(sys.modules.get(name)))
        for name in new
    )


def _file(module: object) -> str:
    try:
        file = object.__getattribute__(module, "__dict__").get("__file__")
    except AttributeError:
        return ""
    return file if isinstance(file, str) else ""


def _folders() -> list[str]:
    """Folders that distributions are installed in."""
    return [one for one in sys.path if os.path.basename(one) in INSTALLED]


def _named_in(folder: str) -> list[tuple[str, str]]:
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    infos = (name for name in names if name.endswith((".dist-info", ".egg-info")))
    found: list[tuple[str, str]] = []
    for name in infos:
        try:
            with open(os.path.join(folder, name, "entry_points.txt"), encoding="utf-8") as file:
                text = file.read()
        except OSError:
            continue
        if _GROUP in text:
            found.extend(_lines(text))
    return found


def _lines(text: str) -> list[tuple[str, str]]:
    """The group's entry points: names and values."""
    part = text.split(_GROUP, 1)[1].split("\n[", 1)[0]
    pairs = (line.split("=", 1) for line in part.splitlines() if "=" in line)
    return [(name.strip(), value.strip()) for name, value in pairs]


def _loaded(value: str) -> list[Row]:
    module, _, name = value.partition(":")
    __import__(module)
    return list(getattr(sys.modules[module], name))
