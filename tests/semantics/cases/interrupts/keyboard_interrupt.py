# Ctrl-C, as the terminal's signal, while a remote function runs: it cleans up, then the program.
# file: cord.toml
[remote.work]
# file: work.py
import os
import signal
import time


def wait(program):
    print("waits")
    try:
        os.kill(program, signal.SIGINT)
        time.sleep(20)
    except KeyboardInterrupt:
        print("interrupted")
        with open("left.txt", "w") as left:
            left.write("by Ctrl-C")
        raise
# file: main.py
import os
import signal

import work

signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    work.wait(os.getpid())
finally:
    print(open("left.txt").read())
