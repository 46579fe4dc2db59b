# A cached helper, a wrapper that counts, functools.partial and singledispatch.
# file: work.py
def f(x, y=0):
    return x * 10 + y
# file: main.py
from functools import lru_cache, partial, singledispatch, wraps

import work


def counted(func):
    @wraps(func)
    def wrapper(*args, **kwargs):
        wrapper.calls += 1
        print("call", wrapper.calls, args)
        return func(*args, **kwargs)

    wrapper.calls = 0
    return wrapper


@counted
def helper(x):
    return work.f(x, 1)


@lru_cache(maxsize=3)
def cached(x):
    print("computing", x)
    return work.f(x)


@singledispatch
def show(x):
    return work.f(0)


@show.register
def _(x: str):
    return work.f(len(x))


tens = partial(work.f, 10)
print([helper(i) for i in range(3)], helper.calls, helper.__name__)
print([cached(i % 4) for i in range(9)], cached.cache_info())
print([tens(y) for y in range(3)], tens(y=5), show(1.5), show("abc"))
local_f = counted(work.f)
print(local_f(2), local_f(3, y=4), local_f.__name__, local_f.__wrapped__ is work.f)
