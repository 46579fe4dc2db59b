"""Readers of the keys that say how calls are made and sent."""

from __future__ import annotations

from cord._core import FRAME_BYTES
from cord.plan import values
from cord.plan.problems import did_you_mean
from cord.plan.settings import Batch
from cord.plan.words import AUTO, DEMAND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.document import Entry
    from cord.plan.values import Refuse

CALLSTYLES = ("sync", "async")
MOST_OUTSTANDING = 1_000_000
MOST_AHEAD = 10_000_000
MOST_BYTES = 1 << 40
LARGEST_SHARE = 1_000_000

_UNITS = {
    "B": 1,
    **{"KB": 10**3, "MB": 10**6, "GB": 10**9},
    **{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30},
}


def callstyle(entry: Entry, refuse: Refuse) -> str | None:
    """How calls are made: "sync", "async", or "async-demand(n)" as it is kept."""
    if entry.kind != "string":
        refuse.value(entry)
        return None
    text = entry.value.strip()
    if text in CALLSTYLES:
        return str(text)
    if text.startswith(DEMAND):
        number = text.removeprefix(DEMAND).strip()
        inner = number[1:-1].strip() if number[:1] == "(" and number[-1:] == ")" else ""
        if _is_number(inner) and 1 <= int(inner) <= MOST_OUTSTANDING:
            return f"{DEMAND}({int(inner)})"
        refuse.value(entry, f'n is a whole number from 1 to {MOST_OUTSTANDING}: "{DEMAND}(5)"')
        return None
    refuse.value(entry, did_you_mean(text, (*CALLSTYLES, f"{DEMAND}(5)")))
    return None


def batch(entry: Entry, refuse: Refuse) -> Batch | None:
    """Calls per frame: a number, a size, or "auto"."""
    if entry.kind == "integer" and 1 <= entry.value <= MOST_OUTSTANDING:
        return Batch(calls=int(entry.value))
    if entry.kind == "string":
        if entry.value == AUTO:
            return Batch()
        bytes_ = bytes_of(entry.value)
        if bytes_ is not None and 1 <= bytes_ <= FRAME_BYTES:
            return Batch(size=bytes_)
        if _is_number(entry.value):
            refuse.value(entry, f"write {entry.value} without quotes")
            return None
        refuse.value(entry, did_you_mean(entry.value, [AUTO]))
        return None
    refuse.value(entry)
    return None


def calls_ahead(entry: Entry, refuse: Refuse) -> int | None:
    """A number of calls."""
    if entry.kind == "integer" and 1 <= entry.value <= MOST_AHEAD:
        return int(entry.value)
    refuse.value(entry)
    return None


def size(entry: Entry, refuse: Refuse) -> int | None:
    """A number of bytes."""
    value = entry.value if entry.kind == "integer" else None
    if entry.kind == "string":
        value = bytes_of(entry.value)
    if value is not None and 1 <= value <= MOST_BYTES:
        return int(value)
    refuse.value(entry)
    return None


def resident(entry: Entry, refuse: Refuse) -> tuple[str, ...] | str | None:
    """Names of parameters, or "auto"."""
    if entry.kind == "string" and entry.value == AUTO:
        return AUTO
    if entry.kind == "array" and not entry.value:
        return ()
    return values.names(entry, refuse)


def loadratio(entry: Entry, refuse: Refuse) -> tuple[int, ...] | None:
    """Shares of the calls, one for each replica."""
    parts = [part.strip() for part in entry.value.split(":")] if entry.kind == "string" else []
    if not parts or not all(_is_number(part) and int(part) <= LARGEST_SHARE for part in parts):
        refuse.value(entry)
        return None
    shares = tuple(int(part) for part in parts)
    if not any(shares):
        refuse.value(entry, "one of the shares must be more than 0")
        return None
    return shares


def priority(entry: Entry, refuse: Refuse) -> str | None:
    """An expression over the parameters."""
    from cord.plan import expressions  # few plans have one

    if entry.kind != "string":
        hint = f'write "{entry.value}"' if entry.kind in ("integer", "float") else None
        refuse.value(entry, hint)
        return None
    try:
        expressions.parse(entry.value)
    except expressions.WrongExpression as error:
        refuse.value(entry, str(error))
        return None
    return str(entry.value.strip())


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 15


def bytes_of(text: str) -> int | None:
    """A size such as "64KiB", in bytes; None where it is none."""
    text = text.strip()
    number = text.rstrip("BKMGi")
    unit = _UNITS.get(text[len(number) :])
    number = number.strip()
    return int(number) * unit if unit is not None and _is_number(number) else None
