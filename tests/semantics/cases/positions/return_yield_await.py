# Calls in return, yield, yield from, await and their arguments.
# file: work.py
def f(*x):
    return x
# file: main.py
import asyncio

import work


def gen(n):
    got = yield work.f(n)
    while got:
        got = yield work.f(got, (yield work.f("inner")))
    yield from work.f(1, 2)
    return work.f((yield from work.f(3)), n)


def drive(g, values):
    out = [next(g)]
    try:
        for v in values:
            out.append(g.send(v))
    except StopIteration as stop:
        out.append(("returned", stop.value))
    return out


print(drive(gen(0), ["a", "b", 0, None, None, None, None]))
print(drive(gen(1), [None] * 9))


async def give(x):
    return work.f(x, await asyncio.sleep(0, work.f("slept")))


async def main():
    async with asyncio.Lock() as nothing:
        print(work.f(await give(1), nothing), [await give(i) for i in work.f(2, 3)])
    return work.f(*(await give(4)))


print(asyncio.run(main()))
