"""The table of folders in docs/architecture.md says which imports there are, and no others."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "cord"
CRATES = ROOT / "crates"
ROW = re.compile(r"^\| `([^`]+)` \|.*\| ([^|]*) \|$", re.MULTILINE)
NAMED = re.compile(r"`([\w-]+)`(?: \((`[^)]*)\))?")
MODULE = re.compile(r"cord\.([a-z]\w*(?:\.\w+)*)")


def named(cell: str) -> dict[str, set[str]]:
    """What a cell names, each with those of its modules that stand behind it in brackets."""
    return {name: set(re.findall(r"`(\w+)`", some)) for name, some in NAMED.findall(cell)}


PAGE = (ROOT / "docs" / "architecture.md").read_text()
TABLE = {place: named(cell) for place, cell in ROW.findall(PAGE) if "/" in place}
PYTHON = {Path(place).stem: names for place, names in TABLE.items() if place.startswith("python/")}


def for_types_alone(tree: ast.AST) -> set[ast.AST]:
    """What stands under `if TYPE_CHECKING`."""
    tests = [node for node in ast.walk(tree) if isinstance(node, ast.If)]
    types = [node for node in tests if ast.unparse(node.test).endswith("TYPE_CHECKING")]
    return {inner for node in types for line in node.body for inner in ast.walk(line)}


def imported(path: Path) -> Iterator[str]:
    """The modules of Cord that a file imports, at its top, inside functions, and by their names."""
    tree = ast.parse(path.read_text())
    left_out = for_types_alone(tree)
    package = ["cord", *path.relative_to(PACKAGE).parent.parts]
    for node in ast.walk(tree):
        if node in left_out:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            name = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{name}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            by_name = MODULE.fullmatch(node.value.rstrip("."))
            if by_name and by_name[1].split(".")[0] in PYTHON:
                yield node.value


def files(place: str) -> list[Path]:
    path = PACKAGE / place
    return sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


def imports(place: str) -> dict[str, set[str]]:
    """The other folders of Cord that a folder or file imports, each with the modules in it."""
    found: dict[str, set[str]] = {}
    for path in files(place):
        for name in imported(path):
            cord, _, inside = name.partition(".")
            if cord == "cord" and (first := inside.split(".")[0]) != place:
                found.setdefault(first, set()).update(inside.split(".")[1:2])
    return found


def test_the_table_has_all_folders_and_files() -> None:
    entries = [path for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()]
    assert {path.stem for path in entries if path.name != "__pycache__"} == PYTHON.keys()
    assert {f"crates/{path.name}/" for path in CRATES.iterdir() if path.is_dir()} <= TABLE.keys()


@pytest.mark.parametrize("place", PYTHON)
def test_a_folder_imports_what_the_table_says(place: str) -> None:
    real, said = imports(place), PYTHON[place]
    assert real.keys() == said.keys()
    for name, modules in said.items():
        assert not modules or modules == real[name]


def test_imports_run_from_the_top_of_the_table_to_the_bottom() -> None:
    order = [*PYTHON, "_core"]
    for place, names in PYTHON.items():
        assert all(order.index(name) > order.index(place) for name in names), place


def dependencies(crate: str) -> set[str]:
    manifest = tomllib.loads((CRATES / crate / "Cargo.toml").read_text())
    parts = ["dependencies", "dev-dependencies", "build-dependencies"]
    return {name for part in parts for name in manifest.get(part, {})}


def called_by_name(crate: str) -> set[str]:
    """The folders and files of Cord's Python that a crate's sources name."""
    sources = "".join(path.read_text() for path in (CRATES / crate).rglob("*.rs"))
    names = re.findall(r'"cord\.([a-z]\w*)', sources)  # `cord._core` is the native module itself
    return {name for name in names if name in PYTHON}


def test_the_core_knows_nothing_of_python() -> None:
    assert not {name for name in dependencies("cord-core") if name.startswith(("pyo3", "cord"))}
    assert called_by_name("cord-core") == set()
    assert TABLE["crates/cord-core/"] == {}


def test_the_native_module_calls_what_the_table_says() -> None:
    said = TABLE["crates/cord-py/"].keys()
    crates = {name for name in dependencies("cord-py") if name.startswith("cord")}
    assert said == crates | called_by_name("cord-py")
