# The program's own code runs on the way: properties, operators, functions, context managers.
# file: cord.toml
[remote.work]
replicas = 4
callstyle = "async"
independent = true
# file: work.py
import os
import time


def send(name, *more):
    with open(f"to_{name}", "a") as mail:  # one line for each time
        mail.write(f"{more}\n")
    time.sleep(0.003)
    return name


def fail(name):
    send(name)
    raise ValueError(name)


# file: main.py
from contextlib import contextmanager
from work import send

steps = []


class Person:
    def __init__(self, name):
        self._name = name

    @property
    def name(self):
        print("asked for", self._name)
        if self._name == "eve":
            raise LookupError("no eve")
        return self._name

    def __bool__(self):
        steps.append(self._name)
        return len(steps) % 2 == 0

    def __str__(self):
        steps.append(0)
        return f"{self._name}{len(steps)}"

    def __iter__(self):
        steps.append(1)
        return iter(self._name)


people = [Person(name) for name in ("ann", "bob", "eve", "dee")]
try:
    for person in people:
        send(person.name)
except LookupError as error:
    print(error)
for person in people:
    if person:
        send(f"a_{person._name}")
for person in people:
    send(f"{person}")
for person in people:
    for letter in person:
        send(f"b{letter}{len(steps)}")


def checked(name):
    if len(name) > 2:
        raise ValueError(name)
    return name


def sent(name):
    print("sending", name)
    return send(f"c{name}")


try:
    for name in ["x", "y", "zzz", "u"]:
        send(checked(name))
except ValueError as error:
    print("not", error)
for name in ["x", "y", "z"]:
    sent(name)


@contextmanager
def told(name):
    print("in", name)
    yield
    print("out", name)


for name in ["x", "y"]:
    with told(name):
        for number in range(3):
            send(f"d{name}{number}")
