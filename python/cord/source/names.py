"""What names stand for at the top level of a project's modules, through imports of any kind."""

from __future__ import annotations

import builtins

from .modules import Definition, Module
from .records import dataclass, replace

MODULE = "module"  # a module of the project
DEFINED = "defined"  # a function or a class of the project
VARIABLE = "variable"  # what a module binds otherwise
LIBRARY = "library"  # something of a library
BUILTIN = "builtin"
UNSEEN = "unseen"  # what a module may have that is not read

BUILTINS = frozenset(dir(builtins))
_MOST_RE_EXPORTS = 8


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that a name may stand for.

    Attributes:
        kind: One of those above.
        module: The module of the project in which it is, of what is unseen the module that may have
            it; else empty.
        name: Its name there; for a module, a library's and a builtin the whole dotted name.
        node: The definition.
    """

    kind: str
    module: str
    name: str
    node: Definition | None = None


class Names:
    """Names of a project.

    A name may be bound in several places: by an import and by the definition that stands in for it
    where there is no such library, or in the branches of an `if`. All of them are found.

    Args:
        modules: The modules by name.
    """

    def __init__(self, modules: dict[str, Module]) -> None:
        self.modules = modules
        self._known: dict[tuple[str, str], list[Found]] = {}

    def forget(self) -> None:
        """There are other modules now, or they bind something else."""
        self._known.clear()

    def of(self, module: str, name: str) -> list[Found]:
        """What a name may stand for at a module's top level.

        The likeliest comes first: what is imported, what is defined, what is assigned; in each the
        last. Empty if there is no such name.
        """
        known = self._known.get((module, name))
        if known is None:
            known = self._known[module, name] = self._of(module, name, 0)
        return known

    def _of(self, module: str, name: str, depth: int) -> list[Found]:
        found = self.bound(module, name, depth)
        if not found:
            for star in self.modules[module].stars:
                found += self.inside(star, name, depth + 1)
            found.sort(key=lambda one: one.kind == UNSEEN)
        if name in BUILTINS and all(one.kind == UNSEEN for one in found):
            found.append(Found(BUILTIN, "", name))
        return found

    def bound(self, module: str, name: str, depth: int) -> list[Found]:
        """What a module binds a name to."""
        here = self.modules[module]
        found: list[Found] = []
        for dotted in reversed(here.imports.get(name, ())):
            found += self.dotted(dotted, depth + 1)
        for node in reversed(here.definitions.get(name, ())):
            found.append(Found(DEFINED, module, name, node))
        if name in here.assigned or (name[:2] == "__" and name not in BUILTINS):
            found.append(Found(VARIABLE, module, name))
        return found

    def is_module(self, dotted: str) -> bool:
        """Whether this is a module of the project."""
        return dotted in self.modules

    def inside(self, module: str, name: str, depth: int) -> list[Found]:
        """What a module binds a name to; empty if its text does not."""
        if module not in self.modules or depth > _MOST_RE_EXPORTS:
            return [Found(UNSEEN, module, name)]
        return [one for one in self._of(module, name, depth) if one.kind != BUILTIN]

    def dotted(self, dotted: str, depth: int = 0) -> list[Found]:
        """What a dotted name as imported may stand for."""
        if self.is_module(dotted):
            return [Found(MODULE, "", dotted)]
        owner, _, name = dotted.rpartition(".")
        if self.is_module(owner):  # what its text does not bind it may have otherwise
            return self.inside(owner, name, depth) or [Found(UNSEEN, owner, name)]
        if self.is_module(dotted.partition(".")[0]):
            owners = self.dotted(owner, depth + 1)
            return [one for found in owners for one in self.member(found, name, depth + 1)]
        return [Found(LIBRARY, "", dotted)]

    def member(self, owner: Found, name: str, depth: int = 0) -> list[Found]:
        """What an attribute of a module, or of something of a library, may be."""
        if owner.kind == MODULE:
            return self.dotted(f"{owner.name}.{name}", depth)
        if owner.kind in (LIBRARY, BUILTIN, UNSEEN):
            return [replace(owner, name=f"{owner.name}.{name}")]
        return []
