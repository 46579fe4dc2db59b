# A library sets and deletes variables of the environment before each call, which finds them so.
# overlap: 4
# file: lib/shells.py
import os


def each(function, items):
    results = []
    for item in items:
        os.environ["ITEM"] = f"item {item}"
        results.append(function(item))
        if item % 3 == 0:
            del os.environ["ITEM"]
    return results
# file: main.py
import os
import sys

sys.path.append("lib")
import shells
import work

print(shells.each(work.nap, range(40)), os.environ.get("ITEM"))
