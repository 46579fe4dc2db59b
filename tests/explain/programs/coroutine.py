# A coroutine's calls block.
# file: main.py
import asyncio

from work import f


async def main():
    for x in range(4):
        print(f(x))  # in place


asyncio.run(main())
