"""`[run] auto`: a plan that makes no module remote says whether functions are looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from unplanned.test_without_a_plan import MAIN, PLAIN, WORK, cord

NOTHING = "cord: no function of main.py was found to be worth a replica\n"


@pytest.mark.parametrize("auto", ["true", "false"])
def test_functions_are_looked_for_unless_the_plan_says_no(tmp_path: Path, auto: str):
    (tmp_path / "work.py").write_text(WORK)
    (tmp_path / "main.py").write_text(MAIN)
    (tmp_path / "cord.toml").write_text(f"[run]\nauto = {auto}\n")
    done = cord(tmp_path, "--stats", "main.py")
    assert (done.stdout, done.returncode) == (PLAIN, 0)
    assert (done.stderr == NOTHING) is (auto == "false")


def test_what_needs_a_remote_module_says_so(tmp_path: Path):
    (tmp_path / "main.py").write_text("print(1)\n")
    (tmp_path / "cord.toml").write_text("[run]\nauto = false\n")
    for words in (["--live"], ["--trace", "out.trace"]):
        done = cord(tmp_path, *words, "main.py")
        assert (done.stdout, done.returncode) == ("", 2)
        assert "makes no module remote" in done.stderr
