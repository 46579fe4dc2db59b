"""What a call has left in settings, in the environment, and in what only a process has."""

from __future__ import annotations

import os
import sys

from cord._core import setting_calls
from cord.runtime.travel import settings

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

    from cord._core import SettingsSeen

# What modules that are loaded set for themselves: it comes with them, there and here.
_OF_IMPORTS: Final = frozenset({"warnings", "codecs", "variables", "logging"})
_TOLD: Final = {
    "recursion": "the recursion limit",
    "digits": "the limit of an int's digits",
    "switching": "the switch interval",
    "signals": "the handler of a signal",
    "warnings": "the filters of warnings",
    "decimal": "the context of decimal",
    "zone": "the time zone",
    "variables": "context variables",
    "gc": "the collection of garbage",
    "codecs": "codecs or their error handlers",
}
_REGISTERING: Final = frozenset({"_codecs.register", "_codecs.register_error"})
# Names in `sys` that functions set for the whole process. Where output goes is looked at, too.
_OF_SYS: Final = (
    *("excepthook", "displayhook", "unraisablehook", "stdin", "stdout", "stderr"),
    *("ps1", "ps2", "argv", "dont_write_bytecode", "tracebacklimit"),
)


class Settings:
    """The settings of this process before calls.

    Attributes:
        seen: Tells natively whether none has changed.
    """

    __slots__ = ("_environment", "_own", "_settings", "seen")

    def __init__(self) -> None:
        environment = _environment()
        self._environment = dict(environment)
        self._own = _own()
        self._settings = settings.Snapshot([environment, vars(sys)])
        self.seen: SettingsSeen = self._settings.seen

    def changed(self, has_loaded: bool) -> str | None:
        """What a call has left.

        Args:
            has_loaded: Whether modules were loaded in it.

        Returns:
            What it does, as a sentence about its function goes on; None if all is as before.
        """
        name = _differing(self._environment, _environment())
        if name is not None:
            return f"sets the environment variable {os.fsdecode(name)}"
        spared = _OF_IMPORTS if has_loaded else frozenset()
        own = _own()
        for each, value in self._own.items():
            if each not in spared and own[each] != value:
                return f"changes {_TOLD.get(each, each)}"
        for each in self._settings.changed():
            if each not in spared:
                return f"changes {_TOLD.get(each, each)}"
        return None


def _environment() -> dict[Any, Any]:
    behind = getattr(os.environ, "_data", None)
    return behind if isinstance(behind, dict) else {}


def _own() -> dict[str, object]:
    """What only a process has, or only replicas are asked for, by how it is told."""
    found: dict[str, object] = {
        f"sys.{name}": id(getattr(sys, name, None)) for name in _OF_SYS if name != "argv"
    }
    found["sys.argv"] = list(sys.argv)
    found["sys.path"] = list(sys.path)
    found["sys.setprofile"] = id(sys.getprofile())
    found["sys.settrace"] = id(sys.gettrace())
    found["codecs"] = _REGISTERING.isdisjoint(setting_calls())
    return found


def _differing(before: Mapping[Any, Any], now: Mapping[Any, Any]) -> Any:
    """A name that has another value, or is gone or new; None if there is none."""
    return next((one for one in (*now, *before) if before.get(one) != now.get(one)), None)
