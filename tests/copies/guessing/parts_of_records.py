# A call gets parts of what another one returned.
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



def look(x):
    record = work.facts(x)
    label = record["name"] + "/" + ",".join(record["parts"])
    return work.say(label), work.nap(record["id"] * 2 + 1), record


for x, (said, number, record) in others.each(look, range(14)):
    print(x, said, number, "odd" if record["odd"] else f"{record['weight']:.2f}")
