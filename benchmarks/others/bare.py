"""`cord` without slices of the program's text: only copies run ahead."""

from __future__ import annotations

import sys

from cord.__main__ import main
from cord.runtime.client.answers import Answers
from cord.tools import answering


def _nothing(self: Answers) -> dict[str, str]:
    return {}


vars(answering)["read_project"] = lambda *_: None
Answers.modules = _nothing  # type: ignore[method-assign]
sys.exit(main())
