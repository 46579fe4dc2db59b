# What Python warns of when it compiles the program is shown once, whatever is compiled later.
# stderr: whole
# file: work.py
def f(x):
    return (x * 7 + 3) % 11


def weigh(thing):
    return thing.weight() + 1


# file: main.py
import warnings

from work import f, weigh


class Thing:
    def __init__(self, value):
        self.value = value

    def weight(self):
        return self.value (1) if self.value > 9 else 3


def once():
    warnings.warn("shown once")


def run():
    for x in range(6):
        once()
        print(f(x) if x is 1 else f(x + 1), f(() is x or 2))
        try:
            print(f(3 [1:]) if f(x) > 4 else f(x))
        except TypeError as error:
            print(error)
        assert (f(x), "always true")
        print(weigh(Thing(f(x) % 5)))
    once()


run()
