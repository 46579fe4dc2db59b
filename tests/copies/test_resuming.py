"""The text of one function is that which its file has of it."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING

import pytest

from cord.runtime.copies.unknown import resuming
from cord.runtime.copies.unknown.calling import CannotResumeError
from sampling import sample

if TYPE_CHECKING:
    from collections.abc import Iterator

LIBRARY = Path(ast.__file__).parent
SHAPES = '''\
import functools


class Outer:
    class Inner:
        @functools.cache
        def decorated(
            self,
            first=(1, 2),
        ):
            """About it.

    Less indented here.
"""
            return (
                first
            )

    def around(self):
        def within():
            class Local:
                def deep(self):
                    if self:
                        return 1
                    else:
                        pass
            return Local

        return within


def last(x): return x
async def awaited():
    return 1
def handles():
    try:
        return last(1)
    except ValueError:
        pass
    # the end
'''


def functions_in(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from functions_in(one)


def defined(tree: ast.AST, owners: list[str]) -> Iterator[tuple[ast.FunctionDef, list[str]]]:
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.FunctionDef):
            yield child, owners
        inner = [*owners, child.name] if isinstance(child, ast.ClassDef) else owners
        yield from defined(child, inner)


def lines_of(tree: ast.AST) -> list[int]:
    return [one.lineno for one in ast.walk(tree) if hasattr(one, "lineno")]


def assert_same_text(file: Path) -> int:
    """Each function of a file is found; how many there are."""
    tree = ast.parse(file.read_bytes())
    known = {}
    for one, owners in defined(tree, []):
        first = min([one.lineno, *(decorator.lineno for decorator in one.decorator_list)])
        known.setdefault((first, one.name), (one, owners))
    code = compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
    wanted = [one for one in functions_in(code) if (one.co_firstlineno, one.co_name) in known]
    for one in wanted:
        whole, owners = known[one.co_firstlineno, one.co_name]
        found, around = resuming._function(one, {})
        assert ast.dump(found) == ast.dump(whole), one
        assert (lines_of(found), around) == (lines_of(whole), owners), one
    return len(wanted)


def test_functions_of_many_shapes(tmp_path: Path) -> None:
    (tmp_path / "shapes.py").write_text(SHAPES)
    assert assert_same_text(tmp_path / "shapes.py") == 6


@pytest.mark.parametrize("indent", ["\t", "  ", "        "])
def test_any_indentation(indent: str, tmp_path: Path) -> None:
    text = "class C:\n" + textwrap.indent("def f(self):\n\n    return [\n1,\n]\n", indent)
    (tmp_path / "c.py").write_text(text)
    assert assert_same_text(tmp_path / "c.py") == 1


@pytest.mark.parametrize("file", sample(sorted(LIBRARY.glob("*.py")), 8, of="text"), ids=str)
def test_functions_of_the_standard_library(file: Path) -> None:
    assert_same_text(file)


def test_code_without_a_text_cannot_go_on() -> None:
    [code] = functions_in(compile("def f():\n    return 1\n", "nowhere.py", "exec"))
    with pytest.raises(CannotResumeError):
        resuming._function(code, {})


def test_what_is_no_function_with_a_text_cannot_go_on(tmp_path: Path) -> None:
    file = tmp_path / "short.py"
    file.write_text("add = lambda x: x\n")
    [code] = functions_in(compile(file.read_text(), str(file), "exec"))
    with pytest.raises(CannotResumeError):
        resuming._function(code, {})
