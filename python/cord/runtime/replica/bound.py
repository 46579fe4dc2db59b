"""Names that calls bind in modules and classes of libraries: what of that counts."""

from __future__ import annotations

import sys
from types import FunctionType, MethodType, ModuleType

from cord.runtime.objects.reach import class_names, is_of_project, line_of, names_of

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Final

    from cord.runtime.travel.settings.home import Name

    # The owner and the name, what it stood for if for anything, who has bound it (see below), and
    # the name of the module whose code has.
    Bound = tuple[Any, str, list[Any], int, str | None]
    # How the owner is told, the name, the owner, and what the name stands for now.
    Change = tuple[str, str, Any, Any]

# As native code numbers them: besides these there are libraries that are imported.
_PROJECT: Final = 0
_LIBRARY: Final = 1
# What Python notes of modules and classes by itself.
_PYTHONS: Final = frozenset(
    {
        *("__abstractmethods__", "__annotations__", "__annotations_cache__", "__builtins__"),
        *("__cached__", "__file__", "__loader__", "__package__", "__path__", "__slotnames__"),
        *("__spec__", "__warningregistry__"),
    }
)
MISSING: Final = object()  # a name that stands for nothing


def changed(bound: list[Bound]) -> str | None:
    """Say what a call has bound, as a sentence about its function goes on.

    Args:
        bound: The names that were bound, in order.
    """
    found = next(iter(found_in(bound)), None)
    return None if found is None else f"changes {found[0]}.{found[1]}"


def found_in(bound: list[Bound]) -> Iterator[Change]:
    """What has changed of the names that were bound, and counts.

    What libraries bind in themselves does not count, nor what they do when they are imported, as
    long as it is nothing of the project's.

    Args:
        bound: The names that were bound, in order.
    """
    first: dict[tuple[int, str], list[Any]] = {}
    found = set()
    for owner, name, stood, who, by in bound:
        if _top(by) == "cord":
            continue
        place = id(owner), name
        before = first.setdefault(place, stood)
        label = None if name in _PYTHONS or place in found else _label_of(owner)
        if label is None:
            continue
        space = names_of(owner) if isinstance(owner, ModuleType) else class_names(owner)
        now = space.get(name, MISSING)
        if now is (before[0] if before else MISSING) or _is_part_of(label, name, now):
            continue
        is_others = who == _LIBRARY and _top(by) != _top(label)
        if who == _PROJECT or is_others or _is_projects(now):
            found.add(place)
            yield label, name, owner, now


def encoded(bound: list[Bound]) -> list[Name]:
    """Encode what a call has bound, for `come_home` of `travel/settings/home.py`."""
    found = []
    for label, name, owner, now in found_in(bound) if bound else ():
        home = label if isinstance(owner, ModuleType) else class_names(owner)["__module__"]
        found.append((home, label[len(home) + 1 :], name, _encoded(now)))
    return found


def _encoded(value: object) -> bytes | None:
    if value is MISSING:
        return b""
    from cord.runtime.travel.faithful import dumps  # few calls come so far

    try:
        head = dumps(value, None)
    except Exception:
        return None
    return None if b"__main__" in head else head


def _label_of(owner: Any) -> str | None:
    """The name by which a module or class is found; None if it is not found by one."""
    if isinstance(owner, ModuleType):
        name = names_of(owner).get("__name__")
        return name if isinstance(name, str) and sys.modules.get(name) is owner else None
    home, name = class_names(owner).get("__module__"), type.__dict__["__qualname__"]
    found: Any = sys.modules.get(home) if isinstance(home, str) else None
    label: str = name.__get__(owner)
    for part in label.split("."):
        space = names_of(found) if isinstance(found, ModuleType) else _names_in(found)
        found = space.get(part)
    return f"{home}.{label}" if found is owner else None


def _names_in(owner: Any) -> Any:
    return class_names(owner) if isinstance(owner, type) else {}


def _is_part_of(label: str, name: str, value: object) -> bool:
    """Whether this is a module that lies in a package, which knows it by this name."""
    return isinstance(value, ModuleType) and sys.modules.get(f"{label}.{name}") is value


def _is_projects(value: Any) -> bool:
    """Whether something is of the project's, or holds something of it."""
    if type(value) in (list, tuple, set, frozenset, dict):
        return any(map(_is_made_there, [*value, *(value.values() if type(value) is dict else ())]))
    return _is_made_there(value)


def _is_made_there(value: Any) -> bool:
    value = value.__func__ if type(value) is MethodType else value
    if type(value) is FunctionType:
        home = value.__globals__.get("__name__")
        return is_of_project(sys.modules.get(home)) if isinstance(home, str) else False
    return any(
        is_of_project(sys.modules.get(class_names(cls).get("__module__", "")))
        for cls in line_of(value if isinstance(value, type) else type(value))
    )


def _top(name: str | None) -> str:
    return (name or "").partition(".")[0]
