"""Classes of the project of which the text tells that scouts make no instances."""

from __future__ import annotations

import ast

from cord.translate.sites.project import Meaning, Project

# Methods that have a say in how an instance is made, read or ended.
_OWN = ("__new__", "__init__", "__post_init__", "__getattribute__", "__del__")
_DEEPEST = 8


def why_not_made(project: Project, cls: Meaning) -> str | None:
    """Why a scout makes no instance of a class; None if it may.

    Args:
        project: The project.
        cls: The class.
    """
    if cls.dotted in project.assume_pure:
        return None
    why = _why_not(project, cls, 0)
    return None if why is None else f"scouts make no instances of {cls.name}, for {why}"


def _why_not(project: Project, cls: Meaning, depth: int) -> str | None:
    module = project.modules[cls.module]
    node = module.classes[cls.name]
    for keyword in node.keywords:
        if keyword.arg == "metaclass" and ast.unparse(keyword.value).split(".")[-1] != "ABCMeta":
            return f"{cls.name} has a metaclass"
    for name in _OWN:
        if f"{cls.name}.{name}" in module.methods:
            return f"{cls.name} has {name}()"
    for base in node.bases:
        above = project.meaning(module, base, {})
        if above is None:
            continue
        if above.kind == "builtin" and above.name != "object":
            return f"{cls.name} is a kind of {above.name}"
        if above.kind == "class" and depth < _DEEPEST:
            why = _why_not(project, above, depth + 1)
            if why is not None:
                return why
    return None
