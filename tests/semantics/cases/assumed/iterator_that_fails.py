# An exception of an iterator comes at its turn, once, as it is.
# stderr: whole
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
[assume]
pure = ["search.numbers", "search.parse"]
# file: search.py
def numbers(end, bad):
    for number in range(end):
        if number == bad:
            raise ValueError(f"bad number {number}")
        yield number


def parse(lines):
    return map(int, lines)
# file: work.py
def square(x):
    return x * x
# file: main.py
import work
from search import numbers, parse

items = numbers(10, 5)
try:
    for item in items:
        print(work.square(item))
except ValueError as error:
    print(error, error.__context__, error.__traceback__.tb_next.tb_lineno)
print(next(items, "gone"), list(items))
try:
    raise KeyError("outer")
except KeyError:
    try:
        for item in numbers(4, 2):
            print(work.square(item))
    except ValueError as error:
        print(repr(error.__context__))
for item in numbers(6, 3):
    print(work.square(item))
    if item == 2:
        break
parsed = parse(["1", "2", "x", "4", "5"])
while True:
    try:
        for number in parsed:
            print(work.square(number))
        break
    except ValueError as error:
        print(error)
for item in numbers(8, 6):
    print(work.square(item))
