"""The program's own translation: calls become takes, and nothing else moves."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path
from types import CodeType

import pytest
from translator_lab import read_project, run

from cord.translate.code import nested
from cord.translate.program.rewrite import ACTIVATION, rewrite
from cord.translate.results import MAIN, MARK
from cord.translate.sites.sites import find_sites

HEAD = "from work import f\n"


def translate(folder: Path, text: str) -> ast.Module:
    project = read_project(folder, textwrap.dedent(text))
    module = project.modules[MAIN]
    return rewrite(find_sites(project, module, ast.parse(module.source)))


def readable(tree: ast.AST) -> str:
    return ast.unparse(tree).replace(repr(MARK)[1:-1], "").replace(ACTIVATION, "A")


@pytest.mark.parametrize(
    ("text", "translated"),
    [
        ("f(1, k=2)", "'site:0'.take_named('activation:0', f, 1, k=2)"),
        ("f(f(1))", "'site:1'.take('activation:0', f, 'site:0'.take('activation:0', f, 1))"),
        # errors about stars name the callee, so it is bound before they are looked at
        ("f(*a)", "'site:0'.bound('activation:0', f)(*a)"),
        ("f(**k)", "'site:0'.bound('activation:0', f)(**k)"),
        (
            "x = lambda: f(1)",
            "x = lambda: (A := 'region:1'.enter()) and 'site:0'.take(A, f, 1)",
        ),
        # a lambda that is called where it stands belongs to the code around
        (
            "map(lambda x: f(x), y)",
            "map(lambda x: 'site:0'.take('activation:0', f, x), "
            "'loops'.loop('activation:0', 0, y))",
        ),
        (
            "map(f, x, y)",
            "map('site:0'.bound('activation:0', f), 'loops'.loop('activation:0', 0, x), "
            "'loops'.beside('activation:0', 0, y))",
        ),
        (
            "sorted(x, key=f)",
            "sorted('loops'.keyed('activation:0', 0, x), key='loops'.follow("
            "'activation:0', 0, 'site:0'.bound('activation:0', f)))",
        ),
        ("map(len, x)", "map(len, x)"),
        (
            "for i in map(len, x):\n    f(i)\n    break",
            "for i in map(len, 'loops'.loop('activation:0', 1, x)):\n"
            "    'site:0'.take('activation:0', f, i)\n    break\n"
            "'loops'.forget('activation:0', 1)",
        ),
        ("t = [f]\nt[0](1)", "t = [f]\n'site:0'.bound('activation:0', t[0])(1)"),
        (
            "[f(i) for i in x]",
            "['site:0'.take('activation:0', f, i) for i in 'loops'.loop('activation:0', 0, x)]",
        ),
        ("[len(i) for i in x]", "[len(i) for i in x]"),
        (
            "for i in x:\n    f(i)",
            "for i in 'loops'.loop('activation:0', 0, x):\n    'site:0'.take('activation:0', f, i)",
        ),
        (
            "for i in x:\n    f(i)\n    break",
            "for i in 'loops'.loop('activation:0', 0, x):\n"
            "    'site:0'.take('activation:0', f, i)\n    break\n"
            "'loops'.forget('activation:0', 0)",
        ),
        ("while x:\n    f(x)", "while x:\n    'site:0'.take('activation:0', f, x)"),
    ],
)
def test_calls_and_loops(text: str, translated: str, tmp_path: Path) -> None:
    tree = translate(tmp_path, HEAD + text)
    assert readable(ast.Module(tree.body[1:], [])) == translated


def test_a_module_without_remote_calls_stays_as_it_is(tmp_path: Path) -> None:
    text = "import work\nfor i in x:\n    print(i, work)\n"
    assert ast.dump(translate(tmp_path, text)) == ast.dump(ast.parse(text))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("f(1)", ["A = 'region:1'.enter()", "'site:0'.take(A, f, 1)"]),
        (
            "'''Words.'''\nf(1)",
            ["'Words.'", "A = 'region:1'.enter()", "'site:0'.take(A, f, 1)"],
        ),
        (
            "'''Words.'''\nglobal a\nf(1)",
            ["'Words.'", "global a", "A = 'region:1'.enter()", "'site:0'.take(A, f, 1)"],
        ),
    ],
)
def test_the_hidden_local_stands_first(body: str, expected: list[str], tmp_path: Path) -> None:
    tree = translate(tmp_path, f"{HEAD}def main():\n{textwrap.indent(body, '    ')}\n")
    function = tree.body[1]
    assert isinstance(function, ast.FunctionDef)
    assert [readable(s).strip("\"'").replace('"', "'") for s in function.body] == [
        text.strip("\"'") for text in expected
    ]


def test_a_docstring_stays_the_docstring(tmp_path: Path) -> None:
    tree = translate(tmp_path, f"{HEAD}def main():\n    'Words.'\n    f(1)\n")
    function = tree.body[1]
    assert isinstance(function, ast.FunctionDef)
    assert ast.get_docstring(function) == "Words."


def test_helpers_are_shown_before_their_arguments_are_computed(tmp_path: Path) -> None:
    tree = translate(tmp_path, f"{HEAD}def helper(x): return f(x)\nhelper(1)\n")
    assert readable(tree.body[2]) == "'site:1'.enter('activation:0', helper)(1)"


def test_every_line_is_one_of_the_program(tmp_path: Path) -> None:
    text = textwrap.dedent(
        """
        import work
        from work import f
        def helper(x):
            return f(x)
        def main(a):
            'Words.'
            for i in a:
                x = (f(i)
                     + f(*a))
                y = [
                    work
                    .f(
                        i
                    ),
                    helper(
                        i
                    )
                ]
                if y:
                    break
            while (
                a
            ):
                del a[
                    0
                ]
            return [f(i) for i in a if f(i)]
        main([1])
        """
    )

    def lines(code: CodeType) -> dict[str, set[int | None]]:
        return {
            inner.co_qualname: {line for *_, line in inner.co_lines()} for inner in nested(code)
        }

    plain = lines(compile(text, "main.py", "exec"))
    translated = lines(compile(translate(tmp_path, text), "main.py", "exec"))
    assert {name: found - {None} for name, found in translated.items()} == {
        name: found - {None} for name, found in plain.items()
    }


def test_the_hidden_local_has_a_name_that_no_program_can_write() -> None:
    assert not ACTIVATION.isidentifier()


def test_generators_closures_and_defaults_still_work(tmp_path: Path) -> None:
    lab = run(
        tmp_path,
        """
        from work import f
        def numbers(n):
            for i in range(n):
                yield f(i)
        def outer(a, b=f(50)):
            def inner():
                return f(a + b)
            return inner
        for n in numbers(3):
            f(n + 10)
        outer(1)()
        (lambda x: f(x))(7)
        """,
        start=99,
    )
    assert " ".join(lab.called) == "f(50) f(0) f(10) f(1) f(11) f(2) f(12) f(51) f(7)"
