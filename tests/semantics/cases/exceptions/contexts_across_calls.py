# Contexts, causes and suppressed contexts go on across calls.
# file: work.py
class E1(Exception): pass
class E2(E1): pass
def f(x):
    try: raise E1("one", x)
    except E1:
        raise E2("two")
def g(x):
    try: f(x)
    except E2 as e: raise RuntimeError("three") from None
# file: main.py
import traceback, sys
from work import *
try:
    try: 1 / 0
    except ZeroDivisionError: f(1)
except E2 as e:
    print(repr(e.__context__), repr(e.__context__.__context__), e.__cause__)
try:
    try: {}[1]
    except KeyError: g(2)
except RuntimeError as e:
    print(repr(e.__context__), e.__suppress_context__, repr(e.__context__.__context__))
    print("".join(traceback.format_exception(e)).replace(sys.path[0], ""))
try: {}[3]
except KeyError: f(3)
