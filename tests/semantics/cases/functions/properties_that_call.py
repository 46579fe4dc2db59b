# Properties make remote calls: objects, classes and results change in between, and some fail.
# file: work.py
def square(x):
    return x * x


def picky(x):
    if x == 3:
        raise ValueError(f"not {x}")
    return x + 100
# file: main.py
from functools import cached_property

from work import picky, square


class Base:
    limit = 4

    def __init__(self, x):
        self.x = x

    @property
    def score(self):
        return square(self.x)

    @score.setter
    def score(self, value):
        print("set", value)
        self.x = value

    @score.deleter
    def score(self):
        print("deleted", self.x)
        self.x = -1

    @property
    def risky(self):
        return picky(self.x)

    @cached_property
    def kept(self):
        print("kept", self.x)
        return square(self.x + 1)

    @property
    def __hidden(self):
        return square(self.x + 2)

    def shown(self):
        return self.__hidden


class Derived(Base):
    @property
    def score(self):
        return super().score + square(self.limit)

    @property
    def kept(self):
        return square(self.x + 10)


class Plain:
    def __init__(self, score):
        self.score = self.kept = score


class Guessing:
    __slots__ = ("x",)

    def __init__(self, x):
        self.x = x

    def __getattr__(self, name):
        return f"no {name}"

    @property
    def score(self):
        if self.x > 2:
            raise AttributeError("not now")
        return square(self.x)


objects = [Base(1), Plain(2), Derived(3), Guessing(2), Base(5), Guessing(4), Plain("x"), Derived(8)]
for one in objects:
    print(type(one).__name__, one.score, one.kept)

# objects change between the reads, and so do those that come later
bases = [Base(n) for n in range(8)]
for index, one in enumerate(bases):
    print(one.score, one.kept, one.shown())
    bases[-1 - index].x += 10
    if index == 2:
        bases[index + 1].score = 50
        del bases[index + 2].score
    one.score += 1
    print(one.x, one.score)

# what is kept can be deleted, or stand there from the beginning
for index, one in enumerate(bases):
    if index % 3 == 0:
        del one.kept
    elif index % 3 == 1:
        one.kept = "by hand"
    print(one.kept, one.kept)

# classes change
for n in range(8):
    one = Base(n)
    print(one.score, one.risky if n != 3 else None)
    if n == 4:
        Base.risky = property(lambda self: square(self.x) - 1)
    if n == 5:
        Base.score = 7
    if n == 6:
        Base.risky = "plain"
print(Base.score, Derived(2).score if False else type(Derived.score).__name__)

# exceptions leave loops, and are those of the call
class Fussy:
    def __init__(self, x):
        self.x = x

    @property
    def risky(self):
        return picky(self.x)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        print("left", self.x)


for n in range(6):
    try:
        with Fussy(n) as one:
            print(one.risky)
    except ValueError as error:
        print(error)
print(sum(Fussy(n).risky for n in range(3)), getattr(Fussy(4), "risky"), hasattr(Fussy(3.5), "risky"))
match Fussy(5):
    case Fussy(risky=found):
        print(found)
value: Fussy.risky = Fussy(6).risky
print(value, [one.risky for one in map(Fussy, range(6)) if one.x != 3])
print([one.risky for one in map(Fussy, range(6))])
