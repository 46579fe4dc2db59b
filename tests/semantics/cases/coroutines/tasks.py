# Tasks, groups, and what is completed first: other tasks go on while a call is awaited, in plain Python's order.
# file: work.py
import asyncio
import time


async def get(text, seconds=0.02):
    await asyncio.sleep(seconds)
    return "got " + text


async def compute(text):
    time.sleep(0.005)
    return "computed " + text


async def fail(text):
    await asyncio.sleep(0.01)
    raise ValueError(text)
# file: main.py
import asyncio

import work


async def one(n, seconds):
    print("begins", n)
    found = await work.get(str(n), seconds)
    print("goes on", n)
    return await work.compute(found)


async def ticks(name, seconds):
    try:
        while True:
            await asyncio.sleep(seconds)
            print(name)
    finally:
        print(name, "ends")


async def main():
    print(await asyncio.gather(*(one(n, 0.03 * (4 - n)) for n in range(4))))
    print(await asyncio.gather(*(work.get(str(n)) for n in range(4))))
    print(await asyncio.gather(*(work.compute(str(n)) for n in range(4))))
    print(await asyncio.gather(work.get("x"), work.fail("y"), return_exceptions=True))
    for done in asyncio.as_completed([work.get(str(n), 0.04 * n) for n in (3, 1, 2)]):
        print(await done)
    done, pending = await asyncio.wait(
        [asyncio.create_task(one(n, n / 4)) for n in (4, 0.1)], return_when=asyncio.FIRST_COMPLETED
    )
    print([task.result() for task in done], len(pending))
    for task in pending:
        task.cancel()
    print(await asyncio.gather(*pending, return_exceptions=True))
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(one(7, 0.2))
            group.create_task(work.fail("in a group"))
    except* ValueError as errors:
        print(errors.exceptions)
    other = asyncio.create_task(ticks("tick", 0.2))
    for n in range(4):
        print(await work.get(str(n), 0.08))
    other.cancel()
    await asyncio.gather(other, return_exceptions=True)
    for n in range(3):
        print(await work.get(str(n)))


asyncio.run(main())
