# Files are edited while the program runs: replicas that start later run what it has imported.
# file: cord.toml
[remote.work]
replicas = 6
pure = true
inline = false
# file: helper.py
K = 1
# file: work.py
import threading, time, os, helper
V = 3
def f(x):
    time.sleep(0.002)
    return x * V + helper.K
def die(): pass
threading.Thread(target=time.sleep, args=(100,), daemon=True).start()
# file: main.py
import time, work
print([work.f(i) for i in range(3)])
src = open('work.py').read().replace('V = 3', 'V = 5')
open('work.py','w').write(src)
open('helper.py','w').write('K = 100\n')
time.sleep(0.1)
print([work.f(i) for i in range(30)])
