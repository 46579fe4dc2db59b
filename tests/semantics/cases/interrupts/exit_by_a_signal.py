# A handler of SIGTERM exits: the remote function's `finally` runs, then that of the program.
# file: cord.toml
[remote.work]
# file: work.py
import time


def serve():
    with open("state.txt", "w") as state:
        state.write("open")
    try:
        time.sleep(20)
    finally:
        with open("state.txt", "w") as state:
            state.write("closed")
        print("closed")
# file: main.py
import atexit
import os
import signal
import sys
import threading

import work

signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(7))
atexit.register(lambda: print("at exit:", open("state.txt").read()))
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGTERM)).start()
try:
    work.serve()
finally:
    print("main is over")
