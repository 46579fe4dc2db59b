"""The key `guess`: a function that stands in for values, of a module or of one function."""

from __future__ import annotations

import pytest

PURE = "[remote.compare]\npure = true\nonly = ['compare']\n"


def test_a_function_has_its_own_or_the_modules(read):
    text = PURE.replace("'compare'", "'compare', 'distance'") + "guess = 'pkg.mod.f'\n"
    plan = read(f"{text}[remote.compare.functions.distance]\nguess = 'pkg.deep.f'")
    functions = [plan.remote["compare"].function(name) for name in ("compare", "distance")]
    assert [one.guess for one in functions] == ["pkg.mod.f", "pkg.deep.f"]
    assert read("[remote.compare]").remote["compare"].usual("").guess is None


@pytest.mark.parametrize(
    "guess", ["compare.distance", "search.rough", "__main__.rough", "compare.sqrt"]
)
def test_it_may_be_of_the_module_itself_or_of_the_script(read, project, guess):
    (project / "search.py").write_text("import compare\ndef rough(a, b): ...\n")
    assert read(f"{PURE}guess = '{guess}'").remote["compare"].usual("").guess == guess


WRONG = {
    "guess = 3": "compare.guess is 3; allowed: a function with its module",
    "guess = 'distance'": "hint: write it with its module",
    "guess = 'nowhere.f'": "there is no module nowhere in HERE or elsewhere on Python's path",
    "guess = 'compar.distance'": 'hint: did you mean "compare"?',
    "guess = 'compare.distanc'": "but compare defines no function distanc",
    "guess = 'compare.rows'": "compare.rows is a generator function, which gives no value",
    "guess = 'compare.fetch'": "compare.fetch is a coroutine function, which gives no value",
    "guess = 'compare.compare'": (
        "compare.compare is remote itself, and a guess is made in the program's copies"
    ),
    "guess = 'pkg.mod.f'\n[remote.\"pkg.mod\"]": "pkg.mod.f is remote itself",
}


@pytest.mark.parametrize(("text", "said"), WRONG.items(), ids=list(WRONG))
def test_what_makes_no_sense_is_refused(refusal, text, said):
    assert said in refusal(PURE + text)


def test_calls_with_effects_are_not_guessed(refusal):
    said = refusal("[remote.compare]\nguess = 'pkg.mod.f'")
    assert "but no function of compare is declared pure" in said
