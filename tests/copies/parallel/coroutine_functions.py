# Coroutine functions are awaited one after the other, in helpers and within a time.
# overlap: 4
# file: main.py
import asyncio

import work


class Asking:
    def __init__(self):
        self.found = []

    async def ask(self, x):
        self.found.append(await work.nap_awaited(x))
        async with asyncio.timeout(60):
            return await asyncio.wait_for(work.nap_awaited(x + 1), 60)


async def main():
    asking = Asking()
    for x in range(20):
        asking.found.append(await asking.ask(x))
        print(x, len(asking.found))
        await asyncio.sleep(0)
    print(asking.found)


asyncio.run(main())
