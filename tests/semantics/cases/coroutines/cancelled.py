# A call that is cancelled, or takes too long: what it does then is seen.
# stderr: whole
# file: work.py
import asyncio


async def slow(text, seconds=30):
    print("begins", text)
    try:
        await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        print("stopped", text)
        if text == "stubborn":
            return "partial"
        raise
    finally:
        print("ends", text)
    return "done " + text
# file: main.py
import asyncio

import work


async def main():
    for n in range(4):
        try:
            async with asyncio.timeout(3):
                print(await work.slow(f"quick {n}", 0.01))
        except TimeoutError:
            print("too long")
    for text in ("slow", "stubborn"):
        try:
            print(await asyncio.wait_for(work.slow(text), 0.05))
        except TimeoutError:
            print("too long")
    task = asyncio.create_task(work.slow("in a task"))
    await asyncio.sleep(0.02)
    task.cancel("enough")
    try:
        await task
    except asyncio.CancelledError as error:
        print("cancelled", error.args)
    task = asyncio.create_task(work.slow("not begun"))
    task.cancel()
    print(await asyncio.gather(task, return_exceptions=True))
    task = asyncio.create_task(asyncio.shield(work.slow("shielded", 0.05)))
    await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.sleep(0.1)
    asyncio.get_running_loop().call_later(0.05, asyncio.current_task().cancel)
    await work.slow("at the end")


asyncio.run(main())
