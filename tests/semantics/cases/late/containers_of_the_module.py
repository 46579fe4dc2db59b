# Containers of the module's that a function changes are as they were, should the call raise.
# file: work.py
import time


def step(x):
    time.sleep(0.02)
    if x < 0:
        raise ValueError(x)
    return x
# file: main.py
import work

seen = {1, 5}
order = []
table = {}


def spin(n):
    found = []
    for u in range(40):
        found.append(u * n % 7)
    return sum(found)


def noted(xs):
    total = 0
    for x in xs:
        total += work.step(x)
        seen.add(spin(x) % 100)
        order.append(x)
        table[x] = spin(x + 1)
        print(total, spin(1))


def declared(x):
    global order
    total = work.step(x)
    order.append(spin(x))
    print(total, spin(1))
    order = []


def around():
    mine = []

    def inner(x):
        total = work.step(x)
        mine.append(spin(x))
        print(total, spin(1))

    for x in (3, -3):
        try:
            inner(x)
        except ValueError as error:
            print(repr(error), mine)


for function, given in [(noted, [-1]), (noted, [2, -2]), (declared, 4), (declared, -4)]:
    try:
        function(given)
    except ValueError as error:
        print(repr(error))
    print(sorted(seen), order, table)
around()
