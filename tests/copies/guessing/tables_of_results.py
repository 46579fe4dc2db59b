# Results are kept in dicts and sorted in the end.
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

table = {x: found for x, found in others.each(work.read, range(40))}
groups = {}
for reading in table.values():
    groups.setdefault(reading.value // 10, []).append(reading.name)
print(sorted(table.items(), key=lambda item: (item[1].value, item[0]))[:5])
print({key: len(names) for key, names in sorted(groups.items())})
