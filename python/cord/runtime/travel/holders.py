"""Objects that modules hold under names, and that code may know by their identity.

A sentinel, `MISSING = object()`, is compared by `is`; so may be any instance that a module makes
when it is imported. Such an object travels by its name. The other side takes its own if that holds
the same; else it makes another one, as pickle would.
"""

from __future__ import annotations

import sys
from _pickle import loads

from cord.runtime.travel import arrivals, forms

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Any

    Named = dict[int, tuple[str, str]]


class Holders:
    """The names of objects, class by class, as modules have them when they are first asked for."""

    def __init__(self) -> None:
        self._named: dict[type, Named] = {}
        self._project: list[tuple[str, dict[str, Any]]] | None = None

    def of(self, cls: type) -> Named:
        """The names of a class's instances, by their identity; module first."""
        found = self._named.get(cls)
        if found is None:
            found = self._named[cls] = self._find(cls)
        return found

    def _find(self, cls: type) -> Named:
        places = list(self._modules() if cls is not object else _all_modules())
        own = sys.modules.get(cls.__module__)
        if own is not None and cls.__module__ not in ("builtins", arrivals.MAIN):
            places.append((cls.__module__, vars(own)))
        return {
            id(value): (module, name)
            for module, names in places
            for name, value in list(names.items())
            if type(value) is cls
        }

    def _modules(self) -> list[tuple[str, dict[str, Any]]]:
        if self._project is None:
            self._project = [
                (name, names) for name, names in _all_modules() if not _is_library(name)
            ]
        return self._project

    def reduced(self, obj: Any) -> Any:
        """How an object is taken apart that a module holds; None if none does.

        Raises:
            Exception: What it holds cannot be pickled.
        """
        found = self.of(type(obj)).get(id(obj))
        if found is None:
            return None
        module, name = found
        holder = sys.modules.get(module)
        if holder is None or vars(holder).get(name) is not obj:
            return None
        return arrivals.named, (module, name, type(obj), state_of(obj))


def _all_modules() -> list[tuple[str, dict[str, Any]]]:
    return [
        (name, vars(module))
        for name, module in list(sys.modules.items())
        if name != arrivals.MAIN
        and not name.startswith(("cord.", "__"))
        and isinstance(getattr(module, "__dict__", None), dict)
    ]


def _is_library(name: str) -> bool:
    module = sys.modules.get(name)
    if name.partition(".")[0] in sys.stdlib_module_names:
        return True
    path = getattr(module, "__file__", None)
    return not isinstance(path, str) or "site-packages" in path or "dist-packages" in path


def own_name(obj: Any) -> str | None:
    """The name under which the main script holds what has nothing in it but its identity."""
    cls = type(obj)
    if cls is not object and not (cls.__module__ == arrivals.MAIN and forms.is_identity(cls)):
        return None
    if cls is not object and any(forms.attributes_of(obj)):
        return None
    main = vars(sys.modules[arrivals.MAIN])
    return next((name for name, value in main.items() if value is obj), None)


def state_of(obj: Any) -> bytes:
    """What an object holds, as bytes that are the same where the same is held."""
    if type(obj) is object:
        return b""
    from cord.runtime.travel.faithful import dumps

    make, args, state, items, pairs, *fill = (*forms.raw(obj), None, None)[:6]
    listed = None if items is None else list(items)
    paired = None if pairs is None else list(pairs)
    return dumps((make, args, state, listed, paired, fill != [None]), None)


def made_of(cls: type, state: bytes) -> Any:
    """An object of a class that holds this."""
    make, args, held, items, pairs, is_raw = loads(state)
    made = make(*args)
    if is_raw:
        fill = arrivals.fill_raw if make is arrivals.make_raw else arrivals.fill_above
        fill(made, held)
    elif held is not None:
        arrivals.fill_above(made, (cls, held, None, []))
    if items is not None:
        made.extend(items)
    for key, value in pairs or ():
        made[key] = value
    assert type(made) is cls
    return made
