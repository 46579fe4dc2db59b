# A remote module whose import fails, and succeeds when the program has done something about it.
# file: lib/work.py
import os

LEVEL = int(os.environ["LEVEL"])

def f(x):
    return x * LEVEL
# file: main.py
import os
import sys

def attempt():
    try:
        from work import f
    except Exception as error:
        print(type(error).__name__, error)
        return None
    return f

attempt()
sys.path.append("lib")
attempt()
os.environ["LEVEL"] = "high"
attempt()
os.environ["LEVEL"] = "3"
f = attempt()
print([f(x) for x in range(4)])
print(sys.modules["work"].LEVEL)
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
