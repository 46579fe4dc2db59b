# Coroutines and awaitables are driven by hand.
# file: work.py
def f(x): return x + 1
# file: main.py
from work import f
import types
class A:
    def __init__(self, v): self.v = v
    def __await__(self):
        got = yield self.v
        return f(got)
async def co(n):
    t = 0
    for i in range(n):
        t += await A(f(i))
    return t
c = co(3)
v = c.send(None)
try:
    while True: print(v); v = c.send(v * 10)
except StopIteration as e: print("result", e.value)
@types.coroutine
def sw(): yield f(1); return f(2)
async def m(): return await sw() + f(3)
c = m(); print(c.send(None))
try: c.send(None)
except StopIteration as e: print(e.value)
c = co(1); c.send(None); c.close(); print("closed")
