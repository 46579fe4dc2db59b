"""A small program to read plans for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cord.errors import PlanError
from cord.plan import Plan, read_plan
from cord.plan.program import script
from cord.plan.words import BASE

COMPARE = """\
import math
from math import sqrt
SCALES = {}
class Model: ...
def compare(a, b): return a == b
def distance(a, b): return a - b
def _private(a): ...
def rows():
    yield 1
async def fetch(): ...
"""

Read = Callable[..., Plan]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with search.py, compare.py and the package pkg; the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "search.py").write_text("import compare\n")
    (tmp_path / "compare.py").write_text(COMPARE)
    for name in ("pkg/__init__.py", "pkg/mod.py", "pkg/deep/__init__.py", "pkg/deep/model.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("def f(x): ...\n")
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "part.py").write_text("def f(x): ...\n")
    return tmp_path


@pytest.fixture
def read(project: Path) -> Read:
    """Reads a plan given as text."""

    def read(text: str, *settings: str, variant: str = BASE) -> Plan:
        (project / "cord.toml").write_text(text, encoding="utf-8")
        return read_plan(None, list(settings), script("search.py"), variant)

    return read


@pytest.fixture
def refusal(read: Read, project: Path) -> Callable[..., str]:
    """What is said of a wrong plan given as text; the project's folder is called HERE."""

    def refusal(text: str, *settings: str, **variant: str) -> str:
        with pytest.raises(PlanError) as caught:
            read(text, *settings, **variant)
        return str(caught.value).replace(str(project), "HERE")

    return refusal
