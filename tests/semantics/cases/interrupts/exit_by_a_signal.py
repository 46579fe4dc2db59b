# A handler of SIGTERM exits: the remote function's `finally` runs, then that of the program.
# file: cord.toml
[remote.work]
# file: work.py
import os
import signal
import time


def serve(program):
    with open("state.txt", "w") as state:
        state.write("open")
    try:
        os.kill(program, signal.SIGTERM)
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

import work

signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(7))
atexit.register(lambda: print("at exit:", open("state.txt").read()))
try:
    work.serve(os.getpid())
finally:
    print("main is over")
