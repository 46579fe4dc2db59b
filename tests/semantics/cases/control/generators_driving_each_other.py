# Coroutines by send, a pipeline of generators with calls in each stage, closed half way.
# file: work.py
def parse(s):
    return int(s)


def square(x):
    return x * x


def fmt(x):
    return f"<{x}>"
# file: main.py
import work


def source(lines):
    for n, line in enumerate(lines):
        print("read", line)
        try:
            yield work.parse(line)
        except GeneratorExit:
            print("source closed at", n)
            raise


def stage(items):
    for x in items:
        if x % 2:
            yield work.square(x)
        else:
            yield x


def sink(items, limit):
    for x in items:
        print("got", work.fmt(x))
        if x > limit:
            return x


def running():
    total = 0
    while True:
        x = yield total
        total += work.square(x)


print(sink(stage(source("1 2 3 4 5 6 7".split())), 20))
try:
    print(list(stage(source(["1", "x", "3"]))))
except ValueError as error:
    print(error)
r = running()
next(r)
print([r.send(x) for x in range(4)])
r.close()
