# Awaited one after the other: values, what calls print, exceptions that are caught.
# file: work.py
import asyncio


async def get(text, *, times=1):
    async with gate:
        print("gets", text)
        await asyncio.sleep(0.005)
    if text.endswith("3"):
        raise KeyError(text)
    return [text] * times


gate = asyncio.Semaphore(2)


async def refine(found):
    for _ in range(3):
        await asyncio.sleep(0)
    return [*found, len(found)]
# file: main.py
import asyncio

from work import get, refine


async def one(n):
    found = await get(f"question {n}", times=n % 3)
    again = await refine(found)
    return len(found), again


async def main():
    for n in range(8):
        try:
            print(n, await one(n))
        except KeyError as error:
            print(n, "none", error)
    print([await get(str(n)) for n in range(3)], {n: await get(f"{n}", times=2) for n in (5, 6)})
    return await get("last")


print(asyncio.run(main()))
