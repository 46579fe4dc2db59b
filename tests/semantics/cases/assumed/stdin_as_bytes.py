# Lines of stdin below the text, and odd bytes and line ends in the text.
# stdin: lines.txt
# file: lines.txt
a
b
cc
ddd

eeee
last without an end
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
[assume]
pure = ["sys.stdin"]
# file: work.py
def size(text):
    return len(text)
# file: main.py
import sys

import work

for line in sys.stdin.buffer:
    print(line, work.size(line))
    if len(line) > 3:
        break
print(sys.stdin.buffer.readline(), sys.stdin.fileno(), sys.stdin.buffer.raw.name)
print([(work.size(line), line) for line in sys.stdin])
