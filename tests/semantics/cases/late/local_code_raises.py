# Local work raises while a call is under way: the outcome of the call comes first.
# stderr: whole
# file: work.py
import time


def inverse(x):
    time.sleep(0.01)
    print("inverse of", x)
    return 1 / x
# file: main.py
import work


def local_work(n, divisor):
    total = 0
    for i in range(n):
        total += i * i % 7
    return total // divisor


def attempt(x, divisor):
    r = y = "old"
    try:
        r = work.inverse(x)
        y = local_work(1000, divisor)
        print("both", r, y)
    except ZeroDivisionError as error:
        print("caught", error, r, y, repr(error.__context__))
        lines = []
        traceback = error.__traceback__
        while traceback is not None:
            lines.append((traceback.tb_frame.f_code.co_name, traceback.tb_lineno))
            traceback = traceback.tb_next
        print(lines[:2])
    try:
        try:
            {}["missing"]
        except KeyError:
            r = work.inverse(x)
            y = local_work(1000, divisor)
            print("both", r, y)
    except ZeroDivisionError as error:
        print("caught", error, r, y, repr(error.__context__))


for x in (1, 0):
    for divisor in (1, 0):
        attempt(x, divisor)

for x in (5, 4):
    r = work.inverse(x)
    y = local_work(500, x - 4)
    print(r + y)
