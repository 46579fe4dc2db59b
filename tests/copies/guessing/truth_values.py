# Results are truth values, and nothing at times.
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

kept = []
for _, found in others.each(work.perhaps, range(40)):
    if found is None:
        continue
    kept.append(found.value if found.value > 20 else found.name)
print(kept)
