# Abstract classes, dataclasses and properties that ask for prices remotely.
# file: pricing.py
import math
RATES = {"eu": 1.21, "us": 1.07}

def quote(sku, qty, *, region="eu"):
    base = sum(ord(c) for c in sku) / 7
    return round(base * qty * RATES[region], 4)

def discount(total, level):
    return total * (1 - math.log1p(level) / 10)
# file: main.py
from __future__ import annotations
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pricing import quote, discount


class Priced(ABC):
    @property
    @abstractmethod
    def price(self) -> float: ...

    def __lt__(self, other):
        return self.price < other.price


@dataclass
class Item(Priced):
    sku: str
    qty: int = 1
    tags: list[str] = field(default_factory=list)
    _cache: float | None = field(default=None, repr=False, compare=False)

    @property
    def price(self):
        if self._cache is None:
            print("quoting", self.sku)
            self._cache = quote(self.sku, self.qty)
        return self._cache


@dataclass
class Bundle(Priced):
    items: list[Priced]
    level: int = 0

    @property
    def price(self):
        return discount(sum(i.price for i in self.items), self.level)


def main():
    items = [Item("apple", 3), Item("pear", 2, ["fruit"]), Item("nut", 100)]
    b = Bundle(items[:2], level=2)
    everything = [b, *items, Bundle([b, items[2]], 1)]
    for p in sorted(everything):
        print(type(p).__name__, f"{p.price:.3f}")
    print(min(everything).price, max(everything, key=lambda p: p.price).price)
    print(items)
    print(sum(quote(s, q, region="us") for s, q in zip("abc", range(3))))


main()
# file: cord.toml
[remote.pricing]
replicas = 2
callstyle = "async"
pure = true
