"""Loggers: machinery of `logging`, of which levels are settings, and nothing is state.

Records that calls make are handled by the program's own loggers of these names, at the take: what
that changes of loggers and handlers is nothing that a function sees.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

# Methods of loggers that change what these hand records to.
_HANDLING: Final = frozenset({"addHandler", "removeHandler", "addFilter", "removeFilter"})


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


def handles(names: frozenset[str]) -> bool:
    """Whether code with these names changes what loggers hand records to."""
    return "logging" in sys.modules and not _HANDLING.isdisjoint(names)


class Handlers:
    """What loggers hand records to: asked as a cache is what it has noted."""

    @staticmethod
    def cache_info() -> object:
        """The handlers and filters of all loggers, by their addresses."""
        root: Any = sys.modules["logging"].root
        loggers = {"": root, **root.manager.loggerDict}
        return {
            name: [*map(id, one.handlers), None, *map(id, one.filters)]
            for name, one in loggers.items()
            if is_logger_class(type(one)) and (one.handlers or one.filters)
        }
