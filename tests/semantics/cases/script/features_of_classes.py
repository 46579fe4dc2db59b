# All kinds of classes of the main script work in replicas.
# file: work.py
def call(function, *args):
    return function(*args)


def use(value, name, *args):
    found = getattr(value, name)
    return found(*args) if callable(found) else found


def same(value):
    return value
# file: main.py
import abc
import functools
from collections import OrderedDict, UserDict
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import work

T = TypeVar("T")


class Registry(type):
    known = []

    def __new__(mcs, name, bases, body, **kwargs):
        made = super().__new__(mcs, name, bases, body)
        made.short = name[:2].lower()
        return made


class Named(metaclass=Registry):
    pass


class Plugin:
    loaded = {}

    def __init_subclass__(cls, *, code=0, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.code = code


class One(Plugin, code=11):
    pass


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...

    def doubled(self):
        return self.area() * 2


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2

    def doubled(self):
        return super().doubled() + 0.5


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner):
        return self if instance is None else getattr(instance, self.name)

    def __set__(self, instance, value):
        setattr(instance, self.name, abs(value))


class Account:
    balance = Positive()

    def __init__(self, balance):
        self.balance = balance

    @property
    def rich(self):
        return self.balance > 100

    @functools.cached_property
    def slow(self):
        return self.balance * 3


@dataclass(slots=True, frozen=True)
class Cell(Generic[T]):
    value: T

    def __add__(self, other):
        return Cell(self.value + other.value)


@functools.total_ordering
class Version:
    def __init__(self, text):
        self.parts = tuple(map(int, text.split(".")))

    def __eq__(self, other):
        return self.parts == other.parts

    def __lt__(self, other):
        return self.parts < other.parts

    def __hash__(self):
        return hash(self.parts)

    def __repr__(self):
        return ".".join(map(str, self.parts))


class Sized(Protocol):
    def __len__(self) -> int: ...


class Config(UserDict):
    def __missing__(self, key):
        return f"no {key}"


class Stack(list):
    def top(self):
        return self[-1]


class Lazy:
    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return name.upper()


class Outer:
    class Inner:
        def __init__(self, x):
            self.x = x

        def get(self):
            return self.x


print(work.use(Named(), "short"), work.use(One(), "code"), One.code)
print(work.use(Square(3), "doubled"), work.call(isinstance, Square(1), Shape))
account = work.same(Account(-120))
print(account.balance, account.rich, account.slow, work.use(account, "slow"), work.use(account, "rich"))
print(work.call(lambda a, b: a + b, Cell(1), Cell(2)), work.same(Cell("x")))
print(work.call(sorted, [Version("1.10"), Version("1.2")]), work.same({Version("1.0")}))
print(work.use(Config(a=1), "__getitem__", "b"), work.same(Config(a=1)))
print(work.use(Stack([1, 2]), "top"), type(work.same(Stack([1]))) is Stack)
print(work.use(Lazy(), "name"), work.use(Outer.Inner(5), "get"), type(work.same(Outer.Inner(1))))


def local():
    class Local:
        def __init__(self, v):
            self.v = v

        def again(self):
            return Local(self.v + 1)

    made = work.use(Local(3), "again")
    return type(made) is Local, made.v


print(local())
try:
    work.call(Shape)
except TypeError as error:
    print("abstract", "area" in str(error))
