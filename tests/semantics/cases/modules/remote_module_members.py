# Constants, classes and private names of a remote module are the client's own; code of the
# remote module calls its own functions locally.
# file: work.py
"""The remote one."""

FACTOR = 3
_private = {"k": 1}


class Model:
    """A class of the remote module."""

    def __init__(self, n):
        self.n = n

    def predict(self, x):
        return scale(self.n + x)

    @property
    def half(self):
        return self.n / 2


def scale(x: int, by: "int | None" = None) -> int:
    """Multiply."""
    return x * (FACTOR if by is None else by)


def make(n):
    return Model(n)


def use(model, x):
    model.n += 1
    return model.predict(x)
# file: main.py
import inspect

import work

print(work.FACTOR, work._private, work.__doc__, work.__name__)
print(work.scale.__name__, work.scale.__doc__, inspect.signature(work.scale), work.scale.__module__)
model = work.Model(2)
print(model.predict(5), model.half, isinstance(work.make(3), work.Model), work.make(4).predict(1))
for x in range(3):
    m = work.make(x)
    print(m.predict(x), work.scale(x), callable(work.scale))
