# A progress bar of a library, with a thread of its own, stands between loop and calls.
# overlap: 4
# file: lib/bars.py
import sys
import threading
import time


class Bar:
    def __init__(self, items):
        self.items = items
        self.began = time.monotonic()
        self.over = threading.Event()
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        while not self.over.wait(0.01):
            pass

    def __iter__(self):
        for done, item in enumerate(self.items):
            yield item
            if time.monotonic() - self.began > 0:
                sys.stderr.write("." if done % 2 else "o")
                sys.stderr.flush()
        self.over.set()
# file: main.py
import sys

sys.path.append("lib")
import bars
import work

results = []
for x in bars.Bar(range(40)):
    results.append(work.nap(x))
print(results)
