# Context variables are read and set by who awaits and by what is awaited alike.
# told: 1
# file: work.py
import asyncio
from contextvars import ContextVar

who = ContextVar("who", default="nobody")


async def get(text):
    await asyncio.sleep(0.001)
    return who.get(), text


async def name(text):
    await asyncio.sleep(0.001)
    who.set(text)
# file: main.py
import asyncio

import work


async def named(text):
    work.who.set(text)
    return await work.get(text)


async def main():
    print(await work.get(1))
    work.who.set("main")
    for n in range(3):
        print(await work.get(n), await named(f"n{n}"))
        await work.name(f"set {n}")
        print(work.who.get(), await work.get(n))
    print(await asyncio.create_task(named("a task")), work.who.get())
    await asyncio.create_task(work.name("lost"))
    print(work.who.get())


asyncio.run(main())
print(work.who.get())
