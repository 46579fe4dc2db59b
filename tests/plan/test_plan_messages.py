"""What is said of a wrong cord.toml, word for word."""

from __future__ import annotations

from pathlib import Path

import pytest
from known_keys import OF_A_MODULE

from cord.errors import PlanError
from cord.plan import read_plan
from cord.plan.program import script

KEYS = f"[remote.compare] may have {OF_A_MODULE}"
TOP = "the plan may have assume, client, engine, http, pools, remote, report, run and variants"

WRONG_KEYS = {
    "a key with a slip": (
        "[remote.compare]\ncallstlye = 'async'",
        "cord.toml:2:1: remote.compare.callstlye is not a key that Cord knows\n\n"
        'hint: did you mean "callstyle"?',
    ),
    "a key like nothing else": (
        "[remote.compare]\nzzz = 1",
        f"cord.toml:2:1: remote.compare.zzz is not a key that Cord knows\n\nhint: {KEYS}",
    ),
    "a key that must be quoted to be written": (
        '[remote.compare]\n"re pli" = 1',
        'cord.toml:2:1: remote.compare."re pli" is not a key that Cord knows\n\n'
        'hint: did you mean "replicas"?',
    ),
    "a table like nothing else": (
        "zzz = 1\n[remote.compare]",
        f"cord.toml:1:1: zzz is not a key that Cord knows\n\nhint: {TOP}",
    ),
    "a key of another table": (
        "replicas = 2\n[remote.compare]",
        'cord.toml:1:1: replicas is not a key that Cord knows\n\nhint: "replicas" belongs in '
        "[remote.M]",
    ),
    "a module's key at one of its functions": (
        "[remote.compare.functions.compare]\nreplicas = 2",
        "cord.toml:2:1: remote.compare.functions.compare.replicas is not a key that Cord knows\n\n"
        'hint: "replicas" belongs in [remote.M]',
    ),
    "a table without remote": (
        "[compare]\n[remote.compare]",
        "cord.toml:1:2: compare is not a key that Cord knows\n\n"
        "hint: the table of a remote module is [remote.compare]",
    ),
    "a top-level table inside a module's": (
        "[remote.compare]\nassume.pure = []",
        "cord.toml:2:1: remote.compare.assume is not a key that Cord knows\n\n"
        "hint: [assume] stands by itself",
    ),
    "a slip in what is told of runs": (
        "[remote.compare]\n[report]\nstat = true",
        'cord.toml:3:1: report.stat is not a key that Cord knows\n\nhint: did you mean "stats"?',
    ),
    "settings outside of any module": (
        "[remote]\nreplicas = 2",
        "cord.toml:2:1: remote.replicas is 2; allowed: a table such as [remote.compare]\n\n"
        "hint: the key belongs in a table such as [remote.compare]",
    ),
    "a dotted module without quotes": (
        "[remote.pkg.deep.model]\nreplicas = 2",
        "cord.toml:1:13: remote.pkg.deep is not a key that Cord knows\n\n"
        'hint: a module\'s name with dots must be quoted: remote."pkg.deep.model"',
    ),
    "an array of tables": (
        "[[remote]]\nreplicas = 2",
        "cord.toml:1:3: remote is [{...}]; allowed: a table",
    ),
}

COUNT = 'allowed: a whole number from 1 to 1024, "auto", or a list of names'
STYLE = 'allowed: "sync", "async" or "async-demand(n)"'
THREADS = 'allowed: "auto", "all" or a whole number from 1 to 1024'
NAMES = "allowed: a list of the names of functions"

