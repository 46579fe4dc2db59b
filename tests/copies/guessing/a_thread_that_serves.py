# One thread makes all calls, and hears of them by a queue; another one waits for time to pass.
# overlap: 4
# file: main.py
import queue
import threading

import work

todo, done, over = queue.Queue(), queue.SimpleQueue(), threading.Event()


def serve():
    while (x := todo.get()) is not None:
        done.put(work.nap(x))


def beat():
    while not over.wait(0.05):
        pass


threads = [threading.Thread(target=serve), threading.Thread(target=beat)]
for thread in threads:
    thread.start()
for x in range(40):
    todo.put(x)
    print(done.get())
todo.put(None)
over.set()
for thread in threads:
    thread.join()
