# An event loop looks for what has come, without waiting for it, between two coroutines that go on.
# overlap: 4
# file: main.py
import asyncio

import work


async def produce(queue):
    for x in range(40):
        await queue.put(x)
    await queue.put(None)


async def consume(queue, found):
    while (x := await queue.get()) is not None:
        found.append(work.nap(x))


async def main():
    queue, found = asyncio.Queue(1), []
    await asyncio.gather(produce(queue), consume(queue, found))
    print(found)


asyncio.run(main())
