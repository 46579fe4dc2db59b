# A library asks for the terminal's size on standard input, which is a pipe, and places its memory.
# overlap: 4
# file: lib/shown.py
import ctypes
import os
import sys


def width():
    for fd in (0, 1, 2):
        try:
            return os.get_terminal_size(fd).columns
        except OSError:
            pass
    return 80 if not os.isatty(0) else 0


def place():
    if os.uname().machine == "x86_64":
        ctypes.CDLL(None).syscall(237, 0, 0, 0, 0, 0, 0)


def lines(items):
    for item in items:
        yield item
        place()
        sys.stderr.write("=" * (width() % 7) + "\n")
# file: main.py
import sys

sys.path.append("lib")
import shown
import work

results = []
for x in shown.lines(range(40)):
    results.append(work.nap(x))
print(results)
