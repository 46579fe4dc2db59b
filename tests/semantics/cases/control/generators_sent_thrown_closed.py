# Generators with calls inside are sent values, thrown into, delegated to and left early.
# file: work.py
def score(x):
    if x == 13: raise LookupError("unlucky")
    return x * 10
# file: main.py
from work import score
def acc():
    total = 0
    try:
        while True:
            x = yield total
            if x is None: continue
            try:
                total += score(x)
            except LookupError as e:
                print("inside:", e)
                total = -1
    except KeyError as e:
        print("thrown", e)
        yield "recovered"
    finally:
        print("final", total, score(1))
def outer():
    result = yield from acc()
    print("result", result)
g = outer()
print(next(g), g.send(1), g.send(2), g.send(None), g.send(13), g.send(4))
print(g.throw(KeyError("k")))
try:
    g.send(5)
except StopIteration as e:
    print("stop", e.value)
h = acc(); next(h); h.send(3); h.close()
def ret():
    yield score(1)
    return score(2)
def deleg():
    v = yield from ret()
    yield ("returned", v)
print(list(deleg()))
def left_early():
    try:
        for i in range(10):
            yield score(i)
    finally:
        print("cleanup")
for v in left_early():
    if v > 20: break
print("after break")
it = left_early()
print(next(it), next(it))
del it
print("end")
