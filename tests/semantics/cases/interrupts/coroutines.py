# asyncio: Ctrl-C cancels the main task after the call that blocks it; a second one interrupts that.
# file: cord.toml
[remote.work]
# file: work.py
import time


def nap(seconds):
    try:
        time.sleep(seconds)
    except KeyboardInterrupt:
        print("work: interrupted")
        raise
    print("work: has slept")
# file: main.py
import asyncio
import os
import signal
import threading

import work

signal.signal(signal.SIGINT, signal.default_int_handler)


def interrupt(seconds):
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()


async def main(naps):
    try:
        for seconds in naps:
            work.nap(seconds)
            await asyncio.sleep(0)
    except asyncio.CancelledError:
        print("cancelled")
        raise


interrupt(0.2)
try:
    asyncio.run(main([0.5, 20]))
except KeyboardInterrupt:
    print("interrupted")
interrupt(0.2)
interrupt(0.6)
try:
    asyncio.run(main([20]))
except KeyboardInterrupt:
    print("interrupted twice")
