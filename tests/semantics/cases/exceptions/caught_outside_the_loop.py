# The exception leaves the loop; which turns ran, and the locals, are those of plain Python.
# file: work.py
import time


def f(x):
    time.sleep(x % 2 / 1000)
    if x in (5, 6):
        raise ValueError("bad", x)
    return x * 10
# file: main.py
import work


def run(xs):
    done = []
    try:
        for x in xs:
            print("start", x)
            done.append(work.f(x))
        print("all")
    except ValueError as error:
        print(error.args, x, done)
        return x
    finally:
        print("finally", done)


print(run(range(4)), run(range(3, 9)), run([6, 5]))
try:
    print([work.f(x) for x in range(10)])
except ValueError as error:
    print("comprehension", error)
