"""What the tests of takes share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from counted_run import Ran, run_counted


@pytest.fixture(scope="session")
def cord_run(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Ran]:
    """``cord_run(main, plain=..., replicas=..., **modules)``: one run of a program."""

    def run(main: str, **options: Any) -> Ran:
        return run_counted(tmp_path_factory.mktemp("takes"), main, **options)

    return run
