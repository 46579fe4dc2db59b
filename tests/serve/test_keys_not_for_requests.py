"""What a plan says of calls that cannot hold for requests is said when serving begins."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from cord.tools.serve.unused import notes


@pytest.mark.parametrize(("keep", "said"), [("values", True), ("", False)])
def test_that_requests_are_not_answered_by_kept_ones(keep: str, said: bool) -> None:
    settings = SimpleNamespace(priority=None, keep=keep, resident=())
    module = SimpleNamespace(function=lambda _: settings)
    plan: Any = SimpleNamespace(remote={"work": module})
    route: Any = SimpleNamespace(module="work", function="f", priority=None, method="GET", path="/")
    found = notes(plan, [route], [{"names": [], "whole": None}])
    assert [note.startswith("keep of work.f() is not for requests") for note in found] == [True][
        : int(said)
    ]
