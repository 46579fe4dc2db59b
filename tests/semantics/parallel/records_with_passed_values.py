# A dataclass with slots hands a value that it does not keep to its `__post_init__`, which calls.
# overlap: 3
# file: main.py
from dataclasses import InitVar, dataclass, field

import work

CALLS = {"nap": work.nap}


@dataclass(order=True, slots=True)
class Row:
    key: int
    raw: InitVar[int] = 3
    score: float = field(default=0.0, compare=False)

    def __post_init__(self, raw):
        self.score = work.nap(raw) / 2


rows = [Row(k % 7, raw=k) for k in range(16)] + [Row(k) for k in range(8)]
print(sorted(rows)[:3], sum(row.score for row in rows))
print([CALLS.get(name, work.nap)(i, 1) for i, name in enumerate(["nap", "other"] * 8)])
