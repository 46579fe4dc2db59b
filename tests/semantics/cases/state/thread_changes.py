# Another thread changes the state between calls.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
S = {'v': -1}
def f(x): return S['v'], x
# file: main.py
import threading, work
def change(v):
    work.S['v'] = v
for v in range(5):
    t = threading.Thread(target=change, args=(v,)); t.start(); t.join()
    print(work.f(v))