WRONG_VALUES = {
    "replicas = 0": f"12: remote.compare.replicas is 0; {COUNT}",
    "replicas = -1": f"12: remote.compare.replicas is -1; {COUNT}",
    "replicas = 2.0": f"12: remote.compare.replicas is 2.0; {COUNT}",
    "replicas = true": f"12: remote.compare.replicas is true; {COUNT}",
    "replicas = 100_000": f"12: remote.compare.replicas is 100000; {COUNT}",
    "replicas = 'cores'": f'12: remote.compare.replicas is "cores"; {COUNT}',
    "replicas = '2'": (
        f'12: remote.compare.replicas is "2"; {COUNT}\n\nhint: write 2 without quotes'
    ),
    "replicas = 1979-05-27": f"12: remote.compare.replicas is 1979-05-27; {COUNT}",
    "replicas = {}": f"12: remote.compare.replicas is a table; {COUNT}",
    "blas_threads = 0": f"16: remote.compare.blas_threads is 0; {THREADS}",
    "blas_threads = 2.0": f"16: remote.compare.blas_threads is 2.0; {THREADS}",
    "blas_threads = 1025": f"16: remote.compare.blas_threads is 1025; {THREADS}",
    "blas_threads = true": f"16: remote.compare.blas_threads is true; {THREADS}",
    "blas_threads = '2'": (
        f'16: remote.compare.blas_threads is "2"; {THREADS}\n\nhint: write 2 without quotes'
    ),
    "blas_threads = 'al'": (
        f'16: remote.compare.blas_threads is "al"; {THREADS}\n\nhint: did you mean "all"?'
    ),
    "callstyle = 'Async'": (
        f'13: remote.compare.callstyle is "Async"; {STYLE}\n\nhint: did you mean "async"?'
    ),
    "callstyle = 1": f"13: remote.compare.callstyle is 1; {STYLE}",
    "pure = 'true'": (
        '8: remote.compare.pure is "true"; allowed: true or false\n\n'
        "hint: write true without quotes"
    ),
    "pure = 1": "8: remote.compare.pure is 1; allowed: true or false",
    "only = 'compare'": (
        f'8: remote.compare.only is "compare"; {NAMES}\n\nhint: write ["compare"]'
    ),
    "only = []": (
        f"8: remote.compare.only is []; {NAMES}\n\n"
        "hint: leave the key out to have every public function"
    ),
    "only = ['compare', 3]": (
        "20: item 2 of remote.compare.only is 3; the key takes a list of the names of functions"
    ),
    "functions = 3": "13: remote.compare.functions is 3; allowed: a table",
    "functions.compare = 3": (
        "11: remote.compare.functions.compare is 3; "
        "allowed: a table such as [remote.compare.functions.compare]"
    ),
}

WRONG_MODULES = {
    "comparer": (
        "remote.comparer: there is no module comparer in HERE or elsewhere on Python's path\n\n"
        'hint: did you mean "compare"?'
    ),
    "zzz": (
        "remote.zzz: there is no module zzz in HERE or elsewhere on Python's path\n\n"
        'hint: modules there: "compare" and "pkg"'
    ),
    '"pkg.mood"': (
        'remote."pkg.mood": there is no module pkg.mood in HERE or elsewhere on Python\'s path\n\n'
        'hint: did you mean "pkg.mod"?'
    ),
    '"compare.compare"': (
        'remote."compare.compare": there is no module compare.compare in HERE or elsewhere on '
        'Python\'s path\n\nhint: did you mean "compare"?'
    ),
    "plain": (
        "remote.plain is a folder without __init__.py, and so defines no functions\n\n"
        'hint: did you mean "plain.part"?'
    ),
    '"a b"': 'remote."a b" does not name a module; allowed: a dotted name',
    '""': 'remote."" does not name a module; allowed: a dotted name',
}

WRONG_FUNCTIONS = {
    "compar": 'compare defines no function compar\n\nhint: did you mean "compare"?',
    "zzz": 'compare defines no function zzz\n\nhint: compare has "compare", "distance" and "fetch"',
    "Model": "Model is a class in compare; only functions that compare defines are remote",
    "SCALES": "SCALES is assigned in compare; only functions that compare defines are remote",
    "_private": "compare._private is private: its name starts with an underscore",
    "rows": "compare.rows is a generator function, whose result cannot travel",
}

STATE_HINT = (
    "hint: set pure = true if the functions have no effects and depend on their arguments alone, "
    "repeatable = true if they write only "
    "what is their own, independent = true if they have effects and no call depends on another's, "
    "otherwise replicas = 1"
)
STATE_TAIL = (
    f"and replicas do not share what a function keeps between calls; allowed: 1\n\n{STATE_HINT}"
)
IMPURE = {
    "": "the functions of compare are",
    "only = ['compare', 'distance']": "the functions of compare are",
    "only = ['compare', 'distance']\nfunctions.compare.pure = true": "distance is",
    "functions.compare.pure = true": "the functions of compare are",
    "pure = true\nfunctions.compare.pure = false": "compare is",
}


@pytest.mark.parametrize(("text", "said"), WRONG_KEYS.values(), ids=WRONG_KEYS)
def test_wrong_keys(refusal, text, said):
    assert refusal(text) == said


@pytest.mark.parametrize(("line", "said"), WRONG_VALUES.items())
def test_wrong_values(refusal, line, said):
    assert refusal(f"[remote.compare]\n{line}") == f"cord.toml:2:{said}"


@pytest.mark.parametrize(("module", "said"), WRONG_MODULES.items())
def test_wrong_modules(refusal, module, said):
    assert refusal(f"[remote.{module}]") == f"cord.toml:1:9: {said}"


