# A traceback goes through properties, kept ones and inherited ones, as it does in the plain program.
# stderr: whole
# file: work.py
def picky(x):
    if x == 3:
        raise ValueError(f"not {x}")
    return x + 100
# file: main.py
import functools

from work import picky


class Point:
    def __init__(self, x):
        self.x = x

    @property
    def score(self):
        return (
            picky(self.x)
            + 1
        )

    @functools.cached_property
    def kept(self):
        return self.score


class Better(Point):
    @property
    def score(self):
        return super().score


for n in range(6):
    print(
        Better(n)
        .kept
    )
