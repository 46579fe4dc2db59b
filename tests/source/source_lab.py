"""Little projects, given as source, as those read them that ask what names stand for."""

from __future__ import annotations

import ast
from textwrap import dedent

from cord.source.definitions import Definitions
from cord.source.modules import Module, Modules
from cord.source.names import Names


def module_of(name: str, text: str, *, is_package: bool = False) -> Module:
    """A module of that text."""
    package = name if is_package else name.rpartition(".")[0]
    return Module(name, f"{name}.py", ast.parse(dedent(text)), package)


def modules_of(main: str, most: int | None = None, **others: str) -> Modules:
    """A module `main`, and what it imports of others (``a__b`` is `a.b`, ``a____init`` is `a`)."""
    known: dict[str, Module] = {}
    for key, text in others.items():
        name = key.removesuffix("____init").replace("__", ".")
        known[name] = module_of(name, text, is_package=key.endswith("____init"))
    found = Modules(known.get, most)
    found.add([module_of("main", main)])
    return found


def meanings(callee: str, main: str, module: str = "main", **others: str) -> list[str]:
    """What a dotted name may stand for: ``kind module.name``."""
    known = Names(modules_of(main, **others).named)
    first, *parts = callee.split(".")
    found = known.of(module, first)
    for part in parts:
        found = [one for owner in found for one in known.member(owner, part)]
    return [" ".join([one.kind, ".".join(filter(None, (one.module, one.name)))]) for one in found]


def definitions_of(main: str, **others: str) -> Definitions:
    """The functions and classes of such a project."""
    return Definitions(Names(modules_of(main, **others).named))
