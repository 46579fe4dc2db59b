# A coroutine that is awaited cannot be awaited by another task.
# file: work.py
import asyncio


async def get(text):
    await asyncio.sleep(0.02)
    return text
# file: main.py
import asyncio

import work


async def wait(name, one):
    try:
        print(name, await one)
    except RuntimeError as error:
        print(name, error)


async def main():
    for n in range(3):
        one = work.get(n)
        await asyncio.gather(wait("first", one), wait("second", one))
        print(await work.get("between"))


asyncio.run(main())
