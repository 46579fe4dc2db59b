"""State that a remote function reads, and that the program or another function changes."""

from __future__ import annotations

import pytest
from effects_lab import analyse, is_sure, report, warnings

from cord.effects.findings import Findings


def test_a_setting_of_the_project_that_the_program_sets() -> None:
    work = "import config\ndef f(x):\n    return min(x, config.LIMIT)"
    main = "import config, work\nconfig.LIMIT = 9\nwork.f(3)"
    config = "LIMIT = 3"
    assert is_sure(report(work, config=config))
    said = (
        "3: f reads config.LIMIT, which the program sets at main.py:2: "
        "calls that were started before are made anew"
    )
    assert warnings(work, config=config, __main__=main) == [said]
    assert warnings(work, config=config, __main__=main, declared=False) == [said]


@pytest.mark.parametrize(
    ("config", "line"),
    [
        ("LIMIT = 3\ndef set_limit(n):\n    global LIMIT\n    LIMIT = n", "config.py:4"),
        ("class C:\n    LIMIT = 3\nLIMIT = 3\ndef set_limit(n):\n    globals_()\n    global LIMIT\n"
         "    LIMIT = n\ndef globals_(): ...", "config.py:7"),
    ],
)  # fmt: skip
def test_a_setting_that_a_function_sets_for_the_program(config: str, line: str) -> None:
    work = "from config import *\nimport config\ndef f(x):\n    return min(x, config.LIMIT)"
    main = "import config, work\nconfig.set_limit(9)\nwork.f(3)"
    assert warnings(work, config=config, __main__=main) == [
        f"4: f reads config.LIMIT, which the program sets at {line}: "
        "calls that were started before are made anew"
    ]


def test_a_constant_of_the_remote_module_that_the_program_sets() -> None:
    work = "LIMIT = 3\ndef f(x):\n    return min(x, LIMIT)"
    main = "import work\nwork.LIMIT = 9\nwork.f(3)"
    assert warnings(work, __main__=main) == [
        "3: f reads the global LIMIT, which the program sets at main.py:2: "
        "calls that were started before are made anew"
    ]


def test_functions_that_share_state() -> None:
    work = "DATA = []\ndef put(x):\n    DATA.append(x)\ndef f(i):\n    return DATA[i]"
    main = "import work\nwork.put(1)\nprint(work.f(0))"
    served = ("f", "put")
    assert warnings(work, served=served, __main__=main) == [
        "5: f is declared pure, but reads the global DATA, which put() changes at line 3"
    ]
    assert warnings(work, served=served, __main__=main, declared=False) == []


def test_a_function_that_runs_in_the_program_does_not_reach_replicas() -> None:
    work = "DATA = []\ndef put(x):\n    DATA.append(x)\ndef f(i):\n    return DATA[i]"
    main = "import work\nwork.put(1)\nprint(work.f(0))"
    assert warnings(work, served=("f",), __main__=main, declared=False) == [
        "5: f reads the global DATA, which the program sets at work.py:3: "
        "calls that were started before are made anew"
    ]


@pytest.mark.parametrize(
    ("imported", "use", "setting"),
    [
        ("import logging", "logging.info(x)", "logging.basicConfig(level=10)"),
        ("import logging\nLOG = logging.getLogger()", "LOG.info(x)", "logging.disable()"),
        ("import decimal", "decimal.getcontext().prec", "decimal.getcontext().prec = 5"),
        ("import locale", "locale.str(x)", "locale.setlocale(0, '')"),
        ("import warnings", "warnings.warn('x')", "warnings.simplefilter('error')"),
    ],
)
def test_settings_of_libraries_travel(imported: str, use: str, setting: str) -> None:
    work = f"{imported}\ndef f(x):\n    return {use}"
    assert is_sure(report(work, __main__=f"{imported}\nimport work\n{setting}\nwork.f(1)"))


def test_what_another_module_does() -> None:
    work = "from helper import put\ndef f(x):\n    put(x)"
    helper = "SEEN = []\ndef put(x):\n    SEEN.append(x)"
    found = report(work, helper=helper)
    assert [(w.module, w.line, w.text) for w in found.warnings] == [
        ("helper", 3, "f is declared pure, but changes helper.SEEN, through put() at line 3")
    ]


def test_what_a_remote_function_hands_out_is_a_copy_for_another_to_change() -> None:
    work = "ROWS = [[1], [2]]\ndef f(i):\n    return [row for row in ROWS]"
    other = "def g(rows):\n    rows[0] += [9]\n    return rows"
    main = "import other, work\nprint(other.g(work.f(0)))"
    analysis = analyse(work, other=other, __main__=main)
    said = (
        "f reads the global ROWS, which the program sets at other.py:2: "
        "calls that were started before are made anew"
    )
    for remote, is_said in (({"work": ("f",), "other": ("g",)}, False), ({"work": ("f",)}, True)):
        found = Findings(analysis, remote).report("work", "f", declared=True)
        assert (said in [finding.text for finding in found.warnings]) is is_said


def test_what_changes_arrays_alone_is_no_reason_to_warn() -> None:
    work = "ROWS = eval('[1, 2]')\ndef f(i):\n    return ROWS[i]"
    other = "def g(rows, i):\n    total = rows[0]\n    total += rows[i]\n    return total"
    main = "import other, work\nprint(other.g(work.ROWS, work.f(0)))"
    found = report(work, other=other, __main__=main)
    assert (found.verdict, found.warnings) == ("unknown", [])
    assert found.reasons == ["it reads the global ROWS, which other.py:3 may change"]


def test_a_default_that_the_program_changes() -> None:
    work = """
        ROWS = [[0], [1]]
        def f(rows=ROWS):
            return sum(row[0] for row in rows)
        def move(rows=ROWS):
            for row in rows:
                row[0] += 1
    """
    main = "import work\nwork.move()\nwork.f()"
    assert is_sure(report(work))
    assert warnings(work, __main__=main) == [
        "3: f reads the global ROWS, which the program sets at work.py:7: "
        "calls that were started before are made anew"
    ]


def test_a_default_that_nobody_changes() -> None:
    work = "ROWS = [[0], [1]]\ndef f(rows=ROWS, key=len, *, text=str.lower):\n    return rows[0]"
    assert report(work, __main__="import work\nwork.f()").verdict == "pure"
