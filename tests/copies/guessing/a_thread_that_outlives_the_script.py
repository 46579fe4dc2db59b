# All calls are made by a thread, while the first one is at the program's end, where Python waits for others.
# overlap: 4
# file: main.py
import threading

import work


def serve():
    for x in range(30):
        print(work.nap(x))


threading.Thread(target=serve).start()
