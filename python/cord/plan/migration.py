"""Readers of the keys that say how replicas pass queued calls to one another.

An expression joins two replicas: `LEFT(CONDITIONS)#RIGHT(CONDITIONS):[SHARE]`. `oc=(load>=10)` is a
side that sends while it has so many calls, `uc=(load==0)` one that asks for some.
"""

from __future__ import annotations

from cord.fixed import Value
from cord.plan.problems import did_you_mean
from cord.plan.settings import Link, Load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.document import Entry
    from cord.plan.values import Refuse

TOPOLOGIES = ("line", "ring", "full")
MOST_LOAD = 1_000_000

_OVER = (">=", ">", "==")
_UNDER = ("==", "<=", "<")
_EXAMPLE = "ant(oc=(load>=10))#bee(uc=(load==0)):[1/2]"


class Drawn(Value):
    """One expression: the names of its replicas, and what moves between them.

    Attributes:
        left: The replica before the `#`.
        right: The one after it.
        links: What moves; 0 stands for the left one, 1 for the right one.
    """

    left: str
    right: str
    links: tuple[Link, ...]


class _Wrong(Exception):
    """What is wrong with an expression, as a clause."""


def topology(entry: Entry, refuse: Refuse) -> str | None:
    """Which replicas are linked."""
    if entry.kind == "string" and entry.value in TOPOLOGIES:
        return str(entry.value)
    hint = did_you_mean(entry.value, TOPOLOGIES) if entry.kind == "string" else None
    refuse.value(entry, hint)
    return None


def overload(entry: Entry, refuse: Refuse) -> Load | None:
    """The load at which a replica sends."""
    return _condition(entry, refuse, _OVER)


def underload(entry: Entry, refuse: Refuse) -> Load | None:
    """The load at which a replica asks."""
    return _condition(entry, refuse, _UNDER)


def share(entry: Entry, refuse: Refuse) -> tuple[int, int] | None:
    """How much of what waits moves."""
    try:
        if entry.kind == "string":
            return _share(entry.value)
        refuse.value(entry)
    except _Wrong:
        refuse.value(entry)
    return None


def migration(entry: Entry, refuse: Refuse) -> tuple[Drawn, ...] | None:
    """A list of expressions."""
    if entry.kind != "array" or not entry.value:
        hint = f'write ["{entry.value}"]' if entry.kind == "string" else None
        refuse.value(entry, hint)
        return None
    drawn: list[Drawn] = []
    for number, element in enumerate(entry.value, 1):
        if element.kind != "string":
            refuse.element(element, number)
            continue
        try:
            drawn.append(_drawn(element.value))
        except _Wrong as error:
            refuse.element(element, number, str(error))
    return tuple(drawn) if len(drawn) == len(entry.value) else None


def _condition(entry: Entry, refuse: Refuse, operators: tuple[str, ...]) -> Load | None:
    try:
        if entry.kind == "string":
            return _load(entry.value, operators)
        refuse.value(entry)
    except _Wrong as error:
        refuse.value(entry, str(error))
    return None


def _load(text: str, operators: tuple[str, ...]) -> Load:
    """What `load >= 10` means."""
    import re

    found = re.fullmatch(r"\s*load\s*(>=|<=|==|>|<)\s*([0-9]{1,9})\s*", text)
    if found is None:
        raise _Wrong(f'a condition is written as "load {operators[0]} 10"')
    operator, number = found[1], int(found[2])
    if operator not in operators:
        raise _Wrong(f"the comparison is one of {', '.join(operators)}")
    if number > MOST_LOAD or (operator == "<" and number == 0):
        raise _Wrong(f"no load is {operator} {number}")
    bounds: dict[str, tuple[int, int | None]] = {
        ">=": (number, None),
        ">": (number + 1, None),
        "==": (number, number),
        "<=": (0, number),
        "<": (0, number - 1),
    }
    return Load(*bounds[operator])


def _share(text: str) -> tuple[int, int]:
    import re
    from math import gcd

    # possessive, as in `_drawn`: however many spaces there are, each is looked at once
    number = r"\s*+([0-9]{0,6})(?:\.([0-9]{1,6}))?\s*+"
    found = re.fullmatch(rf"{number}(?:/{number})?", text)
    if found is not None:
        whole, rest, divisor, divisor_rest = (part or "" for part in found.groups())
        is_given = bool(whole + rest) and ("/" not in text or bool(divisor + divisor_rest))
        above = int(whole + rest or 0) * 10 ** len(divisor_rest)
        below = int(divisor + divisor_rest or 1) * 10 ** len(rest)
        if is_given and 1 <= above <= below:
            common = gcd(above, below)
            return above // common, below // common
    raise _Wrong(f'"{text.strip()}" is not a fraction from above 0 to 1, such as 1/2')


def _drawn(text: str) -> Drawn:
    import re

    side = r"\s*+([^\s()#:\[\],]+)\s*+(?:\(((?:[^()]|\([^()]*\))*)\))?\s*+"
    found = re.fullmatch(rf"{side}#{side}:\s*\[([^\]]*)\]\s*", text)
    if found is None:
        raise _Wrong(f'an expression is written as "{_EXAMPLE}"')
    left, lefts, right, rights, part = found.groups()
    if left == right:
        raise _Wrong(f"{left} is linked to itself")
    moved = _share(part)
    links = [*_links(lefts, 0, 1, moved), *_links(rights, 1, 0, moved)]
    if not links:
        raise _Wrong("one side has to have a condition, such as uc=(load==0)")
    return Drawn(left, right, tuple(links))


def _links(conditions: str | None, own: int, other: int, moved: tuple[int, int]) -> list[Link]:
    """What moves by the conditions of one side."""
    import re

    links: list[Link] = []
    rest = (conditions or "").strip()
    while rest:
        found = re.match(r"(oc|uc)\s*=\s*\(([^()]*)\)\s*,?\s*", rest)
        if found is None:
            raise _Wrong(f'"{rest}" is no condition; one is written as oc=(load>=10)')
        if found[1] == "oc":
            load = _load(found[2], _OVER)
            links.append(Link(own, other, "overload", load, moved))
        else:
            load = _load(found[2], _UNDER)
            links.append(Link(other, own, "underload", load, moved))
        rest = rest[found.end() :]
    return links
