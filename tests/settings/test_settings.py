"""The table of settings: what is told of this process, what is set, what is noticed."""

from __future__ import annotations

import contextvars
import datetime
import decimal
import logging
import os
import subprocess
import sys
import threading
import types
import warnings

import pytest

from cord.runtime.travel import settings
from cord.runtime.travel.settings import others, randoms, variables

VARIABLE: contextvars.ContextVar[object] = contextvars.ContextVar("VARIABLE")


def test_a_snapshot_tells_what_has_changed_by_name():
    before = settings.Snapshot()

    def changed() -> list[str]:
        return sorted(row.name for row, _, _ in before.changed())

    assert before.seen.is_same()
    assert changed() == []
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + 7)
    with decimal.localcontext() as context:
        context.prec = 9
        assert not before.seen.is_same()
        assert changed() == ["decimal", "recursion"]
    sys.setrecursionlimit(limit)
    assert changed() == []


@pytest.mark.parametrize(
    "change",
    [
        lambda: warnings.filters.insert(0, ("ignore", None, Warning, None, 0)),
        lambda: setattr(decimal.getcontext(), "capitals", 0),
        lambda: logging.getLogger("settings.test").setLevel(3),
        lambda: setattr(logging.getLogger("settings.test"), "disabled", True),
        lambda: logging.disable(5),
        lambda: VARIABLE.set(1),
        lambda: sys.setswitchinterval(sys.getswitchinterval()),
    ],
)
def test_a_change_is_noticed_natively(change):
    def run():
        logging.getLogger("settings.test")
        decimal.getcontext().capitals = 1
        with warnings.catch_warnings():
            seen = settings.Snapshot().seen
            assert seen.is_same()
            change()
            assert not seen.is_same()

    try:
        contextvars.copy_context().run(run)
    finally:
        logging.getLogger("settings.test").setLevel(0)
        logging.getLogger("settings.test").disabled = False
        logging.disable(0)


def test_changes_are_noticed_whatever_was_in_memory_before():
    """Nobody writes the last bytes of a context: they may be equal in any two."""
    code = "from cord.runtime.travel import settings; print(settings.Snapshot().seen.is_same())"
    filled = {**os.environ, "PYTHONMALLOC": "debug"}
    assert subprocess.check_output([sys.executable, "-c", code], env=filled) == b"True\n"


def test_flags_of_decimals_are_no_setting():
    decimal.getcontext().clear_flags()
    seen = settings.Snapshot().seen
    assert str(decimal.Decimal(1) / 3).startswith("0.33")
    assert decimal.getcontext().flags[decimal.Inexact]
    assert seen.is_same()


def test_what_is_entered_is_undone_by_what_comes_next():
    first = sys.getrecursionlimit(), decimal.getcontext().prec, logging.root.level
    values = {"recursion": 4321, "logging": {"": (10, False, True)}}
    settings.enter(values)
    assert (sys.getrecursionlimit(), logging.root.level) == (4321, 10)
    settings.enter({})
    assert (sys.getrecursionlimit(), decimal.getcontext().prec, logging.root.level) == first


def test_a_variable_goes_by_the_name_that_leads_to_it():
    def run():
        for value in (("a", 1), frozenset({1}), datetime.date(2024, 2, 29), None):
            VARIABLE.set(value)
            told = variables.read()
            assert told is not None
            assert [*told] == [(__name__, ("VARIABLE",))]
        VARIABLE.set({"a": 1})
        with pytest.raises(settings.Untold, match=r"VARIABLE holds what may change in place"):
            settings.read()
        VARIABLE.set(threading.Lock())
        with pytest.raises(settings.Untold, match=r"VARIABLE holds what cannot travel"):
            settings.read()

    contextvars.copy_context().run(run)


def test_rows_of_a_library_are_loaded_when_it_is(tmp_path, monkeypatch):
    info = tmp_path / "site-packages" / "units-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "entry_points.txt").write_text(
        "[console_scripts]\nu = units:main\n\n[cord.settings]\nunits = units_settings:ROWS\n\n[x]\n"
    )
    (info.parent / "units_settings.py").write_text(
        "from cord.runtime.travel.settings import Row\n"
        "ROWS = [Row('units.system', 'units', lambda: None, print)]\n"
    )
    monkeypatch.setattr(sys, "path", [str(info.parent), *sys.path])
    monkeypatch.setattr(others, "_left", [])
    monkeypatch.setattr(others, "_looked_at", set[str]())
    assert others.rows() == []
    monkeypatch.setitem(sys.modules, "units", types.ModuleType("units"))
    assert [row.name for row in others.rows()] == ["units.system"]
    assert others.rows() == []
    monkeypatch.delitem(sys.modules, "units_settings")


def test_shared_random_numbers_are_read_and_set():
    import random

    random.seed(3)
    state = randoms.read_random()
    drawn = random.random()
    assert randoms.read_random() != state
    randoms.write_random(state)
    assert random.random() == drawn


def test_what_was_seeded_is_told_from_what_was_drawn():
    import random

    random.seed(3)
    before = randoms.read_random()
    for _ in range(2000):
        random.random()
    drawn = randoms.read_random()
    assert randoms.seeded(before, drawn) == {}
    random.seed(4)
    seeded = randoms.read_random()
    assert randoms.seeded(drawn, seeded) == {"random": seeded["random"]}
