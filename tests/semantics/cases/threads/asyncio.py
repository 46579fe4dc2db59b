# Calls inside coroutines block as plain ones do; the order of tasks is kept.
# file: work.py
def f(x):
    return x + 1
# file: main.py
import asyncio

import work


async def task(name, n):
    for i in range(n):
        print(name, work.f(i))
        await asyncio.sleep(0)
    return [work.f(i) for i in range(n)]


async def stream(n):
    for i in range(n):
        yield work.f(i)


async def main():
    print(await asyncio.gather(task("a", 3), task("b", 2)))
    async for v in stream(3):
        print("stream", v)
    print([work.f(v) async for v in stream(2)])
    print(await asyncio.to_thread(work.f, 41))


asyncio.run(main())
