# What calls change has other names, or is held by other objects, by which the program reads it.
# file: cord.toml
[remote.work]
inline = false
# file: work.py
import collections

_seen = []
view = _seen
_a, _b = {}, {"x": 1}
chain = collections.ChainMap(_a, _b)
_rows = [[0]]
table = {"rows": _rows}
_hits = 0


def _counting():
    n = 0

    def count():
        nonlocal n
        n += 1
        return n

    return count


_next = _counting()
_times = lambda seen=[]: seen.append(1) or len(seen)


class Shown:
    def __str__(self):
        return f"{_next()} {_times()}"


shown = Shown()


def draw():
    return _next(), _times()


def step(x):
    _seen.append(x)


def put(key, value):
    _a[key] = value


def count(x):
    _rows[0].append(x)
# file: main.py
import work

for i in range(3):
    work.step(i)
    work.put(i, i)
    work.count(i)
    print(work.draw(), work.shown)
work.put("x", 5)
print(work.view, sorted(map(str, work.chain.items())), work.chain["x"], work.table)
