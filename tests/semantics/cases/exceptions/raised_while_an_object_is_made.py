# A traceback goes through __init__ and __post_init__ as it does in the plain program.
# stderr: whole
# file: work.py
def picky(x):
    if x == 3:
        raise ValueError(f"not {x}")
    return x + 100
# file: main.py
from dataclasses import dataclass

from work import picky


@dataclass
class Inner:
    x: int

    def __post_init__(self):
        self.value = picky(
            self.x
        )


class Base:
    def __init__(self, x):
        self.inner = Inner(x)


class Outer(Base):
    def __init__(self, x):
        super().__init__(
            x
        )
        self.more = picky(x + 10)


for n in range(6):
    print(
        Outer(
            n
        ).more
    )
