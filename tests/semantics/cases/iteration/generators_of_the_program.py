# The program's own generators: effects inside, send, return values, yield from, left early.
# file: work.py
def f(x):
    return x + 0.5


def total(xs):
    return sum(xs)
# file: main.py
import work


def numbers(n):
    print("begin")
    try:
        for i in range(n):
            print("make", i)
            got = yield work.f(i)
            if got:
                print("got", got)
    finally:
        print("cleanup", n)
    return work.f(n)


def both(n):
    result = yield from numbers(n)
    print("sub returned", result)
    yield work.total([result, 1])


for v in numbers(3):
    print(work.f(v))
g = both(2)
print(next(g), g.send("hello"), list(g))
for v in numbers(100):
    if work.f(v) > 3:
        break
print("after break")
g = numbers(5)
print(next(g))
try:
    g.throw(ValueError("in"))
except ValueError as error:
    print("out", error)
print([work.total([a, b]) for a, b in zip(numbers(2), numbers(3))])
