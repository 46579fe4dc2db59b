"""When replicas are renewed."""

from __future__ import annotations

import pytest

from cord.plan.settings import Recycle

RECYCLES = {
    "100": Recycle(calls=100),
    '"1GiB"': Recycle(bytes=1 << 30),
    '"64MiB"': Recycle(bytes=64 << 20),
}
PURE = "[remote.compare]\npure = true\n"


@pytest.mark.parametrize(("text", "recycle"), RECYCLES.items())
def test_after_so_many_calls_or_at_so_much_memory(read, text, recycle):
    assert read(f"{PURE}recycle = {text}").remote["compare"].recycle == recycle


def test_nothing_is_renewed_by_itself(read):
    assert read(PURE).remote["compare"].recycle is None


@pytest.mark.parametrize("word", ["repeatable", "independent"])
def test_functions_that_keep_nothing_may_have_effects(read, word):
    plan = f"[remote.compare]\n{word} = true\nrecycle = 5"
    assert read(plan).remote["compare"].recycle == Recycle(calls=5)


@pytest.mark.parametrize(
    "text", ["0", "-1", "1.5", "true", '"1MiB"', '"5 apples"', "2_000_000_000"]
)
def test_what_is_neither(refusal, text):
    error = refusal(f"{PURE}recycle = {text}")
    assert "compare.recycle is" in error
    assert 'from 1 to 1000000000, or a size from "64MiB" such as "1GiB"' in error


def test_state_would_be_lost(refusal):
    error = refusal("[remote.compare]\nrecycle = 5")
    assert "not all functions of compare that are remote are declared pure or independent" in error
    assert "would be lost with it" in error and "hint: set pure = true" in error


def test_one_function_is_enough(refusal):
    error = refusal(f"{PURE}recycle = 5\n[remote.compare.functions.compare]\npure = false")
    assert "not all functions of compare that are remote" in error


def test_several_calls_at_once(refusal):
    error = refusal(f"{PURE}recycle = 5\nthreads = 4")
    assert "remote.compare.threads is 4, and a process that serves several calls" in error


def test_how_much_memory(read):
    assert read('[remote.compare]\nmemory = "2GiB"').remote["compare"].memory == 2 << 30
    assert read("[remote.compare]").remote["compare"].memory is None


@pytest.mark.parametrize("text", ["1_000_000_000", '"1MiB"', '"much"', "false"])
def test_what_is_no_memory(refusal, text):
    error = refusal(f"[remote.compare]\nmemory = {text}")
    assert 'allowed: a size from "64MiB" such as "2GiB"' in error


@pytest.mark.parametrize("recycle", ['"2GiB"', '"3GiB"'])
def test_one_is_renewed_before_it_is_ended(refusal, recycle):
    error = refusal(f'{PURE}memory = "2GiB"\nrecycle = {recycle}')
    assert 'compare.memory is "2GiB", and a replica is ended before it has so much' in error
