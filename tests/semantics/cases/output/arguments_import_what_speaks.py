# A replica imports the module of an argument's class, which has said what it says in the client.
# file: work.py
def f(box, x):
    print("f", x)
    return box.value + x
# file: boxes.py
import sys

print("boxes are imported")
print("on stderr", file=sys.stderr)


class Box:
    def __init__(self, value):
        self.value = value

    def __setstate__(self, state):
        print("only a copy")
        self.__dict__ = state

    def odd(self):
        return 8[0]
# file: main.py
import work
from boxes import Box

for i in range(4):
    print(work.f(Box(i), i))
