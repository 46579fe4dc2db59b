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
                yield node.value.rstrip(".")


def files(path: Path) -> list[Path]:
    return sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


def imports(place: str, package: str = "cord") -> dict[str, set[str]]:
    """The other folders of a package that a folder or file imports, each with the modules in it."""
    found: dict[str, set[str]] = {}
    for path in files(PACKAGE.parent / package.replace(".", "/") / place):
        for name in imported(path):
            inside = name.removeprefix(f"{package}.").split(".")
            if name.startswith(f"{package}.") and inside[0] != place:
                found.setdefault(inside[0], set()).update(inside[1:2])
    return found


def rooms(readme: Path) -> dict[str, set[str]]:
    """The folders and files that the table of a folder has, each with those that it may use."""
    text = readme.read_text()
    table = text[re.search(r"^\| (folder|folder or file) \|", text, re.MULTILINE).start() :]  # type: ignore[union-attr]
    found = ROW.findall(table[: table.find("\n\n")])
    return {Path(place).stem: set(named(cell)) for place, cell in found}


def entries(folder: Path, suffix: str) -> set[str]:
    """What stands in a folder: folders and files of a language."""
    inside = [path for path in folder.iterdir() if path.suffix == suffix or path.is_dir()]
    return {path.stem for path in inside} - {"__pycache__", "__init__"}


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


@pytest.mark.parametrize("package", ["runtime", "translate"])
def test_rooms_import_what_their_table_says(package: str) -> None:
    said = rooms(PACKAGE / package / "README.md")
    assert said.keys() == entries(PACKAGE / package, ".py")
    for place, names in said.items():
        assert imports(place, f"cord.{package}").keys() == names, place
        assert all(list(said).index(name) > list(said).index(place) for name in names), place


def test_native_rooms_use_what_their_table_says() -> None:
    sources = CRATES / "cord-py" / "src"
    said = rooms(CRATES / "cord-py" / "README.md")
    assert said.keys() == {path.name for path in sources.iterdir() if path.is_dir()}
    for place, names in said.items():
        text = "".join(path.read_text() for path in (sources / place).rglob("*.rs"))
        used = set(re.findall(r"\bcrate::(\w+)", text)) & said.keys() - {place}
        assert used == names, place


def dependencies(crate: str) -> set[str]:
    manifest = tomllib.loads((CRATES / crate / "Cargo.toml").read_text())
    parts = ["dependencies", "dev-dependencies", "build-dependencies"]
    return {name for part in parts for name in manifest.get(part, {})}


def called_by_name(crate: str) -> set[str]:
    """The folders and files of Cord's Python that a crate's sources name."""
    sources = "".join(path.read_text() for path in (CRATES / crate).rglob("*.rs"))
    names = re.findall(r'"cord\.([a-z]\w*)', sources)  # `cord._core` is the native module itself
    return {name for name in names if name in PYTHON}


NATIVE = [Path(place).name for place in TABLE if place.startswith("crates/")]


@pytest.mark.parametrize("crate", [name for name in NATIVE if name != "cord-py"])
def test_a_crate_uses_what_the_table_says_and_knows_nothing_of_python(crate: str) -> None:
    used = dependencies(crate)
    assert {name for name in used if name.startswith("cord")} == TABLE[f"crates/{crate}/"].keys()
    assert "pyo3" not in used
    assert called_by_name(crate) == set()


def test_crates_use_those_below_them_in_the_table() -> None:
    for crate in NATIVE:
        below = NATIVE[NATIVE.index(crate) + 1 :]
        assert {name for name in dependencies(crate) if name.startswith("cord")} <= set(below)


def test_the_native_module_calls_what_the_table_says() -> None:
    said = TABLE["crates/cord-py/"].keys()
    crates = {name for name in dependencies("cord-py") if name.startswith("cord")}
    assert said == crates | called_by_name("cord-py")
