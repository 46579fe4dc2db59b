# asyncio's debug mode says where a coroutine was made that was never awaited.
# stderr: whole
# file: work.py
async def get(text):
    return "got " + text
# file: main.py
import asyncio

import work


def make():
    return work.get("lost")


async def main():
    make()
    one = work.get("kept")
    print([(file.rpartition("/")[2], line, name) for file, line, name in one.cr_origin])
    print(await one)


asyncio.run(main(), debug=True)
