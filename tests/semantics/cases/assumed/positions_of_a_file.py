# The program's own file stands where the program has read to, whatever a scout has read beside it.
# file: words.txt
alpha
beta
gamma
delta
epsilon
zeta
eta
theta
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
[assume]
pure = ["open"]
# file: work.py
def shout(text):
    return text.strip().upper()
# file: main.py
import os

import work

with open("words.txt") as lines:
    print(next(lines))
    for line in lines:
        print(work.shout(line))
        if line == "gamma\n":
            break
    try:
        print(lines.tell())
    except OSError as error:
        print(error)
    print(work.shout(lines.readline()))
    for number, line in enumerate(lines, 5):
        print(number, work.shout(line))
        if number == 6:
            break
    print(lines.read(), lines.tell(), lines.closed)
try:
    for line in lines:
        print(work.shout(line))
except ValueError as error:
    print(error)
with open("words.txt", "rb") as raw:
    for line in raw:
        print(raw.tell(), work.shout(line), os.lseek(raw.fileno(), 0, os.SEEK_CUR))
        if line.startswith(b"d"):
            raw.seek(0)
            print(work.shout(raw.readline()))
            break
    print([work.shout(line) for line in raw])
with open("words.txt") as left, open("words.txt") as right:
    for a, b in zip(left, right):
        print(work.shout(a + b))
        if a.startswith("e"):
            right.readline()
print([work.shout(line) for line in map(str.title, open("words.txt")) if len(line) > 5])
for line in (part.strip() for part in open("words.txt") if "e" in part):
    print(work.shout(line))
lines = open("words.txt")
for line in lines:
    print(work.shout(line), work.shout(next(lines, "none")))
lines.close()
