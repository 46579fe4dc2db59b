"""``python answered_run.py FILE PROGRAM ARGS``: ``cord run``, and how its calls were answered.

FILE gets, as JSON, three lists: of [module, number of the site in it, [ahead, just then, in
place]]; of [module, number of the site in it, [received late, there already, waited for at once]]
where values may be received late; and of [module, number of the site in it, [name, how often]...],
the reasons for calls in place. All calls are sent, however short.
"""

from __future__ import annotations

import atexit
import json
import sys
import tomllib
from typing import Any

from cord._core import tell_reasons
from cord.cli.main import run_command
from cord.runtime.births import births


class Births(births.Births):
    """Tells at the end how the calls of the run were answered."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        tell_reasons()
        atexit.register(self.tell)

    def tell(self) -> None:
        answers = [[*site, numbers] for site, numbers in self.answered().items()]
        received = [[*site, numbers] for site, numbers in self.received().items()]
        reasons = [
            [*site, *([met[0], met[-1]] for met in self.reasons(*site)[0])] for site in self.sites
        ]
        with open(TOLD, "w", encoding="utf-8") as file:
            json.dump([answers, received, reasons], file)


if __name__ == "__main__":
    TOLD = sys.argv.pop(1)
    births.Births = Births  # type: ignore[misc]
    with open("cord.toml", "rb") as plan:
        remote = tomllib.load(plan)["remote"]
    sent = [f'--set=remote."{name}".inline=false' for name in remote]
    sys.exit(run_command(["run", *sent, *sys.argv[1:]]))
