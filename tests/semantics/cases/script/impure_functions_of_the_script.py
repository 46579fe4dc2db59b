# Undeclared functions of the main script: threads, handlers, defaults, closures, views, names.
# file: cord.toml
[remote.main]
only = ["slow", "step", "cut", "add", "turn", "raises", "swap", "here"]
# file: main.py
import os, signal, threading, time, weakref
import numpy as np
LOG, N = [], 0
def slow(x):
    global N
    LOG.append(x); before = N
    time.sleep(0.01)
    N += 1
    return x
threads = [threading.Thread(target=slow, args=(i,)) for i in range(8)]
for t in threads: t.start()
LOG.append("main")
for t in threads: t.join()
print(sorted(map(str, LOG)), N)
def handler(*_):
    global N
    N += 100
signal.signal(signal.SIGUSR1, handler)
def kick():
    time.sleep(0.002); os.kill(os.getpid(), signal.SIGUSR1)
t = threading.Thread(target=kick); t.start(); slow(9); t.join(); print(N)
def remember(x, seen=[]): seen.append(x); return list(seen)
def counter():
    n = 0
    def inc():
        nonlocal n; n += 1; return n
    return inc
inc = counter(); L = [[1], [2]]; first = L[0]
A = np.zeros(4); V, W = A[:2], A[1:]
class K: count = 0
class Sub(K): pass
a, b = K(), K(); a.next = b; ref = weakref.ref(b)
def step(i): K.count += 1; return remember(i), inc()
def cut():
    global L
    L = L[:1]
def add(): V[0] = 7; W[0] = 5; return float(A.sum())
def turn(): a.__class__ = Sub; a.next.x = 5
def raises(): L.append(3); raise KeyError("k")
def swap(d, key): d[key], d["old"] = d.get("old"), d.get(key); return d
def here(): return os.getpid() == PID
PID = os.getpid()
print(step(1), remember(2), inc(), K.count)
cut(); first.append(9); print(L)
print(add(), A, V, W)
turn(); b.x += 1; print(type(a).__name__, ref().x)
try: raises()
except KeyError as error: print(error, L)
d = {"k": L}; print(swap(d, "k") is d, d["old"] is L)
print(here())
