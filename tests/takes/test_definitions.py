"""What the main script defines is encoded once for each version."""

from __future__ import annotations

import sys
from queue import Queue
from threading import Thread
from types import ModuleType
from typing import Any

import pytest

from cord._core import find_definitions, forget_definitions
from cord.errors import EncodeError
from cord.runtime.client.definitions import encode_definitions

SCRIPT = """
RATE = 2
TABLE = [1, [2, 3]]
OPTIONS = {"deep": {"er": [0]}}

class Unit:
    size = 1
    parts = []

    def __init__(self, n):
        self.n = n

    def price(self):
        return self.n * RATE

def scaled(x, by=(1, 2)):
    return helper(x) + len(TABLE) + len(OPTIONS)

def helper(x):
    return Unit(x).price()

def unrelated(x):
    return lock
"""


class Odd:
    """Does something while it is pickled."""

    def meet(self) -> None: ...

    def __reduce__(self) -> tuple[type, tuple[()]]:
        self.meet()
        return Odd, ()


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A main script."""
    module = ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", module)
    forget_definitions()
    exec(SCRIPT, vars(module))
    return module


def version(main: ModuleType, name: str = "scaled", ahead: bool = False) -> Any:
    """The version of the definitions that a call of a function takes along."""
    found = find_definitions([name], True, ahead)
    return found or encode_definitions([name], getattr(main, name), True, ahead)


def test_what_has_not_changed_is_not_encoded_again(main: ModuleType) -> None:
    assert version(main) is version(main)


CHANGES = {
    "a global is bound": "RATE = 3",
    "a list grows": "TABLE.append(4)",
    "a list inside a list grows": "TABLE[1].append(4)",
    "a dict inside a dict changes": "OPTIONS['deep']['er'][0] = False",
    "a value is one that is equal": "RATE = 2.0",
    "a class attribute is set": "Unit.size = 5",
    "a list of a class grows": "Unit.parts.append(1)",
    "a method is replaced": "Unit.price = lambda self: 0",
    "a class is another": "class Unit(Unit): pass",
    "a helper is another": "def helper(x): return x",
    "a default is another": "scaled.__defaults__ = (3,)",
    "an attribute is set": "helper.calls = 1",
    "a builtin is shadowed": "len = max",
    "a global is deleted": "del TABLE",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_what_has_changed_is_another_version(main: ModuleType, change: str) -> None:
    before = version(main)
    assert version(main) is before
    exec(change, vars(main))
    after = version(main)
    assert after is not before
    assert version(main) is after


def test_what_no_function_reads_does_not_matter(main: ModuleType) -> None:
    before = version(main)
    exec("other = 5\ndef unrelated(x): return x", vars(main))
    assert version(main) is before


def test_a_version_that_is_there_again_is_not_another(main: ModuleType) -> None:
    before = version(main)
    vars(main)["RATE"] = 3
    assert version(main) is not before
    vars(main)["RATE"] = 2
    assert version(main) is before


def test_a_scout_takes_what_the_last_call_had(main: ModuleType) -> None:
    before = version(main)
    vars(main)["RATE"] = 3
    assert version(main, ahead=True) is before
    assert version(main) is not before


def test_a_scout_runs_no_code_of_the_program(main: ModuleType) -> None:
    code = "class Odd:\n def __reduce__(self): raise SystemExit\nRATE = Odd()"
    exec(code, vars(main))
    with pytest.raises(LookupError):
        version(main, ahead=True)


def test_a_global_that_cannot_travel_is_named(main: ModuleType) -> None:
    exec("import threading\nlock = [threading.Lock()]", vars(main))
    said = r"the global 'lock' of the main script \(needed by unrelated\(\)\): \[0\] is a lock"
    with pytest.raises(EncodeError, match=said):
        version(main, "unrelated")


def test_what_another_thread_changes_meanwhile_is_not_missed(
    main: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders: Queue[None] = Queue()
    done: Queue[None] = Queue()

    def change() -> None:
        orders.get()
        vars(main)["ITEMS"].append(1)
        done.put(None)
        orders.get()

    def meet(first: list[None] = [None]) -> None:  # noqa: B006
        if first:
            orders.put(first.pop())
            done.get()

    code = """
ITEMS = []
ODD = Odd()
def both():
    return ITEMS, ODD
"""
    monkeypatch.setattr(Odd, "meet", staticmethod(meet))
    vars(main)["Odd"] = Odd
    exec(code, vars(main))
    thread = Thread(target=change)
    thread.start()
    made = encode_definitions(["both"], vars(main)["both"], True, False)
    orders.put(None)
    thread.join()
    assert encode_definitions(["both"], vars(main)["both"], True, False) is made
