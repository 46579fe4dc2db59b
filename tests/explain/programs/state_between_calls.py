# Functions of the project set between the calls what remote functions read; and what they do not.
# file: state.py
TABLE = {"n": 0}
LEVEL = 0


class Counted:
    made = 0

    def __init__(self):
        type(self).made += 1


def put(n):
    TABLE["n"] = n


def lift(n):
    global LEVEL
    LEVEL = n
# file: work.py
import state


def table(x):
    return x + state.TABLE["n"]


def level(x):
    return x + state.LEVEL


def made(x):
    return x + state.Counted.made
# file: main.py
import state
import work

for x in range(6):
    state.put(x)
    print(work.table(x))  # ahead
for x in range(6):
    state.lift(x)
    print(work.level(x))  # ahead
for x in range(6):
    state.Counted()
    print(work.made(x))  # ahead
for x in range(6):
    state.TABLE.update(n=x)
    print(work.table(x))  # ahead
for x in range(6):
    state.lift(x)
    print(work.table(x))  # ahead