@pytest.mark.parametrize(("function", "said"), WRONG_FUNCTIONS.items())
def test_wrong_functions(refusal, function, said):
    if "hint: " not in said:
        said += f'\n\nhint: leave "{function}" out'
    assert refusal(f"[remote.compare]\nonly = ['{function}']") == (
        f"cord.toml:2:9: remote.compare.only: {said}"
    )
    key = f"remote.compare.functions.{function}"
    assert refusal(f"[{key}]\npure = true") == f"cord.toml:1:27: {key}: {said}"


def test_a_function_that_all_leaves_out(refusal, project: Path):
    (project / "compare.py").write_text("__all__ = ['f']\ndef f(): ...\ndef g(): ...\n")
    assert refusal("[remote.compare]\nonly = ['g']") == (
        "cord.toml:2:9: remote.compare.only: compare.g is not public: __all__ of compare leaves "
        'it out\n\nhint: leave "g" out'
    )


def test_names_may_come_from_anywhere_with_a_star_import(read, project: Path):
    (project / "compare.py").write_text("from os.path import *\n")
    assert read("[remote.compare]\nonly = ['g']").remote["compare"].only == ("g",)


def test_a_broken_remote_module_is_left_to_its_import(read, project: Path):
    (project / "compare.py").write_text("def (\n")
    assert read("[remote.compare]\nonly = ['g']").remote["compare"].only == ("g",)


def test_settings_of_a_function_that_only_leaves_out(refusal):
    text = "[remote.compare]\nonly = ['compare']\nfunctions.distance.pure = true"
    assert refusal(text) == (
        "cord.toml:3:11: remote.compare.functions.distance has settings, but distance is not "
        'remote: remote.compare.only is ["compare"]\n\n'
        'hint: add "distance" to only, or leave its table out'
    )


@pytest.mark.parametrize(("lines", "who"), IMPURE.items())
def test_several_replicas_of_functions_that_may_keep_state(refusal, lines, who):
    assert refusal(f"[remote.compare]\nreplicas = 2\n{lines}") == (
        f"cord.toml:2:12: remote.compare.replicas is 2, but {who} not declared pure, {STATE_TAIL}"
    )


def test_only_pure_functions_are_remote_inside_their_module(refusal):
    assert refusal("[remote.compare]\ninside = true") == (
        "cord.toml:2:10: remote.compare.inside is true, but not all functions of compare that are "
        "remote are declared pure; allowed: false\n\nhint: the module's own code would not see "
        "what calls leave in a replica; set pure = true if they have no effects and depend on "
        "their arguments alone, and leave the others out by only"
    )


def test_a_function_is_not_both_pure_and_independent(refusal):
    assert refusal("[remote.compare]\npure = true\nindependent = true") == (
        "cord.toml:3:15: remote.compare.independent is true, but so is remote.compare.pure; "
        "allowed: one of them\n\nhint: take out pure where functions have effects, independent "
        "where they have none"
    )


def test_assume_takes_dotted_names(refusal):
    assert refusal('[remote.compare]\n[assume]\npure = ["a.b", "a b", 3]') == (
        "cord.toml has 2 errors\n\n"
        'cord.toml:3:16: item 2 of assume.pure is "a b"; '
        'the key takes a list of dotted names such as "Bio.SeqIO.parse"\n\n'
        "cord.toml:3:23: item 3 of assume.pure is 3; "
        'the key takes a list of dotted names such as "Bio.SeqIO.parse"'
    )


def test_assume_takes_bare_names_of_builtins_only(refusal):
    assert refusal('[remote.compare]\n[assume]\npure = ["open", "read_patterns"]') == (
        'cord.toml:3:17: item 2 of assume.pure is "read_patterns"; '
        'the key takes a list of dotted names such as "Bio.SeqIO.parse"\n\n'
        "hint: name it with the module that defines it, such as search.read_patterns"
    )


def test_all_errors_come_at_once_in_the_order_of_the_file(refusal):
    text = """\
# Größe
[remote.compare]
replicas = "2"
only = [
    "compare",  # ä
    "distanc", "ö ö",
]
pur = true

[remote.comparer]
callstyle = 5
"""
    assert refusal(text) == (
        f"""\
cord.toml has 6 errors

cord.toml:3:12: remote.compare.replicas is "2"; {COUNT}
    hint: write 2 without quotes

cord.toml:6:5: remote.compare.only: compare defines no function distanc
    hint: did you mean "distance"?

cord.toml:6:16: item 3 of remote.compare.only is "ö ö"; the key takes a list of the names of \
functions

cord.toml:8:1: remote.compare.pur is not a key that Cord knows
    hint: did you mean "pure"?

cord.toml:10:9: remote.comparer: there is no module comparer in HERE or elsewhere on Python's path
    hint: did you mean "compare"?

cord.toml:11:13: remote.comparer.callstyle is 5; {STYLE}"""
    )


