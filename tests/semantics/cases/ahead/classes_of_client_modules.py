# Objects of the program's own modules travel: slots, subclasses of builtins, own reductions.
# file: models.py
from dataclasses import dataclass


@dataclass
class Job:
    n: int
    parts: list


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


class Bag(list):
    label = None

    def __len__(self):
        return 99


class Grade(float):
    def __repr__(self):
        return f"Grade({float(self)})"


class Coded:
    def __init__(self, code):
        self.code = code

    def __reduce__(self):
        return Coded, (self.code,)
# file: work.py
def look(x):
    return type(x).__name__, getattr(x, "__dict__", None), x


def part(job):
    return sum(job.parts) * job.n
# file: main.py
import models
import work

job, slotted, bag = models.Job(2, [1]), models.Slotted([1]), models.Bag("ab")
for i in range(4):
    job.parts.append(i)
    slotted.a.append(i)
    bag.label = i
    print(work.part(job), work.look(job), work.look(slotted)[2].a, hasattr(slotted, "b"))
    kind, state, back = work.look(bag)
    print(kind, state, list(back), len(back), back.label, type(back) is models.Bag)
    bag.append(i)
    slotted.b = i
print(work.look(models.Grade(1.5)), work.look(models.Coded("c"))[2].code, work.look(1.5))
