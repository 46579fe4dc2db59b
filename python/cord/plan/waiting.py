"""Readers of the keys for functions that wait for something else, such as a service."""

from __future__ import annotations

import builtins

from cord.plan.problems import did_you_mean
from cord.plan.settings import Hedge, Rate
from cord.plan.values import is_dotted_name
from cord.plan.words import NEVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.document import Entry
    from cord.plan.values import Refuse

LONGEST = 7 * 24 * 3600.0
MOST_RETRIES = 100
MOST_PER_SECOND = 1e6
LEAST_PART, MOST_PART = 50.0, 99.9

_UNITS = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0}
_DAYS = {**_UNITS, "d": 24 * 3600.0}
_LONGEST_KEPT = 36500 * _DAYS["d"]


def deadline(entry: Entry, refuse: Refuse) -> float | None:
    """A time such as "30s", in seconds; a number is seconds."""
    seconds = _seconds(entry)
    if seconds is None:
        refuse.value(entry)
    return seconds


def ttl(entry: Entry, refuse: Refuse) -> float | None:
    """A time of a second or more, such as "30d", in seconds; a number is seconds."""
    seconds = _seconds(entry, _DAYS, _LONGEST_KEPT)
    if seconds is None or seconds < 1:
        refuse.value(entry)
        return None
    return seconds


def silence(entry: Entry, refuse: Refuse) -> float | None:
    """A time as above; 0 for never."""
    if entry.kind == "string" and entry.value == NEVER:
        return 0.0
    return deadline(entry, refuse)


def rate(entry: Entry, refuse: Refuse) -> Rate | None:
    """So many calls in so long a time, such as "60/min"."""
    text = entry.value if entry.kind == "string" else ""
    number, _, unit = (part.strip() for part in text.partition("/"))
    calls, per = _number(number), _UNITS.get(unit)
    if unit == "ms" or calls is None or per is None or not 0 < calls / per <= MOST_PER_SECOND:
        hint = f'write "{entry.value}/s"' if entry.kind in ("integer", "float") else None
        refuse.value(entry, hint)
        return None
    return Rate(calls, per)


def retries(entry: Entry, refuse: Refuse) -> int | None:
    """How often a call is repeated."""
    if entry.kind == "integer" and 0 <= entry.value <= MOST_RETRIES:
        return int(entry.value)
    refuse.value(entry)
    return None


_EXCEPTIONS = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)


def retry_on(entry: Entry, refuse: Refuse) -> tuple[str, ...] | None:
    """Names of exceptions, as they are imported."""
    if entry.kind != "array":
        name = entry.value if entry.kind == "string" else ""
        refuse.value(entry, f'write ["{name}"]' if is_dotted_name(name) else None)
        return None
    names: list[str] = []
    for number, element in enumerate(entry.value, 1):
        name = element.value if element.kind == "string" else ""
        if is_dotted_name(name) and ("." in name or name in _EXCEPTIONS):
            names.append(name)
        elif is_dotted_name(name):
            refuse.element(
                element,
                number,
                did_you_mean(name, _EXCEPTIONS) or f"write its module, too: module.{name}",
            )
        else:
            refuse.element(element, number, "write a class as it is imported: module.Class")
    return tuple(dict.fromkeys(names)) if len(names) == len(entry.value) else None


def hedge(entry: Entry, refuse: Refuse) -> Hedge | None:
    """A part of the calls such as "p95", or a time such as "2s"."""
    text = entry.value.strip() if entry.kind == "string" else ""
    if text.startswith("p"):
        part = _number(text[1:])
        if part is None or not LEAST_PART <= part <= MOST_PART:
            refuse.value(entry, did_you_mean(text, ("p95", "p99")))
            return None
        return Hedge(part=round(part / 100, 9))
    seconds = _seconds(entry)
    if seconds is None:
        refuse.value(entry)
        return None
    return Hedge(after=seconds)


def gather(entry: Entry, refuse: Refuse) -> str | None:
    """The name of a function of the same module."""
    name = entry.value if entry.kind == "string" else ""
    if name.isidentifier():
        return str(name)
    refuse.value(entry, "it is a function of the same module")
    return None


def guess(entry: Entry, refuse: Refuse) -> str | None:
    """The name of a function, with its module's."""
    name = entry.value if entry.kind == "string" else ""
    parts = name.split(".")
    if len(parts) > 1 and all(map(str.isidentifier, parts)):
        return str(name)
    refuse.value(entry, "write it with its module" if name.isidentifier() else None)
    return None


def _number(text: str) -> float | None:
    """A decimal number; None where it is none."""
    whole, dot, part = text.partition(".")
    digits = whole + part
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= 15
    return float(text) if is_number and (whole and bool(part) == bool(dot)) else None


def _seconds(
    entry: Entry, units: dict[str, float] = _UNITS, longest: float = LONGEST
) -> float | None:
    seconds = None
    if entry.kind in ("integer", "float"):
        seconds = float(entry.value)
    elif entry.kind == "string":
        text = entry.value.strip()
        number = text.rstrip("minshd")
        unit = units.get(text[len(number) :])
        value = _number(number.strip())
        seconds = None if unit is None or value is None else value * unit
    return seconds if seconds is not None and 0.001 <= seconds <= longest else None
