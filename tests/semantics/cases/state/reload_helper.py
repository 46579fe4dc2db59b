# A module that the program executes again is executed again in replicas.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: helper.py
K = 2
def h(x): return x * K
# file: work.py
import helper
def f(x): return helper.h(x)
# file: main.py
import importlib, os, time, sys
sys.dont_write_bytecode = True
import helper, work
print(work.f(1))
open('helper.py','w').write('K = 22\ndef h(x): return x * K\n')
importlib.reload(helper)
print(work.f(1))
helper.K = 5
print(work.f(1))
