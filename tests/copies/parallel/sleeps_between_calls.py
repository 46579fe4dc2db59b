# Event loops that only wait for their timers between two calls, in generators and in tasks.
# overlap: 4
# file: main.py
import asyncio

import work


async def answers(count):
    for x in range(count):
        yield work.nap(x)
        await asyncio.sleep(0.004)


async def ticks(found):
    for _ in range(3):
        await asyncio.sleep(0.01)
        found.append("tick")


async def main():
    found = []
    task = asyncio.create_task(ticks(found))
    async for answer in answers(30):
        found.append(answer)
        try:
            await asyncio.wait_for(asyncio.Event().wait(), 0.002)
        except TimeoutError:
            pass
    await task
    print(len(found), [one for one in found if one != "tick"])


asyncio.run(main())
