"""The table of programs of others; and one such program, run in each way."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.others.program import Program, Ran
from benchmarks.others.table import WAYS, ideal_of, lines, share_of
from benchmarks.rounds import Failed

PLAN = "[remote.work]\nreplicas = 4\npure = true\n[run]\naudit = false\n"
WORK = "import time\ndef nap(x):\n    time.sleep(0.02)\n    return x * 7 % 10\n"
MAIN = "import work\nfor x in range(12):\n    print(work.nap(x))\n"


def ran(seconds: float, shown: bytes = b"same", vain: int = 0) -> Ran:
    return Ran(seconds, (shown, 0), calls=10, vain=vain, service=8.0, replicas=4)


def runs(plain: float, both: float, shown: bytes = b"same") -> dict[str, list[Ran]]:
    others = {way: [ran(plain)] for way in WAYS}
    return {**others, "both": [ran(both, shown, vain=3)]}


def test_a_share_is_of_what_could_be_gained() -> None:
    assert ideal_of(runs(10.0, 4.0)) == 4.0
    assert share_of(runs(10.0, 4.0)) == 1.0
    assert share_of(runs(10.0, 10.0)) == 0.0


def test_where_little_can_be_gained_there_is_none() -> None:
    measured = {way: [Ran(10.0, (b"", 0), service=0.5)] for way in WAYS}
    assert share_of(measured) is None


def test_the_table_tells_what_differs() -> None:
    table = list(lines({"one": runs(10.0, 4.0), "two": runs(10.0, 9.0, b"other")}))
    assert table[2] == "| one | 10 | 10.00 | 10.00 | 10.00 | 4.00 | 4.00 | 1.00 | 3 | same |"
    assert table[3].endswith("| 3 | differs: both |")
    assert table[-1] == "\nmedian share 0.58 of 2 programs; 1 below 0.5"


def test_a_program_is_run_in_each_way(tmp_path: Path) -> None:
    folder, place = tmp_path / "one", tmp_path / "place"
    folder.mkdir()
    for name, text in (("cord.toml", PLAN), ("work.py", WORK), ("start.py", MAIN)):
        (folder / name).write_text(text)
    (folder / "command").write_text("start.py\n")
    written = sorted(folder.iterdir())
    program = Program(folder, place)
    shown = {way: program.run(way).shown for way in WAYS}
    assert set(shown.values()) == {(b"0\n7\n4\n1\n8\n5\n2\n9\n6\n3\n0\n7\n", 0)}
    assert program.run("both").calls == 12
    assert sorted(folder.iterdir()) == written
    assert [*(place / "new").glob("__pycache__/work.*.pyc")], "later runs are no first runs"
    assert not (place / "one").exists()


def test_a_folder_without_a_plan_is_told(tmp_path: Path) -> None:
    with pytest.raises(Failed, match=r"has no cord\.toml"):
        Program(tmp_path, tmp_path / "place")
