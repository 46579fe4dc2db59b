# Functions that are no coroutines, called in one, ask for the event loop that runs, or start tasks in it.
# file: cord.toml
[remote.work]
replicas = 2
pure = true

[remote.others]
# file: work.py
import asyncio


async def _nap(i):
    await asyncio.sleep(0.001)
    return i


def fetch(i):
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return "none", asyncio.run(_nap(i))
    return "one", i


def start(i):
    task = asyncio.get_running_loop().create_task(_nap(i))
    return task.done()
# file: others.py
import work

counted = []


def fetch(i):
    counted.append(i)
    return work.fetch(i), len(counted)
# file: main.py
import asyncio

import others
import work


async def main():
    for i in range(5):
        print(work.fetch(i), work.start(i), others.fetch(i))
    await asyncio.sleep(0.01)
    return len(asyncio.all_tasks())


print(asyncio.run(main()))
print([work.fetch(i) for i in range(4)], others.fetch(9))
