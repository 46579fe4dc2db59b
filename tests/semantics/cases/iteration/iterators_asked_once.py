# A loop asks for an iterator once, and only what it walks: not the iterator again.
# file: work.py
def f(x):
    return x
# file: main.py
from enum import Enum, Flag, auto

import work


class Loud:
    def __init__(self, items):
        self.items = items
        self.at = 0

    def __iter__(self):
        print("iter", self.items)
        return self

    def __next__(self):
        if self.at == len(self.items):
            raise StopIteration
        self.at += 1
        return self.items[self.at - 1]


class Wrapper:
    def __init__(self, inner):
        self.inner = inner

    def __iter__(self):
        print("wrapped")
        return iter(self.inner)


class Generated:
    def __iter__(self):
        print("begun")
        for n in range(3):
            print("item", n)
            yield n
        print("ended")


class Broken:
    def __iter__(self):
        return 5


class Mode(Enum):
    FAST = 1
    SLOW = 2
    ALSO = 1


class Access(Flag):
    READ = auto()
    WRITE = auto()


class Names(type):
    def __iter__(cls):
        print("class")
        return iter(cls.names)


class Table(metaclass=Names):
    names = ["a", "b"]


for walked in (Loud([1, 2]), Wrapper([3, 4]), Wrapper(Loud([5])), Generated(), Mode, Access, Table):
    for item in walked:
        print(work.f(str(item)))
        if item == 4:
            break
    print([work.f(str(item)) for item in walked])
try:
    for item in Broken():
        print(work.f(item))
except TypeError as error:
    print(error)
generated = iter(Generated())
for n in generated:
    print(work.f(n))
    break
print([work.f(n) for n in generated])
