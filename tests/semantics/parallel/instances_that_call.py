# Objects make the calls while they are made: in __init__, in __post_init__, in classes above.
# overlap: 4
# file: shapes.py
from dataclasses import dataclass, field

from work import nap


class Shape:
    def __init__(self, x):
        self.x = x
        self.size = nap(x)


@dataclass
class Square:
    x: int
    tags: list = field(default_factory=list)

    def __post_init__(self):
        self.size = nap(self.x, 3)
        self.tags.append(self.size)
# file: main.py
import shapes
import work
from shapes import Shape, Square


class Circle(Shape):
    def __init__(self, x, round=True):
        super().__init__(x + 1)
        self.round = round
        self.more = work.nap(x, 5) if round else 0

    @classmethod
    def parse(cls, text):
        return cls(int(text))


class Sorted(Shape):
    """Waits for results before it is done."""

    def __init__(self, x):
        super().__init__(x)
        self.kind = "odd" if self.size % 2 else "even"
        self.weight = work.nap(self.size, 7)


class Disc(Circle):
    pass


for n in range(8):
    shape = shapes.Shape(n)
    print(shape.x, shape.size)
for n in range(8):
    print(Square(n).tags, Circle(n, round=n > 2).more, Disc.parse(str(n)).size)
print([shape.size for shape in map(Shape, range(8))])


def build(n):
    made = Sorted(n)
    return f"{made.kind} {made.weight}"


for n in range(8):
    print(build(n), Sorted(n).kind)


class Local:
    def __init__(self, x):
        self.size = work.nap(x, 2)


def made_of(cls, n):
    return cls(n).size


print([made_of(cls, n) for n in range(4) for cls in (Shape, Local, Square)])
