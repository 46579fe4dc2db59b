# Many at once in one process: they run in one event loop, and each has its own output and variables.
# file: cord.toml
[remote.work]
threads = 4
pure = true
# file: work.py
import asyncio
from contextvars import ContextVar

here = ContextVar("here", default=None)


async def get(n):
    here.set(n)
    print("first", n)
    await asyncio.sleep(0.003)
    print("second", n, here.get() == n)
    here.set(None)
    if n == 5:
        raise LookupError(n)
    return n
# file: main.py
import asyncio

import work


async def main():
    for n in range(12):
        try:
            print(await work.get(n))
        except LookupError as error:
            print("none", error)


asyncio.run(main())
