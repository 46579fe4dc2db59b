# Loops of the program's: run by hand, nested in threads, of a class of its own, in debug mode.
# file: work.py
import asyncio


async def get(text):
    await asyncio.sleep(0.003)
    return "got " + text
# file: main.py
import asyncio
import threading

import work


class Loop(asyncio.SelectorEventLoop):
    def call_soon(self, *args, **kwargs):
        self.count = getattr(self, "count", 0) + 1
        return super().call_soon(*args, **kwargs)


async def main(name):
    return [await work.get(f"{name} {n}") for n in range(4)]


def thread(name, found):
    found.append(asyncio.run(main(name)))


loop = Loop()
print(loop.run_until_complete(main("own")), loop.count > 4)
loop.close()
loop = asyncio.new_event_loop()
for _ in range(2):
    print(loop.run_until_complete(work.get("by hand")), loop.run_until_complete(main("again")))
loop.close()
found = []
one = threading.Thread(target=thread, args=("thread", found))
one.start()
one.join()
print(found, asyncio.run(main("debug"), debug=True))
with asyncio.Runner() as runner:
    print(runner.run(main("runner")), runner.run(work.get("alone")))


async def outside():
    loop = asyncio.get_running_loop()
    loop.call_later(0.02, print, "called back")
    found = await main("timed")
    future = asyncio.run_coroutine_threadsafe(main("from a thread"), loop)
    print(found, await asyncio.wrap_future(future))
    await asyncio.sleep(0.03)


asyncio.run(outside())
