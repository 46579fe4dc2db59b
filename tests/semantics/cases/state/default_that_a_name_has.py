# An object that a module names is the default of a function: the program changes it in place.
# file: work.py
import time
from dataclasses import dataclass, field


@dataclass
class Options:
    rate: float = 1.0
    tags: list = field(default_factory=list)


DEFAULT = Options()


def f(x, options=DEFAULT, *, more=(DEFAULT, [1])):
    time.sleep(0.002)
    return x * options.rate, len(options.tags), more[0].rate, more[1]
# file: main.py
import work

print(work.f(2))
work.DEFAULT.rate = 5
work.DEFAULT.tags.append(1)
print(work.f(2), work.f(3))
print(work.f(2, options=work.Options(3)))
work.DEFAULT.rate = 1.0
work.DEFAULT.tags.clear()
print(work.f(2), work.f(3))
