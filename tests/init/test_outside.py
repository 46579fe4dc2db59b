"""What calls do outside of the interpreter is seen while they do it."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from pathlib import Path

from cord.tools.init.outside import Outside

HEARD = Outside()  # such hooks stay to the end of the process


def test_what_calls_do_outside(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    with HEARD.during("m.writes"):
        path.write_text("x")
    with HEARD.during("m.reads"):
        path.read_text()
    with HEARD.during("m.outer"), HEARD.during("m.removes"):
        path.unlink()
    with HEARD.during("m.starts"):
        subprocess.run([sys.executable, "-c", ""], check=True)
    with HEARD.during("m.asks"), socket.socket() as made:
        made.settimeout(1)
        made.connect_ex(("127.0.0.1", 9))
    path.write_text("nobody is under way")
    assert HEARD.seen == {
        "m.writes": f"writes the file {path}",
        "m.outer": "changes files",
        "m.removes": "changes files",
        "m.starts": "starts a process",
        "m.asks": "uses the network",
    }


def test_what_other_threads_do_meanwhile_is_not_the_calls(tmp_path: Path) -> None:
    other = threading.Thread(target=(tmp_path / "a").write_text, args=("x",))
    with HEARD.during("m.waits"):
        other.start()
        other.join()
    assert "m.waits" not in HEARD.seen
