# What coroutines, worker threads, generators and chains return of their arguments is the program's own.
# file: work.py
import asyncio


class Item:
    def __init__(self, n):
        self.n = n


async def same(x):
    await asyncio.sleep(0.01)
    return x


async def wrapped(x):
    await asyncio.sleep(0.01)
    return {"item": x}


def keep(x):
    return x


def stream(x):
    yield x
    yield [x]
# file: main.py
import asyncio
from concurrent.futures import ThreadPoolExecutor

import work


async def main():
    items = [work.Item(i) for i in range(4)]
    for item in items:
        print(await work.same(item) is item, end=" ")
    gathered = await asyncio.gather(*(work.same(item) for item in items))
    print([a is b for a, b in zip(gathered, items)])
    print([(await work.wrapped(item))["item"] is item for item in items])
    print([await asyncio.to_thread(work.keep, item) is item for item in items])


asyncio.run(main())
items = [work.Item(i) for i in range(4)]
with ThreadPoolExecutor(2) as pool:
    print([a is b for a, b in zip(pool.map(work.keep, items), items)])
print([a is b for a, b in zip(map(work.keep, items), items)])
x = items[0]
for _ in range(5):
    x = work.keep(x)
print(x is items[0], work.keep(work.keep(x)) is x)
got = list(work.stream(x))
print(got[0] is x, got[1][0] is x)
