"""The page at /docs, by which routes can be tried. All that it needs is in it."""

from __future__ import annotations

import os

_HERE = os.path.dirname(__file__)


def page() -> bytes:
    """The page."""
    with open(os.path.join(_HERE, "page.html"), "rb") as file:
        return file.read()