EXAMPLE = """\
for example:

    [remote.compare]        # the functions of the module compare run in replicas
    pure = true             # they have no effects: calls start ahead of the program"""


class TestFilesThatAreNoPlan:
    def test_none(self, project: Path):
        with pytest.raises(PlanError) as caught:
            read_plan(None, [], script("search.py"))
        assert str(caught.value) == (
            f"there is no cord.toml in {project}\n\n"
            f"hint: let cord init write one, or do it, {EXAMPLE}"
        )

    def test_none_beside_a_program_elsewhere(self, project: Path, monkeypatch):
        monkeypatch.chdir(project / "plain")
        with pytest.raises(PlanError) as caught:
            read_plan(None, [], script("../search.py"))
        assert caught.value.message == f"there is no cord.toml in {project} or in {project}/plain"

    @pytest.mark.parametrize("text", ["", "# nothing\n", "[remote]\n", "[assume]\npure = []\n"])
    def test_nothing_remote(self, refusal, text):
        assert refusal(text) == (
            f"cord.toml makes no module remote: it has no [remote.M] table\n\nhint: {EXAMPLE}"
        )

    def test_a_named_file_that_is_not_there(self, project: Path):
        with pytest.raises(PlanError) as caught:
            read_plan("nope.toml", [], script("search.py"))
        assert str(caught.value) == "the plan nope.toml cannot be read: No such file or directory"

    def test_a_folder(self, project: Path):
        with pytest.raises(PlanError) as caught:
            read_plan("pkg", [], script("search.py"))
        assert str(caught.value) == "the plan pkg cannot be read: Is a directory"

    def test_not_utf8(self, project: Path):
        (project / "cord.toml").write_bytes("[remote.compare]\n# größer\n".encode("latin-1"))
        with pytest.raises(PlanError) as caught:
            read_plan(None, [], script("search.py"))
        assert str(caught.value) == (
            "cord.toml:2: the plan is not UTF-8 text (byte 0xf6)\n\nhint: save the file in UTF-8"
        )


BROKEN = {
    "a word without quotes": (
        "[remote.compare]\ncallstyle = async\n",
        """\
cord.toml:2:13: not TOML: not a value

  2 | callstyle = async
    |             ^

hint: text must be quoted: callstyle = "async\"""",
    ),
    "a value that is missing": (
        "[remote.compare]\nreplicas =\n",
        """\
cord.toml:2:11: not TOML: the value is missing

  2 | replicas =
    |           ^

hint: write one, or take the line out""",
    ),
    "a string without end, after wide signs": (
        '# ä\n["größe"]\n\tcallstyle = "ä\r\n',
        """\
cord.toml:3:16: not TOML: invalid basic string, expected `"`

  3 | \tcallstyle = "ä
    | \t              ^""",
    ),
    "a key twice": (
        "[remote.compare]\npure = true\npure = false\n",
        """\
cord.toml:3:1: not TOML: this key or table is there twice

  3 | pure = false
    | ^

hint: take one of the two out, and write what is left of it under the other""",
    ),
    "a sign in a name": (
        "[remote.pkg*]\n",
        """\
cord.toml:1:12: not TOML: invalid unquoted key, expected letters, numbers, `-`, `_`

  1 | [remote.pkg*]
    |            ^

hint: a name with other signs than letters, digits, "-" and "_" must be quoted""",
    ),
    "a header without end": (
        "[remote.compare\n",
        """\
cord.toml:1:16: not TOML: unclosed table, expected `]`

  1 | [remote.compare
    |                ^

hint: `]` is missing here""",
    ),
}


@pytest.mark.parametrize(("text", "said"), BROKEN.values(), ids=BROKEN)
def test_broken_toml(project: Path, text, said):
    (project / "cord.toml").write_bytes(text.encode())
    with pytest.raises(PlanError) as caught:
        read_plan(None, [], script("search.py"))
    assert str(caught.value) == said


def test_the_main_script_goes_by_one_of_its_names(refusal):
    assert refusal("[remote.search]\npure = true\n[remote.__main__]\npure = true") == (
        "cord.toml:3:9: remote.__main__ is search.py, and so is remote.search; allowed: one of them"
    )
