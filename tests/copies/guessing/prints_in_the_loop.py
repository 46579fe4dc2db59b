# Results are printed as they come.
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

for x, found in others.each(work.nap, range(40)):
    print(f"{x:3}: {found:5.1f} {found!r}", str(found).rjust(4), "%d%%" % found)
