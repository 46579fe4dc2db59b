# Frozen, slotted and keyword-only dataclasses, enums and named tuples both ways.
# file: shapes.py
from dataclasses import dataclass, field, InitVar, replace, KW_ONLY
import enum, typing
class Colour(enum.Flag):
    RED = enum.auto(); BLUE = enum.auto()
class Level(enum.IntEnum):
    LOW = 1; HIGH = 5
@dataclass(frozen=True, slots=True, order=True)
class P:
    x: int
    y: int = 0
@dataclass
class S:
    pts: list[P]
    _: KW_ONLY
    colour: Colour = Colour.RED
    scale: InitVar[int] = 1
    area: float = field(init=False)
    def __post_init__(self, scale):
        self.area = len(self.pts) * scale
class T(typing.NamedTuple):
    a: P
    b: Level = Level.LOW
# file: work.py
from shapes import *
def move(p, d): return replace(p, x=p.x + d)
def grow(s): 
    return S([move(p, 1) for p in s.pts], colour=s.colour | Colour.BLUE, scale=2)
def swap(t): return T(move(t.a, t.b), Level.HIGH if t.b is Level.LOW else Level.LOW)
# file: main.py
from shapes import *
from work import move, grow, swap
p = P(1)
print(move(p, 2), move(p, 2) == P(3), {move(p, 2): 1}[P(3)], sorted(move(P(i), -2 * i) for i in range(3)))
s = S([p, P(2, 2)], scale=3)
for _ in range(3):
    s = grow(s)
    print(s)
t = T(p)
for _ in range(3):
    t = swap(t)
    print(t, t.b is Level.HIGH, t._asdict())
print(s.colour is (Colour.RED | Colour.BLUE), grow(s).pts[0] is s.pts[0])
