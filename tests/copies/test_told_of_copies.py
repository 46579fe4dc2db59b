"""What a run tells of its copies: calls in vain by place, and how far they were ahead."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

PLAN = """\
[remote.work]
replicas = 8
pure = true
"""
WORK = """\
import time

def ask(text):
    time.sleep(0.04)
    return f"answer {sum(text.encode())}"
"""
# What C code makes of the last reply is sent, which the program does not.
MAIN = """\
import cmd, re
import work

class Shell(cmd.Cmd):
    def do_item(self, text):
        draft = re.search("answer (.*)", work.ask(text)).group(1)
        if int(work.ask("grade " + draft)[-1]) > 4:
            print(text, work.ask("improve " + draft))

shell = Shell()
for n in range(16):
    shell.onecmd(f"item {n}")
"""


def explained(folder: Path) -> dict[str, Any]:
    (folder / "main.py").write_text(MAIN)
    (folder / "work.py").write_text(WORK)
    (folder / "cord.toml").write_text(PLAN)
    words = [sys.executable, "-m", "cord", "explain", "--run", "--json", "main.py"]
    run = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(run.stderr.splitlines()[-1])
    return found


def test_calls_in_vain_are_counted_where_they_were_issued(tmp_path: Path) -> None:
    told = explained(tmp_path)
    copies, calls = told["copies"], told["calls"] + told["functions"]
    assert copies["made"] > 0, copies
    assert sum(call["in_vain"] for call in calls) >= copies["issued"] - copies["taken"]
    assert sum(call["by_copy"] for call in calls) <= copies["taken"]
    for call in calls:
        if call["by_copy"] + call["by_slice"] > 0:
            assert any(line.startswith("ahead by ") for line in call["told"]), call
