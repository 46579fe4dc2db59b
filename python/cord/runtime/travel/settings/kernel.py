"""What the kernel and the C library keep for a process: umask, credentials, limits, zone, locale."""

from __future__ import annotations

import os
import sys

from cord import _core
from cord.runtime.travel.settings.interpreter import plain
from cord.runtime.travel.settings.rows import Row, Untold

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Any


def _status(field: bytes) -> bytes:
    with open("/proc/self/status", "rb") as file:
        for line in file:
            if line.startswith(field):
                return line.split()[1]
    return b""


def _read_umask() -> int:
    return int(_status(b"Umask:"), 8)


def _write_umask(value: int) -> None:
    os.umask(value)


def _read_credentials() -> None:
    """Say that they have changed.

    A replica that gives up what it may do could not take it up again for calls that were issued
    before, and could not read Cord's own files: so the program makes its calls itself.

    Raises:
        Untold: They have.
    """
    if _credentials() != _core.credentials_at_start():
        raise Untold("the program has another user, or other groups, than it had at first")


def _credentials() -> list[int]:
    return [*os.getresuid(), *os.getresgid(), *os.getgroups()]


def _write_credentials(_value: None) -> None:
    """They are never told."""


def _read_niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, 0)


def _write_niceness(value: int) -> None:
    os.setpriority(os.PRIO_PROCESS, 0, value)


def _read_limits() -> dict[int, tuple[int, int]] | None:
    first = _core.limits_at_start()
    resource = sys.modules["resource"]
    now = [_limit(resource, kind) for kind in range(len(first))]
    changed = {
        kind: limit
        for kind, (limit, before) in enumerate(zip(now, first, strict=True))
        if limit is not None and limit != tuple(map(_signed, before))
    }
    return changed or None


def _limit(resource: Any, kind: int) -> tuple[int, int] | None:
    try:
        soft, hard = resource.getrlimit(kind)
    except ValueError:
        return None
    return soft, hard


def _signed(limit: int) -> int:
    """A limit as Python has it: -1 for none."""
    return limit - (1 << 64) if limit >= 1 << 63 else limit


_limited: dict[int, tuple[int, int]] = {}  # those that were ever set, as they were before


def _write_limits(value: dict[int, tuple[int, int]] | None) -> None:
    import resource

    value = value or {}
    for kind in value:
        _limited.setdefault(kind, resource.getrlimit(kind))
    for kind, before in _limited.items():
        limit = value.get(kind, before)
        if resource.getrlimit(kind) != limit:
            resource.setrlimit(kind, limit)


def _read_zone() -> bytes | None:
    return _core.zone_of_clock()


def _write_zone(value: bytes | None) -> None:
    """Set the clock's zone; the environment is set after that."""
    import time

    if not value:
        os.unsetenv("TZ")
    else:
        os.putenv("TZ", value)
    time.tzset()


_CATEGORIES = ("LC_CTYPE", "LC_COLLATE", "LC_TIME", "LC_MONETARY", "LC_MESSAGES", "LC_NUMERIC")


def _read_locale() -> dict[str, str]:
    import _locale

    return {name: _locale.setlocale(getattr(_locale, name), None) for name in _CATEGORIES}


def _write_locale(value: dict[str, str]) -> None:
    import _locale

    now = _read_locale()
    for name, text in value.items():
        if now[name] != text:
            _locale.setlocale(getattr(_locale, name), text)


_CREDENTIALS = tuple(
    f"posix.{name}"
    for name in (
        "setuid seteuid setreuid setresuid setgid setegid setregid setresgid setgroups initgroups"
    ).split()
)

ROWS = [
    plain("umask", "posix", _read_umask, _write_umask, "posix.umask"),
    plain("niceness", "posix", _read_niceness, _write_niceness, "posix.nice"),
    Row(
        "limits",
        "resource",
        _read_limits,
        _write_limits,
        calls=("resource.setrlimit", "resource.prlimit"),
    ),
    Row("zone", "time", _read_zone, _write_zone, calls=("time.tzset",)),
    plain("locale", "_locale", _read_locale, _write_locale, "_locale.setlocale"),
    Row("credentials", "posix", _read_credentials, _write_credentials, calls=_CREDENTIALS),
]
