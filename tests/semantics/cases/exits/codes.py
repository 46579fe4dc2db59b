# Exit codes of every kind, caught and final.
# file: work.py
import sys


def leave(code):
    sys.exit(code)
# file: main.py
import sys

import work

for code in (0, 3, None, "text", True):
    try:
        work.leave(code)
    except SystemExit as stop:
        print(repr(stop.code), stop.args)
try:
    sys.exit(2)
except SystemExit as stop:
    print(stop.code)
print("last")
work.leave(7)
