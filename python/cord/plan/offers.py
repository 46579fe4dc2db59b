"""Functions that a module offers and others define: `from ._split import train_test_split`.

A module offers what `__all__` names of its imports, and what `only` names of them; a package
without `__all__` also the functions that it imports from its own modules. Imports are followed by
their text.
"""

from __future__ import annotations

import os
from importlib.util import resolve_name

from cord.fixed import Value
from cord.plan.modules import find_module, search_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from cord.plan.modules import FoundModule
    from cord.plan.outlines import Outline
    from cord.plan.program import Program

_DEEPEST = 16


class Home(Value):
    """Where a function is defined that another module offers.

    Attributes:
        module: The module that defines it; that which was followed last, where it has no source.
        name: Its name there.
        source: The source of that module; None where there is none to be read.
        fault: What it is, if that cannot be remote: "a class", "a generator function".
    """

    module: str
    name: str
    source: str | None
    fault: str | None


class Offers:
    """Finds out what modules offer.

    Args:
        program: The program, as which modules are looked for.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._path = search_path(program)
        self._found: dict[str, FoundModule | None] = {}
        self._outlines: dict[str, Outline | None] = {}
        self._names: dict[str, list[str]] = {}

    def of(self, module: FoundModule, only: Iterable[str] | None) -> dict[str, Home]:
        """What a module offers that others define, by its names there.

        Args:
            module: The module, which has a source.
            only: The names that the plan narrows it to; None for all that it offers.
        """
        outline = self._outline(module)
        if outline is None:
            return {}
        names: Iterable[str]
        if only is not None:
            names, within = only, ""
        elif outline.exported is not None:
            names, within = sorted(outline.exported), ""
        elif _is_package(module):
            names, within = self._public(module, outline, 0), f"{module.name}."
        else:
            return {}
        found = {}
        for name in names:
            if name in outline.functions or "." in name or name.startswith("_"):
                continue
            home = self._home(module, name, 0)
            if home is None or home.module == module.name or not home.module.startswith(within):
                continue
            if home.fault is None or only is not None:
                found[name] = home
        return found

    def _home(self, module: FoundModule, name: str, depth: int) -> Home | None:
        """Where a name of a module comes from; None where that cannot be told."""
        outline = self._outline(module)
        if outline is None:
            return Home(module.name, name, None, None)
        if name in outline.functions:
            _, fault = outline.functions[name]
            return Home(module.name, name, module.source, fault)
        kind = outline.others.get(name)
        if kind == "a class":
            return Home(module.name, name, module.source, kind)
        if depth > _DEEPEST or (kind not in (None, "imported")):
            return None
        if name in outline.imports:
            base, inside = outline.imports[name]
            above = self._find(base, module)
            return None if above is None else self._home(above, inside, depth + 1)
        for star in outline.stars:
            above = self._find(star, module)
            if above is not None and above.source is not None:
                inner = self._outline(above)
                if inner is not None and name in self._public(above, inner, depth + 1):
                    return self._home(above, name, depth + 1)
        return None

    def _public(self, module: FoundModule, outline: Outline, depth: int) -> list[str]:
        """The names that a module gives to who imports all of them."""
        if outline.exported is not None:
            return sorted(outline.exported)
        if module.name not in self._names:
            self._names[module.name] = []  # while they are found: modules may import one another
            self._names[module.name] = self._all_public(module, outline, depth)
        return self._names[module.name]

    def _all_public(self, module: FoundModule, outline: Outline, depth: int) -> list[str]:
        names = [*outline.functions, *outline.others]
        for star in outline.stars if depth <= _DEEPEST else ():
            above = self._find(star, module)
            inner = None if above is None else self._outline(above)
            if above is not None and inner is not None:
                names += self._public(above, inner, depth + 1)
        return [name for name in dict.fromkeys(names) if not name.startswith("_") and name != "*"]

    def _find(self, base: str, importer: FoundModule) -> FoundModule | None:
        """The module that an import names, which is relative where it begins with a dot."""
        try:
            name = resolve_name(base, _package_of(importer))
        except ImportError:
            return None
        if name not in self._found:
            is_there = bool(name) and find_module(name, self._path) is not None
            self._found[name] = self._program.find(name) if is_there else None
        return self._found[name]

    def _outline(self, module: FoundModule) -> Outline | None:
        if module.source is None:
            return None
        if module.source not in self._outlines:
            self._outlines[module.source] = self._read(module.source)
        return self._outlines[module.source]

    def _read(self, source: str) -> Outline | None:
        try:
            return self._program.outlines.of(source)
        except (OSError, SyntaxError, ValueError):
            return None


def _is_package(module: FoundModule) -> bool:
    return os.path.basename(module.source or "") == "__init__.py"


def _package_of(module: FoundModule) -> str:
    """The package that its relative imports start from."""
    return module.name if _is_package(module) else module.name.rpartition(".")[0]
