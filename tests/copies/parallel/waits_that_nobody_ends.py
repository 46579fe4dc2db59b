# Between calls, an event that nobody sets is waited for, for a moment.
# overlap: 4
# file: lib/rounds.py
import threading


def each(function, items):
    never = threading.Event()
    for item in items:
        yield function(item), never.wait(0.001)
# file: main.py
import sys

sys.path.append("lib")
import rounds
import work

print(list(rounds.each(work.nap, range(40))))
