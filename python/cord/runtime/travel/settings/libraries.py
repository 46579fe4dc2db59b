"""Settings of libraries: decimals, logging, NumPy, pandas, mpmath."""

from __future__ import annotations

import pickle
import sys
from contextlib import suppress

from cord.runtime.travel.settings.rows import Row
from cord.runtime.travel.settings.variables import value_here

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Any

# What decimal contexts are at first: precision, rounding, exponents, capitals, clamp, traps.
_TRAPS = ("DivisionByZero", "InvalidOperation", "Overflow")
_FIRST_DECIMALS = (28, "ROUND_HALF_EVEN", -999999, 999999, 1, 0, _TRAPS)


def _contexts() -> list[Any]:
    """The decimal context of this thread, if it has got one, and what others are made of."""
    own = value_here("decimal_context")
    default = sys.modules["decimal"].DefaultContext
    return [default] if own is None else [default, own]


def _decimals_of(context: Any) -> tuple[Any, ...]:
    traps = sorted(signal.__name__ for signal, is_set in context.traps.items() if is_set)
    plain = (context.prec, context.rounding, context.Emin, context.Emax)
    return (*plain, context.capitals, context.clamp, tuple(traps))


def _read_decimals() -> list[Any] | None:
    default, *own = map(_decimals_of, _contexts())
    value = [default, own[0] if own else default]
    return None if value == [_FIRST_DECIMALS, _FIRST_DECIMALS] else value


def _write_decimals(value: list[Any] | None) -> None:
    decimal = sys.modules["decimal"]
    default, own = value or [_FIRST_DECIMALS, _FIRST_DECIMALS]
    contexts = ((decimal.DefaultContext, default), (decimal.getcontext(), own))
    for context, wanted in contexts:
        if _decimals_of(context) == wanted:
            continue
        context.prec, context.rounding, context.Emin, context.Emax = wanted[:4]
        context.capitals, context.clamp = wanted[4:6]
        for signal in context.traps:
            context.traps[signal] = signal.__name__ in wanted[6]


_leveled: set[str] = set()  # loggers of this process whose level was set for the client
_FIRST_LEVEL = 0, False, True
_DISABLED = "\0disabled"  # the level that is disabled for all, in their midst
_lowered: list[int] = []  # the root's level that is shown, for this one


def _loggers() -> dict[str, Any]:
    logging = sys.modules["logging"]
    named = logging.Logger.manager.loggerDict
    found = {name: one for name, one in named.items() if isinstance(one, logging.Logger)}
    return {"": logging.root, **found}


def _level_of(logger: Any) -> tuple[int, bool, bool]:
    return logger.level, bool(logger.disabled), bool(logger.propagate)


def _all_levels() -> dict[str, Any]:
    """Those that are other than at first."""
    levels: dict[str, Any] = {name: _level_of(one) for name, one in _loggers().items()}
    level, *others = levels[""]
    if _lowered and level == _lowered[1]:
        levels[""] = _lowered[0], *others
    levels[_DISABLED] = sys.modules["logging"].root.manager.disable
    return {name: level for name, level in levels.items() if level != _first_level(name)}


def _first_level(name: str) -> Any:
    return {"": (30, False, True), _DISABLED: 0}.get(name, _FIRST_LEVEL)


def _read_levels() -> dict[str, Any] | None:
    return _all_levels() or None


def _write_levels(value: dict[str, Any] | None) -> None:
    levels = value or {}
    _leveled.update(levels)
    _put_levels({**dict.fromkeys(_leveled), **levels})


def _put_levels(levels: dict[str, Any]) -> None:
    logging = sys.modules["logging"]
    loggers = _loggers()
    if "" in levels:
        _lowered.clear()
    for name, told in levels.items():
        level = _first_level(name) if told is None else told
        if name == _DISABLED:
            logging.root.manager.disable = level
        else:
            logger = loggers.get(name) or logging.getLogger(name)
            logger.level, logger.disabled, logger.propagate = level
    logging.root.manager._clear_cache()


def lower_level(level: int) -> None:
    """Have the root logger let more records through, which is not the program's setting.

    Args:
        level: What it is to let through.
    """
    root = sys.modules["logging"].root
    before = root.level
    if level < before:
        root.setLevel(level)
        _lowered[:] = _lowered[0] if _lowered and before == _lowered[1] else before, level


def _noticed_levels() -> list[Any]:
    logging = sys.modules["logging"]
    manager = logging.Logger.manager
    classes = {type(logger) for logger in _loggers().values()}
    return [manager.loggerDict, type(manager), *classes]


def _read_errors() -> dict[str, Any] | None:
    numpy = sys.modules["numpy"]
    value = {**numpy.geterr(), "bufsize": numpy.getbufsize()}
    first = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}
    return None if value == {**first, "bufsize": 8192} else value


