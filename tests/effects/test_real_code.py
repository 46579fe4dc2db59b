"""Real code: modules of the standard library, as if they were a project's remote modules."""

from __future__ import annotations

import ast
import os
import sys
import sysconfig
import warnings as python_warnings
from functools import cache

import pytest
from effects_lab import is_sure

from cord.effects.analysis import Analysis
from cord.effects.findings import Findings, Report
from cord.effects.summary import HANDS, READS
from cord.effects.world import World
from cord.plan.public import outline_of
from cord.source.modules import Module

LIBRARY = sysconfig.get_path("stdlib")


def read(name: str) -> Module:
    path = os.path.join(LIBRARY, *name.split(".")) + ".py"
    with open(path, "rb") as file, python_warnings.catch_warnings():
        python_warnings.simplefilter("ignore")
        return Module(name, path, ast.parse(file.read(), path))


@cache
def reports(name: str) -> dict[str, Report]:
    """What is said of every public function of a module that is declared pure."""
    source = read(name)
    names = outline_of(source.tree).public_functions()
    findings = Findings(Analysis(World([source], lambda _: None)), {name: names})
    return {one: findings.report(name, one, declared=True) for one in names}


@pytest.mark.parametrize(
    ("module", "names"),
    [
        # from 3.13 on, indent itself calls the function that it is given
        ("textwrap", f"wrap fill shorten dedent {'indent' if sys.version_info < (3, 13) else ''}"),
        ("colorsys", "rgb_to_hls hls_to_rgb rgb_to_hsv hsv_to_rgb rgb_to_yiq yiq_to_rgb"),
        ("statistics", "median median_low median_high mode multimode quantiles"),
        ("difflib", "get_close_matches"),
        ("keyword", ""),
        ("string", "capwords"),
        ("posixpath", "split basename dirname normpath isabs"),
        ("html.__init__", "escape unescape"),
        ("base64", "b64encode b64decode standard_b64encode urlsafe_b64decode"),
    ],
)
def test_surely_pure(module: str, names: str) -> None:
    found = reports(module)
    doubts = {name: found[name].reasons for name in names.split() if not is_sure(found[name])}
    assert doubts == {}


@pytest.mark.parametrize(
    ("module", "name", "argument"),
    [
        ("heapq", "heappush", "heap"),
        ("heapq", "heappop", "heap"),
        ("heapq", "heapify", "x"),
        ("heapq", "heapreplace", "heap"),
        ("bisect", "insort_right", "a"),
        ("bisect", "insort_left", "a"),
    ],
)
def test_changed_arguments(module: str, name: str, argument: str) -> None:
    texts = [finding.text for finding in reports(module)[name].warnings]
    assert len(texts) == 1
    assert texts[0].startswith(f"{name} changes its argument {argument}")


@pytest.mark.parametrize(
    ("module", "name", "said"),
    [
        ("re", "compile", "the global _cache"),
        ("linecache", "getline", "the global cache"),
        ("mimetypes", "guess_type", "the global"),
        ("glob", "glob", "reads files"),
        ("tempfile", "mkdtemp", "writes files"),
        ("getpass", "getuser", "reads the environment"),
        ("webbrowser", "open", "changes the global"),
    ],
)
def test_effects(module: str, name: str, said: str) -> None:
    source = "re.__init__" if module == "re" else module
    texts = [finding.text for finding in reports(source)[name].warnings]
    assert [text for text in texts if "declared pure, but" in text and said in text], texts


SMALL = 40_000  # bytes


def modules() -> list[str]:
    """Every third module of the standard library that is not large."""
    names = sorted(
        entry.removesuffix(".py")
        for entry in os.listdir(LIBRARY)
        if entry.endswith(".py") and os.path.getsize(os.path.join(LIBRARY, entry)) < SMALL
    )
    return names[::3]


@pytest.mark.parametrize("module", modules())
def test_anything_can_be_analysed(module: str) -> None:
    for report in reports(module).values():
        assert report.verdict in ("pure", "impure", "unknown")
        assert report.reasons or report.verdict == "pure"


def test_many_files_at_once() -> None:
    names = "difflib textwrap fractions statistics heapq bisect colorsys".split()
    world = World([read(name) for name in names], lambda _: None)
    known = Analysis(world)
    assert {effect.kind for effect in known.summary("textwrap", "wrap").effects.values()} <= {
        READS,
        HANDS,
    }
    assert known.is_known("textwrap", "wrap")
