# Functions that undeclared functions call back: what these change is the program's.
# file: cord.toml
[remote.work]
# file: work.py
def visit(n, callback):
    for i in range(n): callback(i)
    return n
def fold(items, f, start):
    for item in items: start = f(start, item)
    return start
def apply(f, *args, **kw): return f(*args, **kw)
class Emitter:
    def __init__(self): self.handlers = []
    def on(self, f): self.handlers.append(f)
def emit(emitter, *args):
    for handler in emitter.handlers: handler(*args)
# file: main.py
import functools, itertools
import work
def run():
    mine, total = [], 0
    def add(i):
        nonlocal total
        total += i
    print(work.visit(3, lambda i: mine.append(i)), mine)
    print(work.visit(3, mine.append), mine)
    print(work.visit(4, add), total)
    seen = {}
    work.visit(2, functools.partial(seen.setdefault, "k")); print(seen)
    class Counter:
        def __init__(self): self.n = 0
        def up(self, i): self.n += i
        def __call__(self, i): self.n -= 1
    c = Counter()
    work.visit(3, c.up); print(c.n)
    work.visit(3, c); print(c.n)
    print(work.fold([[1], [2]], lambda acc, x: acc + x, []))
    def counter():
        n = 0
        def inc():
            nonlocal n; n += 1; return n
        return inc
    inc = counter()
    print(work.apply(inc), inc(), work.apply(inc))
    def remember(x, seen=[]): seen.append(x); return list(seen)
    print(work.apply(remember, 1), remember(2), work.apply(remember, 3))
    remember.calls = 0
    def count(): remember.calls += 1
    work.apply(count); work.apply(count); print(remember.calls)
run()
LOG = []
def log(x): LOG.append(x)
print(work.visit(2, log), LOG)
emitter = work.Emitter(); emitter.on(LOG.append); emitter.on(log)
work.emit(emitter, "e"); print(LOG)
