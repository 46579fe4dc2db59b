"""Definitions of the main script hold a module's own objects, whatever state they came in."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from cord.runtime.replica import mirror, modules
from cord.runtime.travel import arrivals
from cord.runtime.travel.holders import state_of


class Action:
    def __init__(self, name: str) -> None:
        self.name = name


class Named:
    """Is pickled as an object that a module holds under a name."""

    def __init__(self, state: bytes) -> None:
        self.state = state

    def __reduce__(self) -> Any:
        return arrivals.named, ("machine", "REDUCE", Action, self.state)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    module: Any = ModuleType("machine")
    module.REDUCE = Action("reduce")
    monkeypatch.setitem(sys.modules, "machine", module)
    monkeypatch.setattr(mirror, "_mirror", mirror.Mirror())
    monkeypatch.setattr(modules, "_state", modules._State())
    yield module
    vars(sys.modules["__main__"]).pop("HELD", None)


def held() -> Any:
    return vars(sys.modules["__main__"])["HELD"]


def test_what_was_decoded_in_another_state_is_decoded_again(machine: Any) -> None:
    parts = ("HELD", Named(state_of(machine.REDUCE)), None, ())
    encoded = b"".join(pickle.dumps(part) for part in parts)
    machine.REDUCE.name, modules._state.applied = "renamed", b"renamed"
    mirror.define(7, encoded)
    assert held() is not machine.REDUCE and held().name == "reduce"
    machine.REDUCE.name, modules._state.applied = "reduce", b""
    mirror.define(7, encoded)
    assert held() is machine.REDUCE


def test_what_is_a_modules_own_stays_that_in_each_state(machine: Any) -> None:
    parts = ("HELD", Named(state_of(machine.REDUCE)), None, ())
    encoded = b"".join(pickle.dumps(part) for part in parts)
    mirror.define(7, encoded)
    machine.REDUCE.name, modules._state.applied = "renamed", b"renamed"
    mirror.define(7, encoded)
    assert held() is machine.REDUCE
