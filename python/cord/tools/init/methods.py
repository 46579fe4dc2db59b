"""What a method does that needs nothing of its turn, as a function: the text for it.

A method that leaves something in its object for the next call cannot start early. What takes its
time often can: the lines that neither read nor write what is left there.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from cord.knowledge.unseen import draws
from cord.tools.init.loops import CHANGERS, names_set, read_first

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_STAYS = (ast.Yield, ast.YieldFrom, ast.Await, ast.Nonlocal, ast.Global)


@dataclass(frozen=True, slots=True)
class Part:
    """Lines of a method that could be a function.

    Attributes:
        chained: The attributes by which one call of the method hangs on the one before.
        first: The first of the lines; 0 for none.
        last: The last of them.
        text: How the function and its call would look.
    """

    chained: tuple[str, ...]
    first: int
    last: int
    text: str


def part_of(source: str, line: int) -> Part | None:
    """The longest part of a method that could be a function.

    Args:
        source: The text of its file.
        line: Where it begins.

    Returns:
        The part; None if there is no method.
    """
    owner, method = _found(ast.parse(source), line)
    if owner is None or method is None or not method.args.args:
        return None
    itself = method.args.args[0].arg
    methods = {one.name for one in owner.body if isinstance(one, _FUNCTIONS)}
    chained = tuple(dict.fromkeys(_left(method, itself)))
    hinders = {*chained, *methods}
    body = method.body[1:] if ast.get_docstring(method) is not None else method.body
    run: list[ast.stmt] = []
    longest = run
    for one in body:
        run = [*run, one] if _may_go(one, itself, hinders, is_last=one is body[-1]) else []
        longest = max(longest, run, key=_length)
    if 2 * _length(longest) <= _length(body):  # hardly what takes the time
        return Part(chained, 0, 0, "")
    return Part(
        chained,
        longest[0].lineno,
        longest[-1].end_lineno or longest[-1].lineno,
        _text(owner.name, method, itself, longest),
    )


def _found(tree: ast.Module, line: int) -> tuple[ast.ClassDef | None, ast.FunctionDef | None]:
    for owner in ast.walk(tree):
        for one in owner.body if isinstance(owner, ast.ClassDef) else ():
            if isinstance(one, ast.FunctionDef):
                lines = [one.lineno, *(mark.lineno for mark in one.decorator_list)]
                if line in lines:
                    return owner, one  # type: ignore[return-value]
    return None, None


def _left(method: ast.FunctionDef, itself: str) -> list[str]:
    """The attributes of its object that a method changes, as far as the text shows."""
    found = []
    for node in ast.walk(method):
        base: ast.expr | None = None
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            base = node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            changes = node.func.attr in CHANGERS or draws(node.func.attr)
            base = node.func.value if changes else None
        while isinstance(base, ast.Subscript) or _is_deeper(base):
            base = base.value  # type: ignore[union-attr]
        if isinstance(base, ast.Attribute) and _is(base.value, itself):
            found.append(base.attr)
    return found


def _is_deeper(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Attribute) and not isinstance(node.value, ast.Name)


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _may_go(one: ast.stmt, itself: str, hinders: set[str], *, is_last: bool) -> bool:
    """Whether a statement could stand in a function that is not given the object."""
    attributes = {
        id(node.value): node.attr for node in ast.walk(one) if isinstance(node, ast.Attribute)
    }
    for node in ast.walk(one):
        if isinstance(node, _STAYS) or (
            isinstance(node, ast.Return) and not (is_last and node is one)
        ):
            return False
        if _is(node, itself) and attributes.get(id(node), itself) in {itself, *hinders}:
            return False
    return not (is_last and isinstance(one, ast.Return) and one.value is None)


def _length(run: list[ast.stmt]) -> int:
    return (run[-1].end_lineno or run[-1].lineno) - run[0].lineno + 1 if run else 0


def _text(owner: str, method: ast.FunctionDef, itself: str, run: list[ast.stmt]) -> str:
    last = run[-1]
    read = [
        node.attr
        for one in run
        for node in ast.walk(one)
        if isinstance(node, ast.Attribute) and _is(node.value, itself)
    ]
    attributes = list(dict.fromkeys(read))
    arguments = {arg.arg for arg in ast.walk(method.args) if isinstance(arg, ast.arg)}
    known = arguments | names_set(method.body)
    names = [one for one in read_first(run) if one in known and one != itself]
    rest = [one for one in method.body if one.lineno > (last.end_lineno or last.lineno)]
    later = {node.id for one in rest for node in ast.walk(one) if isinstance(node, ast.Name)}
    gives = sorted(names_set(run) & later)
    takes = ", ".join([*attributes, *(one for one in names if one not in attributes)])
    given = ", ".join(
        [
            *(f"{itself}.{one}" for one in attributes),
            *(one for one in names if one not in attributes),
        ]
    )
    lines = f"lines {run[0].lineno} to {last.end_lineno}" if len(run) > 1 else f"line {last.lineno}"
    instead = f", with {attributes[0]} for {itself}.{attributes[0]}" if attributes else ""
    said = [f"def {method.name}({takes}):", f"    ...  # {lines}{instead}"]
    if isinstance(last, ast.Return):
        call = f"return {method.name}({given})"
    else:
        said.append(f"    return {', '.join(gives) or 'None'}")
        call = (
            f"{', '.join(gives)} = {method.name}({given})" if gives else f"{method.name}({given})"
        )
    said += ["", f"class {owner}:", f"    def {method.name}({ast.unparse(method.args)}):"]
    said.append(f"        {call}")
    if rest:
        said.append("        ...  # the rest, as it is")
    return "\n".join(f"    {one}".rstrip() for one in said)
