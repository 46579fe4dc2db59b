"""What differs in modules has a number made of its content, for program and copy count apart."""

import sys
from types import ModuleType

import pytest

from cord.runtime.client.modules import _Modules


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "of_the_project.py").write_text("TABLE = {}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import of_the_project

    yield of_the_project
    sys.modules.pop("of_the_project")


def noted(module: ModuleType) -> _Modules:
    known = _Modules()
    known.note(module)
    known._names[module.__name__] = {"TABLE"}
    return known


def serial(known: _Modules, module: ModuleType) -> int | None:
    known.refresh()
    item = known._items.get(((module.__name__,), "TABLE"))
    return None if item is None else item.serial


def test_one_number_stands_for_one_content(module):
    program, copy = noted(module), noted(module)
    module.TABLE["a"] = 1
    first = serial(program, module)
    module.TABLE["a"] = 2
    second = serial(copy, module)
    assert None not in (first, second)
    assert first != second


def test_equal_changes_have_equal_numbers(module):
    program, copy = noted(module), noted(module)
    for value in (1, 2):
        module.TABLE["a"] = value
        assert serial(program, module) == serial(copy, module)


def test_a_content_that_comes_again_is_new(module):
    program = noted(module)
    module.TABLE["a"] = 1
    first = serial(program, module)
    module.TABLE.clear()
    assert serial(program, module) is None
    module.TABLE["a"] = 1
    assert serial(program, module) not in (None, first)
