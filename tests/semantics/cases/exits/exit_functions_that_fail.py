# Exit functions call remotely, print and raise.
# file: work.py
def f(x):
    print("remote", x)
    return x
# file: main.py
import atexit, sys
from work import f
@atexit.register
def last(): print("last", f(3))
atexit.register(print, "second", f(2))
@atexit.register
def failing(): print(f(4)); raise ValueError("in atexit")
class D:
    def __del__(self): print("del at exit")
d = D()
print("main done")
sys.exit(f(5))
