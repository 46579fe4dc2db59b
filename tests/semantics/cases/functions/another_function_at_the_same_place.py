# A place calls another function with the arguments for which a scout foresaw the one before.
# file: work.py
def f(x):
    print("work.f", x)
    return 3


def g(x):
    print("work.g", x)
    return 4


def total(xs):
    return sum(xs)


def copied(xs):
    return list(xs)
# file: other.py
def f(x):
    print("other.f", x)
    return 5
# file: main.py
import other
import work

table = {0: work.f, 1: work.g, 2: other.f, 3: work.f}
xs = []
for c in range(4):
    try:
        for v in range(6):
            a = work.total(xs)
            xs[table[c](a)]
    except LookupError as error:
        print(error)

for c in range(4):
    try:
        for v in range(6):
            b = work.copied(xs)
            xs[table[c](b)]
    except LookupError as error:
        print(error)
# file: cord.toml
[remote.work]
replicas = 1
callstyle = "async"
pure = true
lookahead.calls = 3

[remote.other]
callstyle = "async"
pure = true
