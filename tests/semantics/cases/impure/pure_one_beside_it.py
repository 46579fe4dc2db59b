# One function of a module is pure, the other keeps state.
# file: db.py
rows = []
def insert(x):
    rows.append(x)
    return len(rows)
def hash_of(x):
    h = 0
    for c in x: h = (h * 31 + ord(c)) % 1009
    return h
# file: main.py
from db import insert, hash_of
words = "the quick brown fox jumps over the lazy dog".split()
seen = {}
for w in words:
    h = hash_of(w)
    if h in seen:
        print("dup", w, seen[h])
        continue
    seen[h] = insert((w, h))
print(seen, insert(None))
for w in reversed(words):
    if hash_of(w) % 2: insert(w)
print(insert(0))
# file: cord.toml
[remote.db]
only = ["insert", "hash_of"]
callstyle = "async"
[remote.db.functions.hash_of]
pure = true
