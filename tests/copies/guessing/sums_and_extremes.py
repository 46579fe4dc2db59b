# Results are added up, counted and compared.
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

total, many, best = 0, 0, None
for x, found in others.each(work.nap, range(40)):
    total += found * 2
    if found > 50:
        many += 1
    if best is None or found > best[0]:
        best = (found, x)
print(total, many, best, round(total / 40, 2))
