# Generator functions of the remote module stay in the program; coroutine functions are awaited.
# file: work.py
import asyncio
state = []
def base(x): return x + 1
def gen(n):
    for i in range(n):
        got = yield base(i)
        if got: yield got * 100
async def co(x):
    await asyncio.sleep(0)
    return base(x)
async def agen(n):
    for i in range(n): yield base(i)
# file: main.py
import asyncio, work
from work import gen, base
g = gen(3)
print(next(g), g.send(5), list(g), [base(v) for v in gen(4)])
async def m():
    return await asyncio.gather(*(work.co(i) for i in range(3))), [v async for v in work.agen(2)]
print(asyncio.run(m()), sum(map(base, gen(3))))
