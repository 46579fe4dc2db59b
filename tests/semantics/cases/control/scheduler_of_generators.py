# A scheduler runs generators in turns, wakes and kills them.
# file: work.py
def cost(name, i): return (len(name) * (i + 1)) % 4
# file: main.py
from collections import deque
from work import cost
def task(name, n):
    for i in range(n):
        c = cost(name, i)
        print(name, i, c)
        if c == 0:
            try: got = yield "sleep"
            except RuntimeError as e: print(name, "killed", e); return "dead"
            print(name, "got", got)
        else: yield c
    return f"{name} done"
ready = deque(task(n, k) for n, k in [("a", 4), ("bb", 3), ("ccc", 5)])
sleeping, t = [], 0
while ready or sleeping:
    t += 1
    if not ready:
        s = sleeping.pop(0)
        try: s.send(t)
        except StopIteration as e: print(e.value)
        else: ready.append(s)
        continue
    g = ready.popleft()
    try: r = next(g)
    except StopIteration as e: print("end", e.value); continue
    if r == "sleep":
        if t > 12:
            try: g.throw(RuntimeError("late"))
            except StopIteration as e: print("x", e.value)
        else: sleeping.append(g)
    else: ready.append(g)
print(t)
