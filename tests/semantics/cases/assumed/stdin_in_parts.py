# Lines of stdin are read ahead, and everything else that reads stdin goes on where the program is.
# stdin: lines.txt
# file: lines.txt
3
head 1
head 2
one
two
three
stop
four
five
six
seven
rest 1
rest 2 äöü
rest 3
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
[assume]
pure = ["sys.stdin"]
# file: work.py
def shout(text):
    return text.strip().upper()
# file: main.py
import sys

import work

count = int(input())
print(count, sys.stdin.readline(), next(sys.stdin))
for line in sys.stdin:
    print(work.shout(line))
    if line == "stop\n":
        break
print(work.shout(sys.stdin.readline()), work.shout(input()))
for number, line in enumerate(sys.stdin):
    print(number, work.shout(line))
    if number == 1:
        break
print(sys.stdin.read(5), repr(sys.stdin.buffer.read(3)))
for line in sys.stdin:
    print(work.shout(line))
print([line for line in sys.stdin], repr(sys.stdin.read()), sys.stdin.seekable())
for look in (sys.stdin.tell, lambda: sys.stdin.seek(0)):
    try:
        look()
    except OSError as error:
        print(type(error).__name__)
try:
    input()
except EOFError as error:
    print(error)
