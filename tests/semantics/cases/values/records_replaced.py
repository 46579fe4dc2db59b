# Records with fields replaced, where their classes do more than keep them.
# file: work.py
def double(x):
    return 2 * x


def both(record):
    return record.x + record.y
# file: main.py
import dataclasses
from collections import namedtuple
from dataclasses import dataclass, field, replace

from work import both, double


class Told(namedtuple("Told", "x y")):
    def _replace(self, **changes):
        print("replaced", changes)
        return super()._replace(**changes)


@dataclass
class Checked:
    x: int
    y: int = 0
    made: list = field(default_factory=list)

    def __post_init__(self):
        print("made", self.x)
        if self.x > 3:
            raise ValueError(self.x)
        self.made.append(self.x)


@dataclass
class Shared:
    x: int
    inside: list
    hidden: int = field(init=False, default=7)


told = Told(1, 2)
for number in range(4):
    told = told._replace(x=number)
    print(both(told), double(told.x))
checked = Checked(0)
try:
    for number in range(9):
        checked = replace(checked, x=number)
        print(double(checked.x), both(checked), checked.made)
except ValueError as error:
    print("too large:", error)
shared = Shared(1, [1])
for number in range(4):
    other = replace(shared, x=number)
    other.inside.append(number)
    print(double(len(other.inside)), shared.inside, dataclasses.asdict(other))
    print(double(dataclasses.astuple(shared)[0]))
try:
    for number in range(3):
        print(double(number))
        print(both(replace(shared, hidden=number)))
except ValueError as error:
    print(error)
try:
    for number in range(3):
        print(double(number))
        print(both(Told(1, number)._replace(z=3)))
except (TypeError, ValueError) as error:
    print(error)
