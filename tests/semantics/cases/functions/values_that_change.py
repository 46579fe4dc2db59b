# What a name, a table or an attribute calls is changed between the calls.
# file: work.py
def nap(x, y=0):
    return x * 7 + y


def picky(x):
    if x == 3:
        raise ValueError(f"not {x}")
    return x
# file: main.py
from work import nap, picky


class Runner:
    def __init__(self, function):
        self.function = function

    def run(self, x):
        return self.function(x)


def plus(x):
    return nap(x) + 1


table = {"f": nap}
runner = Runner(nap)
current = nap
for x in range(8):
    print(table["f"](x), runner.run(x), runner.function(x), current(x))
    if x == 2:
        table["f"] = plus
        runner.function = str
        current = picky if False else plus
    if x == 4:
        table["f"] = lambda x: ("lambda", x)
        runner.run = lambda x: -nap(x)
        current = [].append


def choose(flag):
    return nap if flag else plus


print([choose(x % 2)(x) for x in range(6)], [(nap if x % 3 else plus)(x) for x in range(6)])
print([(lambda y: nap(y, x))(x) for x in range(4)])
