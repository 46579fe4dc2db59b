# What a library keeps under a name and compares by identity is its own in a replica, too.
# file: cord.toml
[remote.main]
replicas = 2
callstyle = "async"
pure = true
only = ["walk", "held", "described", "other"]
# file: machine.py
class Action:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name


class Counted:
    def __init__(self):
        self.count = 0
        self.seen = []


class Equal:
    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return isinstance(other, Equal) and self.name == other.name

    __hash__ = None


SHIFT = Action("shift")
REDUCE = Action("reduce")
COUNTED = Counted()
EQUAL = Equal("equal")


class Machine:
    def __init__(self, text):
        self.table = [SHIFT if letter.islower() else REDUCE for letter in text]

    def walk(self, start):
        found = []
        for action in self.table[start:]:
            if action is SHIFT:
                found.append("s")
            elif action is REDUCE:
                found.append("r")
            else:
                raise TypeError(f"no action: {action!r}")
        return "".join(found)
# file: main.py
import machine

MACHINE = machine.Machine("abCdEf")
HELD = {"counted": machine.COUNTED, "equal": machine.EQUAL, "action": machine.REDUCE}
LONE = machine.Action("shift")


def walk(start):
    return MACHINE.walk(start)


def held(name):
    value = HELD[name]
    return sorted(vars(value).items())


def described(name):
    return HELD["action"] is machine.REDUCE, HELD["action"].name + name


def other(name):
    return LONE is machine.SHIFT, LONE.name + name


for start in range(4):
    print(walk(start))
for name in HELD:
    print(held(name), described(name), other(name))
machine.COUNTED.seen.append(3)
machine.COUNTED.count += 1
machine.EQUAL.name = "changed"
machine.REDUCE.name = "renamed"
for name in HELD:
    print(held(name), described(name)[1])
