# The main script's own functions are remote.
# overlap: 3
# file: cord.toml
[remote.main]
replicas = 4
callstyle = "async"
pure = true
repeatable = true
only = ["weigh"]
# file: main.py
from dataclasses import dataclass

import work

FACTOR = 3


@dataclass
class Load:
    kilos: int


def weigh(load, extra=0):
    return work.nap(load.kilos, extra) * FACTOR


def heaviest(loads):
    return max(weigh(load, 1) for load in loads)


loads = [Load(kilos) for kilos in range(8)]
for load in loads:
    print(weigh(load))
print(heaviest(loads))
