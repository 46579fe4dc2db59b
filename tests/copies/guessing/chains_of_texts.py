# A call gets a text with the results of two others in it.
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



def revise(question):
    draft = work.say(question)
    doubt = work.say(f"the draft: {draft.strip()}")
    return work.say("\n".join([question, draft, doubt]))


for question, found in others.each(revise, [f"q{n}" for n in range(12)]):
    print(question, len(found), found.split()[-1], found[:20].upper())
