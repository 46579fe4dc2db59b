"""Settings of the interpreter: limits, warnings, signals."""

from __future__ import annotations

import sys

from cord.runtime.travel.executed import when_executed
from cord.runtime.travel.settings.rows import Kept, Row

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    Filter = tuple[str, tuple[str, int] | None, tuple[str, str], tuple[str, int] | None, int]


def plain(
    name: str,
    module: str,
    read: Callable[[], Any],
    write: Callable[[Any], None],
    *calls: str,
    told: str = "",
) -> Row:
    """A setting that C functions change, whose value is read and written as it is."""
    return Row(name, module, read, Kept(read, write), calls=calls, told=told)


def _warnings() -> Any:
    return sys.modules.get("warnings") or __import__("warnings")


def _text(pattern: Any) -> tuple[str, int] | None:
    if pattern is None or isinstance(pattern, str):  # built-in filters have plain texts
        return None if pattern is None else (pattern, -1)
    return pattern.pattern, pattern.flags


def _pattern(text: tuple[str, int] | None) -> Any:
    if text is None or text[1] == -1:
        return text and text[0]
    import re

    return re.compile(*text)


def _read_filters() -> list[Any]:
    warnings = _warnings()
    filters: list[Filter] = []
    replicas = sys.modules.get("cord.runtime.objects.filters")
    held = warnings.filters if replicas is None else replicas.plain(warnings.filters)
    for action, message, category, module, line in held:
        kind = category.__module__, category.__qualname__
        filters.append((str(action), _text(message), kind, _text(module), line))
    return [filters, str(warnings.defaultaction)]


def _write_filters(value: list[Any]) -> None:
    warnings = _warnings()
    warnings.filters[:] = filter(None, map(_filter, value[0]))
    for module in {one[2][0] for one in value[0]} - sys.modules.keys():
        when_executed(module, "warnings", lambda _: _write_filters(value))
    warnings.defaultaction = value[1]
    warnings._filters_mutated()


def _filter(of: Filter) -> tuple[Any, ...] | None:
    """A filter; None if there can be no such warning, for its module is not loaded."""
    action, message, (module, name), where, line = of
    category: Any = sys.modules.get(module)
    for part in name.split("."):
        category = getattr(category, part, None)
    if category is None:
        return None
    return action, _pattern(message), category, _pattern(where), line


def _noticed_filters() -> list[Any]:
    return [(vars(_warnings()), "filters")]


# Cord itself needs these; and replicas ignore what a terminal sends to the program.
_OWN_SIGNALS = frozenset({"SIGURG", "SIGINT", "SIGTERM", "SIGHUP", "SIGCHLD", "SIGKILL", "SIGSTOP"})


_numbers: dict[str, int] = {}


def _signals() -> Any:
    """The module behind `signal`, which does not wrap numbers in enums."""
    module = sys.modules["_signal"]
    if not _numbers:
        for name, number in vars(module).items():
            if name.startswith("SIG") and not name.startswith(("SIG_", "SIGRT")):
                _numbers[name] = int(number)
        for name in _OWN_SIGNALS:
            _numbers.pop(name, None)
    return module


def _read_signals() -> dict[str, int]:
    signals = _signals()
    # 0 is SIG_DFL, 1 is SIG_IGN; handlers of the program's stay there
    found = {name: signals.getsignal(number) for name, number in _numbers.items()}
    return {name: to for name, to in found.items() if type(to) is int}


def _write_signals(value: dict[str, int]) -> None:
    signals, now = _signals(), _read_signals()
    for name, to in value.items():
        if name in _numbers and now.get(name) != to:
            try:
                signals.signal(_numbers[name], to)
            except ValueError:  # only the main thread may; others leave them as they are
                return


def _read_gc() -> list[Any]:
    gc = sys.modules["gc"]
    return [gc.isenabled(), *gc.get_threshold()]


def _write_gc(value: list[Any]) -> None:
    gc = sys.modules["gc"]
    gc.set_threshold(*value[1:])
    (gc.enable if value[0] else gc.disable)()


def _read_dialects() -> dict[str, list[Any]]:
    known = sys.modules["_csv"]
    found = {name: known.get_dialect(name) for name in known.list_dialects()}
    return {name: [getattr(one, part) for part in _OF_DIALECTS] for name, one in found.items()}


