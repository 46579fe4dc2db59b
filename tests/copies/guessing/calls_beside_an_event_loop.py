# An event loop hands each call to a thread, and sleeps between two.
# overlap: 4
# file: main.py
import asyncio

import work


async def main():
    loop = asyncio.get_running_loop()
    for x in range(0, 40, 2):
        found = await asyncio.to_thread(work.nap, x)
        await asyncio.sleep(0.001)
        print(found, await loop.run_in_executor(None, work.nap, x + 1))


asyncio.run(main())
