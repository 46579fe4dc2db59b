# An event loop whose executor has threads that have nothing to do waits only for its timers.
# overlap: 4
# file: main.py
import asyncio

import work


async def main():
    print(await asyncio.gather(*(asyncio.to_thread(str, n) for n in range(3))))
    found = []
    for x in range(30):
        found.append(await work.nap_awaited(x))
        await asyncio.sleep(0.002)
    print(found)


asyncio.run(main())
