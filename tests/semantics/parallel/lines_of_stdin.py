# The lines of stdin, which come through a pipe, the first one read apart.
# overlap: 3
# stdin: lines.txt
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
12 line
13 line
14 line
15 line
16 line
17 line
18 line
19 line
20 line
21 line
22 line
23 line
# file: cord.toml
[remote.work]
replicas = 4
callstyle = "async"
pure = true
repeatable = true
# file: main.py
import sys

import work

print(input())
for line in sys.stdin:
    print(work.nap(int(line.split()[0])))
