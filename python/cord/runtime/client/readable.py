"""What a module may read of the project when it is executed, as its text tells.

A replica that executes a remote module is to find what the program has changed by then. Who names
no other module of the project reads none of that, and need not load what it is about.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder

from cord.plan.modules import is_of_python
from cord.runtime.objects.reach import MAIN, modules_of_project
from cord.runtime.objects.texts import text_of, words_of
from cord.runtime.travel.within import led_to

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType
    from typing import Final

# Whoever names one of these may import, or read, what no name tells.
_DYNAMIC: Final = frozenset(b"importlib __import__ exec eval __subclasses__ gc modules".split())


def modules_readable_by(module: ModuleType) -> set[str] | None:
    """The modules of the project that are loaded and that another one may read at its import.

    Args:
        module: The module, before it is executed.

    Returns:
        Their names; None where the text does not tell.
    """
    text = text_of(module)
    if text is None:
        return None
    words = words_of([text])
    if not words.isdisjoint(_DYNAMIC) or any(map(_is_unread, _imported(text))):
        return None
    loaded = modules_of_project().keys() - {MAIN}
    return led_to([name for name in loaded if not words.isdisjoint(_words_for(name))], loaded)


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
    if name in sys.modules or top in sys.builtin_module_names:
        return False
    try:
        spec = PathFinder.find_spec(top)
    except Exception:  # a path of the program's own making
        return True
    return spec is None or spec.origin is None or not is_of_python(spec.origin)


def _words_for(module: str) -> set[bytes]:
    """The words by which a text may mean a module."""
    return {module.rpartition(".")[2].encode(), module.partition(".")[0].encode()}
