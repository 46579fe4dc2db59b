"""What remote functions reach is found without running any of the program's code."""

from __future__ import annotations

import importlib
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from cord.runtime.client.readable import modules_readable_by
from cord.runtime.objects.reach import Reach, is_of_project, reach_of

Import = Callable[..., ModuleType]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Import]:
    """Writes modules and imports the last one."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)

    def make(**modules: str) -> ModuleType:
        for name, text in modules.items():
            (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
        importlib.invalidate_caches()
        return importlib.import_module(list(modules)[-1])

    yield make
    for name in set(sys.modules) - before:
        del sys.modules[name]


def named(found: Reach) -> set[str]:
    return {one.__name__ for one in found.functions}


def test_names_are_followed_through_functions_and_modules(project: Import) -> None:
    work = project(
        rx_config="settings = {'factor': 1}\nother = 2",
        rx_helper="""
            import rx_config
            def double(x): return x * rx_config.settings["factor"]
            def unused(): return rx_config.other
        """,
        rx_work="""
            import rx_helper
            SCALE, NOT_READ = 1, 2
            def label(n): return rx_helper.double(n)
            def f(x): return label(x) * SCALE
        """,
    )
    found = reach_of([work.f])
    assert named(found) == {"f", "label", "double"}
    assert {"label", "SCALE"} <= found.names["rx_work"]
    assert "NOT_READ" not in found.names["rx_work"]
    assert "settings" in found.names["rx_config"]
    assert "other" not in found.names["rx_config"]
    assert sys.modules["rx_config"].settings in found.objects


def test_parts_of_functions_are_followed(project: Import) -> None:
    work = project(
        ry_work="""
            import functools
            def a(): pass
            def b(): pass
            def c(): pass
            def d(): pass
            def e(): pass
            def outer():
                def inner(x, y=a, *, z=b): return c_()
                c_ = c
                inner.attribute = d
                return inner
            inner = outer()
            @functools.lru_cache
            def cached(): return functools.partial(e)()
            @functools.singledispatch
            def shown(x): return "object"
            @shown.register
            def _of_int(x: int): return "int"
            def f(x): return inner(x), cached(), shown(x)
        """,
    )
    found = reach_of([work.f])
    assert {"a", "b", "c", "d", "e", "cached", "_of_int"} <= named(found)


def test_classes_are_followed_with_those_above_them(project: Import) -> None:
    work = project(
        rz_work="""
            LIMIT = 3
            def used(): return LIMIT
            class Base:
                def run(self): return used()
            class Held(Base):
                @property
                def size(self): return helper()
            def helper(): pass
            held = [Held()]
            class Other:
                def area(self): pass
            def f(x): return held[0].run() + x.area()
        """,
    )
    found = reach_of([work.f], [work.Other])
    assert {one.__name__ for one in found.classes} == {"Base", "Held", "Other"}
    assert {"run", "used", "size", "helper", "area"} <= named(found)
    assert "LIMIT" in found.names["rz_work"]


def test_what_is_bound_in_libraries_is_named(project: Import) -> None:
    work = project(
        rw_work="""
            import json, os.path
            def f(x):
                import textwrap
                return json.dumps(x), os.path.join("a", "b"), textwrap.dedent(""), open, x.real
        """,
    )
    found = reach_of([work.f])
    assert "dumps" in found.bindings["json"]
    assert "join" in found.bindings["posixpath"]
    assert "open" in found.bindings["builtins"]
    assert "dedent" in found.bindings["textwrap"]
    assert named(found) == {"f"}


def test_dynamic_access_reads_all_of_a_module(project: Import) -> None:
    work = project(
        rv_settings="A = 1\nB = [2]",
        rv_work="""
            import rv_settings
            def f(name): return getattr(rv_settings, name)
        """,
    )
    found = reach_of([work.f])
    assert {"A", "B"} <= found.names["rv_settings"]
    assert "rv_settings" in found.whole


def test_no_code_of_the_program_runs(project: Import) -> None:
    work = project(
        ru_work="""
            class Loud:
                def __getattribute__(self, name): raise AssertionError(name)
                def __iter__(self): raise AssertionError
                def __eq__(self, other): raise AssertionError
                def __hash__(self): raise AssertionError
            class Meta(type):
                def __getattribute__(cls, name): raise AssertionError(name)
            class Odd(metaclass=Meta): pass
            loud = [Loud()]
            def f(): return loud, Odd
        """,
    )
    found = reach_of([work.f])
    assert work.loud in found.objects


def test_modules_of_the_project(project: Import) -> None:
    assert is_of_project(project(rt_work=""))
    assert not is_of_project(sys)
    assert not is_of_project(importlib)
    assert not is_of_project(pytest)


def readable(module: ModuleType) -> set[str] | None:
    found = modules_readable_by(module)
    return found and {one for one in found if one.startswith("rd_")}


def test_what_a_module_may_read_when_it_is_executed(project: Import) -> None:
    alone, user, caller = (
        "import json as j, os.path  # as, is\nfrom re import sub as s\ndef f(x): return j.dumps(x)",
        "from rd_helper import scale\ndef f(x): return x * scale()",
        "import importlib\ndef f(x): return importlib.import_module(x)",
    )
    project(
        rd_config="factor = 1",
        rd_helper="import rd_config\ndef scale(): return rd_config.factor",
        rd_other="limit = 1",
        rd_alone=alone,
        rd_user=user,
        rd_caller=caller,
        rd_main="import rd_alone, rd_user, rd_caller, rd_other",
    )
    assert readable(sys.modules["rd_alone"]) == set()
    assert readable(sys.modules["rd_user"]) == {"rd_helper", "rd_config"}
    assert readable(sys.modules["rd_caller"]) is None


def test_a_module_of_the_project_may_be_called_as_one_of_pythons(
    project: Import, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    project(
        rd_helper="x = 1", colorsys="import rd_helper", rd_user="from colorsys import rd_helper"
    )
    assert modules_readable_by(sys.modules["rd_user"]) == {"colorsys", "rd_helper"}
    del sys.modules["colorsys"]
    assert readable(sys.modules["rd_user"]) is None


@pytest.mark.parametrize(
    "text", ["import rd_late", "from . import rd_late", "if 1:\n    from rd_late import x"]
)
def test_a_module_of_the_project_that_is_not_loaded_may_read_anything(
    text: str, project: Import, tmp_path: Path
) -> None:
    (tmp_path / "rd_late.py").write_text("x = 1")
    module = project(rd_early="x = 1")
    (tmp_path / "rd_early.py").write_text(text)
    assert readable(module) is None
