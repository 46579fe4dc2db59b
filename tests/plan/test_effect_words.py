"""The words for effects: pure, repeatable, scratch, independent."""

from __future__ import annotations

import pytest


def words(plan) -> str:
    """The words that hold for a function or a module."""
    return " ".join(
        one for one in ("pure", "repeatable", "scratch", "independent") if getattr(plan, one)
    )


@pytest.mark.parametrize(
    ("module", "own", "of_module", "of_own"),
    [
        ("repeatable = true", "", "pure repeatable", "pure repeatable"),
        ("repeatable = true\npure = true", "", "pure repeatable", "pure repeatable"),
        ("repeatable = true\npure = false", "", "pure repeatable", "pure repeatable"),
        ("repeatable = true", "pure = true", "pure repeatable", "pure"),
        ("repeatable = true", "pure = false", "pure repeatable", ""),
        ("repeatable = true", "repeatable = false", "pure repeatable", ""),
        ("repeatable = true\npure = true", "repeatable = false", "pure repeatable", "pure"),
        ("repeatable = true", "independent = true", "pure repeatable", "independent"),
        ("pure = true", "repeatable = true", "pure", "pure repeatable"),
        ("pure = true", "independent = true", "pure", "independent"),
        ("independent = true", "repeatable = true", "independent", "pure repeatable"),
        ("independent = true", "pure = true", "independent", "pure"),
        ("", "repeatable = true", "", "pure repeatable"),
        ("scratch = true", "", "pure scratch", "pure scratch"),
        ("scratch = true", "pure = true", "pure scratch", "pure"),
        ("scratch = true", "scratch = false", "pure scratch", ""),
        ("scratch = true", "repeatable = true", "pure scratch", "pure repeatable"),
        ("repeatable = true", "scratch = true", "pure repeatable", "pure scratch"),
        ("pure = true", "scratch = true", "pure", "pure scratch"),
        ("independent = true", "scratch = true", "independent", "pure scratch"),
        ("scratch = true", "independent = true", "pure scratch", "independent"),
        ("", "", "", ""),
    ],
)
def test_one_word_holds_for_each_function(read, module, own, of_module, of_own):
    text = f"[remote.compare]\n{module}\n[remote.compare.functions.distance]\n{own}"
    compare = read(text).remote["compare"]
    assert words(compare) == of_module
    assert words(compare.function("compare")) == of_module
    assert words(compare.function("distance")) == of_own


@pytest.mark.parametrize("word", ["pure", "repeatable", "scratch", "independent"])
def test_each_word_alone_is_a_good_plan(read, word):
    compare = read(f"[remote.compare]\n{word} = true").remote["compare"]
    assert compare.per_core
    assert compare.function("compare").ahead


def test_a_repeatable_function_is_not_independent(refusal):
    assert refusal("[remote.compare]\nrepeatable = true\nindependent = true") == (
        "cord.toml:3:15: remote.compare.independent is true, but so is remote.compare.repeatable; "
        "allowed: one of them\n\nhint: take out independent where a call may be made again or in "
        "vain, repeatable where it may not"
    )
