# Each helper reads a file of its own.
# overlap: 3
# file: a.txt
xy
xyz
x
xyzx
# file: b.txt
xy
xyz
x
xyzx
# file: c.txt
xy
xyz
x
xyzx
# file: d.txt
xy
xyz
x
xyzx
# file: cord.toml
[remote.work]
replicas = 4
callstyle = "async"
pure = true
repeatable = true
# file: main.py
import work


def total(name):
    result = 0
    with open(name) as lines:
        for line in lines:
            result = result * 2 + work.nap(len(line))
    return result


for name in ["a.txt", "b.txt", "c.txt", "d.txt"]:
    print(total(name))
