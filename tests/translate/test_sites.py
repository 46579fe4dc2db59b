"""Call sites, loops and regions: what is numbered, and what belongs to which scout."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest
from translator_lab import read_project

from cord.translate.results import MAIN
from cord.translate.sites.sites import Found, find_sites


def find(folder: Path, text: str, **modules: str) -> Found:
    project = read_project(folder, textwrap.dedent(text), **modules)
    module = project.modules[MAIN]
    return find_sites(project, module, ast.parse(module.source))


def sites(found: Found) -> list[tuple[str, str]]:
    """Each site's call and the name of its region."""
    return [(ast.unparse(site.node), site.region.name) for site in found.sites]


MODULE = "the module's own code"

PROGRAM = """
    from work import f
    f(1)
    def helper(x):
        return f(f(x))
    class Box:
        def method(self):
            return helper(2)
    total = sum(f(i) for i in range(3))
"""


def test_sites_are_numbered_in_the_order_of_evaluation(tmp_path: Path) -> None:
    found = find(tmp_path, PROGRAM)
    assert sites(found) == [
        ("f(1)", MODULE),
        ("f(x)", "helper"),
        ("f(f(x))", "helper"),
        ("helper(2)", "Box.method"),
        ("f(i)", MODULE),
    ]
    assert [site.index for site in found.sites] == [0, 1, 2, 3, 4]
    assert [site.remote for site in found.sites] == [True, True, True, False, True]


def test_two_parses_agree(tmp_path: Path) -> None:
    project = read_project(tmp_path, textwrap.dedent(PROGRAM))
    module = project.modules[MAIN]
    first, second = (find_sites(project, module, ast.parse(module.source)) for _ in range(2))
    assert sites(first) == sites(second)
    assert [r.name for r in first.regions] == [r.name for r in second.regions]
    assert sorted(first.loop_of.values()) == sorted(second.loop_of.values())


@pytest.mark.parametrize(
    "text",
    [
        "[f(i) for i in x]",
        "{f(i) for i in x}",
        "{i: f(i) for i in x}",
        "[[f(i) for i in y] for y in x]",
        "sum(f(i) for i in x)",
        "','.join(f(i) for i in x)",
        "out.extend(f(i) for i in x)",
        "sorted((f(i) for i in x))",
        "(i for i in f(1))",  # the first iterable is read where the expression stands
        "@f(1)\ndef inner(): pass",
        "def inner(x=f(1)): pass",
        "class Box(f(1)): pass",
        "class Box:\n    size = f(1)",
    ],
)
def test_what_belongs_to_the_code_around(text: str, tmp_path: Path) -> None:
    found = find(tmp_path, f"from work import f\n{text}\n")
    assert [site.region.name for site in found.sites] == [MODULE]
    assert found.sites[0].why_not is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "[0 for i in (lambda: f(1),)]",
            "it stands in a lambda in what a comprehension walks",
        ),
        (
            "later = ((y := f(i)) for i in x)",
            "it stands in a generator expression that binds a variable outside",
        ),
        ("later = (f(locals()) for i in x)", "line 2: locals may look at the local variables"),
        (
            "async def main():\n    f(1)",
            "it stands in a coroutine, where a call blocks as it does in the plain program",
        ),
        ("def main():\n    f(locals())", "line 3: locals may look at the local variables"),
        ("def main():\n    exec('x')\n    f(1)", "line 3: exec may look at the local variables"),
    ],
)
def test_what_no_scout_covers(text: str, why: str, tmp_path: Path) -> None:
    found = find(tmp_path, f"from work import f\n{text}\n")
    (site,) = found.sites
    assert not site.region.scouted
    assert site.why_not == why


def test_only_loops_around_sites_are_numbered(tmp_path: Path) -> None:
    found = find(
        tmp_path,
        """
        from work import f
        for i in x:
            print(i)
        for i in x:
            for j in i:
                f(j)
        [len(i) for i in x]
        [f(j) for i in x for j in i]
        """,
    )
    assert sorted(found.loop_of.values()) == [0, 1, 2, 3]


ANYTHING = """
    import work
    def main(f, table, item):
        f(1)
        table["f"](2)
        getattr(work, "f")(3)
        item.run(4)
        item.stop(5)
        table.append(6)
    class Item:
        run = None
"""


def test_a_callee_may_be_anything_where_functions_are_values(tmp_path: Path) -> None:
    kept = ANYTHING + "    kept = [work.f]\n"
    assert sites(find(tmp_path, ANYTHING)) == []
    assert sites(find(tmp_path, kept)) == [
        ("f(1)", "main"),
        ("table['f'](2)", "main"),
        ("getattr(work, 'f')(3)", "main"),
        ("item.run(4)", "main"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "map(lambda i: f(i), x)",
        "list(filter(lambda i: f(i), x))",
        "sorted(x, key=lambda i: f(i))",
        "max(x, key=lambda i: f(i))",
        "import functools\nfunctools.reduce(lambda a, i: a + f(i), x)",
        "from itertools import starmap\nstarmap(lambda i, j: f(i), x)",
        "map(f, x)",
        "min(x, key=f)",
    ],
)
def test_what_is_called_for_each_element_belongs_to_the_code_around(
    text: str, tmp_path: Path
) -> None:
    found = find(tmp_path, f"from work import f\n{text}\n")
    assert [site.region.name for site in found.sites] == [MODULE]
    assert list(found.loop_of.values()) == [0]
