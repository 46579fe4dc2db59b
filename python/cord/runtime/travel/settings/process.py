"""What a process has besides: environment, folder, `sys.path`, and what stands in `sys`.

The first three go to replicas in places of their own in the world (`travel/world.py`); of the rest
no replica is told.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from cord._core import setting_calls
from cord.runtime.travel.settings.rows import Kept, Row
from cord.runtime.travel.world import shown_environment

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

_REGISTERING: Final = frozenset({"_codecs.register", "_codecs.register_error"})
# Names in `sys` that functions set for the whole process. Where output goes is looked at, too.
_OF_SYS: Final = (
    *("excepthook", "displayhook", "unraisablehook", "stdin", "stdout", "stderr"),
    *("ps1", "ps2", "dont_write_bytecode", "tracebacklimit"),
)


def _read_environment() -> dict[bytes, bytes]:
    return shown_environment().copy()


def _put_environment(changed: dict[bytes, bytes | None]) -> None:
    for name, text in changed.items():
        if text is None:
            os.environb.pop(name, None)
        else:
            os.environb[name] = text


def _told_of_environment(before: dict[bytes, bytes], now: dict[bytes, bytes]) -> str:
    name = next(one for one in (*now, *before) if before.get(one) != now.get(one))
    return f"sets the environment variable {os.fsdecode(name)}"


def _read_folder() -> str:
    with suppress(OSError):
        return os.getcwd()
    return ""


def _enter_folder(folder: str) -> None:
    with suppress(OSError):  # deleted: the call could be in it, and nobody can enter it
        os.chdir(folder)


def _path() -> list[str]:
    return [one for one in sys.path if isinstance(one, str)]


def _set_path(texts: list[str]) -> None:
    sys.path[:] = texts


def _arguments() -> list[str]:
    """The command line, where it can travel."""
    found = sys.argv
    if type(found) is not list or not all(type(one) is str for one in found):
        raise TypeError("sys.argv holds more than texts")
    return found.copy()


def _read_arguments() -> list[str] | None:
    """The same; None if it is as the interpreter was given it."""
    found = _arguments()
    return None if found and sys.orig_argv[-len(found) :] == found else found


def _write_arguments(texts: list[str]) -> None:
    if sys.argv != texts:
        sys.argv[:] = texts


def _only_looked_at(name: str, read: Callable[[], Any], **more: Any) -> Row:
    return Row(name, "sys", read, None, is_apart=True, **more)


def _timers() -> list[bool]:
    """Which timers are running."""
    return [any(sys.modules["_signal"].getitimer(which)) for which in range(3)]


def _one_of_sys(name: str) -> Row:
    return _only_looked_at(f"sys.{name}", lambda: id(getattr(sys, name, None)))


ROWS = [
    Row(
        "environment",
        "os",
        _read_environment,
        None,
        put=_put_environment,
        noticed=lambda: [shown_environment(), vars(sys)],
        told=_told_of_environment,
        is_apart=True,
    ),
    Row("folder", "os", _read_folder, _enter_folder, told="the working folder", is_apart=True),
    Row("sys.path", "sys", _path, _set_path, is_apart=True),
    Row(
        "sys.argv",
        "sys",
        _read_arguments,
        Kept(_arguments, _write_arguments),
        noticed=lambda: [(vars(sys), "argv")],
        whole=_arguments,
    ),
    *map(_one_of_sys, _OF_SYS),
    Row(
        "timers",
        "_signal",
        _timers,
        None,
        calls=("_signal.alarm", "_signal.setitimer"),
        told="a timer",
        is_apart=True,
    ),
    _only_looked_at(
        "processors",
        lambda: sorted(os.sched_getaffinity(0)),
        calls=("posix.sched_setaffinity",),
        told="the processors that it may use",
    ),
    _only_looked_at("sys.setprofile", lambda: id(sys.getprofile())),
    _only_looked_at("sys.settrace", lambda: id(sys.gettrace())),
    _only_looked_at(
        "codecs",
        lambda: not _REGISTERING.isdisjoint(setting_calls()),
        told="codecs or their error handlers",
        comes_with_modules=True,
    ),
]
