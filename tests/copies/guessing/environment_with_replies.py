# A library puts the last reply into the environment, in which the next call is made.
# overlap: 1
# file: lib/shells.py
import os


def each(function, items):
    results = []
    for item in items:
        results.append(function(item))
        os.environ["LAST"] = f"after {results[-1]}"
    return results
# file: main.py
import os
import sys

sys.path.append("lib")
import shells
import work

print(shells.each(work.nap, range(12)), os.environ["LAST"])
