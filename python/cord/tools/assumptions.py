"""Names in a plan that name nothing: told by the source, nothing is imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.util import decode_source

from cord.plan import modules
from cord.plan.model import Plan
from cord.plan.problems import did_you_mean
from cord.plan.program import Program
from cord.source.scope import bound_names


def names_of_nothing(plan: Plan, program: Program) -> Iterator[tuple[str, str | None]]:
    """What is wrong with such names, each as a sentence and a hint."""
    named = dict.fromkeys(("assume.pure", name) for name in sorted(plan.assume_pure))
    for remote in plan.remote.values():
        for function in (remote.function(""), *remote.functions.values()):
            named.update(dict.fromkeys(("retry_on", name) for name in function.retry_on))
    for key, name in named:
        if "." in name:
            found = _looked_up(key, name, program)
            if found is not None:
                yield found


def _looked_up(key: str, name: str, program: Program) -> tuple[str, str | None] | None:
    parts = name.split(".")
    path = modules.search_path(program)
    stem = modules.stem_of(program)
    for end in range(len(parts) - 1, 0, -1):
        module = ".".join(parts[:end])
        found = modules.find_module(module, path)
        source = program.path if module == stem else found.source if found else None
        if found is None and source is None:
            continue
        if source is None:  # not written in Python: who knows
            return None
        return _inside(key, name, module, parts[end:], source)
    near = did_you_mean(parts[0], modules.modules_beside(program, ""))
    return f'{key} names "{name}", but there is no module {parts[0]}', near


def _inside(
    key: str, name: str, module: str, rest: list[str], source: str
) -> tuple[str, str | None] | None:
    try:
        with open(source, "rb") as file:
            tree: ast.Module | ast.ClassDef = ast.parse(decode_source(file.read()))
    except (OSError, SyntaxError, ValueError):
        return None
    owner = module
    for part in rest:
        known = bound_names(tree)
        if part not in known:
            if _binds_otherwise(tree, known):
                return None
            sentence = f'{key} names "{name}", but {owner} does not define {part}'
            return sentence, did_you_mean(part, known)
        inner = [n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == part]
        if len(inner) != 1:
            return None
        tree, owner = inner[0], f"{owner}.{part}"
    return None


def _binds_otherwise(tree: ast.Module | ast.ClassDef, known: set[str]) -> bool:
    """Whether there may be names that are not bound by the text itself."""
    if isinstance(tree, ast.ClassDef):
        return bool(tree.bases or tree.keywords or tree.decorator_list)
    stars = any(isinstance(n, ast.ImportFrom) and n.names[0].name == "*" for n in ast.walk(tree))
    return stars or "__getattr__" in known or bool({"globals", "vars", "exec"} & _read(tree))


def _read(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
