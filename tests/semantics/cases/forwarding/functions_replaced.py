# A function that a test replaces gets the value, and so does what an instance stands in for.
# file: cord.toml
[remote.first]
replicas = 2
callstyle = "async"
pure = true

[remote.second]
replicas = 2
callstyle = "async"
pure = true

[remote.third]
replicas = 1
callstyle = "async"
pure = true
# file: first.py
import os


def make(number, size=200_000):
    return bytearray([number % 256]) * size


def make_even(number, size=200_000):
    print("making", number)
    if number % 2:
        raise ValueError(f"{number} is odd")
    return make(number, size)


def process():
    return os.getpid()
# file: second.py
def raised(data, by=1):
    new = bytearray(data)
    new[0] = (new[0] + by) % 256
    return new


def picky(data):
    if data[0] == 4:
        raise LookupError(f"no {data[0]} please")
    return raised(data)


def both(left, right):
    return left is right, left == right, len(left) + len(right)
# file: third.py
def total(data, more=0):
    return sum(data[:10]) + len(data) + more
# file: main.py
import first
import second
import third


def local_total(data, more=0):
    return "local", type(data).__name__, len(data), more


class Callable:
    def __call__(self, data, **named):
        return "instance", len(data), sorted(named)


def run():
    made = first.make(3)
    lifted = second.raised(made)
    return third.total(lifted, more=1), third.total(second.raised(first.make(2)))


print(run(), run())
remote = third.total
third.total = local_total
print(run(), run())
third.total = Callable()
print(run())
third.total = remote
second.raised = lambda data: data
print(run())
