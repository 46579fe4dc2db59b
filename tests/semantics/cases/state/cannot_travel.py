# Calls that read what cannot travel are made by the program.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: config.py
lock = None
gen = None
# file: work.py
import config
def f(x): return x, config.lock is not None and config.lock.locked()
def g(x): return next(config.gen) + x
# file: main.py
import threading, work, config
print([work.f(i) for i in range(3)])
config.lock = threading.Lock()
config.lock.acquire()
print([work.f(i) for i in range(3)])
config.gen = (i for i in range(5))
print(work.g(1), work.g(2))
