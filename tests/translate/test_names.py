"""What a callee's name stands for, read from the text of the project alone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from translator_lab import read_project

from cord.source.functions import local_names
from cord.translate.results import MAIN
from cord.translate.sites.project import Project


def meaning(project: Project, callee: str, module: str = MAIN, inside: str | None = None) -> str:
    """``kind dotted.name`` of a callee, at top level or inside a function of the module."""
    where = project.modules[module]
    local = {} if inside is None else local_names(where.functions[inside], where.package)
    func = ast.parse(callee, mode="eval").body
    found = project.meaning(where, func, local)
    return "unknown" if found is None else f"{found.kind} {found.dotted}"


@pytest.mark.parametrize(
    ("imported", "callee"),
    [
        ("import work", "work.f"),
        ("import work as w", "w.f"),
        ("from work import f", "f"),
        ("from work import f as other", "other"),
        ("from work import *", "f"),
        ("if True:\n    import work", "work.f"),
        ("try:\n    from work import f\nexcept ImportError:\n    raise", "f"),
    ],
)
def test_forms_of_import(imported: str, callee: str, tmp_path: Path) -> None:
    assert meaning(read_project(tmp_path, imported), callee) == "remote work.f"


@pytest.mark.parametrize(
    ("imported", "callee"),
    [
        ("import work", "work.private"),  # not one of its remote functions
        ("import work", "work"),
        ("import work", "work.f.method"),
        ("import work", "(lambda: 1)"),
        ("import work", "table[0]"),
        ("import work", "work.f()"),
        ("import numpy\nnumpy = 1\nclass A: pass", "A.b"),
        ("f = 1", "f"),
    ],
)
def test_what_is_no_known_function(imported: str, callee: str, tmp_path: Path) -> None:
    assert meaning(read_project(tmp_path, imported), callee) == "unknown"


def test_builtins_libraries_and_functions_of_the_project(tmp_path: Path) -> None:
    project = read_project(tmp_path, "import math, os.path\ndef mine(): pass\n")
    assert meaning(project, "len") == "builtin len"
    assert meaning(project, "math.sqrt") == "library math.sqrt"
    assert meaning(project, "os.path.join") == "library os.path.join"
    assert meaning(project, "mine") == "project __main__.mine"


def test_a_definition_of_the_project_hides_a_builtin(tmp_path: Path) -> None:
    project = read_project(tmp_path, "def len(x): pass\nmax = min\n")
    assert meaning(project, "len") == "project __main__.len"
    assert meaning(project, "max") == "unknown"


def test_decorated_functions_are_not_entered_by_name(tmp_path: Path) -> None:
    project = read_project(tmp_path, "@wrap\ndef a(): pass\ndef b():\n    yield 1\n")
    assert meaning(project, "a") == "unknown"
    assert meaning(project, "b") == "project __main__.b"


@pytest.mark.parametrize(
    "binding",
    [
        "def here(f): pass",
        "def here():\n    f = 1",
        "def here():\n    for f in (): pass",
        "def here():\n    with open('x') as f: pass",
        "def here():\n    try: pass\n    except E as f: pass",
        "def here():\n    def f(): pass\n    f = 1",
        "def here():\n    @wrap\n    def f(): pass",
        "def here():\n    [(f := 1) for x in ()]",
        "def here(x):\n    match x:\n        case [f]: pass",
        "def here(*f): pass",
    ],
)
def test_a_local_name_hides_an_import(binding: str, tmp_path: Path) -> None:
    project = read_project(tmp_path, f"from work import f\n{binding}\n")
    assert meaning(project, "f", inside="here") == "unknown"
    assert meaning(project, "f") == "remote work.f"


@pytest.mark.parametrize("binding", ["def f(): pass", "f = lambda: 1"])
def test_a_local_name_of_one_function(binding: str, tmp_path: Path) -> None:
    project = read_project(tmp_path, f"from work import f\ndef here():\n    {binding}\n")
    found = meaning(project, "f", inside="here")
    assert found.startswith("project __main__.@3:")
    assert project.function(MAIN, found.removeprefix("project __main__.")).node.lineno == 3


def test_a_comprehension_variable_hides_only_inside(tmp_path: Path) -> None:
    project = read_project(tmp_path, "from work import f\ndef here():\n    [f for f in ()]\n")
    assert meaning(project, "f", inside="here") == "remote work.f"


def test_an_import_inside_a_function(tmp_path: Path) -> None:
    project = read_project(tmp_path, "def here():\n    from work import g as f\n    import work\n")
    assert meaning(project, "f", inside="here") == "remote work.g"
    assert meaning(project, "work.f", inside="here") == "remote work.f"


def test_a_relative_import_inside_a_function(tmp_path: Path) -> None:
    here = "def here():\n    from .side import run\n    from . import side\n"
    project = read_project(
        tmp_path,
        "import pkg.own\n",
        pkg____init="",
        pkg__own=here,
        pkg__side="from work import f as run\n",
    )
    assert meaning(project, "run", "pkg.own", inside="here") == "remote work.f"
    assert meaning(project, "side.run", "pkg.own", inside="here") == "remote work.f"


def test_an_import_for_the_module_inside_a_function_is_no_local_name() -> None:
    node = ast.parse("def here():\n    global f\n    from work import f, g\n").body[0]
    assert isinstance(node, ast.FunctionDef)
    assert local_names(node) == {"g": "work.g"}


def test_global_in_a_function_is_the_modules_name(tmp_path: Path) -> None:
    project = read_project(tmp_path, "from work import f\ndef here():\n    global f\n    f = 1\n")
    assert meaning(project, "f", inside="here") == "remote work.f"


def test_names_passed_on_by_other_modules(tmp_path: Path) -> None:
    project = read_project(
        tmp_path,
        "import tools\nfrom tools import score, f\nfrom stars import g\n",
        tools="from work import f as score\nfrom work import *\ndef mine(): pass\n",
        stars="from work import *\n",
    )
    assert meaning(project, "score") == "remote work.f"
    assert meaning(project, "tools.score") == "remote work.f"
    assert meaning(project, "f") == "remote work.f"
    assert meaning(project, "g") == "remote work.g"
    assert meaning(project, "tools.mine") == "project tools.mine"


def test_a_star_import_of_unknown_names_hides_builtins(tmp_path: Path) -> None:
    project = read_project(tmp_path, "from somewhere import *\n")
    assert meaning(project, "len") == "unknown"


def test_what_a_star_import_of_the_project_passes_on(tmp_path: Path) -> None:
    project = read_project(
        tmp_path, "from tools import *\n", tools="from math import sqrt\ndef own(): pass\n"
    )
    assert meaning(project, "sqrt") == "library math.sqrt"
    assert meaning(project, "own") == "project tools.own"
    assert meaning(project, "nothing") == "unknown"


def test_what_a_function_imports_is_not_the_modules(tmp_path: Path) -> None:
    project = read_project(tmp_path, "def here():\n    from work import f\ndef f(): pass\n")
    assert meaning(project, "f") == "project __main__.f"
    shared = "def here():\n    global f\n    from work import f\n"
    assert meaning(read_project(tmp_path, shared), "f") == "remote work.f"


def test_what_functions_bind_for_the_module_may_be_any_value(tmp_path: Path) -> None:
    project = read_project(tmp_path, "def here(g):\n    global max\n    max = g\n")
    func = ast.parse("max", mode="eval").body
    assert meaning(project, "max") == "unknown"
    assert project.may_be_any(project.modules[MAIN], func, {})


def test_packages_and_relative_imports(tmp_path: Path) -> None:
    project = read_project(
        tmp_path,
        "import pkg.inner.deep\nfrom pkg import run\nimport pkg.side as s\n",
        pkg____init="from .side import run\n",
        pkg__side="from work import f as run\n",
        pkg__inner____init="",
        pkg__inner__deep="from ..side import run as again\nfrom . import peer\ndef own(): pass\n",
        pkg__inner__peer="from work import g\n",
    )
    assert meaning(project, "run") == "remote work.f"
    assert meaning(project, "s.run") == "remote work.f"
    assert meaning(project, "pkg.side.run") == "remote work.f"
    assert meaning(project, "pkg.inner.deep.again") == "remote work.f"
    assert meaning(project, "pkg.inner.deep.own") == "project pkg.inner.deep.own"
    assert meaning(project, "peer.g", "pkg.inner.deep") == "remote work.g"


def test_modules_that_import_each_other(tmp_path: Path) -> None:
    project = read_project(
        tmp_path, "from a import f\n", a="from b import f\n", b="from a import f\n"
    )
    assert meaning(project, "f") == "unknown"


def test_a_module_that_cannot_be_parsed_is_left_out(tmp_path: Path) -> None:
    project = read_project(tmp_path, "import broken\n", broken="def (:\n")
    assert list(project.modules) == [MAIN]


def test_the_program_itself_must_parse(tmp_path: Path) -> None:
    with pytest.raises(SyntaxError):
        read_project(tmp_path, "def (:\n")


def test_which_functions_lead_to_remote_calls(tmp_path: Path) -> None:
    project = read_project(
        tmp_path,
        "from helpers import far\ndef even(n): return odd(n - 1)\ndef odd(n): return even(n - 1)\n"
        "def loop(n):\n    far(n)\n    loop(n - 1)\ndef plain(): return len('x')\n",
        helpers="import work\ndef near(x): return work.f(x)\ndef far(x): return near(x)\n",
    )

    def reaches(module: str) -> set[str]:
        where = project.modules[module]
        return {
            name
            for name in where.functions
            if project.reaches_remote(project.meaning(where, ast.parse(name, mode="eval").body, {}))
        }

    assert reaches("helpers") == {"near", "far"}
    assert reaches(MAIN) == {"loop"}
