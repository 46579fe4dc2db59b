# Names of a module that are deleted, and bound for the first time.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
LIMIT = 10
def f(x): return min(x, LIMIT)
def g():
    try: return LATER
    except NameError: return 'none'
# file: main.py
import work
print(work.f(1))
del work.LIMIT
try: print(work.f(2))
except NameError as e: print(e)
work.LIMIT = 3
print(work.f(5))
work.LATER = 4
print(work.g())
