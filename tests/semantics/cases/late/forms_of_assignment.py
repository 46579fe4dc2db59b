# Values that are unpacked, thrown away, assigned with a type, two at once.
# stderr: whole
# file: work.py
import time


def pair(x):
    time.sleep(0.005)
    return [x, x + 1] if x < 5 else [x]


def noisy(x):
    time.sleep(0.005)
    print("noisy", x)
    if x == 3:
        raise KeyError(x)
    return x
# file: main.py
import work


def local_work(n):
    values = []
    for i in range(n):
        values.append(i * i)
    return sum(values)


def unpacked(x):
    y = 0
    a = b = None
    try:
        a, b = work.pair(x)
        y = local_work(100)
        print(a, b, y)
    except ValueError as error:
        print(error, error.__context__, a, b, y)


def both(x):
    first: int = work.noisy(x)
    second = work.noisy(
        x + 1,
    )
    y = local_work(50)
    print(second, y)
    print(first)
    work.noisy(x + 2)
    z = [local_work(k) for k in range(10)]
    print(z)


for x in (1, 5):
    unpacked(x)
for x in (0, 1, 2, 3):
    try:
        both(x)
    except KeyError as error:
        print("no", error, repr(error.__context__))

a, (b, c) = 1, work.pair(2)
y = local_work(10)
print(a, b, c, y)
[a, b] = work.pair(3)
y = local_work(10)
print(a, b, c, y)
work.noisy(7)
y = local_work(1000)
a, b = work.pair(6)
y = local_work(1000)
