"""Which folders that read and translate the text may import which others."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import cord

ROOT = Path(cord.__file__).parent
STAGES = {"scouts", "translation"}  # these run what is in the rooms
ROOMS = {
    "lower": set(),
    "analyse": {"lower"},
    "emit": {"lower", "analyse"},
    "explain": {"lower", "analyse"},
}


def imported(path: Path) -> Iterator[str]:
    """The modules of Cord that a file imports."""
    package = ["cord", *path.relative_to(ROOT).parent.parts]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            name = ".".join([*base, *([node.module] if node.module else [])])
            if name.split(".")[0] == "cord":
                yield from (f"{name}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", sorted(ROOT.glob("source/*.py")), ids=lambda path: path.stem)
def test_reading_the_text_knows_nothing_of_what_is_made_of_it(path: Path) -> None:
    assert [name for name in imported(path) if not name.startswith("cord.source.")] == []


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_of_the_translator_import_one_way(room: str) -> None:
    for path in ROOT.glob(f"translate/{room}/*.py"):
        for name in imported(path):
            _, folder, *rest = name.split(".")
            if folder == "translate":
                assert rest[0] not in ROOMS.keys() - ROOMS[room] - {room}, (path, name)
                assert rest[0] not in STAGES or room == "explain", (path, name)


def test_only_the_stages_run_what_is_in_the_rooms() -> None:
    for path in ROOT.glob("translate/*.py"):
        known = {name.split(".")[2] for name in imported(path) if name.count(".") > 2}
        assert path.stem in STAGES or known.isdisjoint(ROOMS), path
