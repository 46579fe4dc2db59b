# Functions of `os.path` by that name, however it is imported.
# overlap: 3
# file: main.py
import os, os.path
from os.path import basename, splitext

import work

NAMES = ["a.txt", "b/c.py", "d.md", "e", "f.g.h", "i/j/k.l"]

for name in NAMES:
    full = os.path.join("folder", name)
    stem, ending = splitext(basename(full))
    print(full, work.nap(len(full), len(stem)), os.path.dirname(full), ending)
