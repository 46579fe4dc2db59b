# Results are named tuples, frozen dataclasses and members of an enumeration, and are looked at.
# overlap: 4
# file: main.py
from dataclasses import dataclass

from work import Parity, Spot, moved, nap, parity, read


@dataclass
class Walker:
    spot: Spot
    steps: int = 0

    def step(self, by):
        self.spot = moved(self.spot, by)
        self.steps += 1


for i in range(10):
    reading = read(i)
    if reading.value > 9:
        print(reading.name, nap(reading.value))
for i in range(10):
    match parity(i):
        case Parity.ODD:
            print("odd", nap(i))
        case other:
            print(other, nap(i, i))
walkers = [Walker(Spot(i, 2 * i)) for i in range(8)]
for by in range(4):
    for walker in walkers:
        walker.step(by)
print(walkers)
