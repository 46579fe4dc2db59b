# Values that the program looks at, keeps, prints or changes are the program's.
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
from first import make
from second import both, raised
from third import total

kept = []
for number in range(6):
    made = make(number, 100_000)
    kept.append(total(made))
    print(len(made), total(raised(made)))
for number in range(6):
    made = make(number, 100_000)
    made[0] = 77
    print(total(made))


def closure(number):
    made = make(number, 100_000)
    return lambda: total(made)


def late(number):
    made = make(number, 100_000)
    if number % 2:
        return total(made)
    return made


def seen(number):
    made = make(number, 100_000)
    return total(made), sorted(locals())


def captured(number):
    made = make(number, 100_000)
    return [total(made) for _ in range(2)]


shared = make(5, 100_000)


def reads_a_global():
    return len(shared)


class Body:
    made = make(3, 100_000)
    result = total(made)


print(closure(4)(), late(1), len(late(2)), seen(3), captured(4))
print(total(shared), reads_a_global(), len(Body.made), Body.result)
pair = make(1, 100_000), make(2, 100_000)
print(both(*pair), total(pair[0]), [total(each) for each in pair], kept)
print(total(make(1)) if total(make(2)) > 3 else total(make(3)))
