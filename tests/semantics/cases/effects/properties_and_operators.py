# Properties, operators, subscripts and attribute hooks with effects in the arguments.
# file: work.py
def f(*x):
    return x
# file: main.py
import work


class Meter:
    def __init__(self):
        self.reads = 0

    @property
    def value(self):
        self.reads += 1
        print("read", self.reads)
        return self.reads

    def __add__(self, other):
        print("add", other)
        self.reads += other
        return self.reads

    def __getitem__(self, key):
        print("item", key)
        return key * 2

    def __getattr__(self, name):
        print("attr", name)
        return len(name)

    def __contains__(self, x):
        print("in", x)
        return x > 2

    def __bool__(self):
        print("bool")
        return True

    def __call__(self, x):
        print("call", x)
        return x - 1

    def __lt__(self, other):
        print("lt", other)
        return False

    def __neg__(self):
        print("neg")
        return -self.reads

    def __format__(self, spec):
        print("format", spec)
        return "M"


meter = Meter()
for i in range(4):
    print(work.f(meter.value), work.f(meter + i, meter[i]), work.f(meter.unknown, i in meter))
    print(work.f(meter(i), meter < i, -meter), work.f(i if meter else 0), work.f(f"{meter:x}"))
