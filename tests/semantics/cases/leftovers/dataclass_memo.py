# A pure function whose argument keeps what it has computed once.
# file: work.py
from dataclasses import dataclass
from functools import cached_property


@dataclass
class Table:
    rows: list

    @cached_property
    def total(self):
        return sum(self.rows)


def f(t):
    t = sum(i % 7 for i in range(3000))
    return t.total


# file: main.py
from work import Table, f

t = Table([3, 1, 2])
for i in range(6):
    print(f(t))
print(vars(t))
