# The best of a round lead to the next one.
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



def step(beam):
    grown = [f"{text}{letter}" for text in beam for letter in "abc"]
    scored = sorted((-len(said), text) for text, said in others.each(work.say, grown))
    return [text for _, text in scored[:3]]


beam = ["x"]
for _ in range(5):
    beam = step(beam)
    print(beam)
