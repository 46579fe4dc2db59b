# A call gets all that another one returned.
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



def weigh(x):
    parts = work.facts(x)["parts"]
    spot = work.moved(work.Spot(x, len(parts)), 2)
    return work.nap_all([spot.x, spot.y]), work.moved(spot, 1)


print([found for _, found in others.each(weigh, range(16))])