def _write_dialects(value: dict[str, list[Any]]) -> None:
    known, now = sys.modules["_csv"], _read_dialects()
    for name in now.keys() - value.keys():
        known.unregister_dialect(name)
    for name, parts in value.items():
        if now.get(name) != parts:
            known.register_dialect(name, **dict(zip(_OF_DIALECTS, parts, strict=True)))


def _function(module: str, name: str) -> Callable[..., Any]:
    """A function of a module that is loaded when it is called."""

    def call(*args: Any) -> Any:
        return getattr(sys.modules[module], name)(*args)

    return call


_OF_DIALECTS = (
    *("delimiter", "doublequote", "escapechar", "lineterminator"),
    *("quotechar", "quoting", "skipinitialspace", "strict"),
)


_FIRST_THREAD: Final = {"_name": "MainThread"}
_told_thread: set[str] = set()  # what was set for the client


def _thread() -> dict[str, Any]:
    """What the object of the main thread has as attributes."""
    found: dict[str, Any] = vars(sys.modules["threading"]._main_thread)
    return found


def _of_thread() -> dict[str, Any]:
    """Its name, and what others have set; of what cannot be set elsewhere, only which it is."""
    plain = str, int, float, bool
    return {
        name: one if type(one) in plain else [id(one)]
        for name, one in _thread().items()
        if name == "_name" or not name.startswith("_")
    }


def _read_thread() -> dict[str, Any] | None:
    """The same, as far as it can travel; None if it is as at first."""
    found = {name: one for name, one in _of_thread().items() if type(one) is not list}
    return None if found == _FIRST_THREAD else found


def _put_thread(changed: dict[str, Any]) -> None:
    for name, one in changed.items():
        if one is None:
            _thread().pop(name, None)
        elif type(one) is not list:
            _thread()[name] = one


def _write_thread(told: dict[str, Any] | None) -> None:
    _put_thread({**dict.fromkeys(_told_thread), **_FIRST_THREAD, **(told or {})})
    _told_thread.update(told or {})


ROWS = [
    plain(
        "gc",
        "gc",
        _read_gc,
        _write_gc,
        *("gc.enable", "gc.disable", "gc.set_threshold"),
        told="the collection of garbage",
    ),
    plain(
        "recursion",
        "sys",
        sys.getrecursionlimit,
        sys.setrecursionlimit,
        "sys.setrecursionlimit",
        told="the recursion limit",
    ),
    plain(
        "digits",
        "sys",
        sys.get_int_max_str_digits,
        sys.set_int_max_str_digits,
        "sys.set_int_max_str_digits",
        told="the limit of an int's digits",
    ),
    plain(
        "switching",
        "sys",
        sys.getswitchinterval,
        sys.setswitchinterval,
        "sys.setswitchinterval",
        told="the switch interval",
    ),
    plain(
        "signals",
        "_signal",
        _read_signals,
        _write_signals,
        "_signal.signal",
        told="the handler of a signal",
    ),
    plain(
        "timeout of sockets",
        "_socket",
        _function("_socket", "getdefaulttimeout"),
        _function("_socket", "setdefaulttimeout"),
        "_socket.setdefaulttimeout",
        told="the timeout of sockets",
    ),
    plain(
        "size of fields",
        "_csv",
        _function("_csv", "field_size_limit"),
        _function("_csv", "field_size_limit"),
        "_csv.field_size_limit",
        told="the size of fields in CSV files",
    ),
    plain(
        "dialects",
        "_csv",
        _read_dialects,
        _write_dialects,
        *("_csv.register_dialect", "_csv.unregister_dialect"),
        told="the dialects of CSV files",
    ),
    Row(
        "warnings",
        "warnings",
        _read_filters,
        Kept(_read_filters, _write_filters),
        calls=("_warnings._filters_mutated", "_warnings._filters_mutated_lock_held"),
        noticed=_noticed_filters,
        told="the filters of warnings",
        comes_with_modules=True,
    ),
    Row(
        "thread",
        "threading",
        _read_thread,
        _write_thread,
        put=_put_thread,
        whole=_of_thread,
        noticed=lambda: [_thread()],
        told="the object of its thread",
        is_of_thread=True,
    ),
]
