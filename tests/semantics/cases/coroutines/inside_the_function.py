# What coroutine functions do inside: tasks of their own, threads, tasks that they leave, helpers, the loop.
# told: 1
# file: work.py
import asyncio


async def _part(n):
    await asyncio.sleep(0.001 * (5 - n))
    return n


async def gathers(count):
    found = await asyncio.gather(*(_part(n) for n in range(count)))
    return found + [await asyncio.to_thread(sum, found)]


async def waits(n):
    async with asyncio.timeout(5), asyncio.Lock():
        return await asyncio.wait_for(_part(n), 5), asyncio.get_running_loop().is_running()


async def steps(n):
    async for one in _steps(n):
        if one == 2:
            return one
    return None


async def _steps(n):
    for one in range(n):
        await asyncio.sleep(0)
        yield one


async def leaves(text):
    async def later():
        await asyncio.sleep(0.02)
        print("later", text)

    asyncio.create_task(later())
    await asyncio.sleep(0)
    return text

# file: main.py
import asyncio

import work


async def main():
    for n in range(4):
        print(await work.gathers(n), await work.waits(n), await work.steps(n))
    for n in range(3):
        print(await work.leaves(str(n)))
        await asyncio.sleep(0.05)


asyncio.run(main())
asyncio.run(main())
