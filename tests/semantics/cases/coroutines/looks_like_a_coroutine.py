# What a call gives is the coroutine of plain Python: for who looks at it, awaits it twice, closes it or never awaits it.
# stderr: whole
# file: work.py
import asyncio


async def get(text, times=1):
    """Documentation."""
    await asyncio.sleep(0.001)
    return text * times


async def at_once(text):
    return text + "!"
# file: main.py
import asyncio
import collections.abc
import copy
import gc
import inspect
import types
import weakref

import work
from work import get


def looks(one):
    print(one.__name__, one.__qualname__, asyncio.iscoroutine(one), inspect.iscoroutine(one), inspect.isawaitable(one))
    print(isinstance(one, types.CoroutineType), isinstance(one, collections.abc.Coroutine), inspect.getcoroutinestate(one))
    print(one.cr_code is get.__code__, one.cr_running, one.cr_await, one.cr_frame.f_locals, one.cr_origin)
    print(repr(one).split(" at ")[0], hasattr(one, "__next__"), hasattr(one, "nothing"), weakref.ref(one)() is one)


def tried(what, *args):
    try:
        return what(*args)
    except BaseException as error:
        return type(error).__name__, str(error), error.__traceback__.tb_next


async def main():
    print(inspect.iscoroutinefunction(get), asyncio.iscoroutinefunction(work.at_once), inspect.signature(get), get.__doc__)
    one = get("a", times=3)
    looks(one)
    print(await one, inspect.getcoroutinestate(one), one.cr_frame)
    try:
        await one
    except RuntimeError as error:
        print(error)
    print(tried(get), tried(lambda: get("a", 1, 2, z=3))[:2])
    two = get("never")
    two.__qualname__ = "other"
    del two
    gc.collect()
    three = get("closed")
    print(three.close(), tried(three.send, None)[:2])
    four = get("thrown")
    print(tried(four.throw, KeyError("k"))[:2])
    five = get("value")
    print(tried(five.send, 5)[:2])
    five.close()
    six = get("forgotten")
    for what in (lambda: six + 1, lambda: six[0], lambda: list(six), lambda: len(six), lambda: six < 2, lambda: copy.copy(six)):
        print(tried(what)[:2])
    print(await six)
    task = asyncio.create_task(get("shared"))
    await asyncio.sleep(0)
    print(task.get_coro().__name__, tried(task.get_coro().send, None)[0] in ("RuntimeError", "ValueError"))
    task.cancel()
    print(await asyncio.gather(task, return_exceptions=True))


asyncio.run(main())
print(tried(work.at_once("no loop").send, None)[:2])
print(tried(get("no loop").send, None)[:2])
get("at the end")
