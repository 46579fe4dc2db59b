# Methods of paths, and the lines of a file that a path names, that are assumed pure.
# overlap: 3
# file: cord.toml
[remote.work]
replicas = 4
callstyle = "async"
pure = true
repeatable = true
[assume]
pure = ["pathlib.Path.exists"]
# file: lines.txt
0 line
1 line
2 line
3 line
4 line
5 line
6 line
7 line
8 line
9 line
10 line
11 line
# file: main.py
from pathlib import Path

import work

for line in open(Path("lines.txt")):
    if not Path(line.strip()).exists():
        print(work.nap(len(line)))
