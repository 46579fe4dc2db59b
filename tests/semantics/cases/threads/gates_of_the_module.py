# Semaphores and conditions of the module let only some of the calls go on that one process serves at once.
# file: cord.toml
[remote.work]
threads = 6
pure = true
# file: work.py
import asyncio
import threading
import time

gate = threading.BoundedSemaphore(2)
changed = threading.Condition()
loop_gate = asyncio.Semaphore(2)


def get(x):
    with gate:
        time.sleep(0.01)
        with changed:
            changed.notify_all()
            return x * x


async def awaited(x):
    async with loop_gate:
        await asyncio.sleep(0.01)
        return x + 1
# file: main.py
import asyncio

import work


async def main():
    found = []
    for n in range(12):
        found.append(await work.awaited(n))
        print(work.get(n))
    print(found)


print([work.get(n) for n in range(20)])
asyncio.run(main())
