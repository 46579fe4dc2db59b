# Handlers registered with atexit make calls themselves, last registered first.
# file: work.py
def f(x):
    return f"<{x}>"
# file: main.py
import atexit

import work


@atexit.register
def first():
    print("first", [work.f(i) for i in range(4)])


def second(x):
    print("second", work.f(x))


atexit.register(second, work.f("argument"))
for i in range(3):
    print(work.f(i))
raise SystemExit(5)
