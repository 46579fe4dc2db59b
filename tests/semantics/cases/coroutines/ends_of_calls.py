# Calls that end in odd ways: results and arguments that cannot travel, exits, groups, stop iterations.
# file: work.py
import asyncio
import sys
import threading


class Odd(Exception):
    def __init__(self, a, b):
        super().__init__(f"{a}-{b}")
        self.a = a


async def lock(x):
    await asyncio.sleep(0.001)
    return threading.Lock() if x else None


async def locked(one):
    await asyncio.sleep(0.001)
    return one.locked()


async def raises(how):
    await asyncio.sleep(0.001)
    if how == "stop":
        raise StopIteration(3)
    if how == "stop async":
        raise StopAsyncIteration(3)
    if how == "exit":
        sys.exit(4)
    if how == "interrupt":
        raise KeyboardInterrupt("in work")
    if how == "cancel":
        raise asyncio.CancelledError("by itself")
    if how == "odd":
        raise Odd(1, 2)
    if how == "group":
        async with asyncio.TaskGroup() as group:
            group.create_task(raises("odd"))
            group.create_task(asyncio.sleep(5))
    if how == "time":
        async with asyncio.timeout(0.01):
            await asyncio.sleep(5)
    return how


async def gives(x):
    await asyncio.sleep(0)
    return [x, (x,), StopIteration(x), ValueError(x)][x % 4]
# file: main.py
import asyncio
import threading

import work


async def tried(how):
    try:
        return await work.raises(how)
    except BaseException as error:
        shown = error.exceptions if isinstance(error, ExceptionGroup) else error.args
        return type(error).__name__, shown, getattr(error, "a", None), repr(error.__cause__)


async def main():
    print(type(await work.lock(1)).__name__, await work.lock(0), await work.locked(threading.Lock()))
    for how in ("stop", "stop async", "cancel", "odd", "group", "time", "well"):
        print(how, await tried(how))
    print([repr(await work.gives(n)) for n in range(8)])
    return await work.raises("exit")


async def interrupted():
    await work.raises("interrupt")


try:
    asyncio.run(interrupted())
except KeyboardInterrupt as error:
    print("interrupted", error.args)
asyncio.run(main())
