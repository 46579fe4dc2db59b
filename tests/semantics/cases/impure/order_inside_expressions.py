# Impure calls inside lazy and eager expressions happen once, in order, or not at all.
# file: log.py
L = []
def note(x):
    L.append(x)
    return x
def dump():
    r = L[:]
    L.clear()
    return r
# file: main.py
from log import note, dump
any(note(x) > 2 for x in range(6)); print(dump())
all(map(note, [1, 1, 0, 1])); print(dump())
next(filter(lambda v: note(v) > 1, range(9))); print(dump())
sorted([3, 1, 2], key=note); print(dump())
max(range(4), key=lambda v: -note(v)); min([2, 1], key=note); print(dump())
print(3 in (note(i) for i in range(9)), dump())
{note(k): note(v) for k, v in zip("ab", "cd")}; print(dump())
[note(y) for x in range(2) if note(x) for y in "pq"]; print(dump())
def g():
    try:
        yield note("a"); yield note("b")
    finally: note("end")
for v in g(): break
print(dump())
a, *b = map(note, range(3)); print(dump())
print(note(1) if note(0) else note(2), dump())
f"{note('x')}{note('y')!r:>{note(5)}}"; print(dump())
try: note(1) + note("a") + note(2)
except TypeError: print(dump())
try: [note(1), 1 / 0, note(2)]
except ZeroDivisionError: print(dump())
note(note(note(1))); x = [note(0), note(1)][note(1)]; print(dump())
import functools
functools.reduce(lambda a, b: note(a + b), range(4)); print(dump())
list(zip(map(note, "abc"), map(note, "de"))); print(dump())
# file: cord.toml
[remote.log]
