# The first thread waits for the end of another one, which makes the calls.
# overlap: 4
# file: main.py
import threading

import work


def serve():
    for x in range(30):
        print(work.nap(x))


thread = threading.Thread(target=serve)
thread.start()
thread.join()
