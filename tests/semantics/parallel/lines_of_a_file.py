# The lines of a file, in parts, numbered and stripped.
# overlap: 3
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
import work

with open("lines.txt") as lines:
    print(next(lines))
    for number, line in enumerate(lines):
        print(work.nap(number, len(line)))
        if number == 8:
            break
    for line in (part.strip() for part in lines if part):
        print(work.nap(len(line)))
