# A producer and a consumer thread with a queue between them and a lock around calls.
# file: work.py
def make(i):
    return [i] * i


def use(items):
    return sum(items)
# file: main.py
import queue
import threading

import work

channel, lock, out = queue.Queue(2), threading.Lock(), []


def produce():
    for i in range(8):
        channel.put(work.make(i))
    channel.put(None)


def consume():
    while (items := channel.get()) is not None:
        with lock:
            out.append(work.use(items))


pair = [threading.Thread(target=produce), threading.Thread(target=consume)]
for thread in pair:
    thread.start()
for thread in pair:
    thread.join()
print(out)
