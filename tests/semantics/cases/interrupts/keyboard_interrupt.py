# Ctrl-C, as the terminal's signal, while a remote function runs: it cleans up, then the program.
# file: cord.toml
[remote.work]
# file: work.py
import time


def wait():
    print("waits")
    try:
        time.sleep(20)
    except KeyboardInterrupt:
        print("interrupted")
        with open("left.txt", "w") as left:
            left.write("by Ctrl-C")
        raise
# file: main.py
import os
import signal
import threading

import work

signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    work.wait()
finally:
    print(open("left.txt").read())
