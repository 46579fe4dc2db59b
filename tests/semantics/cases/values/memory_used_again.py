# Large arrays are changed by those who were given them, kept, freed, made again and passed to
# several calls: every call sees what the program has at that moment, and every result stays as it is.
# told: 2
# file: work.py
import numpy as np

SIZE = 200_000


def copied(x):
    return x.copy()


def total(x, i):
    return int(x.sum()) + i


def scratch(x, i):
    before = int(x[::1000].sum())
    x[i * 1000 : (i + 5) * 1000] = -1
    return before, int((x == -1).sum())


def made(i):
    return np.full(SIZE, i)


def halves(x):
    return x[: SIZE // 2], x[SIZE // 2 :]


def both(pair):
    x, y = pair
    y[:10] = 7
    return x is y, int(x.sum()), int(y.sum())


# file: main.py
import copy
import gc
import os

import numpy as np
import work


def unchanged():
    x = np.arange(work.SIZE)
    print([work.total(x, i) for i in range(12)])


def changed_in_between():
    x = np.arange(work.SIZE)
    seen = []
    for i in range(12):
        if i % 3 == 0:
            x[i] += 1000
        seen.append(work.total(x, i))
    print(seen)


def changed_by_whom_the_loop_does_not_know(change):
    x = np.arange(work.SIZE)
    for i in range(12):
        change(x, i)
        print(work.total(x, i), end=" ")
    print()


def made_anew_at_the_same_place():
    for i in range(12):
        x = np.full(work.SIZE, i)
        print(work.total(x, i), end=" ")
        del x
    print()


def written_by_replicas():
    print([work.scratch(np.zeros(work.SIZE, dtype=int), i) for i in range(12)])
    print([work.scratch(work.made(i), i) for i in range(12)])


def results_are_the_programs_own():
    x = np.arange(work.SIZE)
    kept = []
    for i in range(10):
        y = work.copied(x)
        y[i] = -5
        kept.append(y)
        x[i] = 3
    print([int(y.sum()) for y in kept], int(x.sum()))
    again = [work.copied(y) for y in kept]
    kept.clear()
    gc.collect()
    print([int(y.sum()) for y in again], [int(y[:12].min()) for y in again])
    for y in again:
        y += 1
    print([work.total(y, 0) for y in again])


def some_are_dropped():
    kept = []
    for i in range(24):
        y = work.made(i)
        if i % 3:
            kept.append(y)
        else:
            y[:] = -1
    print([int(y[0]) for y in kept], all((y == y[0]).all() for y in kept))


def parts_of_results():
    left, right = work.halves(np.arange(work.SIZE))
    left[:] = 0
    print(int(right.sum()), int(left.sum()))
    for i in range(5):
        left, right = work.halves(work.made(i))
        right += 1
        print(int(left.sum()), int(right.sum()), end=" ")
    print()


def one_object_twice():
    def pair(same):
        x = np.ones(work.SIZE, dtype=int)
        return x, x if same else x.copy()

    print([work.both(pair(i % 2)) for i in range(8)])


def bytes_and_more():
    x = bytearray(os.urandom(1 << 20))
    for i in range(6):
        x[i] ^= 255
        print(work.copied(x) == x, end=" ")
    view = np.frombuffer(x, dtype=np.uint8)
    for i in range(6):
        x[i] = i
        print(int(work.copied(view)[:8].sum()) == int(view[:8].sum()), end=" ")
    print()


def child_process():
    x = np.arange(work.SIZE)
    y = work.copied(x)
    print(work.total(y, 0), flush=True)
    pid = os.fork()
    if pid == 0:
        y[:] = 0
        z = work.copied(y)
        z[0] = 9
        del x, y, z
        gc.collect()
        os._exit(0)
    print([work.total(y, i) for i in range(6)])
    os.waitpid(pid, 0)
    print([work.total(copy.copy(work.copied(y)), i) for i in range(6)])


unchanged()
changed_in_between()
changed_by_whom_the_loop_does_not_know(lambda x, i: x.__setitem__(i, -i))
changed_by_whom_the_loop_does_not_know(lambda x, i: None if i % 5 else x.fill(i))
made_anew_at_the_same_place()
written_by_replicas()
results_are_the_programs_own()
some_are_dropped()
parts_of_results()
one_object_twice()
bytes_and_more()
child_process()
