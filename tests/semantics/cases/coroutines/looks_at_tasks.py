# Which task awaits a call is the program's affair; a loop of a function's own has tasks of its own.
# told: 2
# file: work.py
import asyncio


async def name():
    await asyncio.sleep(0.002)
    return asyncio.current_task().get_name()


async def count():
    return len(asyncio.all_tasks())


async def inner():
    await asyncio.sleep(0.002)
    return len(asyncio.all_tasks())


def own(n):
    return n, asyncio.run(inner())


# file: main.py
import asyncio

import work


async def main():
    print(await work.name(), await work.count())
    print(await asyncio.gather(work.name(), *(work.count() for _ in range(3))))
    print(await asyncio.create_task(work.name(), name="mine"))


asyncio.run(main())
print([work.own(n) for n in range(4)])
