# Slots without a value, __getattr__ and __getattribute__ with effects, in arguments.
# file: work.py
def f(*args):
    return repr(args)
# file: things.py
class Slotted:
    __slots__ = ("value",)

    def __getattr__(self, name):
        print("missing", name)
        return 7


class Watched:
    def __init__(self, value):
        self.value = value

    def __getattribute__(self, name):
        if name == "value":
            print("reading", name)
        return object.__getattribute__(self, name)

    def __repr__(self):
        return "Watched"
# file: main.py
import work
from things import Slotted, Watched

slotted, watched = Slotted(), Watched(3)
for i in range(4):
    print(i, work.f(i, slotted.value))
    print(i, work.f(i, watched.value))
