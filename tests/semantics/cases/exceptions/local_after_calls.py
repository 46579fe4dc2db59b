# Local code raises between calls: the outcome of earlier calls comes first.
# stderr: whole
# file: work.py
import time


def f(x):
    time.sleep(0.002)
    if x == 3:
        raise ValueError("three")
    return x
# file: main.py
import work


def run(start):
    a = work.f(start)
    b = work.f(start + 1)
    c = [1, 2, 3][start]
    d = work.f(start + 2)
    return a + b + c + d


for start in (0, 1, 2, 3):
    try:
        print(run(start))
    except (ValueError, IndexError) as error:
        print(type(error).__name__, error)
xs = [4, 5]
for i in range(3):
    r = work.f(i + 10)
    print(r, xs[i])
