# What looks at the frame, or has effects, comes after the value.
# file: work.py
import time


def step(x):
    time.sleep(0.003)
    print("step", x)
    return x + 1
# file: main.py
import sys
import threading

import work


def local_work(n):
    return sum(i * i % 7 for i in range(n))


def looked_at():
    r = "old"
    r = work.step(1)
    y = local_work(100)
    print(sorted(locals().items()))
    r = work.step(2)
    y = local_work(200)
    print(eval("r + y"))
    r = work.step(3)
    y = local_work(300)
    frame = sys._getframe()
    print(frame.f_locals["r"], y)
    r = work.step(4)
    y = local_work(400)
    del r
    print("r" in locals(), y)


def closures():
    r = 0

    def show():
        print("shown", r)
        return r

    r = work.step(5)
    y = local_work(100)
    show()
    r = work.step(6)
    y = local_work(100) + show()
    print(y)
    return show


def generator(n):
    for i in range(n):
        r = work.step(i)
        y = local_work(100)
        yield y
        print("back", r)
        r = work.step(i + 10)
        y = local_work(100)
    return y


def traced():
    lines = []

    def trace(frame, event, arg):
        if frame.f_code.co_name == "inner":
            lines.append((event, frame.f_lineno - frame.f_code.co_firstlineno))
        return trace

    def inner():
        r = work.step(7)
        y = local_work(3)
        a = work.step(
            8,
        )
        y = local_work(3)
        return r + y + a

    sys.settrace(trace)
    try:
        inner()
    finally:
        sys.settrace(None)
    print(lines)


def in_threads():
    found = {}

    def run(k):
        r = work.step(k)
        y = local_work(1000)
        found[k] = r + y

    threads = [threading.Thread(target=run, args=(k,)) for k in (20, 30)]
    for thread in threads:
        thread.start()
        thread.join()
    print(found)


looked_at()
print(closures()())
print(list(generator(3)))
traced()
in_threads()
