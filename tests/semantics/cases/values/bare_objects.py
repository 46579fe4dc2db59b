# An object() without a name, or with one in the main script, is known by its identity.
# file: work.py
import time
def same(x):
    time.sleep(0.001)
    return x
def fresh(): return object()
def pair(): a = object(); return a, [a, object()]
def count(items, token): return sum(item is token for item in items)
# file: main.py
import work
TOKEN = object()
class Stop: pass
STOP = Stop()
token = object()
print(work.same(TOKEN) is TOKEN, work.same(token) is token, work.same(STOP) is STOP)
def local():
    mine = object()
    return work.same(mine) is mine, work.same([mine])[0] is mine
print(local())
print(type(work.fresh()).__name__)
a, [b, c] = work.pair()
print(a is b, a is c)
for n in range(3):
    print(work.count([token] * n + [object()], token))
