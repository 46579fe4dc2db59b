# A library keeps results in a file, which it reads again before each call.
# overlap: 4
# file: lib/caches.py
import json
import os


def cached(path, function, key, args):
    known = {}
    if os.path.exists(path):
        with open(path) as file:
            known = json.load(file)
    if key in known:
        return known[key]
    found = function(*args)
    known[key] = f"asked {len(known)}"
    with open(path, "w") as file:
        json.dump(known, file)
    return found
# file: main.py
import sys

sys.path.append("lib")
import caches
import work

found = [caches.cached("cache.json", work.nap, str(x % 30), (x,)) for x in range(40)]
print([str(value) for value in found])
