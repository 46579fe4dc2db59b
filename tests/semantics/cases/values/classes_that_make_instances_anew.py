# Instances travel without code of their classes that makes others, and does more than that.
# file: work.py
import threading

made = []


class Counted:
    def __init__(self, number):
        self.number = number
        made.append(number)

    def __reduce__(self):
        return Counted, (self.number,)


class Locked:
    def __init__(self, number):
        self.number = number
        self.lock = threading.Lock()

    def __reduce__(self):
        return Locked, (self.number,)


def double(thing):
    return thing.number * 2


def same(thing):
    return thing
# file: main.py
import work

for kind in (work.Counted, work.Locked):
    things = [kind(number) for number in range(4)]
    print([work.double(thing) for thing in things])
    print([work.same(thing).number for thing in things])
print(work.made)
