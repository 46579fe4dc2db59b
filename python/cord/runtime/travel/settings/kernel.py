"""What the kernel and the C library keep for a process: umask, limits, zone, locale, users."""

from __future__ import annotations

import os
import sys

from cord import _core
from cord.runtime.travel.settings.interpreter import plain
from cord.runtime.travel.settings.rows import Kept, Row

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Any


def _read_umask() -> int:
    if _core.is_copy():  # it sees nothing of /proc, and one thread runs at a time
        value = os.umask(0)
        os.umask(value)
        return value
    with open("/proc/self/status", "rb") as file:
        line = next(line for line in file if line.startswith(b"Umask:"))
    return int(line.split()[1], 8)


def _write_umask(value: int) -> None:
    os.umask(value)


# What Cord may need later: another user might not be able to read it, nor a process that has used
# up its descriptors.
_NEEDED = (
    "cord.knowledge.classes",
    "cord.runtime.travel.raised",
    "cord.runtime.travel.exceptions",
    "cord.runtime.travel.tracebacks",
    "cord.runtime.travel.failures",
    "cord.runtime.travel.losses",
    "cord.runtime.travel.faithful",
    "cord.runtime.travel.pickled",
    "cord.runtime.travel.byvalue",
    "cord.runtime.travel.interrupts",
    "cord.runtime.travel.unpicklable",
    "cord.runtime.travel.watched",
    "cord.runtime.travel.settings.libraries",
    "cord.runtime.travel.settings.others",
)


def load_what_is_needed() -> None:
    """Load what may be needed later, before users, groups or limits change."""
    for name in _NEEDED:
        __import__(name)


def _read_credentials() -> list[Any]:
    others = os.getgroups(), _core.has_no_new_privileges()
    return [list(os.getresuid()), list(os.getresgid()), *others]


def _write_credentials(value: list[Any]) -> None:
    """Have the same users and groups, and the same ways back.

    Raises:
        PermissionError: This process has given up what that needs: only for calls that were issued
            before the program gave it up, too.
    """
    users, groups, others, gains_none = value
    if value == _read_credentials():
        return
    load_what_is_needed()
    if os.geteuid() != 0 and 0 in os.getresuid():
        os.seteuid(0)
    if os.getgroups() != others:
        os.setgroups(others)
    os.setresgid(*groups)
    os.setresuid(*users)
    if gains_none:
        _core.want_no_new_privileges()


def _read_niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, 0)


def _write_niceness(value: int) -> None:
    os.setpriority(os.PRIO_PROCESS, 0, value)


# How much memory a process may have, all of its own and Cord's in it: no other process has as much.
_OF_MEMORY = ("RLIMIT_AS", "RLIMIT_DATA", "RLIMIT_RSS")


def _read_limits() -> dict[int, tuple[int, int]] | None:
    first = _core.limits_at_start()
    changed = {
        kind: limit for kind, limit in _all_limits().items() if limit != _signed_both(first[kind])
    }
    return changed or None


def _all_limits() -> dict[int, tuple[int, int]]:
    resource = sys.modules["resource"]
    own = {getattr(resource, name, None) for name in _OF_MEMORY}
    limits = {kind: _limit(resource, kind) for kind in range(len(_core.limits_at_start()))}
    return {kind: limit for kind, limit in limits.items() if limit and kind not in own}


def _limit(resource: Any, kind: int) -> tuple[int, int] | None:
    try:
        soft, hard = resource.getrlimit(kind)
    except ValueError:
        return None
    return soft, hard


def _signed_both(limits: tuple[int, int]) -> tuple[int, int]:
    return _signed(limits[0]), _signed(limits[1])


def _signed(limit: int) -> int:
    """A limit as Python has it: -1 for none."""
    return limit - (1 << 64) if limit >= 1 << 63 else limit


_limited: set[int] = set()  # those that were ever set


def _write_limits(value: dict[int, tuple[int, int]] | None) -> None:
    value, first = value or {}, _core.limits_at_start()
    _limited.update(value)
    _put_limits({kind: value.get(kind) or _signed_both(first[kind]) for kind in _limited})


def _put_limits(limits: dict[int, tuple[int, int]]) -> None:
    import resource

    for kind, limit in limits.items():
        if resource.getrlimit(kind) != limit:
            resource.setrlimit(kind, limit)


def _read_zone() -> bytes | None:
    return _core.zone_of_clock()


def _write_zone(value: bytes | None) -> None:
    """Set the clock's zone; `TZ` itself stays as it is."""
    import time

    _put_zone(value)
    time.tzset()
    _put_zone(os.environb.get(b"TZ"))


def _put_zone(value: bytes | None) -> None:
    if value:
        os.putenv("TZ", value)
    else:
        os.unsetenv("TZ")


_CATEGORIES = ("LC_CTYPE", "LC_COLLATE", "LC_TIME", "LC_MONETARY", "LC_MESSAGES", "LC_NUMERIC")


def _locale_now() -> list[str]:
    import _locale

    return [_locale.setlocale(getattr(_locale, name), None) for name in _CATEGORIES]


def _read_locale() -> list[str] | None:
    value = _locale_now()
    return None if value == _core.locale_at_start() else value


def _write_locale(value: list[str]) -> None:
    import _locale

    for name, text in zip(_CATEGORIES, value, strict=True):
        category = getattr(_locale, name)
        if _locale.setlocale(category, None) != text:
            _locale.setlocale(category, text)


# Paper, names, addresses, telephones, measures, identification: Python has no names for them.
_OTHERS = range(7, 13)


def _other_categories() -> list[str]:
    import _locale

    return [_locale.setlocale(number, None) for number in _OTHERS]


def _write_other_categories(value: list[str]) -> None:
    import _locale

    for number, text in zip(_OTHERS, value, strict=True):
        if _locale.setlocale(number, None) != text:
            _locale.setlocale(number, text)


_CREDENTIALS = (
    "setuid seteuid setreuid setresuid setgid setegid setregid setresgid setgroups initgroups"
)

ROWS = [
    plain("umask", "posix", _read_umask, _write_umask, "posix.umask"),
    plain(
        "niceness",
        "posix",
        _read_niceness,
        _write_niceness,
        *("posix.nice", "posix.setpriority"),
    ),
    Row(
        "limits",
        "resource",
        _read_limits,
        _write_limits,
        calls=("resource.setrlimit", "resource.prlimit"),
        whole=_all_limits,
        put=_put_limits,
    ),
    Row("zone", "time", _read_zone, _write_zone, calls=("time.tzset",), told="the time zone"),
    Row(
        "locale",
        "_locale",
        _read_locale,
        Kept(_locale_now, _write_locale),
        calls=("_locale.setlocale",),
        whole=_locale_now,
    ),
    plain(
        "locale besides",
        "_locale",
        _other_categories,
        _write_other_categories,
        "_locale.setlocale",
        told="the locale",
    ),
    # the last one: what comes before may need what is given up
    plain(
        "credentials",
        "posix",
        _read_credentials,
        _write_credentials,
        "ctypes.prctl",
        *(f"posix.{name}" for name in _CREDENTIALS.split()),
    ),
]
