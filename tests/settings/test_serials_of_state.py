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


def test_places_that_share_an_object_have_one_number(module):
    program, copy = noted(module), noted(module)
    module.TABLE["a"] = [1]
    module.OTHER = [module.TABLE]
    alone = serial(copy, module)
    program._names[module.__name__].add("OTHER")
    together = serial(program, module)
    assert program._items[(module.__name__,), "OTHER"].serial == together
    assert alone not in (None, together)
    module.OTHER = None
    assert serial(program, module) not in (None, together)


def test_what_is_put_into_another_place_travels_with_it(module):
    program = noted(module)
    program._names[module.__name__].add("OTHER")
    module.OTHER = [module.TABLE]
    assert serial(program, module) is not None
    module.OTHER = [{}]
    assert serial(program, module) is None


def test_what_is_made_for_the_pickler_is_shared_by_nobody(module):
    class Made:
        def __reduce__(self):
            return dict, (), {"a": 1}

    for name in ("TABLE", "OTHER"):
        setattr(module, name, Made())
    program = noted(module)
    program._names[module.__name__].add("OTHER")
    module.TABLE, module.OTHER = Made(), Made()
    assert serial(program, module) != program._items[(module.__name__,), "OTHER"].serial
