# Helpers, builtins and class attributes are replaced while the loop runs.
# file: tools.py
def prepare(x):
    return x + 1
# file: work.py
def f(x):
    return x * 10
# file: main.py
import builtins

import tools
import work


def local(x):
    return work.f(tools.prepare(x))


def other(x):
    return -x


class Config:
    factor = 1

    def value(self, x):
        return abs(x) * self.factor


config, real_abs = Config(), abs
for i in range(9):
    print(local(i), work.f(config.value(-i)), end=" ")
    if i == 2:
        tools.prepare = lambda x: x + 1000
    if i == 3:
        Config.factor = 2
    if i == 4:
        config.factor = 3
    if i == 5:
        local = other
    if i == 6:
        builtins.abs = lambda x: 7
    if i == 7:
        builtins.abs = real_abs
        Config.value = lambda self, x: "new"
        range = list
print(work.f(local(1)), range("ab"))
