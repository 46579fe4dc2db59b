# The computation of an argument raises: the turns before it are done, those after are not.
# stderr: whole
# file: work.py
def f(x):
    print("f", x)
    return x
# file: main.py
import work


def run(items):
    total = 0
    for item in items:
        print("item", item)
        total += work.f(10 // item)
    return total


try:
    run([5, 2, 0, 1])
except ZeroDivisionError as error:
    print("caught", error)
try:
    print([work.f(x.upper()) for x in ("a", "b", 3, "c")])
except AttributeError as error:
    print(error)
table = {"a": 1}
try:
    for key in "ab":
        work.f(table[key])
except KeyError as error:
    print(repr(error))
run([1, 0])
