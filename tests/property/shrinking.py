"""Makes a failing program small: statements and expressions go, as long as it still fails.

Delta debugging on the syntax tree. Candidates are tried one at a time: a run of statements left
out, a block in place of the statement around it, a part in place of the whole expression.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import replace

from program_case import Case

Check = Callable[[Case], bool]
Change = Callable[[ast.Module], bool]

SOURCES = ("main.py", "lib.py")
PASSES = 6


def shrink(case: Case, fails: Check, most: int = 1500) -> Case:
    """The smallest case found that still fails.

    Args:
        case: A case that fails.
        fails: Tells whether one does.
        most: How many candidates are tried.
    """
    left = most
    for name in SOURCES:
        if name in case.files:
            case = replace(case, files={**case.files, name: _unparsed(case.files[name])})
    for _ in range(PASSES):
        before = case.files
        for name in [name for name in SOURCES if name in case.files]:
            case, left = _shrink_file(case, name, fails, left)
        if case.files == before or left <= 0:
            break
    return _without_unused_files(case, fails)


def _unparsed(source: str) -> str:
    return ast.unparse(ast.parse(source)) + "\n"


def _shrink_file(case: Case, name: str, fails: Check, left: int) -> tuple[Case, int]:
    """One pass over the changes of one file; those that keep it failing stay."""
    for changes in (statement_changes, expression_changes):
        at = 0
        while left > 0:
            text = changed(case.files[name], changes, at)
            if text is None:
                break
            candidate = replace(case, files={**case.files, name: text})
            left -= 1
            if text != case.files[name] and fails(candidate):
                case = candidate  # what stands at this place now is another change
            else:
                at += 1
    return case, left


def changed(source: str, changes: Callable[[ast.Module], Iterator[Change]], at: int) -> str | None:
    """The source after the change of that number; None if there are not so many."""
    tree = ast.parse(source)
    for number, change in enumerate(changes(tree)):
        if number == at:
            text = source
            if change(tree):
                text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
            return text if _compiles(text) else source
    return None


def _compiles(text: str) -> bool:
    try:
        compile(text, "main.py", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def _blocks(tree: ast.AST) -> Iterator[tuple[ast.AST, str, list[ast.stmt]]]:
    """Every list of statements, from the outside in."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop(0)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                yield node, name, block
        pending += ast.iter_child_nodes(node)


def statement_changes(tree: ast.Module) -> Iterator[Change]:
    """Leave out statements, many at once first; put blocks in place of what is around them."""
    blocks = list(_blocks(tree))
    for _, name, block in blocks:
        size = len(block)
        while size:
            for start in reversed(range(0, len(block), size)):
                yield _leave_out(block, start, size, name == "body" and block is not tree.body)
            size //= 2
    for _, _, block in blocks:
        for at, statement in enumerate(block):
            for inner in _inner_blocks(statement):
                yield _put(block, at, inner)
    for node in ast.walk(tree):
        if isinstance(node, ast.Try):
            for at in range(len(node.handlers)):
                yield _leave_out(node.handlers, at, 1, not node.finalbody)


def _inner_blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return
    for name in ("body", "orelse", "finalbody"):
        if block := getattr(statement, name, None):
            yield block
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body


def _leave_out(block: list[ast.AST], start: int, size: int, needed: bool) -> Change:
    def change(_tree: ast.Module) -> bool:
        if needed and len(block) <= size:
            if isinstance(block[0], (ast.Pass, ast.ExceptHandler)):
                return False
            block[:] = [ast.Pass()]
        else:
            del block[start : start + size]
        return True

    return change


def _put(block: list[ast.stmt], at: int, inner: list[ast.stmt]) -> Change:
    def change(_tree: ast.Module) -> bool:
        block[at : at + 1] = inner
        return True

    return change


def expression_changes(tree: ast.Module) -> Iterator[Change]:
    """Put a part, or a constant, in place of an expression."""
    for node in list(ast.walk(tree)):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                for smaller in _smaller(value):
                    yield _set(node, field, smaller)
            elif (
                isinstance(value, list) and value and isinstance(value[0], (ast.expr, ast.keyword))
            ):
                for at in reversed(range(len(value))):
                    yield _leave_out(value, at, 1, False)
                    if isinstance(value[at], ast.expr):
                        for smaller in _smaller(value[at]):
                            yield _set_item(value, at, smaller)


def _smaller(value: ast.expr) -> Iterator[ast.expr]:
    if not isinstance(getattr(value, "ctx", ast.Load()), ast.Load):
        return
    if not isinstance(value, (ast.Constant, ast.Name)):
        yield ast.Constant(1)
    if isinstance(value, ast.List) and value.elts:
        yield ast.List([], ast.Load())
    for child in ast.iter_child_nodes(value):
        if isinstance(child, ast.expr):
            yield copy.deepcopy(child)


def _set(node: ast.AST, field: str, value: ast.expr) -> Change:
    def change(_tree: ast.Module) -> bool:
        setattr(node, field, value)
        return True

    return change


def _set_item(values: list[ast.expr], at: int, value: ast.expr) -> Change:
    def change(_tree: ast.Module) -> bool:
        values[at] = value
        return True

    return change


def _without_unused_files(case: Case, fails: Check) -> Case:
    for name in [name for name in case.files if name not in ("main.py", "cord.toml")]:
        files = {other: text for other, text in case.files.items() if other != name}
        plan = _plan_without(files["cord.toml"], name.removesuffix(".py"))
        candidate = replace(case, files={**files, "cord.toml": plan})
        if fails(candidate):
            case = candidate
    return case


def _plan_without(plan: str, module: str) -> str:
    tables = plan.split("\n\n")
    kept = [
        table
        for table in tables
        if not table.startswith((f"[remote.{module}]", f"[remote.{module}."))
    ]
    return "\n\n".join(kept)


def case_text(case: Case) -> str:
    """The case as a file in the format of ``tests/semantics/cases``."""
    parts = [f"# {case.about}\n"]
    parts += [f"# {name}: {value}\n" for name, value in case.options.items()]
    for name, text in case.files.items():
        parts.append(f"# file: {name}\n{text.rstrip()}\n")
    return "".join(parts)
