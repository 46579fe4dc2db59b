"""Names that the program takes from its remote modules, and that those do not define."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cord.plan.problems import did_you_mean
from cord.tools.sources import shown

if TYPE_CHECKING:
    from cord.source.modules import Module
    from cord.translate.sites.project import Project

_WRITERS = frozenset({"globals", "vars", "setattr", "exec", "eval"})


@dataclass(frozen=True, slots=True)
class Missing:
    """A name that is not there.

    Attributes:
        place: File and line, as "search.py:14".
        sentence: What is wrong.
        hint: What to do about it, None if nothing is known.
    """

    place: str
    sentence: str
    hint: str | None


def missing_names(project: Project) -> list[Missing]:
    """What the project's modules read of remote modules that surely do not define it.

    Args:
        project: The program's own modules.
    """
    served = [module for module in project.modules.values() if module.served]
    defined = {module.name: names for module in served if (names := _defined(module)) is not None}
    set_by_others = {
        node.attr
        for module in project.modules.values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
    }
    found: dict[tuple[str, str], Missing] = {}
    for module in project.modules.values():
        for line, remote, name in _taken(module):
            known = defined.get(remote)
            if known is None or name in known | set_by_others or name.startswith("__"):
                continue
            if f"{remote}.{name}" not in project.modules:
                sentence = f"{remote} defines no {name}"
                missing = Missing(f"{shown(module.path)}:{line}", sentence, _near(name, known))
                found.setdefault((missing.place, name), missing)
    return list(found.values())


def _near(name: str, known: set[str]) -> str | None:
    return did_you_mean(name, [one for one in known if not one.startswith("_")])


def _defined(module: Module) -> set[str] | None:
    """The names of a module; None where the text does not tell all of them."""
    if module.stars or "__getattr__" in module.functions or module.path.endswith("__init__.py"):
        return None
    names = {*module.defined, *module.names}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Name) and node.id in _WRITERS:
            return None
        if isinstance(node, ast.Global):
            names.update(node.names)
    return names


def _taken(module: Module) -> Iterator[tuple[int, str, str]]:
    """The names that a module takes from others: line, module and name."""
    guarded = {
        inner
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Try)
        for part in node.body
        for inner in ast.walk(part)
    }
    for node in ast.walk(module.tree):
        if node in guarded:
            continue  # the program is prepared for its absence
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            for alias in node.names:
                if alias.name != "*":
                    yield node.lineno, node.module, alias.name
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield node.lineno, module.names.get(node.value.id, ""), node.attr
