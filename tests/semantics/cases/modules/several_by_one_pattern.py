# One table for the modules of a package, with another one for some of them.
# file: pkg/__init__.py
# file: pkg/lines.py
def length(text):
    return len(text)
# file: pkg/words.py
from pkg.lines import length


def longest(text):
    return max(text.split(), key=length)


def count(text):
    return len(text.split())
# file: pkg/constants.py
SCALE = 3
# file: pkg/deep/__init__.py
def depth(name):
    return name.count(".")
# file: pkg/deep/tally.py
kept = []


def note(x):
    kept.append(x)
    return len(kept)
# file: cord.toml
[remote."pkg.*"]
pure = true
replicas = 2
callstyle = "async"

[remote."pkg.deep.*"]
replicas = 1

[remote."pkg.words"]
only = ["longest"]
# file: main.py
from pkg import constants, deep, lines, words
from pkg.deep import tally

texts = ["a bird in the hand", "is worth two", "in the bush"]
for text in texts:
    print(words.longest(text), words.count(text), lines.length(text) * constants.SCALE)
    print(deep.depth("a.b.c"), tally.note(text))
print(lines.length.__module__, len(tally.kept) if False else "kept elsewhere")
