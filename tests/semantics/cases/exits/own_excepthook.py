# Hooks for uncaught exceptions see the program's own frames.
# file: work.py
def f(x): return 1 / x
# file: main.py
import sys, threading
from work import f
def hook(t, v, tb):
    names = []
    while tb: names.append((tb.tb_frame.f_code.co_name, tb.tb_lineno)); tb = tb.tb_next
    print("hook", t.__name__, v, names)
sys.excepthook = hook
threading.excepthook = lambda a: print("thread hook", a.exc_type.__name__, a.exc_value, a.thread.name)
t = threading.Thread(target=f, args=(0,), name="T1"); t.start(); t.join()
def go(n): return f(n)
go(0)
