"""What is worth trying, by what calls are like."""

from __future__ import annotations

from pathlib import Path

from cord.plan.model import RemotePlan
from cord.plan.program import Program
from cord.plan.read import read_plan
from cord.tools.tune.space import Axis, Facts, axes

LONG = (0.01, 0.011, 0.01)
SMALL = (10.0, 12.0, 11.0)


def remotes(folder: Path, plan: str) -> list[RemotePlan]:
    (folder / "work.py").write_text("def f(x): ...\n")
    (folder / "main.py").write_text("import work\n")
    (folder / "cord.toml").write_text(f"[remote.work]\n{plan}")
    path = str(folder / "main.py")
    program = Program(path, path, str(folder), str(folder))
    return list(read_plan(str(folder / "cord.toml"), [], program).remote.values())


def tried(folder: Path, plan: str, **about: object) -> dict[str, list[object]]:
    """By key, all that is tried of it."""
    facts = Facts(**{"calls": 100, "service": LONG, "sizes": SMALL, **about})  # type: ignore[arg-type]
    found: dict[str, list[object]] = {}
    for axis in axes(remotes(folder, plan), {"work": facts}, 2):
        for choice in axis.options:
            for key, value in choice:
                assert key.startswith('remote."work".')
                found.setdefault(key.rpartition(".")[2], []).append(value)
    return found


PURE = 'pure = true\ncallstyle = "async"\n'


def test_pure_calls_may_go_ahead_and_to_more_replicas(tmp_path):
    found = tried(tmp_path, PURE + "replicas = 1")
    assert found["callstyle"] == [*(f"async-demand({n})" for n in (1, 2, 4, 16)), "sync"]
    assert found["replicas"] == [2, 4, 8, 16, 32, 64]
    assert found.keys() == {"callstyle", "replicas"}


def test_replicas_are_no_more_than_calls_and_fewer_are_tried(tmp_path):
    assert tried(tmp_path, PURE + "replicas = 4", calls=9)["replicas"] == [1, 2, 8]


def test_of_what_is_not_pure_nothing_is_tried(tmp_path):
    assert tried(tmp_path, "") == {}


def test_short_calls_may_share_frames(tmp_path):
    short = (1e-5, 1e-5, 1e-5)
    assert tried(tmp_path, PURE, service=short)["batch"] == [1, 8, 64, 256]


def test_large_arguments_may_stay_with_replicas(tmp_path):
    assert tried(tmp_path, PURE, sizes=(1e6, 1e6, 1e6))["resident"] == ["auto"]
    kept = PURE + 'resident = ["x"]'
    assert "resident" not in tried(tmp_path, kept, sizes=(1e6, 1e6, 1e6))


def test_unequal_calls_may_go_by_the_size_of_their_arguments(tmp_path):
    unequal = (0.01, 0.1, 0.05)
    sized = tried(tmp_path, PURE, service=unequal, sizes=(1e3, 1e5, 1e4), parameters=("x",))
    assert sized["priority"] == ["len(x)"]
    plain = tried(tmp_path, PURE, service=unequal, parameters=("x", "y"))
    assert plain["priority"] == ["x", "-x", "y", "-y"]


def test_replicas_of_unequal_speed_may_have_shares_and_pass_calls_on(tmp_path):
    found = tried(tmp_path, PURE + "replicas = 2\nspeed = [0.5, 1]")
    assert found["loadratio"] == ["1:2"]
    assert found["topology"] == ["full", "ring"]
    assert "replicas" not in found


def test_a_module_without_calls_is_left_as_it_is(tmp_path):
    assert axes(remotes(tmp_path, PURE), {}, 2) == []
    assert tried(tmp_path, PURE, calls=1) == {}


def test_more_replicas_are_a_ladder(tmp_path):
    facts = {"work": Facts(calls=100, service=LONG, sizes=SMALL)}
    found = axes(remotes(tmp_path, PURE), facts, 2)
    ladders = [axis for axis in found if axis.is_ladder]
    assert [axis.name for axis in ladders] == ["work replicas"]
    assert isinstance(ladders[0], Axis)
