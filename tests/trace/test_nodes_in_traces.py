"""A trace tells on which machine each replica was: here two agents that a command starts."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.plans import work_plan
from tests.trace.protobuf import Exported
from traced import WORK, cord, told

from cord.tools.trace.reading import Trace

ENGINE = '''
[engine]
kind = "command"
nodes = 2
launch = """sh -c '{agent} & {agent} & wait'"""
'''
MAIN = "import work\nfor x in range(40):\n    print(work.nap(x))\n"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The trace of a run on two nodes of one name."""
    folder = tmp_path_factory.mktemp("nodes")
    plan = work_plan(replicas=4) + ENGINE
    for name, text in {"main.py": MAIN, "work.py": WORK, "cord.toml": plan}.items():
        (folder / name).write_text(text)
    done = cord(folder, "run", "--trace", "run.trace", "main.py")
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "run.trace"


def test_each_replica_has_its_node(path: Path) -> None:
    numbers = told(path)["numbers"]
    (one, first), (other, second) = numbers["nodes"]
    assert first.endswith(" (1)")
    assert second == first.replace("(1)", "(2)")
    replicas = sorted((replica["slot"], replica["node"]) for replica in numbers["replicas"])
    assert sorted(node for _, node in replicas) == [one, one, other, other]


def test_the_report_tells_use_by_node(path: Path) -> None:
    text = cord(path.parent, "report", path.name).stdout
    for number in (1, 2):
        assert f"({number}): 2 replicas were busy for " in text
    page = Path(f"{path}.html").read_text()
    assert page.count('class="node"') == 2


def test_others_see_them_too(path: Path) -> None:
    assert cord(path.parent, "trace", "--perfetto", "run.pftrace", path.name).returncode == 0
    names = set(Exported(path.parent / "run.pftrace").tracks.values())
    nodes = set(Trace.read(str(path)).traced.nodes.values())
    assert {f"work on {node}" for node in nodes} <= names
    assert len(nodes) == 2
