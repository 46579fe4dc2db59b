"""Production rules for expressions.

Every scope of a random program knows the same names, so that any expression may stand anywhere:

    a b c           numbers                     m       a list of lists
    v w             numbers, of loops           d s q   a dict, a set, a deque
    t               a number, bound by :=       box     an object of the program's own class
    xs ys           lists, at times one         pt      an object of the remote module's class
    o               a list of values that are equal and yet differ
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import TypeVar

from client_templates import (
    ANYTHING,
    CHAIN,
    CONDITION,
    FAILING_CALL,
    IMPURE_CALL,
    ITERABLE,
    PART,
    PURE_CALL,
    REDUCTION,
)

Rule = TypeVar("Rule", bound=Callable[..., object])

NUMBERS = ["a", "b", "c"]
LISTS = ["xs", "ys"]
EQUAL_BUT_DIFFERENT = "1 True 1.0 0 False 0.0 -0.0 NAN '1' None (1,) (True,) (0.0,) (-0.0,)".split()

# More loops than this are not nested, helpers included: 4 turns each, that is 256.
MOST_LOOPS = 4

_MARK = re.compile(r"\$([a-z]+)")


class Callee:
    """A callable of the program's own: how it is called, and how many loops are nested in it."""

    def __init__(self, template: str, loops: int) -> None:
        self.template = template
        self.loops = loops


class Expressions:
    """Writes expressions; the same seed writes the same ones."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.callees: list[Callee] = []
        self.generators: list[Callee] = []
        self.senders: list[str] = []  # generators that are sent values
        self.records: list[str] = []  # classes made with one number
        self.loops = 0
        self.risky = self.chance(0.2)  # whether what may fail stands outside `try` too
        self.calm = self.chance(0.4)  # few calls that are not pure
        self.walrus = True  # not allowed where a comprehension iterates

    # Choosing

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def one_of(self, *texts: str) -> str:
        return self.random.choice(texts)

    def drawn(self, *rules: tuple[float, Rule]) -> Rule:
        """One of the rules, the likelier the greater its weight."""
        return self.random.choices([rule for _, rule in rules], [weight for weight, _ in rules])[0]

    # Templates

    def written(self, templates: list[str], depth: int) -> str:
        """One of the templates; numbers in it are up to `depth` deep."""
        return self.filled(self.random.choice(templates), depth)

    def filled(self, template: str, depth: int) -> str:
        """The template, with something written for each mark in it."""
        return _MARK.sub(lambda mark: self.mark(mark[1], depth), template)

    def mark(self, name: str, depth: int) -> str:
        """What a mark of a template stands for."""
        if name == "x":
            return self.number(depth)
        if name == "y":
            return self.number(min(depth, 1))
        if name == "n":
            return str(self.random.randrange(5))
        if name == "each":
            return self.element(min(depth, 1))
        if name == "test":
            return self.element(min(depth, 1)) + self.one_of(" > 3", " % 2", " % 3 == 1", " < 8")
        write: dict[str, Callable[[], str]] = {
            "atom": self.atom,
            "name": lambda: self.one_of(*NUMBERS),
            "list": lambda: self.one_of(*LISTS),
            "it": self.iterable,
            "cond": self.condition,
            "odd": self.different,
            "any": lambda: self.anything(depth),
        }
        return write[name]()

    # Numbers

    def number(self, depth: int = 2) -> str:
        """An expression that gives a whole number, most of the time."""
        if depth <= 0 or self.chance(0.15):
            return self.atom()
        return self.drawn(
            (30, lambda depth: self.written(PURE_CALL, depth)),
            (6 if self.risky else 0.2, lambda depth: self.written(FAILING_CALL, depth)),
            (0.3 if self.calm else 5, lambda depth: self.written(IMPURE_CALL, depth)),
            (10, self.own_call),
            (12, lambda depth: self.filled(f"($x {self.one_of(*'+-*+')} $x) % 19", depth)),
            (10, self.reduction),
            (4, lambda depth: self.filled("($x if $cond else $x)", depth)),
            (3, lambda depth: self.filled("(t := $x)" if self.walrus else "$x", depth)),
            (9, lambda depth: self.written(PART, depth)),
            (3, lambda depth: self.written(CHAIN, depth)),
        )(depth - 1)

    def atom(self) -> str:
        """A number without a call of the program's."""
        return self.one_of(
            *NUMBERS, *NUMBERS, "v", str(self.random.randrange(9)), f"len({self.one_of(*LISTS)})"
        )

    def own_call(self, depth: int) -> str:
        """A call of a function of the program's own."""
        known = [callee for callee in self.callees if callee.loops + self.loops <= MOST_LOOPS]
        if not known:
            return self.written(PURE_CALL, depth)
        template = self.random.choice(known).template
        return template.replace("?", self.number(depth), 1).replace("?", self.atom())

    def reduction(self, depth: int) -> str:
        """What a walk over an iterable gives."""
        if self.loops >= MOST_LOOPS:
            return self.filled("abs($x)", depth)
        self.loops += 1
        text = self.written(REDUCTION, depth)
        self.loops -= 1
        return text

    def element(self, depth: int = 1) -> str:
        """An expression over the variable `u` of a comprehension."""
        calls = ["work.f(u)", "work.g(u, a)", "f(u)", "u", "work.g(u, $x)", "$x"]
        return self.written([*calls, "work.boom(u)"] if self.risky else calls, depth)

    def iterable(self) -> str:
        """An expression that gives up to four numbers."""
        walrus, self.walrus = self.walrus, False
        known = [g for g in self.generators if g.loops + self.loops <= MOST_LOOPS]
        if known and self.chance(0.2):
            text = self.filled(self.random.choice(known).template.replace("?", "$n % 4"), 1)
        else:
            text = self.written(ITERABLE, 1)
        self.walrus = walrus
        return text

    # Conditions and other values

    def condition(self, depth: int = 1) -> str:
        return self.written(CONDITION, depth)

    def different(self) -> str:
        """One of the values that are equal and yet differ, for `show` only."""
        return self.written([*EQUAL_BUT_DIFFERENT, "o[$atom % len(o)]", "work.half($atom)"], 0)

    def anything(self, depth: int = 1) -> str:
        return self.written(ANYTHING, depth)
