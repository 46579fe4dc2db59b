# One function is asked for replies of two kinds, each of which is taken apart in another way.
# overlap: 4
# file: lib/framework.py
def each(function, things):
    for thing in things:
        yield function(thing)


def sent(function, *words):
    return function(" ".join(words))
# file: main.py
import sys

sys.path.append("lib")
import work
from framework import each, sent


def item(number):
    draft = sent(work.say, "draft", str(number)).split("raft ")[1]
    return draft, sent(work.say, "score of", draft).split("core of ")[1]


for found in each(item, range(24)):
    print(found)
