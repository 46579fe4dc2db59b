# Each item has a thread of its own, which stays: in a copy each is new, and needs memory of the allocator's.
# overlap: 4
# file: main.py
import queue
import threading

import work

done = queue.SimpleQueue()


def serve(items):
    while (item := items.get()) is not None:
        done.put(work.nap(item))


threads = []
for number in range(24):
    items = queue.SimpleQueue()
    thread = threading.Thread(target=serve, args=(items,))
    thread.start()
    threads.append((thread, items))
    items.put(number)
    print(number, done.get())
for thread, items in threads:
    items.put(None)
    thread.join()
