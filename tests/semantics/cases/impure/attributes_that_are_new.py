# What undeclared functions set of functions, classes and modules is there, though nothing was before.
# file: cord.toml
[remote.work]
[remote.other]
# file: place.py
# file: other.py
calls = []
def twice(x):
    calls.append(x)
    return 2 * x, len(calls)
# file: work.py
import place

class Box:
    pass
def count(x):
    count.last = x
    return x
def fill(x):
    Box.content = [x]
    place.found = x + 1
    return x
def bind(x):
    setattr(Box, "given", x)
    return x
# file: main.py
import other, place, work

for i in range(3):
    print(work.count(i), work.count.last, other.twice(i))
    print(work.fill(i), work.Box.content, place.found)
    print(work.bind(i), work.Box.given)
