# A thread waits for the end from before the first call on: no copy waits for it to wait anew.
# overlap: 5
# file: lib/turns.py
import threading

OVER = threading.Event()
THREAD = threading.Thread(target=OVER.wait)
THREAD.start()


def each(function, items):
    return [function(item) for item in items]
# file: main.py
import sys

sys.path.append("lib")
import turns
import work

print(turns.each(work.nap, range(9)))
turns.OVER.set()
turns.THREAD.join()
