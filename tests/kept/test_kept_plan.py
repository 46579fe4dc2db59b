"""A plan is read once, and compared afterwards: as long as it is right, no run reads it again."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import pytest
from kept_lab import Program

from cord.errors import PlanError
from cord.plan import Plan, read_plan, whole
from cord.plan.program import script
from cord.plan.words import BASE

Read = Callable[..., tuple[Plan, bool]]

WORK = """
def f(x, y):
    return x + y

def g(x):
    return x
"""

PLAN = """
[remote.work]
replicas = 2
callstyle = "async-demand(3)"
pure = true
only = ["f"]
priority = "x - y"
batch = "64KiB"
speed = [1, 0.5]
lookahead = { calls = 7 }

[remote.work.functions.f]
resident = ["y"]

[remote.tools]
replicas = ["ann", "bob"]
pure = true
overload = "load >= 10"
topology = "ring"

[remote.services]
threads = 16
rate = "60/min"
deadline = "2 s"
retries = 3
hedge = "p95"
pure = true

[engine]
kind = "command"
launch = "sh -c {agent}"
nodes = 2

[http]
bind = "127.0.0.1:8080"

[http.routes]
"GET /double/{x}" = "services.double"

[assume]
pure = ["os.getcwd"]

[client.helpers.remote.work]
callstyle = "sync"

[variants.four.remote.work]
replicas = 4
speed = [1, 1, 1, 1]

[variants.other.remote.more]
only = ["h"]
"""

FILES = {
    "main": "",
    "work": WORK,
    "tools": "",
    "helpers": "",
    "more": "def h(): pass\n",
    "services": "def double(x: int) -> int:\n    return x * 2\n",
    "plan": PLAN,
}


@pytest.fixture
def made(program: Callable[..., Program], monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    made = program(**FILES)
    monkeypatch.chdir(made.folder)
    return made


@pytest.fixture
def read(made: Program, monkeypatch: pytest.MonkeyPatch) -> Read:
    """``read(*settings, variant=...)``: the plan as a run finds it, and whether it was read."""
    count = 0
    real = whole.read_whole

    def counted(*args: object) -> object:
        nonlocal count
        count += 1
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(whole, "read_whole", counted)

    def read(*settings: str, path: str | None = None, variant: str = BASE) -> tuple[Plan, bool]:
        before = count
        main = script("main.py")
        plan = read_plan(path, list(settings), main, variant)
        main.outlines.save()
        return plan, count > before

    return read


def test_what_is_kept_is_the_plan(read: Read) -> None:
    first, was_read = read()
    assert was_read
    second, was_read = read()
    assert not was_read
    assert second == first
    assert repr(second) == repr(first)


def test_each_variant_has_its_own(read: Read) -> None:
    plans = {variant: read(variant=variant)[0] for variant in (BASE, "four")}
    assert [plans[variant].remote["work"].replicas for variant in plans] == [2, 4]
    for variant, plan in plans.items():
        assert read(variant=variant) == (plan, False)


@pytest.mark.parametrize(
    "change",
    [
        ("plan", PLAN.replace("calls = 7", "calls = 8")),
        ("work", WORK + "\n# another text\n"),
        ("more", "def h(): return 1\n"),
    ],
    ids=lambda change: change[0],
)
def test_it_is_read_again_when_a_file_has_changed(
    made: Program, read: Read, change: tuple[str, str]
) -> None:
    read()
    made.write(**dict([change]))
    assert read()[1]
    assert not read()[1]


def test_it_is_read_again_with_other_settings(read: Read) -> None:
    read()
    plan, was_read = read("remote.tools.replicas=3")
    assert was_read
    assert plan.remote["tools"].replicas == 3
    assert read()[1]


def test_another_file_is_another_plan(made: Program, read: Read) -> None:
    read()
    made.write(plan="[remote.work]\n")
    os.rename("cord.toml", "other.toml")
    made.write(plan=PLAN)
    assert list(read(path="other.toml")[0].remote) == ["work"]


def test_a_module_that_is_found_elsewhere_is_looked_at_there(made: Program, read: Read) -> None:
    read()
    (made.folder / "work.py").unlink()
    made.write(work__it="")
    (made.folder / "work" / "__init__.py").write_text("def g(): pass\n")
    with pytest.raises(PlanError, match="work defines no function f"):
        read()


def test_what_went_wrong_meanwhile_is_told(made: Program, read: Read) -> None:
    read()
    made.write(more="def k(): pass\n")  # which only another variant calls
    for _ in range(2):
        with pytest.raises(PlanError, match="more defines no function h"):
            read()
    made.write(more="def h(): pass\n")
    (made.folder / "helpers.py").unlink()
    with pytest.raises(PlanError, match="there is no module helpers"):
        read()


def test_a_plan_for_a_module_that_is_nowhere_yet_is_read_each_time(
    made: Program, read: Read
) -> None:
    made.write(main="import late\n", plan="[remote.late]\n")
    assert read()[1]
    assert read()[1]


SHOW = """
import sys
from work import f

for number in [1, 2, 3]:
    theirs = f([number])
print(*sorted(sys.modules))
print(*theirs)
"""
SHOWN = "import sys\n\ndef f(x):\n    return sorted(sys.modules)\n"
NOT_NEEDED = {
    *("ast", "copy", "dataclasses", "difflib", "inspect", "json", "random", "signal"),
    *("socket", "subprocess", "tempfile", "threading", "traceback", "typing", "weakref"),
}
OF_PLANS = {
    "engine_plan",
    "fixed",
    "keeping",
    "model",
    "modules",
    "outlines",
    "program",
    "read",
    "settings",
    "words",
}
OF_TRANSLATION = {"code", "results"}


def test_a_warm_run_imports_what_it_needs_and_no_more(program: Callable[..., Program]) -> None:
    plan = '[remote.work]\nreplicas = 2\npure = true\ninline = false\nonly = ["f"]\n'
    plan += 'callstyle = "async"\n[variants.late.remote.work]\npriority = "-x"\n'
    made = program(main=SHOW, work=SHOWN, plan=plan)
    made.warm()
    plain = set(made.plain().stdout.splitlines()[0].split())
    client, replica = made.plain("-m", "cord", "run", "main.py").stdout.splitlines()
    for side, translation in ((client, OF_TRANSLATION), (replica, set[str]())):
        modules = set(side.split()) - plain
        assert modules & NOT_NEEDED == set()
        assert _inside("cord.plan", modules) <= OF_PLANS
        assert _inside("cord.translate", modules) <= translation
        assert _inside("cord.effects", modules) == set()
        assert _inside("cord.knowledge", modules) == set()


def _inside(package: str, modules: set[str]) -> set[str]:
    return {name.removeprefix(package + ".") for name in modules if name.startswith(package + ".")}
