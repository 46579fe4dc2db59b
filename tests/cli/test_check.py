"""`cord check`: what it says of programs and remote functions."""

from __future__ import annotations

from pathlib import Path

import pytest

from cord import _core
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
            "compare.py:1: compare is remote, async, surely pure",
            "cord.toml: no errors, no warnings",
        ],
    )


@pytest.mark.parametrize(
    ("listen", "why"),
    [
        ("no.such.name.invalid", "[Errno -"),
        ("198.51.100.77", "[Errno 99] Cannot assign requested address"),
        ("127.0.0.1:70000", "70000 is no port"),
        ("127.0.0.1:7000", None),
    ],
)
def test_where_a_program_cannot_listen_is_said(check, listen: str, why: str | None):
    code, lines = check(
        "def compare(a, b):\n    return a == b\n",
        f'{PLAN}[engine]\nkind = "mpi"\nlisten = "{listen}"\n',
    )
    told = f'cord.toml: warning: engine.listen is "{listen}", where this machine cannot listen: '
    found = [line for line in lines if line.startswith(told)]
    assert (code, len(found)) == (0, why is not None)
    assert why is None or found[0].startswith(f"{told}{why}")


@pytest.mark.parametrize(
    ("engine", "told"),
    [
        ("", f"{_core.means()[0]} replicas, one for each core"),
        ('[engine]\nkind = "ray"\nnodes = 3\ncores = 2', "6 replicas, one for each core"),
        ('[engine]\nkind = "mpi"', "a replica for each core of the nodes"),
    ],
)
def test_what_a_replica_for_each_core_comes_to(check, capsys, engine: str, told: str):
    plan = f'[remote.compare]\nreplicas = "auto"\ncallstyle = "async"\npure = true\n{engine}'
    told = told.replace("1 replicas", "1 replica") if told.startswith("1 ") else told
    _, lines = check("def compare(a, b):\n    return a == b\n", plan)
    assert lines[0] == f"compare.py: compare is remote, {told}"
    run_command(["explain", "search.py"])
    assert f"\ncompare has {told}.\n" in capsys.readouterr().out


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
        ("    return input()", "2: compare is declared pure, but reads standard input"),
        ("    with open(a) as f:\n        pass", "2: compare is declared pure, but reads files"),
    ],
)
def test_effects_of_functions_declared_pure(check, body, effect):
    code, lines = check(f"def compare(a, b):\n{body}\nimport sys\nCACHE = {{}}\n")
    assert (code, warned_of(lines)) == (0, [f"compare.py:{effect}"])


