# Functions registered between the calls, abstract classes, and a class that says it is another.
# file: work.py
def name(kind, value): return f"{kind}:{value}"
# file: main.py
from collections.abc import Sequence
from functools import singledispatch

import work


class Liar:
    __class__ = property(lambda self: int)


@singledispatch
def told(value):
    return work.name("any", type(value).__name__)


@told.register
def _(value: int):
    return work.name("int", type(value).__name__)


def show(things):
    for thing in things:
        print(told(thing))


things = [1, True, "a", (1,), [2], 2.5, None, {3}]
show(things)


@told.register(Sequence)
def _(value):
    return work.name("sequence", len(value))


show([*things, Liar()])


@told.register
def _(value: bool):
    return work.name("bool", value)


show([Liar(), *things])
try:
    told()
except TypeError as error:
    print(error)
