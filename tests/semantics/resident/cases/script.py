# Resident arguments of the main script's own classes, and its own remote functions.
# file: cord.toml
[remote.main]
replicas = 2
callstyle = "async"
pure = true
inline = false
only = ["weigh"]
resident = ["table"]
[remote.work]
replicas = 1
callstyle = "async"
resident = "auto"
# file: work.py
kept = []


def keep(table):
    kept.append(table.rows[0].value)
    table.rows[0].value += 1
    return len(kept), kept


# file: main.py
from dataclasses import dataclass, field

import work


@dataclass
class Row:
    value: int
    name: str = "row"


@dataclass
class Table:
    rows: list = field(default_factory=list)
    tags: set = field(default_factory=set)
    factor: int = 1


FACTOR = 3


def weigh(i, table, key=lambda row: row.value):
    return i * FACTOR * table.factor + sum(map(key, table.rows)), list(table.tags)


table = Table([Row(i) for i in range(3000)], {"a", "b", "z"})
for i in range(20):
    print(weigh(i, table), weigh(i, table, lambda row: -row.value))
    if i % 5 == 4:
        table.rows[i].value = 0
        table.factor = i
    if i == 10:
        FACTOR = 5
        Row.__repr__ = lambda self: "Row"
for i in range(5):
    print(work.keep(table), table.rows[0])
