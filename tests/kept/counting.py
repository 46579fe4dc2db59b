"""``python counting.py WORDS``: ``cord run WORDS``, with what it analysed written down.

The file named by COUNTED gets a line for each of the translator's stages: how often it ran.
"""

from __future__ import annotations

import ast
import atexit
import os
import sys
from collections import Counter
from typing import Any

from cord.cli.main import run_command
from cord.tools import judging
from cord.translate import scouts, translation
from cord.translate.sites import project, sites

counts = Counter({"parse": 0, "survey": 0, "rewrite": 0, "lower": 0, "analyse": 0, "emit": 0})


def count(owner: Any, name: str, stage: str) -> None:
    real = getattr(owner, name)

    def counted(*args: Any, **kwargs: Any) -> Any:
        counts[stage] += 1
        return real(*args, **kwargs)

    setattr(owner, name, counted)


count(ast, "parse", "parse")
count(project, "survey", "survey")
count(sites, "survey", "survey")
count(translation, "rewrite", "rewrite")
count(scouts, "lower", "lower")
count(scouts.Scouts, "_analyse", "analyse")
count(scouts, "emit", "emit")


judging.PATIENCE = 30.0  # a busy machine takes longer than a user would wait


@atexit.register
def tell(process: int = os.getpid()) -> None:
    if os.getpid() == process:
        with open(os.environ["COUNTED"], "w", encoding="utf-8") as log:
            log.writelines(f"{stage} {times}\n" for stage, times in counts.items())


if __name__ == "__main__":
    sys.exit(run_command(["run", *sys.argv[1:]]))
