# What `match` looks at may run code of the program: properties, metaclasses, `__eq__`.
# file: work.py
def f(x):
    return x
# file: main.py
import work


class Meta(type):
    def __instancecheck__(cls, instance):
        print("asked", cls.__name__)
        return type.__instancecheck__(cls, instance)


class Checked(metaclass=Meta):
    __match_args__ = ("x",)

    def __init__(self, x):
        self.x = x


class Shown:
    __match_args__ = ("size", "other")

    def __init__(self, size):
        self._size = size

    @property
    def size(self):
        print("size", self._size)
        return self._size

    def __getattr__(self, name):
        print("no", name)
        raise AttributeError(name)


class Same:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        print("equal?", self.n, other)
        return self.n == other


class Point:
    def __init__(self, x, y=0):
        self.x, self.y = x, y


things = [Checked(1), Shown(2), Same(3), Point(4), Point(5, 6), Shown(7), Checked(8), None, {"a": 1}]
for thing in things:
    match thing:
        case Checked(x) if work.f(x) > 4:
            print("checked", x)
        case Shown(size, other=o):
            print("never", o)
        case Shown(size=size):
            print("shown", work.f(size))
        case Same(n=3) as same:
            print("same", work.f(same.n), same == 3)
        case Point(x=x, y=0) | Point(x=0, y=x):
            print("on an axis", work.f(x))
        case Point(x=x) if x % 2:
            print("point", work.f(x))
        case {"a": 1}:
            print("mapping", work.f(9))
        case _:
            print("other", work.f(0))
x = size = None
try:
    match things[3]:
        case Point(1, 2):
            print("no")
except TypeError as error:
    print(error)
print(x, size)
