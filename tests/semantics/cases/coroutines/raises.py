# What a coroutine function raises shows where it was raised, and nothing else.
# stderr: whole
# file: work.py
import asyncio


async def deep(x):
    await asyncio.sleep(0.001)
    return 1 / x


async def get(x):
    try:
        return await deep(x)
    except ZeroDivisionError as error:
        error.add_note("noted")
        raise ValueError(x) from error
# file: main.py
import asyncio
import traceback

import work


async def inner(x):
    return await work.get(x)


async def main():
    print(await inner(2))
    try:
        await inner(0)
    except ValueError:
        traceback.print_exc()
    print(await inner(4))
    await asyncio.wait_for(inner(0), 10)


asyncio.run(main())
