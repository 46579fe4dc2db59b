"""Reading and compiling text without its warnings, which its first compilation gives."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_SILENT = ("ignore", None, Warning, None, 0)


@contextmanager
def silence() -> Iterator[None]:
    """Nothing is warned of inside.

    With `warnings.catch_warnings` the interpreter would forget what it has warned of: the program
    would see warnings again that it is to see once.
    """
    filters: list[object] = warnings.filters  # type: ignore[assignment]
    filters.insert(0, _SILENT)
    try:
        yield
    finally:
        filters.remove(_SILENT)
