# A value that is used only in the next turn of a loop.
# file: work.py
import time


def step(x):
    time.sleep(0.002)
    if x % 11 == 10:
        raise ValueError(f"no step from {x}")
    return x * 3 + 1
# file: main.py
import work


def local_work(n):
    return sum(i * i for i in range(n)) % 13


def counted(turns):
    r, y = work.step(1), 0
    for turn in range(turns):
        y += local_work(500 + turn)
        r = r % 1000 + y
        print(turn, r)
        r = work.step(r)
        found = [local_work(k) for k in range(20)]
        if turn == 3:
            continue
        y += len(found)
    return r, y


def awaited(limit):
    r = total = n = 0
    while n < limit:
        part = local_work(300 + n)
        total += part
        if n:
            total += r
        r = work.step(n + part)
        n += 1
        if total > 10_000:
            break
    return r, total


def pending_at_the_end(n):
    results = []
    for k in range(n):
        r = work.step(k)
        results.append(local_work(100 * k))
    print(results)
    return r


try:
    print(counted(8))
except ValueError as error:
    print(error)
for limit in (3, 9, 30):
    try:
        print(awaited(limit))
    except ValueError as error:
        print(error)
print(pending_at_the_end(5))
try:
    print(pending_at_the_end(15))
except ValueError as error:
    print(error)
