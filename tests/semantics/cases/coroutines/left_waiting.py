# Loops that are stopped or closed, and coroutines that are let go, while a call is awaited.
# stderr: whole
# file: work.py
import asyncio


async def get(text, seconds=0.1):
    await asyncio.sleep(seconds)
    return text


async def ends(text):
    try:
        await asyncio.sleep(9)
    finally:
        print("ends", text)
# file: main.py
import asyncio
import gc
import os

import work


async def stopping(loop):
    loop.call_later(0.03, loop.stop)
    print(await work.get("stopped"))


loop = asyncio.new_event_loop()
task = loop.create_task(stopping(loop))
loop.run_forever()
print("goes on", task.done())
loop.run_until_complete(task)


async def waiting():
    await work.get("never", 9)


task = loop.create_task(waiting())
loop.call_later(0.03, loop.stop)
loop.run_forever()
task.cancel()
print(loop.run_until_complete(asyncio.gather(task, return_exceptions=True)))
loop.close()


async def by_hand():
    one = work.get("by hand", 9)
    await asyncio.sleep(0.01)
    waits = one.send(None)
    print(asyncio.isfuture(waits) or waits)
    one.close()
    try:
        one.send(None)
    except RuntimeError as error:
        print(error)
    two = work.get("let go", 9)
    two.send(None)
    del two
    gc.collect()
    three = work.ends("let go")
    three.send(None)
    del three
    gc.collect()
    return await work.get("at last", 0.01)


print(asyncio.run(by_hand()))
pid = os.fork()
if pid == 0:
    print(asyncio.run(work.get("in a child", 0.01)), flush=True)
    os._exit(0)
os.waitpid(pid, 0)
