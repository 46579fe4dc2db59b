# Tracebacks of remote exceptions are walked, formatted, cut and raised again.
# file: work.py
def f(x):
    return g(x)
def g(x):
    y = x
    return 1 / y
# file: main.py
import traceback, sys, linecache
from work import f
def show():
    et, ev, tb = sys.exc_info()
    for fr, ln in traceback.walk_tb(tb): print(fr.f_code.co_name, ln, fr.f_code.co_filename.rsplit("/", 1)[-1], fr.f_globals["__name__"])
    te = traceback.TracebackException(et, ev, tb)
    print("".join(te.format()).replace(sys.path[0], ""), te.stack[-1].line)
for x in (1, 0):
    try:
        print(f(x))
    except ZeroDivisionError as e:
        show()
        tb = e.__traceback__
        while tb.tb_next: tb = tb.tb_next
        print(tb.tb_lineno, tb.tb_frame.f_code.co_firstlineno, tb.tb_frame.f_lineno)
try:
    try: f(0)
    except ZeroDivisionError as e: raise e.with_traceback(None)
except ZeroDivisionError: show()
try:
    try: f(0)
    except ZeroDivisionError: raise
except ZeroDivisionError: show()
