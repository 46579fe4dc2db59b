"""Which of the program's modules replicas have loaded: those that remote modules lead to."""

from __future__ import annotations

import sys
from contextlib import suppress
from types import FunctionType

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# The remote modules of this process, as far as they were executed.
served: set[str] = set()

_Module = type(sys)
# What was found for so many of them.
_found: dict[int, set[str]] = {}


def loaded_by(names: Iterable[str]) -> set[str]:
    """Modules that are loaded with some others, by what their names lead to.

    It is not certain: a call may load more. What a module has under a name may come from anywhere;
    then that module counts too.

    Args:
        names: The others, which count as well: always the same, and more.
    """
    wanted = {*names}
    if len(wanted) not in _found:
        _found[len(wanted)] = _reached(wanted)
    return _found[len(wanted)]


def _reached(names: set[str]) -> set[str]:
    found: set[str] = set()
    pending = [*names]
    while pending:
        name = pending.pop()
        if name in found or name not in sys.modules:
            continue
        found.add(name)
        leads_to = [name.rpartition(".")[0], *_modules_of(sys.modules[name])]
        if _is_standard(name):  # to others only where a program has put something there
            leads_to = [*filter(_is_standard, leads_to)]
        pending += leads_to
    return found


def _is_standard(name: str) -> bool:
    return name.partition(".")[0] in sys.stdlib_module_names


def _modules_of(module: object) -> Iterator[str]:
    for name, value in [*getattr(module, "__dict__", {}).items()]:
        if name.startswith("__"):
            continue  # who has loaded it
        kind = type(value)
        if issubclass(kind, _Module):
            yield value.__name__
            continue
        is_defined = kind is FunctionType or issubclass(kind, type)
        with suppress(Exception):  # what others have for a class may say anything
            if type(home := (value if is_defined else kind).__module__) is str:
                yield home
