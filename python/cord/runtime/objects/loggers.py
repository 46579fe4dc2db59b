"""Loggers: machinery of `logging`, of which levels are settings, and nothing is state.

Records that calls make are handled by the program's own loggers of these names, at the take: what
that changes of loggers and handlers is nothing that a function sees.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def is_logger(value: object) -> bool:
    """Whether this is a logger that is found by its name."""
    return is_logger_class(type(value)) and not is_nameless(value)


def is_logger_class(cls: type) -> bool:
    """Whether objects of a class are loggers."""
    loggers: Any = getattr(sys.modules.get("logging"), "Logger", None)
    return loggers in type.__dict__["__mro__"].__get__(cls)


def is_nameless(logger: Any) -> bool:
    """Whether its name does not lead to a logger: its handlers act where it logs, and are state."""
    root = sys.modules["logging"].root
    name = object.__getattribute__(logger, "__dict__").get("name")
    return logger is not root and root.manager.loggerDict.get(name) is not logger
