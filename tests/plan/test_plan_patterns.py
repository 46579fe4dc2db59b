"""One table for several modules: `[remote."pkg.*"]`."""

from __future__ import annotations

from pathlib import Path

import pytest

from cord.plan import read_plan
from cord.plan.program import script


@pytest.fixture
def files(project: Path) -> Path:
    """The project, with a few more modules."""
    texts = {
        "pkg/_hidden.py": "def h(x): ...\n",
        "pkg/constants.py": "SCALE = 3\n",
        "pkg/deep/shapes.py": "def g(x): ...\n",
        "serve_mail.py": "def send(x): ...\n",
        "serve_web.py": "def get(x): ...\ndef put(x): ...\n",
        "broken.py": "def (\n",
    }
    for name, text in texts.items():
        (project / name).write_text(text)
    return project


@pytest.mark.parametrize(
    ("pattern", "modules"),
    [
        ("pkg.*", ["pkg.deep", "pkg.mod"]),  # not pkg itself, nor what is below pkg.deep
        ("pkg.**", ["pkg.deep", "pkg.deep.model", "pkg.deep.shapes", "pkg.mod"]),
        ("pkg.deep.*", ["pkg.deep.model", "pkg.deep.shapes"]),
        ("pkg.**.model", ["pkg.deep.model"]),
        ("p*.mod", ["pkg.mod"]),
        ("pkg.de?p", ["pkg.deep"]),
        ("pkg.[a-e]*", ["pkg.deep"]),
        ("pkg.[!a-e]*", ["pkg.mod"]),
        ("pkg._*", ["pkg._hidden"]),  # what begins with an underscore wants one
        ("plain.*", ["plain.part"]),  # a folder without __init__.py
        ("serve_*", ["serve_mail", "serve_web"]),
        ("se*", ["serve_mail", "serve_web"]),  # not the program, search.py, nor Python's own
    ],
)
def test_the_modules_with_public_functions_that_match(files, read, pattern, modules):
    plan = read(f'[remote."{pattern}"]\npure = true\n')
    assert list(plan.remote) == modules
    assert all(remote.pure for remote in plan.remote.values())


def test_a_more_exact_table_goes_before(files, read):
    plan = read("""
        [remote."pkg.*"]
        pure = true
        replicas = 2
        batch = 3
        [remote."pkg.d*"]
        batch = 4
        [remote."pkg.deep"]
        replicas = 5
        [remote.compare]
        replicas = 1
    """)
    mod, deep, compare = (plan.remote[name] for name in ("pkg.mod", "pkg.deep", "compare"))
    assert (mod.replicas, mod.batch.calls, mod.pure) == (2, 3, True)
    assert (deep.replicas, deep.batch.calls, deep.pure) == (5, 4, True)
    assert not compare.pure


def test_only_and_settings_are_for_the_modules_that_have_the_functions(files, read):
    plan = read("""
        [remote."serve_*"]
        only = ["send", "get"]
        [remote."serve_*".functions.get]
        pure = true
    """)
    mail, web = plan.remote["serve_mail"], plan.remote["serve_web"]
    assert mail.only == ("send",) and not mail.functions
    assert web.only == ("get",) and web.function("get").pure


def test_a_variant_and_a_setting_of_a_pattern(files, read):
    text = '[remote."serve_*"]\npure = true\n[variants.wide.remote."serve_*"]\nreplicas = 3\n'
    assert {one.replicas for one in read(text, variant="wide").remote.values()} == {3}
    one = read(text, 'remote."serve_web".replicas=4').remote["serve_web"]
    assert one.replicas == 4 and one.pure


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '[remote."serv_*"]',
            'remote."serv_*": no module in HERE has such a name\n\nhint: did you mean "serve_web"?',
        ),
        (
            '[remote."pkg.x*"]',
            'remote."pkg.x*": no module in pkg has such a name\n\n'
            "hint: there are pkg.constants, pkg.deep, pkg.mod",
        ),
        (
            '[remote."gone.*"]',
            'remote."gone.*": no module in HERE or elsewhere on Python\'s path has such a name',
        ),
        (
            '[remote."pkg.con*"]',
            'remote."pkg.con*": none of pkg.constants defines public functions',
        ),
        (
            '[remote."serve_*"]\nonly = ["sand"]',
            'remote."serve_*": none of serve_mail, serve_web defines function sand',
        ),
        (
            '[remote."serve_*"]\nonly = ["send", "gett"]',
            'remote."serve_*": none of serve_mail, serve_web defines a public function gett\n\n'
            'hint: did you mean "get"?',
        ),
        (
            '[remote."pkg.*x-"]',
            'remote."pkg.*x-" does not name modules; '
            "allowed: a dotted name with *, ? or [...] in its parts",
        ),
    ],
)
def test_what_a_pattern_cannot_be(files, refusal, text, said):
    assert refusal(text) == f"cord.toml:1:9: {said}"


def test_what_is_wrong_for_all_is_told_once(files, refusal):
    said = refusal('[remote."serve_*"]\nreplicas = 2')
    assert said.count("do not share what a function keeps") == 1


def test_a_new_module_is_found_though_the_plan_is_kept(files, read):
    text = '[remote."serve_*"]\n'
    assert "serve_new" not in read(text).remote
    (files / "serve_new.py").write_text("def f(x): ...\n")
    program = script("search.py")
    assert "serve_new" in read_plan(None, [], program).remote
