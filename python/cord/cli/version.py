"""What `cord --version` tells: which Cord this is, and what it was built with and runs on."""

from __future__ import annotations

import platform
import sys


def facts() -> str:
    """The version in the first line, and what a report of an error should have besides."""
    from cord import _core

    rows = (
        ("commit", _core.COMMIT or "not told by the build"),
        ("native", f"{_core.TARGET}, {_core.PROFILE}, rustc {_core.RUSTC}"),
        (
            "Python",
            f"{platform.python_implementation()} {platform.python_version()}, {sys.executable}",
        ),
    )
    return "\n".join((f"cord {_core.VERSION}", *(f"{name}  {text}" for name, text in rows)))
