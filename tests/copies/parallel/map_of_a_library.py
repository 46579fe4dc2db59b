# A library maps the function over items, in C.
# overlap: 4
# file: lib/mapping.py
def apply(function, items):
    return list(map(function, items))
# file: main.py
import sys

sys.path.append("lib")
import mapping
import work

print(mapping.apply(work.nap, range(40)))
