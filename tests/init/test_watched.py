"""Functions of the main script are watched where the script defines them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cord.tools.init.watched import LateWatch
from cord.tools.verify.probe import run_watched

SCRIPT = """
import sys

def f(x):
    return g(x) + 1

if sys.version_info:
    def g(x):
        def f(y):
            return y * 2
        return f(x)

class Box:
    def f(self):
        return "a method"

values = [f(1), f(2), Box().f()]
"""


def test_functions_of_the_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remote = {"__main__": {"only": ["f", "g"], "pure": True, "functions": {}, "inside": False}}
    observer = LateWatch({"remote": remote, "patience": 1.0, "late": 0.0})
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.setattr(sys, "argv", [])
    monkeypatch.setattr(sys, "path", sys.path[:])
    about = {"path": str(script), "folder": str(tmp_path), "module": None, "args": []}
    run_watched({**about, "main": ["f", "g"]}, observer)
    assert vars(sys.modules["__main__"])["values"] == [3, 5, "a method"]
    # calls inside calls are watched, too
    assert observer.counts == {"__main__.f": 2, "__main__.g": 2}
    first = observer.calls["__main__.f"][0]
    assert first.place == "script.py:17"
    observer.end()
    observer.repeat()
    assert observer.counts == {"__main__.f": 2, "__main__.g": 2}
    assert observer.findings == []
    assert set(observer.costs()) == {"__main__.f", "__main__.g"}
