"""Words that stand in both languages: the core knows those of the plan, and no others."""

from __future__ import annotations

import errno

import pytest

from cord import _core
from cord.plan.model import FunctionPlan
from cord.plan.values import TRANSPORTS
from cord.runtime.travel.failures import shortage_error


def f() -> None:
    """A remote function."""


@pytest.mark.parametrize("name", TRANSPORTS)
def test_the_core_knows_each_transport_of_the_plan(name: str) -> None:
    _core.Module("work", 1, transport=name)
    _core.Use(transport=name)


def test_the_core_knows_what_the_plan_says_of_effects(world) -> None:
    session = world.session({"work": 1})
    plain = FunctionPlan("f", callstyle="sync", pure=False)
    plans = [plain, plain.but(pure=True), plain.but(independent=True)]
    words = {plan.effects for plan in plans}
    assert len(words) == len(plans)
    for word in words:
        _core.RemoteFunction(session, 0, "f", f, word, _core.Use())
    with pytest.raises(ValueError, match="no effects are called odd"):
        _core.RemoteFunction(session, 0, "f", f, "odd", _core.Use())


def test_other_words_are_refused() -> None:
    with pytest.raises(ValueError, match="no transport is called pigeon"):
        _core.Module("work", 1, transport="pigeon")


@pytest.mark.parametrize(
    ("of", "said"),
    [
        ("arguments", "the arguments of"),
        ("result", "the result of"),
        ("replica", "a replica to run"),
    ],
)
def test_what_there_is_no_room_for_is_named(of: str, said: str) -> None:
    error = shortage_error(f, errno.ENOMEM, 5_000_000, of)
    assert isinstance(error, MemoryError)
    assert f"no room for {said} {__name__}.f() (5,000,000 bytes)" in str(error)
