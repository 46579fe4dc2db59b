# Functions give back the large arrays that they were given, parts of them, and arrays that they have
# kept: each result stays as it was, whatever the program, the replica and later calls do.
# told: 3
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true

[remote.work.functions.looked_up]
resident = ["x"]

[remote.moved]
replicas = 2
callstyle = "async"
pure = true
topology = "full"
overload = "load >= 2"
share = "1/2"

[remote.stock]

[remote.far]
transport = "tcp"
# file: work.py
import numpy as np
import stock

SIZE = 150_000


def same(x, i=0):
    return x


def rest(x, i):
    return x[i:]


def scaled(x, i):
    x *= i
    return x


def either(x, i):
    if i % 3 == 0:
        x[i] = -7
    return x


def swapped(x, y):
    return y, x


def made(i):
    return np.full(SIZE, i)


def total(x, i):
    return int(x.sum()) + i


def looked_up(x, i):
    return x if i % 2 else x[i:]


def through(x):
    return stock.same(x)


# file: moved.py
import time


def same(x, i):
    time.sleep(0.01 * (i % 2))
    return x


# file: stock.py
kept = []


def keep(x):
    kept.append(x)
    return x


def last():
    return kept[-1]


def count():
    return len(kept), [int(x[3]) for x in kept]


def same(x):
    return x


# file: far.py
def same(x, i=0):
    return x


# file: main.py
import far
import moved
import numpy as np
import stock
import work

SIZE = work.SIZE


def ahead():
    x = np.arange(SIZE)
    results = [work.same(x.copy(), i) for i in range(12)]
    for i, y in enumerate(results):
        y[i:] = -i
    print([int(y.sum()) for y in results], int(x.sum()))


def changed_in_between():
    x = np.arange(SIZE)
    seen = []
    for i in range(12):
        y = work.same(x.copy(), i)
        y[i] += 1000
        x[i + 1] = -i
        seen.append(y)
    print([int(y.sum()) for y in seen])


def parts():
    x = np.arange(SIZE)
    for i in range(8):
        y = work.rest(x.copy(), i * 100)
        z = work.rest(y, 1)
        print(len(y), len(z), int(z[0]), int(z.sum()), end=" ")
        y[:] = i
        print(int(y.sum()), end=" ")
    print()


def written_by_some():
    print([int(work.scaled(np.arange(SIZE), i).sum()) for i in range(8)])
    for i in range(12):
        y = work.either(np.arange(SIZE), i)
        print(int(y.sum()), end=" ")
    print()


def fed_back():
    y = work.made(1)
    for i in range(10):
        y = work.same(y, i)
        if i % 4 == 3:
            y[i] += i
        print(work.total(y, i), end=" ")
    print()


def only_passed_on():
    for i in range(6):
        print(work.total(work.same(work.rest(work.made(i), i), i), i), end=" ")
    print()


def compared_with_what_was_asked():
    results = [work.made(i) for i in range(4)]
    for turn in range(3):
        print([work.total(y, turn) for y in results], end=" ")
        results[turn][turn] = 50
        for y in results:
            print(work.total(y, turn), end=" ")
            y[-1] = turn
    print()


def written_by_whom_the_loop_does_not_know(change):
    results = [work.made(i) for i in range(9)]
    for i in range(8):
        print(work.total(results[i], i), end=" ")
        change(results[i + 1], -i)
    print()


def values_that_scouts_have_too():
    for i in range(8):
        y = work.same(np.full(SIZE, i), i)
        z = work.same(y, int(y[1]))
        print(work.total(z, int(z[2])), int(y.sum()), end=" ")
        y = np.negative(y)
        print(work.total(y, int(y[0])), end=" ")
    print()


def some_are_never_asked_for():
    for turn in range(6):
        for i in range(8):
            y = work.same(np.full(SIZE, turn * 10 + i), i)
            if i == turn:
                break
        print(int(y.sum()), end=" ")
        y[:] = -1
    print()


def changed_places():
    x, y = np.zeros(SIZE, dtype=int), np.ones(SIZE, dtype=int)
    for i in range(6):
        x, y = work.swapped(x, y)
        x[i] = 9
    print(int(x.sum()), int(y.sum()))


def kept_there():
    for i in range(5):
        y = stock.keep(np.full(SIZE, i))
        z = stock.last()
        print(int(y.sum()) == int(z.sum()), stock.count())
        y = z = None
    print(int(stock.last()[0]))


def kept_for_calls_that_come():
    x = np.arange(SIZE)
    for i in range(8):
        y = work.looked_up(x, i)
        print(len(y), int(y.sum()), end=" ")
    print(int(x.sum()))


def passed_between_replicas():
    results = [moved.same(np.full(SIZE, i), i) for i in range(16)]
    for y in results:
        y += 1
    print([int(y[5]) for y in results])


def by_other_ways():
    x = np.arange(SIZE)
    for i in range(4):
        y = far.same(work.same(x.copy(), i), i)
        z = work.same(far.same(y.copy()), i)
        y[i] = -1
        print(int(y.sum()), int(z.sum()), int(work.through(z).sum()), end=" ")
    print()


ahead()
changed_in_between()
parts()
written_by_some()
fed_back()
only_passed_on()
compared_with_what_was_asked()
written_by_whom_the_loop_does_not_know(lambda y, i: y.__setitem__(0, i))
written_by_whom_the_loop_does_not_know(lambda y, i: y.fill(i) if i % 3 else None)
values_that_scouts_have_too()
some_are_never_asked_for()
changed_places()
kept_there()
kept_for_calls_that_come()
passed_between_replicas()
by_other_ways()
