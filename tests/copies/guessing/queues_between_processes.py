# Results go through a queue that other processes might have, too: a thread pickles them into a pipe.
# overlap: 4
# needs: locks
# file: lib/queues.py
import multiprocessing
import os
import select

found, (reads, writes) = multiprocessing.Queue(), os.pipe()


def each(function, items):
    for item in items:
        found.put((item, function(item)))
        os.write(writes, b"x")
        ready, _, _ = select.select([reads], [], [], 30)
        yield found.get(), len(ready), os.read(reads, 1)
# file: main.py
import sys

sys.path.append("lib")
import queues
import work

for got in queues.each(work.nap, range(40)):
    print(got)
