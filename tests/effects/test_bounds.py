"""However large a project is: an end, no crash, the same answer always, and nothing claimed."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from textwrap import dedent

import pytest
from effects_lab import report

from cord.effects import analysis, frame
from cord.effects.analysis import MOST_WORK, Analysis
from cord.effects.findings import Findings, Report
from cord.effects.world import MOST_NODES, World
from cord.source.modules import Module


def bounded(text: str, *functions: str, most: int = MOST_WORK) -> list[Report]:
    """What is said of functions of a module, within a bound."""
    wanted = [("work", name) for name in functions]
    world = World([Module("work", "work.py", ast.parse(text))], lambda _: None)
    findings = Findings(Analysis(world, frozenset(), wanted, most), {"work": functions})
    return [findings.report("work", name, declared=True) for name in functions]


HEAVY = "def heavy(x):\n" + "".join(f"    x = [x, x + {n}]\n" for n in range(60)) + "    return x\n"
CALLS = "def calls(x):\n    return heavy(x)\ndef light(x):\n    return x * x\n"


def test_a_function_that_is_too_much_and_its_callers_are_not_called_pure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert [one.verdict for one in bounded(HEAVY + CALLS, "heavy", "calls", "light")] == [
        "pure"
    ] * 3
    monkeypatch.setattr(frame, "MOST_WORK", 100)
    heavy, calls, light = bounded(HEAVY + CALLS, "heavy", "calls", "light")
    assert (heavy.verdict, calls.verdict, light.verdict) == ("unknown", "unknown", "pure")
    assert calls.reasons == ["there is too much in it to be followed to its end"]
    assert not calls.warnings


def test_what_is_found_before_the_bound_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame, "MOST_WORK", 100)
    work = HEAVY.replace("(x):\n", "(x):\n    global N\n    N = x\n")
    (found,) = bounded(work, "heavy")
    assert [one.text for one in found.warnings] == [
        "heavy is declared pure, but writes the global N"
    ]


def test_remote_functions_come_first_and_the_rest_is_left_open() -> None:
    rest = "".join(f"def g{n}(x):\n    return [x, {n}]\n" for n in range(200))
    own = "def first(x):\n    return x * x\ndef reads(x):\n    return x * LIMIT\n"
    work = f"LIMIT = 3\n{rest}{own}"
    assert [one.verdict for one in bounded(work, "first", "reads", "g150")] == ["pure"] * 3
    first, reads, other = bounded(work, "first", "reads", "g150", most=250)
    assert (first.verdict, reads.verdict, other.verdict) == ("pure", "unknown", "pure")
    assert "may change it" in reads.reasons[0]


@pytest.mark.parametrize("use", ["far.g(x)", "far.C.made(x)", "far.C().m(x)", "(far.g or 1)(x)"])
@pytest.mark.parametrize("how", ["import pkg.far as far", "from pkg import far"])
def test_modules_that_are_not_read_are_not_taken_for_pure(use: str, how: str) -> None:
    far = """
        class C:
            def m(self, x): return x
            @staticmethod
            def made(x): return x
        def g(x): return x
    """
    work = f"{how}\nimport pkg\ndef f(x):\n    return {use}\n"
    modules = {"work": work, "pkg": "A = 1\n" * 50, "pkg__far": far}
    sources = {
        name.replace("__", "."): Module(name.replace("__", "."), "", ast.parse(dedent(text)))
        for name, text in modules.items()
    }
    for nodes, verdict in ((MOST_NODES, "pure"), (60, "unknown")):
        world = World([sources["work"]], sources.get, nodes)
        assert world.is_whole is (verdict == "pure")
        followed = Analysis(world, frozenset(), [("work", "f")])
        found = Findings(followed, {"work": ["f"]}).report("work", "f", declared=True)
        assert found.verdict == verdict, found.reasons


def test_a_method_of_a_builtin_that_a_function_gives() -> None:
    work = """
        rows = []
        def adder(to):
            return to.append
        def f(x):
            add = adder([])
            add(x)
            return x
        def g(x):
            adder(rows)(x)
    """
    assert report(work).verdict != "impure"
    assert report(work, "g").warnings


CHECK = """
import sys
from cord.cli.main import run_command
sys.exit(run_command(["check", "main.py"]))
"""


def test_the_answer_does_not_hang_on_the_hash_seed(tmp_path: object) -> None:
    folder = str(tmp_path)
    with open(os.path.join(folder, "cord.toml"), "w", encoding="utf-8") as file:
        file.write("[remote.argparse]\npure = true\n[remote.logging]\npure = true\n")
    with open(os.path.join(folder, "main.py"), "w", encoding="utf-8") as file:
        file.write("import argparse, logging\n")
    said = {
        subprocess.run(
            [sys.executable, "-c", CHECK],
            cwd=folder,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(said) == 1
    assert "logging/__init__.py" in said.pop()


def test_the_bounds_are_those_that_are_tried_here() -> None:
    assert analysis.MOST_WORK >= 10 * frame.MOST_WORK
