"""The table of a run has rows for calls of remote methods, which the text shows by name alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import Project

FILES = {
    "model.py": """
import time
class Client:
    def __init__(self, name):
        self.name = name
    def complete(self, prompt):
        time.sleep(0.01)
        return f"{self.name}: {prompt}"
""",
    "main.py": """
from model import Client
client = Client("ann")
for prompt in "abcd":
    print(client.complete(prompt))
""",
    "cord.toml": '[remote.model]\nonly = ["Client.complete"]\npure = true\ninline = false\n',
}


def test_a_row_for_each_place(project: Callable[..., Project]) -> None:
    made = project(FILES)
    result = made.run("--stats=told.json", "main.py")
    assert result.stdout.splitlines() == [f"ann: {prompt}" for prompt in "abcd"]
    (row,) = json.loads((made.folder / "told.json").read_text())["calls"]
    assert (row["place"], row["calls"]) == ("main.py:5", 4)
    assert row["ahead"] >= 1


def test_a_result_that_cannot_be_sent_is_named(project: Callable[..., Project]) -> None:
    made = project(
        {
            "work.py": "import time, threading\n"
            "def lines(n):\n    time.sleep(0.01)\n    return [threading.Lock(), n]\n",
            "main.py": "import work\nfor n in range(8):\n    print(work.lines(n)[1])\n",
            "cord.toml": "[remote.work]\npure = true\ninline = false\n",
        }
    )
    result = made.run("--stats", "main.py")
    assert result.stdout.split() == [str(n) for n in range(8)]
    assert "it gives what cannot be sent (the result of lines(): [0] is a lock" in result.stderr
