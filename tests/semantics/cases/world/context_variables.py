# Context variables that a module holds are seen by calls; one that holds a lock keeps calls here.
# file: tenant.py
from contextvars import ContextVar

current = ContextVar("current", default="nobody")
guard = ContextVar("guard", default=None)


class Settings:
    level = ContextVar("level")
# file: work.py
import tenant


def who(x):
    return x, tenant.current.get(), tenant.Settings.level.get(0)


def guarded(x):
    return x, tenant.guard.get() is not None
# file: main.py
import asyncio
import contextvars
import threading

import tenant
import work

print([work.who(i) for i in range(3)])
token = tenant.current.set("ann")
print([work.who(i) for i in range(3)])
for name in ("bob", "cid"):
    tenant.current.set(name)
    print(work.who(0), work.who(1))
tenant.current.reset(token)
print([work.who(i) for i in range(2)])


def inside():
    tenant.current.set("inside")
    tenant.Settings.level.set(3)
    return [work.who(i) for i in range(2)]


print(contextvars.copy_context().run(inside))
print([work.who(i) for i in range(2)])


async def one(name):
    tenant.current.set(name)
    await asyncio.sleep(0)
    return work.who(name)


async def main():
    return await asyncio.gather(*(one(name) for name in "abc"))


print(asyncio.run(main()))
answers = []
thread = threading.Thread(target=lambda: answers.append(inside()))
thread.start()
thread.join()
print(answers, work.who(7))
tenant.guard.set(threading.Lock())
print([work.guarded(i) for i in range(3)])
tenant.guard.set(None)
print([work.guarded(i) for i in range(3)])
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
