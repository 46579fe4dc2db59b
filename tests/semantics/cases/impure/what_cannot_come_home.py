# Arguments whose changes cannot come home: the program makes the calls of the module.
# told: 1
# file: cord.toml
[remote.work]
# file: work.py
seen = []
def drain(it, n): return [next(it, None) for _ in range(n)]
def note(x): seen.append(x); return list(seen)
def use(lock): return lock.acquire(blocking=False)
# file: main.py
import itertools, threading
import work
it = itertools.count(5)
print(work.drain(it, 2), next(it), work.drain(it, 1))
gen = (n * n for n in range(5))
print(work.drain(gen, 2), next(gen), work.drain(gen, 4))
lock = threading.Lock()
print(work.use(lock), work.use(lock), lock.locked())
print(work.note(1), work.note(2))
raise ValueError("the end")  # the last line of stderr: another one tells of the calls