@pytest.mark.parametrize(
    "body",
    [
        "    CACHE = {}\n    CACHE[a] = b",
        "    print(a)",
        "    import sys\n    sys.stdout.write(a)",
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
LOG = []
def compare(a, b):
    return _first(a)
def _first(a):
    return second(a)
def second(a):
    LOG.append(a)
    return _first(a)
"""
    assert warned_of(check(source, PLAN + "only = ['compare']\n")[1]) == [
        "compare.py:7: compare is declared pure, but changes the global LOG, "
        "through _first() at line 3, second() at line 5"
    ]
    lines = check(source.replace("_first(a)\ndef _", "second(a)\ndef _"))[1]
    assert warned_of(lines) == ["compare.py:7: second is declared pure, but changes the global LOG"]
    said = (
        "compare.py:2: compare is remote, async, declared pure; it changes the global LOG at line 7"
    )
    assert any(line.startswith(said) for line in lines)


def test_remedies_follow_what_is_found(check):
    lines = check("def compare(a, b):\n    a.sort()\n    return a\n")[1]
    assert lines[1:-1] == [
        "compare.py:1: compare is remote, async, declared pure",
        "compare.py:2: warning: compare changes its argument a: such calls do not start early",
        "  hint: work on a copy, and return it",
    ]


def test_what_the_program_sets_is_named(check):
    lines = check(
        "import limits\ndef compare(a, b):\n    return min(a, b, limits.MOST)\n",
        program="import compare, limits\nlimits.MOST = 3\nprint(compare.compare(1, 2))\n",
        limits="MOST = 9\n",
    )[1]
    assert warned_of(lines) == [
        "compare.py:3: compare reads limits.MOST, which the program sets at search.py:2: "
        "calls that were started before are made anew"
    ]


@pytest.mark.parametrize(
    ("body", "purity"),
    [
        ("return a", "not declared pure, but surely is"),
        ("return a.frob()", "not declared pure; it calls a.frob (line 2), "
         "which is not known"),
        ("import time; return time.time()", "not pure; it reads the clock at line 2"),
    ],
)  # fmt: skip
def test_functions_that_are_not_declared_pure(check, body, purity):
    lines = check(f"def compare(a, b):\n    {body}\n", "[remote.compare]\n")[1]
    assert lines[1] == f"compare.py:1: compare is remote, sync, {purity}"
    hinted = "  hint: pure = true in [remote.compare.functions.compare]" in lines
    assert hinted == ("surely" in purity)


def test_what_the_user_assumes_pure_is_known(check):
    source = "import lib\ndef compare(a, b):\n    return lib.run(a)\n"
    lines = check(source, PLAN + "[assume]\npure = ['lib.run']\n")[1]
    assert lines[1] == "compare.py:2: compare is remote, async, surely pure"


def test_functions_whose_results_cannot_travel_stay_in_the_program(check):
    source = "def rows():\n    yield 1\nasync def fetch(): ...\ndef compare(a, b): ...\n"
    assert check(source)[1][1:-1] == [
        "compare.py:1: rows is a generator function and runs in the program: "
        "its result cannot travel",
        "compare.py:3: fetch is remote, async, surely pure",
        "compare.py:4: compare is remote, async, surely pure",
    ]


def test_coroutine_functions_that_are_not_pure_stay_in_the_program(check):
    source = "async def fetch(): ...\ndef compare(a, b): ...\n"
    assert check(source, "[remote.compare]\n")[1][1] == (
        "compare.py:1: fetch is a coroutine function and runs in the program: "
        "only pure ones are remote"
    )


def test_async_without_pure(check):
    plan = '[remote.compare]\ncallstyle = "async"\nfunctions.g.pure = true\n'
    code, lines = check("def f(): ...\ndef g(): ...\ndef h(): ...\n", plan, "import compare\n")
    assert (code, warned_of(lines)) == (
        0,
        [
            "compare.py: f and h are async, but calls are made in place as long as pure = true is "
            "missing"
        ],
    )
    assert "compare.py:1: f is remote, async, not declared pure, but surely is" in lines


def test_a_module_that_may_forget_its_state(check):
    source = "count = 0\ndef compare(a, b):\n    global count\n    count += 1\n    return count\n"
    plan = '[remote.compare]\nrestart = "fresh"\n'
    alone = "compare.py: compare is remote, 1 replica"
    assert (
        check(source, plan)[1][0] == f"{alone}; when it dies, a fresh one goes on without its state"
    )
    assert check(source, plan + "pure = true\nreplicas = 1\n")[1][0] == alone  # it has none
    assert check(source, "[remote.compare]\n")[1][0] == alone


def test_a_module_without_public_functions(check):
    assert warned_of(check("def _f(): ...\n", program="import compare\n")[1]) == [
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


COMPARE = "def compare(a, b):\n    return a\n"


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("from compare import compair\n", "search.py:1: compare defines no compair"),
        (
            "import compare as c\nprint(c.compair(1, 2))\n",
            "search.py:2: compare defines no compair",
        ),
        ("import compare\nprint(compare.compare)\n", None),
        ("import compare\ncompare.limit = 3\nprint(compare.limit)\n", None),
        ("try:\n    from compare import fast\nexcept ImportError:\n    fast = None\n", None),
    ],
)
def test_what_a_remote_module_does_not_define(check, capsys, program, told):
    code, lines = check(COMPARE, program=program)
    assert (code, warned_of(lines)) == (0, [told] if told else [])
    assert run_command(["explain", "search.py"]) == 0
    said = capsys.readouterr().out
    assert (told is not None) == ("compare defines no" in said)
    if told:
        assert f'{told}\n  hint: did you mean "compare"?\n' in said


@pytest.mark.parametrize("more", ["globals()['fast'] = compare\n", "from os.path import *\n"])
def test_names_that_the_text_does_not_tell(check, more):
    lines = check(COMPARE + more, program="import compare\nprint(compare.fast)\n")[1]
    assert warned_of(lines) == []


def test_exceptions_to_try_again_after_that_are_none(check):
    plan = PLAN + 'retry_on = ["helper.Busi", "helper.Busy", "openai.RateLimitError", "OSError"]\n'
    helper = "class Busy(Exception): ..."
    lines = check("def compare(a, b):\n    return a", plan, "import compare\n", helper=helper)[1]
    assert lines[2:-1] == [
        'cord.toml: warning: retry_on names "helper.Busi", but helper does not define Busi',
        '  hint: did you mean "Busy"?',
        'cord.toml: warning: retry_on names "openai.RateLimitError", but there is no module openai',
    ]


def test_what_is_assumed_of_nothing(check):
    names = ["helper.Reader.lines", "helper.Reader.line", "helper.reed", "search.own", "os.getcwd"]
    names += ["helper.Derived.anything", "sys.stdin", "open", "nowhere.at_all"]
    plan = PLAN + f"[assume]\npure = {names}\n"
    helper = "class Reader:\n    def lines(self): ...\nclass Derived(Reader): ...\ndef read(): ..."
    program = "import compare, helper\n"
    lines = check("def compare(a, b):\n    return a", plan, program, helper=helper)[1]
    assert lines[2:-1] == [
        'cord.toml: warning: assume.pure names "helper.Reader.line", '
        "but helper.Reader does not define line",
        '  hint: did you mean "lines"?',
        'cord.toml: warning: assume.pure names "helper.reed", but helper does not define reed',
        '  hint: did you mean "read"?',
        'cord.toml: warning: assume.pure names "nowhere.at_all", but there is no module nowhere',
        'cord.toml: warning: assume.pure names "search.own", but search does not define own',
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
    assert (code, lines) == (
        0,
        [
            "math: 1 replica; its source is not there to be checked",
            "cord.toml: no errors, no warnings",
        ],
    )


def test_a_module_that_is_not_there(check, tmp_path):
    plan, program = "[remote.later]\n", "import sys\nsys.path.append('parts')\nimport later\n"
    assert check("", plan, program) == (
        0,
        [
            "later: 1 replica; its source is not there to be checked",
            f"cord.toml: warning: there is no module later in {tmp_path} or elsewhere on Python's "
            "path",
            "  hint: that is right only if the program changes sys.path first",
            "cord.toml: no errors, 1 warning",
        ],
    )


@pytest.mark.parametrize(
    ("plan", "program", "told"),
    [
        ("", PROGRAM, "no function is declared pure"),
        ('pure = true\ncallstyle = "sync"', PROGRAM, 'callstyle is "sync"'),
        # calls of several threads are made at once
        ('pure = true\ncallstyle = "sync"\nreplicas = 2', f"import threading\n{PROGRAM}", None),
        ("pure = true", PROGRAM, None),
        ("independent = true\nreplicas = 2", PROGRAM, None),
    ],
)
def test_a_plan_under_which_nothing_can_be_faster(check, monkeypatch, plan, program, told):
    monkeypatch.setattr("cord.tools.prospects.means", lambda: (2, 2))
    lines = check("def compare(a, b): ...\n", f"[remote.compare]\n{plan}\n", program)[1]
    said = [line for line in warned_of(lines) if "will not be faster than in plain Python" in line]
    assert [line.startswith(f"cord.toml: {told}") for line in said] == [True] * (told is not None)


def test_one_core_for_one_replica(check, monkeypatch):
    monkeypatch.setattr("cord.tools.prospects.means", lambda: (1, 2))
    lines = check("def compare(a, b): ...\n", "[remote.compare]\npure = true\nreplicas = 1\n")[1]
    assert any("the program may use one core here, and has one replica" in line for line in lines)


def test_functions_of_others_methods_and_what_variables_hold(check):
    source = """\
from functools import partial
from helper import scaled
half = partial(scaled, 0.5)
class Client:
    def look(self): return self.n
    def bump(self): self.n += 1
"""
    plan = (
        '[remote.compare]\npure = true\nonly = ["scaled", "half", "Client.look", "Client.bump"]\n'
    )
    helper = "def scaled(f, x):\n    return f * x\n"
    lines = check(source, plan, "import compare\n", helper=helper)[1]
    assert lines[1:] == [
        "compare.py: half is remote, async, declared pure; its text is not seen here",
        "compare.py:5: Client.look is remote, async, surely pure",
        "compare.py:6: Client.bump is remote, async, declared pure",
        "compare.py:6: warning: Client.bump changes its argument self: such calls do "
        "not start early",
        "  hint: work on a copy, and return it",
        "helper.py:1: scaled is remote, async, surely pure",
        "cord.toml: no errors, 1 warning",
    ]


def test_a_service_needs_no_program(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.py").write_text("import time\ndef price(n: int) -> int:\n    return n * 3\n")
    routes = '[http.routes]\n"GET /price" = "shop.price"\n'
    (tmp_path / "cord.toml").write_text(f"[remote.shop]\npure = true\n[http]\n{routes}")
    assert run_command(["check"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:] == [
        "shop.py:2: price is remote, async, surely pure",
        "cord.toml: no errors, no warnings",
    ]
    monkeypatch.chdir("/")
    assert run_command(["check"]) == 2
    assert "there is no program to check" in capsys.readouterr().err


def test_a_function_is_called_what_the_plan_calls_it(check):
    module = (
        "import urllib.request\nseen = []\ndef load(address, path):\n"
        "    with urllib.request.urlopen(address) as reply, path.open('wb') as file:\n"
        "        file.write(reply.read())\n"
        "def note(text):\n    seen.append(text)\n"
    )
    plan = "[remote.work]\nrepeatable = true\n"
    lines = check("def compare(a, b):\n    return a", plan, "import work\n", work=module)[1]
    assert "work.py:3: load is remote, async, declared repeatable" in lines
    assert warned_of(lines) == [
        "work.py:7: note is declared repeatable, but changes the global seen"
    ]
