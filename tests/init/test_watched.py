"""What is seen of calls while a program runs plain."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

SCRIPT = """
import socket, subprocess, sys, threading

def outer(path):
    removes(path)

def writes(path, data):
    with open(path, "w") as file:
        file.write(data)
    return len(data)

def reads(path):
    with open(path) as file:
        return file.read()

def removes(path):
    import os
    os.unlink(path)

def starts():
    subprocess.run([sys.executable, "-c", ""], check=True)

def asks():
    with socket.socket() as made:
        made.settimeout(1)
        return made.connect_ex(("127.0.0.1", 9))

def again(n):
    return again(n - 1) + 1 if n else 0

class Box:
    def reads(self):
        return open("a.txt", "a").close()

writes("a.txt", "xx"), writes("a.txt", "x" * 5000)
reads("a.txt"), outer("a.txt"), starts(), asks(), again(5), Box().reads()
threading.Thread(target=again, args=(3,)).start()
"""
OUTSIDE = {
    "outer": "changes files",
    "removes": "changes files",
    "starts": "starts a process",
    "asks": "uses the network",
    "reads": "",
    "again": "",
}


def test_calls_are_counted_measured_and_heard(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    lines = {
        line[4:].partition("(")[0]: number
        for number, line in enumerate(SCRIPT.splitlines(), 1)
        if line.startswith("def ")
    }
    request = {
        "path": str(script),
        "folder": str(tmp_path),
        "module": None,
        "args": [],
        "functions": [(str(script), line, name, name) for name, line in lines.items()],
        "late": 0.0,
        "seen": str(tmp_path / "seen"),
    }
    (tmp_path / "request").write_text(json.dumps(request))
    words = [sys.executable, "-m", "cord.tools.init.watched", str(tmp_path / "request")]
    subprocess.run(words, cwd=tmp_path, check=True)
    seen: dict[str, dict[str, Any]] = json.loads((tmp_path / "seen").read_text())
    assert {name: " ".join(seen[name]["outside"]) for name in OUTSIDE} == OUTSIDE
    assert seen["writes"]["outside"]["changes files"].startswith("writes the file ")
    calls = {name: one["calls"] for name, one in seen.items()}
    assert (calls["writes"], calls["again"], calls["reads"]) == (2, 2, 1)
    assert {name for name, one in seen.items() if one["gives"]} == {
        *("writes", "reads", "asks", "again"),
    }
    assert [size > 5000 for size in seen["writes"]["sent"]] == [False, True]
    assert len(seen["writes"]["came"]) == 2
    assert seen["starts"]["cost"]
