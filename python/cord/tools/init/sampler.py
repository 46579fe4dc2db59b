"""A plain run that is looked at now and then: a process of its own, which writes down the lines.

For each line of the project: in how many looks it was under way, itself or what it had called.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections import Counter
from typing import Any

from cord.tools.init.profiler import PROJECT, place_of
from cord.tools.main_module import run_main

PERIOD = 0.003  # seconds between two looks


class Looks:
    """Looks at the main thread now and then.

    Args:
        folders: The folders of the project.
    """

    def __init__(self, folders: list[str]) -> None:
        self.total = 0
        self.lines: Counter[tuple[str, int]] = Counter()
        self._folders = folders
        self._thread = threading.main_thread().ident or 0
        self._end = threading.Event()
        self._files: dict[str, str | None] = {}

    def run(self) -> None:
        """Look until `end` is called."""
        while not self._end.wait(PERIOD):
            self._look()

    def end(self) -> None:
        """Look no more."""
        self._end.set()

    def _look(self) -> None:
        frame = sys._current_frames().get(self._thread)
        seen = set()
        while frame is not None:
            code = frame.f_code
            if code.co_filename not in self._files:
                self._files[code.co_filename] = self._own(code.co_filename)
            file = self._files[code.co_filename]
            if file is not None and frame.f_lineno is not None:
                seen.add((file, frame.f_lineno))
            frame = frame.f_back
        if seen:
            self.total += 1
            self.lines.update(seen)

    def _own(self, file: str) -> str | None:
        """The path of a file of the project; None for others."""
        return os.path.abspath(file) if place_of(file, self._folders) == PROJECT else None


def main(arguments: list[str]) -> None:
    """Run the program as the request says, then write down where it was."""
    with open(arguments[0], encoding="utf-8") as file:
        request: dict[str, Any] = json.load(file)
    process = os.getpid()
    looks = Looks(request["folders"])
    threading.Thread(target=looks.run, daemon=True).start()
    try:
        run_main(request)
    finally:
        looks.end()
        if os.getpid() == process:
            lines = [[file, line, count] for (file, line), count in looks.lines.items()]
            with open(request["lines"], "w", encoding="utf-8") as out:
                json.dump({"total": looks.total, "lines": lines}, out)


if __name__ == "__main__":
    main(sys.argv[1:])
