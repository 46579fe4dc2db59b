"""Which of the program's modules replicas have loaded: those that remote modules lead to."""

from __future__ import annotations

import sys
from contextlib import suppress
from types import FunctionType

from cord._core import RemoteFunction, original_of
from cord.runtime.objects.reach import is_of_project

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

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
        _found[len(wanted)] = led_to(wanted, sys.modules)
    return _found[len(wanted)]


def led_to(names: Iterable[str], among: Container[str]) -> set[str]:
    """Modules that are loaded and that some others lead to, by what their names stand for.

    Args:
        names: The others, which count as well.
        among: No module that is not in this is looked into, or counts.
    """
    found: set[str] = set()
    pending = [*names]
    while pending:
        name = pending.pop()
        if name in found or name not in among:
            continue
        found.add(name)
        leads_to = [name.rpartition(".")[0], *_modules_of(sys.modules[name])]
        if _is_standard(name):  # to others only where a program has put something there
            leads_to = [*filter(_is_standard, leads_to)]
        pending += leads_to
    return found


def _is_standard(name: str) -> bool:
    is_called_so = name.partition(".")[0] in sys.stdlib_module_names
    return is_called_so and not is_of_project(sys.modules.get(name))


def _modules_of(module: object) -> Iterator[str]:
    for name, held in [*getattr(module, "__dict__", {}).items()]:
        if name.startswith("__"):
            continue  # who has loaded it
        value = original_of(held) if type(held) is RemoteFunction else held
        kind = type(value)
        if issubclass(kind, _Module):
            yield value.__name__
            continue
        is_defined = kind is FunctionType or issubclass(kind, type)
        with suppress(Exception):  # what others have for a class may say anything
            if type(home := (value if is_defined else kind).__module__) is str:
                yield home
