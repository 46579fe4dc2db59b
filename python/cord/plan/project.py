"""The modules of a project that some of its modules need: imports, followed by their text."""

from __future__ import annotations

import ast

from cord.plan.modules import find_module
from cord.silence import silence
from cord.source.modules import package_of
from cord.source.scope import imported_modules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Needed:
    """What modules need.

    Attributes:
        sources: The sources of those that are the project's, themselves included, in order.
        others: The top-level names of those that are not, whether or not they can be found.

    Args:
        path: Where modules are looked for.
        is_own: Whether a source, by its path, is the project's.
    """

    def __init__(self, path: list[str], is_own: Callable[[str], bool]) -> None:
        self.sources: list[str] = []
        self.others: set[str] = set()
        self._path = path
        self._is_own = is_own
        self._seen: set[str] = set()

    def follow(self, names: Iterable[str]) -> None:
        """Add modules, and what they import."""
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            top = name.partition(".")[0]
            if name in self._seen or top in self.others:
                continue
            self._seen.add(name)
            found = find_module(name, self._path)
            if found is not None and found.source is not None and self._is_own(found.source):
                waiting += self._read(found.source, package_of(name, found.source))
            elif name == top and not (found is not None and found.is_namespace):
                self.others.add(name)

    def follow_script(self, source: str) -> None:
        """Add what a script imports, and the script."""
        self.follow(self._read(source, ""))

    def _read(self, source: str, package: str) -> list[str]:
        """Add a file; the modules that it may import."""
        if source not in self.sources:
            self.sources.append(source)
        try:
            with open(source, "rb") as file:
                text = file.read()
            with silence():
                tree = ast.parse(text, source)
        except (OSError, SyntaxError, ValueError, RecursionError):
            return []  # whoever imports it is told
        imports = (
            node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))
        )
        return [name for node in imports for name in imported_modules(node, package)]
