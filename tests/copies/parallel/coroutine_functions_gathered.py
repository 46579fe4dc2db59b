# Coroutine functions that await nothing run one after the other in plain Python, whatever gathers them.
# overlap: 4
# file: main.py
import asyncio

import work


async def one(x):
    print("begins", x)
    found = await work.nap_at_once(x)
    print("ends", x)
    return found


async def main():
    found = await asyncio.gather(*(one(x) for x in range(15)))
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(work.nap_at_once(x)) for x in range(15)]
    print(found, [task.result() for task in tasks])


asyncio.run(main())
