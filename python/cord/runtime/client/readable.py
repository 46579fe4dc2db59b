"""What a module may read of the project when it is executed, as its text tells.

A replica that executes a remote module is to find what the program has changed by then. Who names
no other module of the project reads none of that, and need not load what it is about.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from types import FunctionType, ModuleType

from cord._core import RemoteFunction, original_of
from cord.plan.modules import is_of_python
from cord.runtime.objects.reach import MAIN, is_of_project, names_of
from cord.runtime.objects.texts import read, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Final

# Whoever names one of these may import, or read, what no name tells.
_DYNAMIC: Final = frozenset(b"importlib __import__ exec eval __subclasses__ gc modules".split())


def modules_readable_by(module: ModuleType) -> set[str] | None:
    """The modules of the project that are loaded and that another one may read at its import.

    Args:
        module: The module, before it is executed.

    Returns:
        Their names; None where the text does not tell.
    """
    file = names_of(module).get("__file__")
    text = read(file) if isinstance(file, str) and file.endswith(".py") else None
    if text is None:
        return None
    words = words_of([text])
    if not words.isdisjoint(_DYNAMIC) or any(map(_is_unread, _imported(text))):
        return None
    loaded = _loaded()
    waiting = [name for name, parts in loaded.items() if not words.isdisjoint(parts)]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in loaded and name not in found:
            found.add(name)
            waiting += _homes(sys.modules[name])
    return found


def _imported(text: bytes) -> Iterator[str]:
    """What the text's imports name first: `a` of `import a.b`, `.` of `from . import b`."""
    for line in text.splitlines():
        first, _, names = line.partition(b"#")[0].strip().partition(b" ")
        if first in (b"from", b"import"):
            parts = names.split(b",") if first == b"import" else [names]
            yield from (part.split()[0].decode() for part in parts if part.split())


def _is_unread(name: str) -> bool:
    """Whether that is of the project and not loaded, so that its text would tell more."""
    top = name.partition(".")[0]
    if not top:
        return True
    if name in sys.modules or top in sys.stdlib_module_names:
        return False
    try:
        spec = PathFinder.find_spec(top)
    except Exception:  # a path of the program's own making
        return True
    return spec is None or spec.origin is None or not is_of_python(spec.origin)


def _loaded() -> dict[str, list[bytes]]:
    """The project's modules, with the words by which a text may mean them."""
    found = {}
    for name, module in list(sys.modules.items()):
        if name != MAIN and is_of_project(module):
            found[name] = [name.rpartition(".")[2].encode(), name.partition(".")[0].encode()]
    return found


def _homes(module: ModuleType) -> Iterator[str]:
    """The modules that another one holds, or something of."""
    for held in list(names_of(module).values()):
        value: Any = original_of(held) if type(held) is RemoteFunction else held
        home: Any = None
        if issubclass(type(value), ModuleType):
            home = names_of(value).get("__name__")
        elif type(value) is FunctionType:
            home = value.__module__
        else:
            kind = value if issubclass(type(value), type) else type(value)
            home = type.__getattribute__(kind, "__module__")
        if type(home) is str:
            yield home
