# asyncio: Ctrl-C cancels the main task after the call that blocks it; a second one interrupts that.
# file: cord.toml
[remote.work]
# file: work.py
import os
import signal
import time


def interrupt(program, times):
    """The handler of the first one returns."""
    try:
        for _ in range(times):
            os.kill(program, signal.SIGINT)
            time.sleep(0.5)
        time.sleep(20 if times > 1 else 0)
    except KeyboardInterrupt:
        print("work: interrupted")
        raise
    print("work: has slept")
# file: main.py
import asyncio
import os
import signal

import work

signal.signal(signal.SIGINT, signal.default_int_handler)


async def main(times):
    try:
        work.interrupt(os.getpid(), times)
        await asyncio.sleep(20)
    except asyncio.CancelledError:
        print("cancelled")
        raise


for times in (1, 2):
    try:
        asyncio.run(main(times))
    except KeyboardInterrupt:
        print("interrupted", times)
