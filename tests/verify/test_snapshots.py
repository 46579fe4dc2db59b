"""What is kept from call to call, who reads it, and what is told of files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from cord.tools.verify.changed import Changed
from cord.tools.verify.fork import Printed, in_fork
from cord.tools.verify.main_script import compiled
from cord.tools.verify.mentions import reader_of
from cord.tools.verify.state import data_of, is_own, snapshot

SOURCE = """
import threading

class Box:
    size = 1
    def __init__(self):
        self.inside = []
    def __getstate__(self):
        return {}

box = Box()
box.me = box
def generate():
    yield 1
    yield 2
numbers = generate()
lock = threading.Lock()
CONFIG = {"a": 1, "b": 2}
known = {}

def reads():
    return known

def forgets():
    known.clear()
"""


@pytest.fixture
def module(tmp_path: Path) -> Iterator[ModuleType]:
    path = tmp_path / "kept_here.py"
    path.write_text(SOURCE)
    made = ModuleType("kept_here")
    made.__file__ = str(path)
    sys.modules["kept_here"] = made
    exec(compile(SOURCE, str(path), "exec"), made.__dict__)
    yield made
    del sys.modules["kept_here"]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ("pass", []),
        ("box.inside.append(1)", ["box"]),
        ("Box.size = 2", ["Box"]),
        ("next(numbers)", ["numbers"]),
        ("lock.acquire()", ["lock"]),
        ("reads.calls = 1", ["reads"]),
        ("CONFIG['a'] = 3", ["CONFIG"]),
        ("del box", ["box"]),
    ],
)
def test_what_lies_between_two_snapshots(module: ModuleType, change: str, where: list[str]) -> None:
    before = snapshot()
    exec(change, module.__dict__)
    after = snapshot()
    paths = before.keys() | after.keys()
    changed = {path for path in paths if before.get(path) != after.get(path)}
    assert sorted({path[1] for path in changed if path[0] == "kept_here"}) == where


def test_globals_are_put_and_taken_away(module: ModuleType) -> None:
    kept: Any = module
    before = data_of()
    kept.CONFIG["a"] = 5
    kept.CONFIG["c"] = 6
    kept.Box.size = 7
    there = {path: data for path, data in data_of().items() if path[0] == "kept_here"}
    kept.CONFIG = {"a": 1, "b": 2}
    kept.Box.size = 1
    changed = Changed(before, there)
    paths = {path[1:] for path, _ in changed.each()}
    assert paths == {("CONFIG", "a"), ("CONFIG", "c"), ("Box", "size")}
    changed.put()
    assert (kept.CONFIG, kept.Box.size) == ({"a": 5, "b": 2, "c": 6}, 7)
    changed.without({("kept_here", "Box", "size")}).take_away()
    assert (kept.CONFIG, kept.Box.size) == ({"b": 2}, 7)


def test_who_reads_a_global(module: ModuleType, tmp_path: Path) -> None:
    main = tmp_path / "main.py"
    main.write_text("import kept_here\n")
    known = ("kept_here", "known", "")
    first = module.reads.__code__.co_firstlineno
    file = str(module.__file__)
    assert reader_of(known, set(), str(main)) == f"kept_here.py:{first + 1}"
    assert reader_of(known, {(file, first)}, str(main)) is None
    main.write_text("import kept_here as k\nprint(len(k.known))\n")
    assert reader_of(known, {(file, first)}, str(main)) == "main.py:2"


def test_whose_a_file_is(tmp_path: Path) -> None:
    assert is_own(str(tmp_path / "a.py"))
    assert not is_own(pytest.__file__)
    assert not is_own(Path.__module__ and sys.modules["pathlib"].__file__)
    assert not is_own("<string>")
    assert not is_own(None)


def test_a_fork_gives_its_value_and_is_ended() -> None:
    def prints() -> bytes:
        printed = Printed()
        os.write(1, b"seen\n")
        first = printed.take()
        return first + printed.take()

    assert in_fork(prints, 10.0) == b"seen\n"
    assert in_fork(lambda: (_ for _ in ()), 10.0) is None  # no pickle
    assert in_fork(lambda: __import__("time").sleep(60), 0.1) is None


def test_functions_are_marked_where_they_are_defined() -> None:
    source = "try:\n    def f(): return 1\nfinally:\n    pass\ndef g():\n    def f(): return 2\n"
    marked: list[str] = []
    namespace: dict[str, Any] = {"__cord_watched__": lambda name, made: marked.append(name) or made}
    exec(compiled(source, "main.py", ["f"]), namespace)
    namespace["g"]()
    assert marked == ["f"]
