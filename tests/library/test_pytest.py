"""`cord.session` in a project's own pytest run, and pytest under `cord run -m`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from remote_work import PLAN, WORK

if TYPE_CHECKING:
    from conftest import Project

FILES = {
    "cord.toml": PLAN,
    "work.py": WORK,
    "search.py": """\
import work

def search(n):
    return [work.together(x) for x in range(n)]

def squares(n):
    return [work.square(x) for x in range(n)]
""",
}

IN_A_SESSION = """\
import os
import cord
import pytest
import search
import work
from work import pid

@pytest.fixture(scope="session")
def session():
    with cord.session("cord.toml", ahead=[search]) as open_session:
        yield open_session

def test_local_before():
    assert work.pid() == os.getpid()

def test_search(session):
    assert min(search.search(2)) > 1
    assert search.squares(4) == [0, 1, 4, 9]

def test_remote(session):
    assert work.pid() != os.getpid()

def test_captured(session, capsys):
    work.show(3)
    assert capsys.readouterr().out == "shown 3\\n"

def test_mocked(session, monkeypatch):
    monkeypatch.setattr(work, "square", lambda x: -x)
    assert search.squares(3) == [0, -1, -2]

def test_unmocked(session):
    assert search.squares(3) == [0, 1, 4]

def test_fails_as_itself(session):
    with pytest.raises(ValueError, match="remote 5"):
        work.fail(5)

def test_assertions_show_values(session):
    assert work.square(3) == 10
"""


def test_tests_in_a_session(project: Callable[..., Project]) -> None:
    made = project({**FILES, "test_it.py": IN_A_SESSION})
    result = made.run("-m", "pytest", "-p", "no:cacheprovider", "-q", cord=False)
    assert "1 failed, 7 passed" in result.stdout, result.stdout
    assert "assert 9 == 10" in result.stdout
    assert made.left_behind() == []


def test_pytest_under_cord_run(project: Callable[..., Project]) -> None:
    tests = "import os\nimport work\ndef test_it():\n    assert work.pid() != os.getpid()\n"
    made = project({**FILES, "test_it.py": tests})
    result = made.run("-m", "pytest", "-p", "no:cacheprovider", "-q")
    assert "1 passed" in result.stdout, result.stdout
    assert made.left_behind() == []
