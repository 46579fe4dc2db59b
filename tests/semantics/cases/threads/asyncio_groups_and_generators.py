# Tasks, task groups, asynchronous generators and threads of asyncio make calls.
# file: work.py
def f(x):
    if x == 3: raise KeyError(x)
    return x + 100
# file: main.py
import asyncio
from work import f
async def agen(n):
    for i in range(n):
        yield f(i)
        await asyncio.sleep(0)
async def one(x):
    await asyncio.sleep(0)
    return f(x)
async def main():
    print(await asyncio.gather(*(one(i) for i in range(6)), return_exceptions=True))
    print(await asyncio.gather(*(asyncio.to_thread(f, i) for i in range(3))))
    print([v async for v in agen(3)], {v: f(1) async for v in agen(2)})
    try:
        async for v in agen(5): print(v)
    except KeyError as e: print("key", e)
    loop = asyncio.get_running_loop()
    print(await loop.run_in_executor(None, f, 7))
    try:
        async with asyncio.TaskGroup() as tg:
            a = tg.create_task(one(1)); b = tg.create_task(one(3))
    except* KeyError as g: print("group", g.exceptions)
    async with asyncio.timeout(5):
        return f(9)
print(asyncio.run(main()))
asyncio.run(one(3))
