"""Functions of the main script are watched where the script defines them."""

from __future__ import annotations

import pickle
import sys
from types import ModuleType

import pytest

from cord.tools.init.observer import Observer
from cord.tools.verify.main_script import compiled

SCRIPT = b"""
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


def test_functions_of_the_script(monkeypatch: pytest.MonkeyPatch) -> None:
    remote = {"__main__": {"only": ["f", "g"], "pure": True, "functions": {}, "inside": False}}
    observer = Observer({"remote": remote, "patience": 1.0, "late": 0.0})
    main = ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", main)
    code = compiled(SCRIPT, "script.py", ["f", "g"])
    observer.watch_main()
    exec(code, main.__dict__)
    assert main.values == [3, 5, "a method"]
    assert observer.counts == {"__main__.f": 2, "__main__.g": 2}
    first = observer.calls["__main__.f"][0]
    assert pickle.loads(first.head) == ((1,), {})
    assert first.place == "script.py:17"
    observer.end()
    observer.repeat()
    assert observer.counts == {"__main__.f": 2, "__main__.g": 2}
    assert observer.findings == []
    assert set(observer.costs()) == {"__main__.f", "__main__.g"}
