# A result ends the loop, and another one follows.
# overlap: 4
# file: lib/others.py
def each(function, things):
    for thing in things:
        yield thing, function(thing)
# file: main.py
import sys

sys.path.append("lib")
import others
import work

for x, found in others.each(work.nap, range(100)):
    if found > 97:
        print("found", x, found)
        break
print([found for _, found in others.each(work.read, range(30))])