def _write_errors(value: dict[str, Any] | None) -> None:
    numpy = sys.modules["numpy"]
    value = dict(value or {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"})
    size = value.pop("bufsize", 8192)
    if numpy.getbufsize() != size:
        numpy.setbufsize(size)
    numpy.seterr(**value)


_FIRST_PRINT = {
    "edgeitems": 3,
    "threshold": 1000,
    "floatmode": "maxprec",
    "precision": 8,
    "suppress": False,
    "linewidth": 75,
    "nanstr": "nan",
    "infstr": "inf",
    "sign": "-",
    "formatter": None,
    "legacy": False,
    "override_repr": None,
}


def _read_print() -> bytes | None:
    value = sys.modules["numpy"].get_printoptions()
    if all(_FIRST_PRINT.get(name) == option for name, option in value.items()):
        return None
    return pickle.dumps(value, 5)  # there may be formatters in it


def _write_print(value: bytes | None) -> None:
    options = pickle.loads(value) if value else dict(_FIRST_PRINT)
    numpy = sys.modules["numpy"]
    known = numpy.get_printoptions()
    numpy.set_printoptions(**{name: one for name, one in options.items() if name in known})


def _noticed_print() -> list[Any]:
    for name in ("numpy.core.arrayprint", "numpy._core.arrayprint"):
        options = getattr(sys.modules.get(name), "_format_options", None)
        if type(options) is dict:  # NumPy 2 has a context variable
            return [options]
    return []


def _pandas_config() -> Any:
    return sys.modules["pandas._config.config"]


def _read_pandas() -> dict[str, bytes] | None:
    config = _pandas_config()
    changed = {}
    for name, option in config._registered_options.items():
        root, last = config._get_root(name)
        value = root[last]
        if value is not option.defval and value != option.defval:
            changed[name] = pickle.dumps(value, 5)
    return changed or None


_optioned: set[str] = set()  # those that were ever set


def _write_pandas(value: dict[str, bytes] | None) -> None:
    pandas, config, value = sys.modules["pandas"], _pandas_config(), value or {}
    _optioned.update(value)
    for name in _optioned:
        first = config._registered_options[name].defval
        option = pickle.loads(value[name]) if name in value else first
        root, last = config._get_root(name)
        if root[last] is not option and root[last] != option:
            pandas.set_option(name, option)


def _all_of_pandas() -> dict[str, bytes]:
    config = _pandas_config()
    found = {}
    for name in config._registered_options:
        root, last = config._get_root(name)
        with suppress(Exception):  # it cannot travel
            found[name] = pickle.dumps(root[last], 5)
    return found


def _put_of_pandas(changed: dict[str, bytes | None]) -> None:
    for name, option in changed.items():
        if option is not None:
            sys.modules["pandas"].set_option(name, pickle.loads(option))


def _noticed_pandas() -> list[Any]:
    found = []
    left = [_pandas_config()._global_config]
    while left:
        one = left.pop()
        found.append(one)
        left.extend(value for value in one.values() if type(value) is dict)
    return found


def _contexts_of_mpmath() -> list[Any]:
    mpmath = sys.modules["mpmath"]
    return [mpmath.mp, mpmath.iv]


def _read_mpmath() -> list[int] | None:
    value = [context.prec for context in _contexts_of_mpmath()]
    return None if value == [53, 53] else value


def _write_mpmath(value: list[int] | None) -> None:
    for context, precision in zip(_contexts_of_mpmath(), value or [53, 53], strict=True):
        if context.prec != precision:
            context.prec = precision


def _noticed_mpmath() -> list[Any]:
    return [type(context) for context in _contexts_of_mpmath()]


ROWS = [
    Row(
        "decimal",
        "decimal",
        _read_decimals,
        _write_decimals,
        noticed=_contexts,
        is_of_thread=True,
        told="the context of decimal",
    ),
    Row(
        "logging",
        "logging",
        _read_levels,
        _write_levels,
        noticed=_noticed_levels,
        whole=_all_levels,
        put=_put_levels,
        comes_with_modules=True,
    ),
    Row("numpy errors", "numpy", _read_errors, _write_errors, is_of_thread=True),
    Row(
        "numpy printing",
        "numpy",
        _read_print,
        _write_print,
        noticed=_noticed_print,
        is_of_thread=True,
    ),
    Row(
        "pandas",
        "pandas",
        _read_pandas,
        _write_pandas,
        noticed=_noticed_pandas,
        whole=_all_of_pandas,
        put=_put_of_pandas,
    ),
    Row("mpmath", "mpmath", _read_mpmath, _write_mpmath, noticed=_noticed_mpmath),
]
