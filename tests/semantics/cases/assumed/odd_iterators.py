# Iterators that are no plain ones: made anew by each loop, with calls inside, that run one another.
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
[assume]
pure = ["search.Twice", "search.Again", "search.with_calls", "search.Counting", "search.make"]
# file: search.py
import work


class Twice:
    """Each loop begins at the start; `next` goes on."""

    def __init__(self, end):
        self.end = end
        self.at = 0

    def __iter__(self):
        self.at = 0
        return self

    def __next__(self):
        if self.at == self.end:
            raise StopIteration
        self.at += 1
        return self.at


class Again:
    """No iterator at all."""

    def __init__(self, end):
        self.end = end

    def __iter__(self):
        return iter(range(self.end))


class Counting:
    """Goes on behind its end."""

    def __init__(self):
        self.at = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.at += 1
        if self.at % 5 == 0:
            raise StopIteration
        return self.at


def with_calls(end):
    for number in range(end):
        yield work.square(number)


def make(kind):
    return {"list": [1, 2], "none": (), "text": "ab", "gen": (x for x in "xyz")}[kind]
# file: work.py
def square(x):
    print("square of", x)
    return x * x


def show(x):
    return f"<{x}>"
# file: main.py
import work
from search import Again, Counting, Twice, make, with_calls

twice = Twice(6)
print(next(twice))
for x in twice:
    print(work.show(x))
    if x == 4:
        break
print(next(twice), [work.show(x) for x in twice])
for x in Again(3):
    print(work.show(x))
counting = Counting()
for x in counting:
    print(work.show(x))
for x in counting:
    print(work.show(x))
for kind in ["list", "none", "text", "gen"]:
    for x in make(kind):
        print(work.show(x))
    print(*make(kind))
try:
    for x in make("wrong"):
        print(work.show(x))
except KeyError as error:
    print(error)
for x in with_calls(5):
    y = x + 1
print(y)
