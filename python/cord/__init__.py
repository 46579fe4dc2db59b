"""Cord: write plain function calls, decide how they run in one file."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # nothing is imported before it is used
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping
    from types import ModuleType
    from typing import Any

    from cord.tools.library.session import OpenSession

    __version__: str

__all__ = ["__version__", "session"]


def __getattr__(name: str) -> str:
    if name == "__version__":
        from cord._core import VERSION

        return VERSION
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if hasattr(sys, "_is_gil_enabled") and not sys._is_gil_enabled():
    # the native module turns the interpreter's lock on, and that the interpreter would warn of
    from cord.silence import silence

    with silence():
        from cord import _core  # noqa: F401


def session(
    plan: str | os.PathLike[str] | Mapping[str, Any] = "cord.toml",
    ahead: Iterable[Callable[..., Any] | ModuleType] = (),
    variant: str | None = None,
) -> OpenSession:
    """Open a session in the running program: remote modules run in replicas until it is closed.

    `with cord.session(): ...` closes it at the end of the block. Where `cord run` would translate
    the program, here the functions that are given are translated: their calls are made ahead.
    Calls from elsewhere are made in place.

    Args:
        plan: Path of the plan, or the plan itself as a dict, as `tomllib` would give it.
        ahead: Functions, or modules for all of their functions; `OpenSession.ahead` adds more.
        variant: A variant of the plan; None for the plan without any.

    Raises:
        CordError: The plan is wrong, a session is open already, or a function cannot be translated.
    """
    from cord.tools.library.session import OpenSession

    return OpenSession(plan, ahead, variant)


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext cord` does: there are the magics `%cord` and `%%cord` from then on."""
    from cord.tools.library.magics import CordMagics

    shell.register_magics(CordMagics)


def unload_ipython_extension(shell: Any) -> None:
    """What `%unload_ext cord` does: an open session is closed."""
    from cord.tools.library.session import current

    session = current()
    if session is not None:
        session.close()
