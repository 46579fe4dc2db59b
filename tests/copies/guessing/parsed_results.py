# Results are parsed.
# overlap: 4
# file: lib/others.py
def each(function, things):
    for thing in things:
        yield thing, function(thing)
# file: main.py
import json
import sys

sys.path.append("lib")
import others
import work

total = 0.0
for x, found in others.each(work.as_json, range(40)):
    data = json.loads(found)
    total += data["weight"]
    print(x, data["words"].title(), len(found) > 40)
print(total)
