# Names, defaults and attributes lead to one object: it is one in replicas, too, and each has what it holds.
# file: work.py
A = [1]
B = None
T = {"a": [0]}


class Box:
    items = None


def f(x):
    return A is B, any(A is one for one in B or ()), Box.items is A, A, x


def g(x, options=T, *, more=(T, A)):
    return options["a"], more[0]["a"], more[0] is options, more[1] is A, x


def h(x):
    return T["a"], T["a"] is B, x


class Kept:
    def __init__(self, v):
        self.v = v
        self.kids = []


FIRST = Kept(1)
SECOND = FIRST


def k(x, one=FIRST):
    return x, one.kids, SECOND.kids, FIRST.kids
# file: main.py
import work


def show():
    print(work.f(1), work.g(2), work.h(3))


show()
work.B = work.A
show()
work.A.append(2)
show()
work.B = [work.A]
show()
work.Box.items = work.A
work.T["a"].append(work.A)
show()
work.A.clear()
show()
work.B = None
show()
work.T = {"a": work.A}
show()
work.A = [5]
show()
work.B = work.T["a"]
show()
work.FIRST = work.Kept(1)
work.SECOND.kids.append(5)
print(work.k(9))
