# Arguments that are too large for a copy lie between others.
# overlap: 4
# file: lib/others.py
def each(function, things):
    return [function(thing) for thing in things]
# file: main.py
import sys

sys.path.append("lib")
import others
import work


def look(x):
    if x % 10 == 5:
        return work.nap_all(bytes(5_000_000)) + work.nap(x)
    return work.nap(x)


print(others.each(look, range(40)))
