# Generators feed generators, and each step calls a remote function.
# file: nlp.py
def stem(word):
    for suffix in ("ing", "ed", "s"):
        if word.endswith(suffix) and len(word) > len(suffix) + 2:
            return word[: -len(suffix)]
    return word

def is_stop(word):
    return word in {"the", "a", "and", "of"}
# file: main.py
import re
from collections import Counter, defaultdict
from nlp import stem, is_stop
import nlp

TEXT = """The cats and dogs walked the walking walkers
singing songs of a singer; dogs dogged the dog.
"""

def tokens(text):
    for match in re.finditer(r"[a-z]+", text.lower()):
        yield match.group()

def kept(words):
    for w in words:
        if not is_stop(w):
            yield w

def stems(words):
    for n, w in enumerate(words):
        s = stem(w)
        if s != w:
            print("stemmed", n, w, "->", s)
        yield s

counts = Counter(stems(kept(tokens(TEXT))))
print(counts.most_common(4))
index = defaultdict(set)
for line_number, line in enumerate(TEXT.splitlines(), start=1):
    for word in tokens(line):
        index[nlp.stem(word)].add(line_number)
for key in sorted(index):
    print(f"{key:>8}: {sorted(index[key])!s:<10}|")
print(any(is_stop(w) for w in tokens(TEXT)), all(map(is_stop, tokens(TEXT))))
print(next((w for w in tokens(TEXT) if stem(w) != w), None))
# file: cord.toml
[remote.nlp]
replicas = 3
callstyle = "async"
pure = true
