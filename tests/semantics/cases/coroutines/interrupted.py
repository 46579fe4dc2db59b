# Ctrl-C, other threads and signal handlers of the loop reach the program while it awaits a call.
# file: work.py
import asyncio


async def slow(text):
    await asyncio.sleep(20)
    return text


async def get(text):
    await asyncio.sleep(0.2)
    return text
# file: main.py
import asyncio
import os
import signal
import threading

import work

signal.signal(signal.SIGINT, signal.default_int_handler)


def kill(number):
    threading.Timer(0.3, os.kill, (os.getpid(), number)).start()


async def main():
    kill(signal.SIGINT)
    try:
        await work.slow("for ever")
    except asyncio.CancelledError:
        print("cancelled")
        raise


async def others():
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, print, "a signal")
    threading.Timer(0.05, loop.call_soon_threadsafe, (print, "a thread")).start()
    print(await work.get("first"))
    threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGUSR1)).start()
    print(await work.get("second"))
    task = asyncio.current_task()
    threading.Timer(0.05, loop.call_soon_threadsafe, (task.cancel,)).start()
    try:
        await work.slow("third")
    except asyncio.CancelledError:
        print("cancelled by a thread")


try:
    asyncio.run(main())
except KeyboardInterrupt:
    print("interrupted")
asyncio.run(others())
