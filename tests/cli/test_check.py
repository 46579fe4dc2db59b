"""`cord check`: what it says of programs and remote functions."""

from __future__ import annotations

from pathlib import Path

import pytest

from cord.cli.main import run_command

PLAN = '[remote.compare]\nreplicas = 2\ncallstyle = "async"\npure = true\n'
PROGRAM = "import compare\nprint(compare.compare(1, 2))\n"


@pytest.fixture
def check(tmp_path: Path, monkeypatch, capsys):
    """Runs `cord check` on the files given; returns exit code and lines printed."""
    monkeypatch.chdir(tmp_path)

    def check(compare: str, plan: str = PLAN, program: str | bytes = PROGRAM, **others: str):
        content = program if isinstance(program, bytes) else program.encode()
        (tmp_path / "search.py").write_bytes(content)
        (tmp_path / "compare.py").write_text(compare)
        (tmp_path / "cord.toml").write_text(plan)
        for name, text in others.items():
            (tmp_path / f"{name}.py").write_text(text)
        code = run_command(["check", "search.py"])
        out, err = capsys.readouterr()
        assert err == ""
        return code, out.splitlines()

    return check


def test_a_plan_without_faults(check):
    assert check("def compare(a, b):\n    return a == b\ndef _help(): ...\n") == (
        0,
        [
            "compare.py: compare is remote, 2 replicas",
            "compare.py:1: compare is remote, async, pure",
            "cord.toml: no errors, no warnings",
        ],
    )


def warned_of(lines: list[str]) -> list[str]:
    return [line.replace("warning: ", "") for line in lines if " warning: " in line]


@pytest.mark.parametrize(
    ("body", "effect"),
    [
        (
            "    global count\n    count = 1",
            "3: compare is declared pure, but writes the global count",
        ),
        ("    CACHE[a] = b", "2: compare is declared pure, but changes the global CACHE"),
        ("    CACHE.inner.x = b", "2: compare is declared pure, but changes the global CACHE"),
        ("    del CACHE[a]", "2: compare is declared pure, but changes the global CACHE"),
        ("    CACHE.update(a=b)", "2: compare is declared pure, but changes the global CACHE"),
        ("    print(a)", "2: compare is declared pure, but prints"),
        ("    sys.stdout.write(a)", "2: compare is declared pure, but prints"),
        ("    return input()", "2: compare is declared pure, but reads standard input"),
        ("    with open(a) as f:\n        pass", "2: compare is declared pure, but opens a file"),
    ],
)
def test_effects_of_functions_declared_pure(check, body, effect):
    code, lines = check(f"def compare(a, b):\n{body}\nimport sys\nCACHE = {{}}\n")
    assert (code, warned_of(lines)) == (0, [f"compare.py:{effect}"])


@pytest.mark.parametrize(
    "body",
    [
        "    CACHE = {}\n    CACHE[a] = b",
        "    a.append(b)",
        "    for CACHE.x in []: pass\n    CACHE = 1",
        "    print = list\n    return print(a)",
        "    return a.open()",
        "    return CACHE.get(a)",
    ],
)
def test_what_is_no_effect(check, body):
    assert warned_of(check(f"CACHE = {{}}\ndef compare(a, b):\n{body}\n")[1]) == []


def test_effects_of_helpers_are_found_and_named_once(check):
    source = """\
def compare(a, b):
    return _first(a)
def _first(a):
    return second(a)
def second(a):
    print(a)
    return _first(a)
"""
    assert warned_of(check(source, PLAN + "only = ['compare']\n")[1]) == [
        "compare.py:6: compare is declared pure, but second, which it calls, prints"
    ]
    assert warned_of(check(source)[1]) == ["compare.py:6: second is declared pure, but prints"]


def test_functions_whose_results_cannot_travel_stay_in_the_program(check):
    source = "def rows():\n    yield 1\nasync def fetch(): ...\ndef compare(a, b): ...\n"
    assert check(source)[1][1:-1] == [
        "compare.py:1: rows is a generator function and runs in the program: "
        "its result cannot travel",
        "compare.py:3: fetch is a coroutine function and runs in the program: "
        "its result cannot travel",
        "compare.py:4: compare is remote, async, pure",
    ]


def test_async_without_pure(check):
    plan = '[remote.compare]\ncallstyle = "async"\nfunctions.g.pure = true\n'
    code, lines = check("def f(): ...\ndef g(): ...\ndef h(): ...\n", plan)
    assert (code, warned_of(lines)) == (
        0,
        [
            "compare.py: f and h are async, but calls are made in place as long as pure = true is "
            "missing"
        ],
    )
    assert "compare.py:1: f is remote, async, not declared pure" in lines


def test_a_module_without_public_functions(check):
    assert warned_of(check("def _f(): ...\n")[1]) == [
        "compare.py: compare defines no public functions to serve"
    ]


@pytest.mark.parametrize(
    ("program", "others"),
    [
        ("import compare", {}),
        ("import helper", {"helper": "from compare import compare"}),
        ("from importlib import import_module\nimport_module('compare')", {}),
    ],
)
def test_the_program_imports_the_module_somehow(check, program, others):
    assert warned_of(check("def compare(): ...", program=program, **others)[1]) == []


def test_the_program_does_not_import_the_module(check):
    lines = check("def compare(): ...", program="import helper", helper="import os")[1]
    assert warned_of(lines) == [
        "cord.toml: compare is remote, but neither search.py nor a module beside it imports it"
    ]


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("x = (\n", "search.py:1:5: error: '(' was never closed"),
        ("x = 1\nreturn x\n", "search.py:2:1: error: 'return' outside function"),
    ],
)
def test_a_program_that_is_not_python(check, program, said):
    code, lines = check("def compare(a, b): ...\n", program=program)
    assert (code, lines[0], lines[-1]) == (1, said, "cord.toml: 1 error, no warnings")


def test_a_program_that_is_not_utf8(check):
    code, lines = check("def compare(a, b): ...\n", program=b"import compare\n# \xff\n")
    assert (code, lines[0]) == (1, "search.py:2: error: not utf-8 text (byte 0xff)")


def test_a_remote_module_that_is_not_python(check):
    assert check("def compare(a, b: ...\n") == (
        1,
        [
            "compare.py:1:12: error: '(' was never closed",
            "cord.toml: 1 error, no warnings",
        ],
    )


def test_a_module_without_source(check):
    code, lines = check("", "[remote.math]\n", "import math\n")
    assert (code, lines[0]) == (0, "math: 1 replica; its source is not there to be checked")
