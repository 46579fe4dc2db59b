# A local variable, parameter or loop variable with the name of a remote function.
# file: work.py
def f(x):
    return x + 100


def rows():
    return [1, 2]
# file: main.py
import work
from work import f


def one(f):
    return f(1)


def two():
    f = len
    return f("abc")


def three(work):
    return work.f(2)


class Fake:
    def f(self, x):
        return "fake", x


print(one(f), one(str), two(), three(work), three(Fake()))
print([f(3) for f in (work.f, abs)], f(4))
for work in (work, Fake()):
    print(work.f(5))
