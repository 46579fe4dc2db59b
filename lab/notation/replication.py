"""What `replication` holds: hosts, or migration expressions that join two of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from lark import Token, Tree

from lab.notation import grammar
from lab.notation.findings import Findings
from lab.notation.model import Setting

_FORM = "a migration is: ant(oc=(load>=8))#bee(uc=(load==0)):[1/2]"
_COMPARISONS = {"oc": (">=",), "uc": ("==", "<=")}


@dataclass(slots=True)
class Replication:
    """Replicas and the links between them.

    Attributes:
        hosts: Their names, in the order in which they are first named.
        links: The migration expressions, as cord.toml writes them.
    """

    hosts: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


def replication(setting: Setting, findings: Findings) -> Replication | None:
    """Reads the attribute; an item that is wrong is noted and left out.

    Returns:
        What it says; None if nothing of it is right.
    """
    reader = _Reader(setting, findings)
    value = setting.strings[0].value
    for begin, end in _items(value):
        reader.item(value[begin:end], begin)
    return reader.result if reader.result.hosts else None


def _items(text: str) -> list[tuple[int, int]]:
    """Where the items between the commas begin and end; commas in brackets part nothing."""
    items, begin, depth = [], 0, 0
    for at, sign in enumerate(text):
        # a `#` or a `:` outside of its brackets shows that one was not closed
        depth = 0 if sign in "#" else depth + (sign in "([") - (sign in ")]")
        if sign == "," and depth <= 0:
            items.append((begin, at))
            begin = at + 1
    return [*items, (begin, len(text))]


class _Wrong(Exception):
    """An item that is grammatical, but makes no sense; its arguments are place, message, hint."""


class _Reader:
    def __init__(self, setting: Setting, findings: Findings) -> None:
        self.result = Replication()
        self._setting = setting
        self._findings = findings
        self._alone: set[str] = set()  # hosts that stand by themselves
        self._linked: set[tuple[str, str]] = set()

    def item(self, text: str, begin: int) -> None:
        try:
            (tree,) = grammar.replication().parse(text, "item").children
            if isinstance(tree, Token):
                self._host(tree)
            else:
                self._link(tree)
        except grammar.Unreadable as unreadable:
            self._refuse(begin + unreadable.position, unreadable.message, _FORM)
        except _Wrong as wrong:
            position, message, hint = wrong.args
            self._refuse(begin + position, message, hint)

    def _refuse(self, position: int, message: str, hint: str | None) -> None:
        offset = self._setting.strings[0].offset(position)
        self._findings.error(offset, message, hint, self._setting.span)

    def _host(self, token: Token) -> None:
        if token in self._alone:
            raise _Wrong(token.start_pos, f"the host {token} is there twice", None)
        self._alone.add(str(token))
        self._name(str(token))

    def _name(self, host: str) -> None:
        if host not in self.result.hosts:
            self.result.hosts.append(host)

    def _link(self, tree: Tree[Token]) -> None:
        sides = [_side(side) for side in tree.find_data("side")]
        (giver, given), (taker, taken) = sorted(sides, key=lambda side: side[0].start_pos or 0)
        (fraction,) = tree.find_data("fraction")
        share = _fraction(fraction)
        if giver == taker:
            raise _Wrong(taker.start_pos, f"the host {taker} cannot pass calls to itself", None)
        if not given and not taken:
            message = "this migration has no condition, so nothing would ever move"
            raise _Wrong(giver.start_pos, message, _FORM)
        if (str(giver), str(taker)) in self._linked:
            raise _Wrong(giver.start_pos, f"{giver} and {taker} are joined already", None)
        self._linked.add((str(giver), str(taker)))
        self._name(str(giver))
        self._name(str(taker))
        self.result.links.append(f"{giver}{given}#{taker}{taken}:[{share}]")


def _side(tree: Tree[Token]) -> tuple[Token, str]:
    """A host, and its conditions as cord.toml writes them."""
    host, *conditions = tree.children
    assert isinstance(host, Token)
    written: dict[str, str] = {}
    for condition in conditions:
        assert isinstance(condition, Tree)
        kind, text = _condition(condition)
        if kind in written:
            raise _Wrong(condition.meta.start_pos, f"{kind} is there twice for {host}", None)
        written[kind] = text
    return host, f"({','.join(written.values())})" if written else ""


def _condition(tree: Tree[Token]) -> tuple[str, str]:
    kind, load, comparison, number = (str(child) for child in tree.children)
    places = [child.start_pos for child in tree.children if isinstance(child, Token)]
    if kind not in _COMPARISONS:
        hint = "oc says when the replica is overloaded, uc when it is underloaded"
        raise _Wrong(places[0], f"{kind} is not a condition; there are oc and uc", hint)
    if load != "load":
        raise _Wrong(places[1], f"{load} is nothing that a condition can compare", _FORM)
    if comparison not in _COMPARISONS[kind]:
        allowed = " or ".join(f"{kind}=(load{sign}N)" for sign in _COMPARISONS[kind])
        message = f"{kind} compares the load with {comparison}; allowed: {allowed}"
        raise _Wrong(places[2], message, None)
    if not number.isdecimal():
        raise _Wrong(places[3], f"a load is a whole number, and {number} is none", None)
    return kind, f"{kind}=(load{comparison}{int(number)})"


def _fraction(tree: Tree[Token]) -> str:
    parts = [str(part) for part in tree.children]
    written = "/".join(parts)
    divisor = Fraction(parts[1]) if len(parts) > 1 else Fraction(1)
    if divisor == 0 or not 0 < Fraction(parts[0]) / divisor <= 1:
        message = f"the fraction is {written}; allowed: more than 0, and 1 at most"
        raise _Wrong(tree.meta.start_pos, message, None)
    return written
