# A remote module is forgotten, imported anew and robbed of a function.
# file: work.py
print("importing work")
def f(x): return x + 1
# file: main.py
import sys, work
print(work.f(1))
old = work
del sys.modules["work"]
import work
print(work is old, work.f(2), old.f(3))
del work.f
try: work.f(1)
except AttributeError as e: print(e)
try: from work import f
except ImportError as e: print(type(e).__name__)
try: from work import nothing
except ImportError as e: print(str(e)[:40], e.name)
try: import nowhere
except ModuleNotFoundError as e: print(e, e.name)
